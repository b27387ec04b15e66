#!/usr/bin/python3
"""Reads a snapshot of sample_frame.hpp knowing only docs/FORMAT.md. Usage: check_snapshot.py FILE CUBES PARTS"""

import sys

try:
    import h5py
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing} (Debian packages python3-h5py, python3-numpy)")
    sys.exit(77)

path, cubes, parts = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
num_nodes, num_tets, num_triangles = 4 * (cubes + 1), 6 * cubes, 8 * cubes + 4


def check(what, true):
    if not np.all(true):
        sys.exit(f"{path}: {what} is not as docs/FORMAT.md says")


def starts(counts):
    return np.concatenate([[0], np.cumsum(counts)[:-1]])


with h5py.File(path, "r") as file:
    vtk, ours = file["VTKHDF"], file["brisance"]
    check("Version", vtk.attrs["Version"] == [1, 0])
    check("Type", bytes(vtk.attrs["Type"]) == b"UnstructuredGrid")
    check("format_version", ours.attrs["format_version"] == 1)
    check("time_s", ours.attrs["time_s"] == 0.1 and vtk["FieldData/time_s"][0] == 0.1)
    check("step, frame", (ours.attrs["step"], ours.attrs["frame"]) == (412, 3))
    check("FieldData", (vtk["FieldData/step"][0], vtk["FieldData/frame"][0]) == (412, 3))
    check("num_pieces, num_cracks", (ours.attrs["num_pieces"], ours.attrs["num_cracks"]) == (3, 17))
    check("scene", ours["scene"][0].decode() == '[scene]\nname = "Schüssel"\n')
    check("material_names", list(ours["material_names"][:]) == [b"glass", b"ceramic"])

    points, cells = vtk["NumberOfPoints"][:], vtk["NumberOfCells"][:]
    triangles = ours["boundary/num_triangles"][:]
    check("number of parts", len(points) == len(cells) == len(triangles) == parts)
    check("NumberOfConnectivityIds", vtk["NumberOfConnectivityIds"][:] == 4 * cells)
    check("Types", vtk["Types"][:] == 10)
    check("Offsets", vtk["Offsets"][:] == np.concatenate([4 * np.arange(n + 1) for n in cells]))

    node_id, owned = vtk["PointData/global_id"][:], vtk["PointData/owned"][:]
    check("owned", np.array_equal(np.sort(node_id[owned == 1]), 10 * np.arange(num_nodes) + 3))
    check("rows of nodes", len(node_id) == points.sum())
    index = (node_id - 3) // 10
    rest = 0.1 * np.column_stack([index // 4, index // 2 % 2, index % 2])
    check("rest_position", np.allclose(vtk["PointData/rest_position"][:], rest, rtol=0, atol=1e-15))
    check("Points", np.allclose(vtk["Points"][:] - rest, np.outer(0.01 * node_id, [0, 0, 1]), rtol=0, atol=1e-14))
    check("velocity", vtk["PointData/velocity"][:] == np.outer(node_id, [1, -2, 0.5]))

    check("names of node state", list(ours["state/node_fields"][:]) == [b"mark", b"direction"])
    check("units of node state", list(ours["state/node_units"][:]) == [b"s", b"-"])
    check("node state", vtk["PointData/mark"][:] == 0.25 * node_id)
    check("node state of three numbers", vtk["PointData/direction"][:] == node_id[:, None] + np.arange(3))

    tet_id = vtk["CellData/global_id"][:]
    check("names of tet state", list(ours["state/tet_fields"][:]) == [b"share"])
    check("tet state", vtk["CellData/share"][:] == tet_id[:, None] - np.arange(2))
    check("CellData/global_id", np.array_equal(np.sort(tet_id), 7 * np.arange(num_tets) + 1))
    check("material", vtk["CellData/material"][:] == tet_id % 2)
    check("piece", vtk["CellData/piece"][:] == tet_id % 3)
    stress = 1000.0 * tet_id[:, None] + np.arange(6)
    check("stress", vtk["CellData/stress"][:] == stress)
    check("plastic_strain", np.allclose(vtk["CellData/plastic_strain"][:], 1e-6 * stress, rtol=1e-15))

    corners = vtk["Connectivity"][:].reshape(-1, 4) + np.repeat(starts(points), cells)[:, None]
    a, b, c, d = (rest[corners[:, k]] for k in range(4))
    volume = np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a) / 6
    check("volume of each tet", np.allclose(volume, 1e-3 / 6))

    faces = ours["boundary/corners"][:] + np.repeat(starts(points), triangles)[:, None]
    check("number of boundary triangles", len(faces) == num_triangles)
    a, b, c = (rest[faces[:, k]] for k in range(3))
    enclosed = np.einsum("ij,ij->i", np.cross(a, b), c).sum() / 6
    check("volume inside the boundary", np.isclose(enclosed, cubes * 1e-3))
    home = {tet: set(nodes) for tet, nodes in zip(tet_id, node_id[corners])}
    elements = ours["boundary/element"][:]
    check("boundary/element", [set(f) <= home[e] for e, f in zip(elements, node_id[faces])])
    source = ours["boundary/source_triangle"][:]
    check("source_triangle", sorted(source[source >= 0]) == [t for t in range(num_triangles) if t % 5 != 4])

    colliders = ours["colliders"]
    check("collider names", list(colliders["name"][:]) == [b"ground", b"ball", b"wedge"])
    check("collider kinds", list(colliders["kind"][:]) == [b"plane", b"sphere", b"mesh"])
    check("collider sizes", colliders["size"][:] == [[0, 0, 1], [0.05, 0, 0], [1, 1, 1]])
    check("collider centres", colliders["centre"][:] == [[0, 0, 0], [0.1, 0.2, 0.3], [0.4, 0.5, 0.6]])
    check("collider orientations", colliders["orientation"][:] == [[1, 0, 0, 0], [0.8, 0.6, 0, 0], [1, 0, 0, 0]])
    check("vertices of each collider", list(colliders["num_vertices"][:]) == [0, 0, 4])
    check("triangles of each collider", list(colliders["num_triangles"][:]) == [0, 0, 4])
    check("collider vertices", colliders["vertices"][:] == [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    check("collider triangles", colliders["triangles"][:] == [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
print(f"{path}: {num_tets} tets in {parts} parts, as docs/FORMAT.md says")
