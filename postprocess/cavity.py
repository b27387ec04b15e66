#!/usr/bin/python3
"""A cavity for a closed surface: the region deeper inside than a wall's thickness, as a surface.

examples:
  cavity.py bust.obj --wall 0.02 --out bust_cavity.obj
  brisance mesh bust.obj --set cavity_file=bust_cavity.obj --tets 50000 --out bust.hdf

object.mesh.cavity_scale shrinks the outside about its centroid, which suits bodies that bulge on all sides; where a
throat or a rim prevents that, use this script. Lengths are in the file's own unit (object.mesh.scale applies to both
files). Distances are computed on a grid and smoothed a little, so the wall is within a cell or two of the
given thickness; of several hollows the largest is written.
"""
import argparse
import concurrent.futures
import math
import pathlib

from failure import Failure, blame, missing_package, run
from output_files import make_folder, open_text, refuse_existing, write_complete

try:
    import numpy as np
except ImportError:
    np = None

MARGIN = 2  # cells around the surface


def modules():
    """The required parts of VTK, by name."""
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
    kind = path.suffix[1:].upper()
    if kind not in ("OBJ", "STL", "PLY"):
        raise Failure(f"{path}: give an OBJ, STL or PLY file.")
    with blame(path, f"surface ({kind})"):
        path.open("rb").close()
        # In a process of its own: VTK's readers trust what a file says of itself, and may end by a signal.
        with concurrent.futures.ProcessPoolExecutor(1) as readers:
            try:
                points, triangles = readers.submit(read_triangles, path).result()
            except concurrent.futures.process.BrokenProcessPool:
                raise ValueError("reading it ended VTK") from None
    # VTK reads single precision, of which a ten-thousandth of the size should be left.
    if np.abs(points).max() * 2.0 ** -24 > 1e-4 * np.ptp(points, axis=0).max():
        raise Failure(f"{path}: the surface is too far from the origin for single precision. Move it there first.")
    surface = poly_data(vtk, points, triangles)
    edges = vtk.vtkFeatureEdges()
    edges.SetInputData(surface)
    edges.FeatureEdgesOff()
    edges.Update()
    if surface.GetNumberOfPolys() == 0 or edges.GetOutput().GetNumberOfCells() > 0:
        raise Failure(f"{path}: the surface is not closed, so nothing is inside. Wrap it first: brisance mesh --set "
                      "repair=true.")
    return surface


def require_numbers(path):
    """Raises ValueError where a vertex of an OBJ file has a coordinate that is no finite number: VTK takes it for 0."""
    with path.open(errors="replace") as lines:
        for number, line in enumerate(lines, 1):
            words = line.split()
            if words[:1] != ["v"]:
                continue
            try:
                finite = len(words) >= 4 and all(math.isfinite(float(word)) for word in words[1:4])
            except ValueError:
                finite = False
            if not finite:
                raise ValueError(f"line {number}: a coordinate of the vertex is not finite")


def read_triangles(path):
    """Points (n, 3) and triangles (t, 3) of a file, without doubles; raises ValueError where a face names a point that is
    not there. Filters of VTK do not ask, so that comes first."""
    vtk = modules()
    vtk.vtkObject.GlobalWarningDisplayOff()
    if path.suffix.lower() == ".obj":
        require_numbers(path)
    reader = {".obj": vtk.vtkOBJReader, ".stl": vtk.vtkSTLReader, ".ply": vtk.vtkPLYReader}[path.suffix.lower()]()
    reader.SetFileName(str(path))
    reader.Update()
    read = reader.GetOutput()
    for cells in (read.GetPolys(), read.GetStrips(), read.GetLines(), read.GetVerts()):
        corners = vtk.numpy_support.vtk_to_numpy(cells.GetConnectivityArray())
        if corners.size and (corners.min() < 0 or corners.max() >= read.GetNumberOfPoints()):
            raise ValueError("a face names a vertex that the file does not have")
    if read.GetNumberOfPoints() == 0 or read.GetNumberOfPolys() == 0:
        raise ValueError("it has no faces")
    if not np.all(np.isfinite(vtk.numpy_support.vtk_to_numpy(read.GetPoints().GetData()))):
        raise ValueError("a vertex is not finite")
    triangles = vtk.vtkTriangleFilter()
    triangles.SetInputData(read)
    triangles.PassLinesOff()
    triangles.PassVertsOff()
    welded = vtk.vtkCleanPolyData()
    welded.SetInputConnection(triangles.GetOutputPort())
    welded.SetTolerance(0)
    welded.Update()
    surface = welded.GetOutput()
    return (vtk.numpy_support.vtk_to_numpy(surface.GetPoints().GetData()).astype(float),
            vtk.numpy_support.vtk_to_numpy(surface.GetPolys().GetConnectivityArray()).reshape(-1, 3))


