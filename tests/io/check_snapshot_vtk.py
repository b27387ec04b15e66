#!/usr/bin/python3
"""Reads a snapshot of sample_frame.hpp with VTK's own reader. Usage: check_snapshot_vtk.py FILE CUBES PARTS"""

import sys

try:
    import numpy as np
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOHDF import vtkHDFReader
except ImportError as missing:
    print(f"skipped: {missing} (Debian packages python3-vtk9, python3-numpy)")
    sys.exit(77)

path, cubes, parts = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])


def check(what, true):
    if not np.all(true):
        sys.exit(f"{path}: VTK reads a wrong {what}")


reader = vtkHDFReader()
check("kind of file", reader.CanReadFile(path))
reader.SetFileName(path)
reader.Update()
grid = reader.GetOutput()
points, cells = grid.GetPointData(), grid.GetCellData()
check("number of cells", grid.GetNumberOfCells() == 6 * cubes)
check("cell type", [grid.GetCellType(i) == 10 for i in range(grid.GetNumberOfCells())])
node_id = vtk_to_numpy(points.GetArray("global_id"))
check("set of node ids", np.unique(node_id) == 10 * np.arange(4 * (cubes + 1)) + 3)
check("owned", vtk_to_numpy(points.GetArray("owned")).sum() == 4 * (cubes + 1))
check("velocity", vtk_to_numpy(points.GetArray("velocity")) == np.outer(node_id, [1, -2, 0.5]))
rest = vtk_to_numpy(points.GetArray("rest_position"))
moved = vtk_to_numpy(grid.GetPoints().GetData()) - rest
check("position", np.allclose(moved, np.outer(0.01 * node_id, [0, 0, 1]), rtol=0, atol=1e-14))
tet_id = vtk_to_numpy(cells.GetArray("global_id"))
check("set of tet ids", np.sort(tet_id) == 7 * np.arange(6 * cubes) + 1)
check("material", vtk_to_numpy(cells.GetArray("material")) == tet_id % 2)
check("piece", vtk_to_numpy(cells.GetArray("piece")) == tet_id % 3)
check("stress", vtk_to_numpy(cells.GetArray("stress")) == 1000.0 * tet_id[:, None] + np.arange(6))
check("plastic strain", cells.GetArray("plastic_strain").GetNumberOfComponents() == 6)
check("time", grid.GetFieldData().GetArray("time_s").GetValue(0) == 0.1)
corners = np.array([[grid.GetCell(i).GetPointId(k) for k in range(4)] for i in range(6 * cubes)])
a, b, c, d = (rest[corners[:, k]] for k in range(4))
check("volume", np.allclose(np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a) / 6, 1e-3 / 6))
print(f"{path}: VTK finds {grid.GetNumberOfCells()} tets, {grid.GetNumberOfPoints()} points")
