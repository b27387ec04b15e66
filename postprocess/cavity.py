#!/usr/bin/python3
"""A cavity for a closed surface: what lies deeper inside than a wall is thick, as a surface of its own.

examples:
  cavity.py bust.obj --wall 0.02 --out bust_cavity.obj
  brisance mesh bust.obj --set cavity_file=bust_cavity.obj --tets 50000 --out bust.hdf

object.mesh.cavity_scale shrinks the outside about its centroid, which suits bodies that bulge on all sides; where a
throat or a rim gets in the way, this does not. Lengths are in the file's own unit (object.mesh.scale applies to both
files). Distances are taken on a grid and smoothed a little, so the wall comes out within a cell or two of what was
asked for; of several hollows the largest is written.
"""
import argparse
import pathlib

from failure import Failure, blame, missing_package, run

try:
    import numpy as np
except ImportError:
    np = None

MARGIN = 2  # cells around the surface


def modules():
    """What of VTK is needed, by name."""
    try:
        from vtkmodules import (vtkCommonCore, vtkCommonDataModel, vtkFiltersCore, vtkFiltersGeneral, vtkImagingGeneral,
                                vtkIOGeometry, vtkIOPLY)
        from vtkmodules.util import numpy_support
    except ImportError:
        raise missing_package("vtkmodules", "python3-vtk9") from None
    found = {"numpy_support": numpy_support}
    for module in (vtkCommonCore, vtkCommonDataModel, vtkFiltersCore, vtkFiltersGeneral, vtkImagingGeneral,
                   vtkIOGeometry, vtkIOPLY):
        found.update(vars(module))
    return argparse.Namespace(**{name: value for name, value in found.items() if not name.startswith("__")})


def read_surface(vtk, path):
    """Triangles of an OBJ, STL or PLY file that bounds a volume."""
    readers = {".obj": vtk.vtkOBJReader, ".stl": vtk.vtkSTLReader, ".ply": vtk.vtkPLYReader}
    if path.suffix.lower() not in readers:
        raise Failure(f"{path}: give an OBJ, STL or PLY file.")
    with blame(path, f"{path.suffix[1:].upper()} file"):
        path.open("rb").close()
        reader = readers[path.suffix.lower()]()
        reader.SetFileName(str(path))
        triangles = vtk.vtkTriangleFilter()
        triangles.SetInputConnection(reader.GetOutputPort())
        welded = vtk.vtkCleanPolyData()
        welded.SetInputConnection(triangles.GetOutputPort())
        welded.SetTolerance(0)
        welded.Update()
        surface = welded.GetOutput()
    edges = vtk.vtkFeatureEdges()
    edges.SetInputData(surface)
    edges.FeatureEdgesOff()
    edges.Update()
    if surface.GetNumberOfPolys() == 0 or edges.GetOutput().GetNumberOfCells() > 0:
        raise Failure(f"{path}: the surface is not closed, so nothing is inside. Wrap it first: brisance mesh --set "
                      "repair=true.")
    return surface


def volume(vtk, surface):
    properties = vtk.vtkMassProperties()
    properties.SetInputData(surface)
    properties.Update()
    return properties.GetVolume()


def hollow(vtk, surface, wall, cells):
    """The surface of the largest part that lies deeper than `wall`, and how deep the deepest place is."""
    bounds = np.array(surface.GetBounds()).reshape(3, 2)
    cell = np.ptp(bounds, axis=1).max() / cells
    counts = np.ceil(np.ptp(bounds, axis=1) / cell).astype(int) + 1 + 2 * MARGIN
    origin = bounds[:, 0] - MARGIN * cell
    axes = [o + cell * np.arange(n) for o, n in zip(origin, counts)]
    z, y, x = np.meshgrid(*axes[::-1], indexing="ij")
    points = vtk.numpy_support.numpy_to_vtk(np.column_stack([x.ravel(), y.ravel(), z.ravel()]), deep=True)
    distance = vtk.vtkImplicitPolyDataDistance()  # negative inside
    distance.SetInput(surface)
    values = vtk.vtkDoubleArray()
    distance.FunctionValue(points, values)
    deepest = -vtk.numpy_support.vtk_to_numpy(values).min()
    if deepest <= wall:
        raise Failure(f"no place inside is deeper than {deepest:.4g}, so a wall of {wall:g} leaves no cavity. Take a "
                      "thinner --wall.")
    grid = vtk.vtkImageData()
    grid.SetDimensions(*map(int, counts))
    grid.SetOrigin(*origin)
    grid.SetSpacing(cell, cell, cell)
    grid.GetPointData().SetScalars(values)
    smooth = vtk.vtkImageGaussianSmooth()
    smooth.SetInputData(grid)
    smooth.SetStandardDeviations(1, 1, 1)
    smooth.SetRadiusFactors(3, 3, 3)
    level = vtk.vtkContourFilter()
    level.SetInputConnection(smooth.GetOutputPort())
    level.SetValue(0, -wall)
    largest = vtk.vtkPolyDataConnectivityFilter()
    largest.SetInputConnection(level.GetOutputPort())
    largest.SetExtractionModeToLargestRegion()
    used = vtk.vtkCleanPolyData()
    used.SetInputConnection(largest.GetOutputPort())
    used.SetTolerance(0)
    used.Update()
    if used.GetOutput().GetNumberOfPolys() == 0:
        raise Failure(f"a wall of {wall:g} leaves less than a cell of the grid. Take a thinner --wall, or more --cells.")
    return used.GetOutput(), deepest


def write_obj(vtk, path, about, surface):
    points = vtk.numpy_support.vtk_to_numpy(surface.GetPoints().GetData())
    triangles = vtk.numpy_support.vtk_to_numpy(surface.GetPolys().GetData()).reshape(-1, 4)[:, 1:]
    kept = [t for t in triangles if len(set(t)) == 3]
    lines = [f"# {about}"] + ["v %.9g %.9g %.9g" % tuple(p) for p in points]
    path.write_text("\n".join(lines + ["f %d %d %d" % tuple(t + 1) for t in kept]) + "\n", encoding="utf-8")
    return len(kept)


def make(arguments):
    if np is None:
        raise missing_package("numpy", "python3-numpy")
    vtk = modules()
    if not arguments.wall > 0:
        raise Failure(f"--wall {arguments.wall:g} must be a positive length.")
    if not 8 <= arguments.cells <= 400:
        raise Failure(f"--cells {arguments.cells}: take 8 to 400.")
    if arguments.out.exists() and not arguments.overwrite:
        raise Failure(f"{arguments.out} exists. Choose another --out, or replace it with --overwrite.")
    outside = read_surface(vtk, arguments.surface)
    inside, deepest = hollow(vtk, outside, arguments.wall, arguments.cells)
    about = f"cavity.py {arguments.surface.name}, wall {arguments.wall:g}"
    count = write_obj(vtk, arguments.out, about, inside)
    print(f"{arguments.out}: {count} triangles, {100 * volume(vtk, inside) / volume(vtk, outside):.1f} % of the volume "
          f"hollow; the deepest place is {deepest:.4g} below the surface")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("surface", type=pathlib.Path, help="closed surface (OBJ, STL, PLY)")
    parser.add_argument("--wall", required=True, type=float, help="thickness of what stays solid, in the file's unit")
    parser.add_argument("--cells", type=int, default=48, help="cells of the grid along the longest side (48)")
    parser.add_argument("--out", required=True, type=pathlib.Path, help="OBJ to write")
    parser.add_argument("--overwrite", action="store_true", help="replace an --out that exists")
    arguments = parser.parse_args()
    run(lambda: make(arguments))


if __name__ == "__main__":
    main()