def poly_data(vtk, points, triangles):
    surface, places, cells = vtk.vtkPolyData(), vtk.vtkPoints(), vtk.vtkCellArray()
    places.SetData(vtk.numpy_support.numpy_to_vtk(points, deep=True))
    offsets = np.arange(0, 3 * len(triangles) + 1, 3, dtype=np.int64)
    cells.SetData(vtk.numpy_support.numpy_to_vtkIdTypeArray(offsets, deep=True),
                  vtk.numpy_support.numpy_to_vtkIdTypeArray(triangles.ravel().astype(np.int64), deep=True))
    surface.SetPoints(places)
    surface.SetPolys(cells)
    return surface


def volume(vtk, surface):
    properties = vtk.vtkMassProperties()
    properties.SetInputData(surface)
    properties.Update()
    return properties.GetVolume()


def hollow(vtk, surface, wall, cells):
    """The surface of the largest part deeper than `wall`, and the largest depth."""
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


def proper_triangles(vtk, surface):
    """Points (n, 3), and triangles (t, 3) with three different corners."""
    points = vtk.numpy_support.vtk_to_numpy(surface.GetPoints().GetData())
    triangles = vtk.numpy_support.vtk_to_numpy(surface.GetPolys().GetData()).reshape(-1, 4)[:, 1:]
    return points, np.array([t for t in triangles if len(set(t)) == 3])


def write_obj(path, about, points, triangles):
    with open_text(path) as file:
        file.write(f"# {about}\n")
        file.writelines("v %.9g %.9g %.9g\n" % tuple(p) for p in points)
        file.writelines("f %d %d %d\n" % tuple(t + 1) for t in triangles)


def make(arguments):
    if np is None:
        raise missing_package("numpy", "python3-numpy")
    vtk = modules()
    if not arguments.wall > 0:
        raise Failure(f"--wall {arguments.wall:g} must be a positive length.")
    if not 8 <= arguments.cells <= 400:
        raise Failure(f"--cells {arguments.cells}: take 8 to 400.")
    refuse_existing(arguments.out, arguments.overwrite)
    outside = read_surface(vtk, arguments.surface)
    inside, deepest = hollow(vtk, outside, arguments.wall, arguments.cells)
    about = f"cavity.py {arguments.surface.name}, wall {arguments.wall:g}"
    points, triangles = proper_triangles(vtk, inside)
    make_folder(arguments.out.parent)
    write_complete(arguments.out, lambda path: write_obj(path, about, points, triangles), arguments.overwrite)
    print(f"{arguments.out}: {len(triangles)} triangles, {100 * volume(vtk, inside) / volume(vtk, outside):.1f} % of the volume "
          f"hollow; the deepest place is {deepest:.4g} below the surface")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("surface", type=pathlib.Path, help="closed surface (OBJ, STL, PLY)")
    parser.add_argument("--wall", required=True, type=float, help="thickness of the solid wall, in the file's unit")
    parser.add_argument("--cells", type=int, default=48, help="cells of the grid along the longest side (48)")
    parser.add_argument("--out", required=True, type=pathlib.Path, help="OBJ to write")
    parser.add_argument("--overwrite", action="store_true", help="replace an --out that exists")
    return parser.parse_args()


if __name__ == "__main__":
    run(lambda: make(parse_arguments()))
