#!/usr/bin/python3
"""Opens every frame of a run's series with VTK's own reader: check_series_vtk.py RUN"""
import csv
import json
import pathlib
import sys

try:
    import numpy as np
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkCommonCore import VTK_LONG, VTK_LONG_LONG
    from vtkmodules.vtkCommonDataModel import VTK_TETRA
    from vtkmodules.vtkIOHDF import vtkHDFReader
except ImportError as missing:
    print(f"skipped: {missing} (Debian packages python3-vtk9, python3-numpy)")
    sys.exit(77)

run = pathlib.Path(sys.argv[1])


def check(what, true):
    if not np.all(true):
        sys.exit(f"{run}: {what}")


def tet_volumes(grid):
    points = vtk_to_numpy(grid.GetPoints().GetData())
    corners = points[vtk_to_numpy(grid.GetCells().GetConnectivityArray()).reshape(-1, 4)]
    a, b, c = (corners[:, i] - corners[:, 0] for i in (1, 2, 3))
    return np.einsum("ij,ij->i", np.cross(a, b), c) / 6


series = json.loads((run / "run.hdf.series").read_text())["files"]
rows = list(csv.DictReader((run / "monitor.csv").open()))
check("the series has fewer frames than asked for", len(series) == 5)
for entry in series:
    reader = vtkHDFReader()
    check(f"{entry['name']} is no VTKHDF file", reader.CanReadFile(str(run / entry["name"])))
    reader.SetFileName(str(run / entry["name"]))
    reader.Update()
    grid = reader.GetOutput()
    row = min(rows, key=lambda r: abs(float(r["time_s"]) - entry["time"]))
    points, cells = grid.GetPointData(), grid.GetCellData()
    for data, names in ((points, ("global_id", "velocity", "rest_position")), (cells, ("global_id", "piece", "stress"))):
        for name in names:
            check(f"array {name} is missing", data.GetArray(name) is not None)
        check("ids are not 64 bits wide", data.GetArray("global_id").GetDataType() in (VTK_LONG, VTK_LONG_LONG))
    check("number of tets is not monitor.csv's", grid.GetNumberOfCells() == int(float(row["tets"])))
    check("a cell is no tet", vtk_to_numpy(grid.GetCellTypesArray()) == VTK_TETRA)
    check("number of nodes is not monitor.csv's",
          np.unique(vtk_to_numpy(points.GetArray("global_id"))).size == int(float(row["nodes"])))
    check("tet ids repeat", np.unique(vtk_to_numpy(cells.GetArray("global_id"))).size == grid.GetNumberOfCells())
    check("number of pieces is not monitor.csv's",
          np.unique(vtk_to_numpy(cells.GetArray("piece"))).size == int(float(row["pieces"])))
    check("a field is not finite", np.isfinite(vtk_to_numpy(points.GetArray("velocity"))))
    check("a tet is inverted", tet_volumes(grid) > 0)
check("nothing broke: the test is void", int(float(rows[-1]["pieces"])) > 1)
print(f"{len(series)} frames, {grid.GetNumberOfCells()} tets and {rows[-1]['pieces']} pieces in the last")
