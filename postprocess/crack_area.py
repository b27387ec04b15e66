#!/usr/bin/python3
"""Crack area of a frame in each material, beside the materials' volumes.

examples:
  crack_area.py runs/wall                          the last frame of a run
  crack_area.py runs/wall/snapshots/000005.hdf
  crack_area.py runs/plank --axis 1,0,0            how the cracks lie to the grain

Both faces of a crack count, each for the material of its tet, with their area at rest. A line a material: share of the
crack area; share of it that lies in the material or against it, so that all corners of a face are corners of its tets,
too; share of the volume; crack area [m2]; name.

With --axis, a direction at rest, a line more: the share of the crack area whose normal is 60 degrees or more away from it,
which is half where normals point anywhere; that within 30 degrees of it (0.134); crack area [m2].
"""
import argparse

from failure import Failure, run
from snapshots import boundary_corners, np, read_file, snapshot_files, with_global_rows


def cracks_at_rest(file, path):
    """The faces of cracks at rest: doubled area vectors [m2], one row each."""
    grid, ours = file["VTKHDF"], file["brisance"]
    if "rest_position" not in grid["PointData"]:
        raise Failure(f"{path} has no rest_position. Take a whole frame.")
    rest = grid["PointData/rest_position"][:]
    corners = boundary_corners(file)
    a, b, c = (rest[corners[ours["boundary/source_triangle"][:] < 0, k]] for k in range(3))
    return np.cross(b - a, c - a)


def by_material(file, path):
    """Names of the materials; of each its crack area and that against it [m2], and volume [m3]."""
    grid, ours = file["VTKHDF"], file["brisance"]
    if "rest_position" not in grid["PointData"] or not len(grid["Connectivity"]):
        raise Failure(f"{path} has no tets or no rest_position. Take a whole frame.")
    names = [name.decode() for name in ours["material_names"]]
    rest, material, tet_id = (grid[name][:] for name in ("PointData/rest_position", "CellData/material",
                                                         "CellData/global_id"))
    tets = with_global_rows(grid["Connectivity"][:].reshape(-1, 4), grid["NumberOfCells"][:], grid["NumberOfPoints"][:])
    a, b, c, d = (rest[tets[:, k]] for k in range(4))
    volume = np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a) / 6
    corners = boundary_corners(file)
    a, b, c = (rest[corners[:, k]] for k in range(3))
    area = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1) * (ours["boundary/source_triangle"][:] < 0)
    order = np.argsort(tet_id)
    tet = order[np.searchsorted(tet_id, ours["boundary/element"][:], sorter=order)]
    # Nodes that a crack has separated have the same place at rest.
    _, place = np.unique(rest, axis=0, return_inverse=True)
    place = place.ravel()
    against = []
    for number in range(len(names)):
        has = np.zeros(place.max() + 1, bool)
        has[place[tets[material == number]]] = True
        against.append(area[has[place[corners]].all(axis=1)].sum())
    return names, np.bincount(material[tet], area, len(names)), against, np.bincount(material, volume, len(names))


def say(arguments):
    frame = snapshot_files(arguments.run)[-1]
    names, area, against, volume = read_file(frame, by_material, "brisance snapshot")
    whole = area.sum() or 1
    for name, crack_m2, against_m2, volume_m3 in zip(names, area, against, volume):
        print(f"{crack_m2 / whole:.4f} {against_m2 / whole:.4f} {volume_m3 / volume.sum():.4f} {crack_m2:.6g} {name}")
    if arguments.axis is None:
        return
    faces = read_file(frame, cracks_at_rest, "brisance snapshot")
    area = np.linalg.norm(faces, axis=1)
    cosine = np.abs(faces @ arguments.axis) / np.maximum(area, 1e-300)
    whole = area.sum() or 1
    print(f"{area[cosine <= 0.5].sum() / whole:.4f} {area[cosine >= 0.75 ** 0.5].sum() / whole:.4f} {area.sum() / 2:.6g} axis")


def direction(text):
    """A unit vector from "x,y,z"."""
    vector = np.array([float(part) for part in text.split(",")])
    if vector.shape != (3,) or not np.linalg.norm(vector) > 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no direction; write it as 1,0,0.")
    return vector / np.linalg.norm(vector)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", metavar="RUN", help="run folder or snapshot (.hdf)")
    parser.add_argument("--axis", type=direction, metavar="X,Y,Z", help="orientation of cracks to this direction")
    return parser.parse_args()


if __name__ == "__main__":
    run(lambda: say(parse_arguments()))
