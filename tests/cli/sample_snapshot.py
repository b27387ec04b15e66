"""Writes a run of two frames with nothing but h5py, as docs/FORMAT.md lays a snapshot out: a tet, a crack, and beyond it
two tets that share a face across a rank boundary. usage: sample_snapshot.py RUN"""
import pathlib
import sys

import h5py
import numpy as np

# piece 0: tet 0. piece 1: tets 1 and 2; nodes 4 5 6 are the copies of 1 2 3 beyond the crack.
POSITIONS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1],
                      [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1], [2, 1, 1]], dtype=float)
TETS = np.array([[0, 1, 2, 3], [4, 5, 7, 6], [4, 5, 8, 7]])
FACES = ((1, 2, 3), (0, 3, 2), (0, 1, 3), (0, 2, 1))  # outward, opposite to each corner of a positive tet


def positive(tet):
    a, b, c, d = POSITIONS[list(tet)]
    return tet if np.dot(np.cross(b - a, c - a), d - a) > 0 else (tet[0], tet[1], tet[3], tet[2])


def boundary(tets):
    """(tet, corners) of the faces that occur once."""
    faces = {}
    for number, tet in enumerate(tets):
        for face in FACES:
            corners = tuple(tet[c] for c in face)
            faces.setdefault(tuple(sorted(corners)), []).append((number, corners))
    return [found[0] for found in faces.values() if len(found) == 1]


def write(path, frame):
    tets = [positive(tuple(tet)) for tet in TETS]
    parts = [[0, 1], [2]]  # tets of each rank
    crack = {(1, 2, 3), (4, 5, 6)}
    points, ids, connectivity, corners, element, source = [], [], [], [], [], []
    num_points, num_triangles, offsets = [], [], []
    for part in parts:
        nodes = sorted({int(n) for e in part for n in tets[e]})
        local = {n: i for i, n in enumerate(nodes)}
        points.append(POSITIONS[nodes] + [0, 0, frame])
        ids += nodes
        num_points.append(len(nodes))
        connectivity += [local[n] for e in part for n in tets[e]]
        offsets += list(range(0, 4 * len(part) + 1, 4))
        mine = [(e, face) for e, face in boundary(tets) if e in part]
        num_triangles.append(len(mine))
        for e, face in mine:
            corners.append([local[n] for n in face])
            element.append(10 + e)
            source.append(-1 if tuple(sorted(face)) in crack else 100 + len(source))
    with h5py.File(path, "w") as file:
        vtk, ours = file.create_group("VTKHDF"), file.create_group("brisance")
        vtk.attrs["Version"] = np.array([1, 0], dtype=np.int64)
        vtk.attrs.create("Type", b"UnstructuredGrid", dtype="S16")
        vtk["NumberOfPoints"] = np.array(num_points)
        vtk["NumberOfCells"] = np.array([len(part) for part in parts])
        vtk["NumberOfConnectivityIds"] = np.array([4 * len(part) for part in parts])
        vtk["Points"], vtk["Connectivity"] = np.concatenate(points), np.array(connectivity)
        vtk["Offsets"], vtk["Types"] = np.array(offsets), np.full(3, 10, dtype=np.uint8)
        vtk["PointData/global_id"] = np.array(ids)
        vtk["PointData/rest_position"] = POSITIONS[ids]
        vtk["PointData/velocity"] = np.array([[n, -n, 0.5] for n in ids], dtype=float)
        vtk["CellData/global_id"] = np.array([10, 11, 12])
        vtk["CellData/piece"] = np.array([0, 1, 1])
        ours.attrs["format_version"], ours.attrs["frame"] = 1, frame
        ours.attrs["time_s"] = 0.25 * frame
        ours["boundary/num_triangles"], ours["boundary/corners"] = np.array(num_triangles), np.array(corners)
        ours["boundary/element"], ours["boundary/source_triangle"] = np.array(element), np.array(source)


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1]) / "snapshots"
    folder.mkdir(parents=True)
    for number in range(2):
        write(folder / f"{number:06d}.hdf", number)
