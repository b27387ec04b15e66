"""The pieces of a run's last frame with at least a share of its mass, by their place at rest: lowest and highest x [m],
mean velocity along x [m/s], share of the volume. Arguments: RUN SHARE."""
import pathlib
import sys

import h5py
import numpy as np

run, share = sys.argv[1:]
with h5py.File(sorted(pathlib.Path(run, "snapshots").glob("*.hdf"))[-1], "r") as file:
    grid = file["VTKHDF"]
    rest, velocity = grid["PointData/rest_position"][:], grid["PointData/velocity"][:]
    first = np.concatenate(([0], np.cumsum(grid["NumberOfPoints"][:])[:-1]))
    tets = grid["Connectivity"][:].reshape(-1, 4) + np.repeat(first, grid["NumberOfCells"][:])[:, None]
    piece = grid["CellData/piece"][:]
a, b, c, d = (rest[tets[:, k]] for k in range(4))
volume = np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a) / 6
pieces = []
for number in np.unique(piece):
    of_it = piece == number
    if volume[of_it].sum() < float(share) * volume.sum():
        continue
    x = rest[tets[of_it], 0]
    pieces.append((x.min(), x.max(), np.average(velocity[tets[of_it], 0].mean(axis=1), weights=volume[of_it]),
                   volume[of_it].sum() / volume.sum()))
for low, high, speed, part in sorted(pieces):
    print(f"{low:.9g} {high:.9g} {speed:.6g} {part:.6g}")
