#!/usr/bin/python3
"""Reads a mode file knowing docs/FORMAT.md only, and opens it with VTK's own reader: check_modes_vtk.py FILE"""
import sys

try:
    import h5py
    import numpy as np
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOHDF import vtkHDFReader
except ImportError as missing:
    print(f"skipped: {missing} (Debian packages python3-vtk9, python3-h5py)")
    sys.exit(77)

path = sys.argv[1]


def check(what, true):
    if not np.all(true):
        sys.exit(f"{path}: {what}")


reader = vtkHDFReader()
reader.SetFileName(path)
reader.Update()
grid = reader.GetOutput()
with h5py.File(path) as file:
    ours = file["brisance_modes"]
    check("format_version", ours.attrs["format_version"] == 1)
    volume = file["VTKHDF/CellData/volume"][()]
    cells, weight = ours["face_cells"][()], ours["face_weight"][()]
    modes = np.array([file[f"VTKHDF/CellData/mode_{k:03}"][()] for k in range(len(ours["energy"]))])
    check("cells of VTK", grid.GetNumberOfCells() == len(volume))
    for k in range(len(modes)):
        check("mode in VTK", vtk_to_numpy(grid.GetCellData().GetArray(f"mode_{k:03}")) == modes[k])
    check("orthonormal", abs((modes * volume) @ modes.T - np.eye(len(modes))) < 1e-8)
    jump = abs(modes[:, cells[:, 0]] - modes[:, cells[:, 1]])
    check("energies", abs(jump @ weight - ours["energy"][()]) <= 1e-9 * ours["energy"][()])
    gap = ours["relative_gap"][()]
    check("gaps", (gap <= ours.attrs["relative_gap"]) | ((ours.attrs["refined"] == 1) & (gap == 1)))
    check("steps", ours["num_steps"][()].sum() == len(ours["convex_energy"]) == len(ours["convex_gap"]))
    check("gap of every step", ours["convex_gap"][()] <= ours.attrs["relative_gap"])
