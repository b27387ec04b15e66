"""Runs of brisance as numpy arrays.

  import sys; sys.path.append("postprocess")     # or PYTHONPATH
  import brisance_post as post

  for frame in post.frames("runs/bowl"):         # one at a time
      print(frame.time_s, len(frame.triangles), frame.velocity.max())
  table = post.monitor("runs/bowl")              # columns of monitor.csv by name
  energy = table["kinetic_energy_j"]
  pieces = post.pieces("runs/bowl")              # of the last frame; also of a file of brisance prefracture
  print(pieces["volume_m3"], pieces["centre_m"])

Errors are failure.Failure: what is wrong, where, what to do. docs/EXPORTS.md has the arrays.
"""
import pathlib

import h5py  # noqa: F401  its absence is to be seen here
import numpy as np

from failure import Failure
from snapshots import chosen_frames, read_nodes, read_pieces, read_surface, snapshot_files

PIECE = [("piece", "i8"), ("volume_m3", "f8"), ("area_m2", "f8"), ("crack_area_m2", "f8"), ("centre_m", "f8", 3),
         ("velocity_m_s", "f8", 3), ("triangles", "i8")]


def frames(run, which=None):
    """The frames of a run folder, or one file, in order of time, each read when it is asked for: snapshots.Surface with
    time_s, frame, points (n, 3), velocity (n, 3), triangles (t, 3), piece (t,), source_triangle (t,), is_crack (t,).
    `which` chooses some: "12", "10:20"."""
    for file in chosen_frames(snapshot_files(run), which):
        yield read_surface(file)


def at_rest(path):
    """The surface of a frame with the nodes at rest in place of their positions."""
    surface, nodes = read_surface(path), read_nodes(path)
    row, known = nodes.rows(surface.node_id)
    if not np.all(known):
        raise Failure(f"{path}: a node of the surface is not in the file; it is damaged. Copy or make it again.")
    surface.points = nodes.rest_position[row]
    return surface


def pieces(path, frame=-1):
    """One row for each piece: its number, volume and areas (at rest, where the frame has rest positions), centre of its
    surface's nodes and their mean velocity (zero where there are none), and the number of its triangles. `path` is a run folder, a snapshot, or a file of pieces;
    `frame` counts from 0, or from the end."""
    path = pathlib.Path(path)
    if path.is_file() and path.suffix != ".hdf":
        surface = rest = read_pieces(path)
    else:
        file = snapshot_files(path)[frame]
        surface = read_surface(file)
        try:
            rest = at_rest(file)
        except Failure:
            rest = surface
    corners = rest.points[rest.triangles] - rest.points.mean(0)
    numbers, row = np.unique(surface.piece, return_inverse=True)
    table = np.zeros(len(numbers), PIECE)
    a, b, c = (corners[:, k] for k in range(3))
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2
    table["piece"] = numbers
    table["volume_m3"] = np.bincount(row, np.einsum("ij,ij->i", a, np.cross(b, c)) / 6)
    table["area_m2"] = np.bincount(row, area)
    table["crack_area_m2"] = np.bincount(row, area * surface.is_crack)
    table["triangles"] = np.bincount(row)
    piece_of_node = np.zeros(len(surface.points), int)
    piece_of_node[surface.triangles] = row[:, None]
    count = np.maximum(np.bincount(piece_of_node, minlength=len(numbers)), 1)
    for k in range(3):
        table["centre_m"][:, k] = np.bincount(piece_of_node, surface.points[:, k], len(numbers)) / count
        if surface.velocity is not None:
            table["velocity_m_s"][:, k] = np.bincount(piece_of_node, surface.velocity[:, k], len(numbers)) / count
    return table


def monitor(run):
    """monitor.csv of a run folder (or the file itself) as a structured array: a field for each column, a row for each
    line. A last line that is not complete is left out."""
    path = pathlib.Path(run)
    path = path / "monitor.csv" if path.is_dir() else path
    if not path.is_file():
        raise Failure(f"{path} does not exist. Name a run folder.")
    lines = path.read_text(encoding="utf-8").split("\n")[:-1]
    if not lines:
        raise Failure(f"{path} is empty. Has the run begun?")
    names = lines[0].split(",")
    try:
        rows = [tuple(float(cell) for cell in line.split(",")) for line in lines[1:]]
        return np.array(rows, dtype=[(name, "f8") for name in names])
    except ValueError as failure:
        raise Failure(f"{path} is no table of numbers: {failure}. Copy it again.") from None


def crack_area(run):
    """Times [s] and crack areas at rest [m2], half of both faces, of all frames."""
    times, areas = [], []
    for file in snapshot_files(run):
        rest = at_rest(file)
        a, b, c = (rest.points[rest.triangles[rest.is_crack, k]] for k in range(3))
        times.append(rest.time_s)
        areas.append(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 4)
    return np.array(times), np.array(areas)


def weibull(sizes):
    """Shape k and scale of the Weibull distribution that makes the sizes likeliest: P(size > s) = exp(-(s/scale)^k)."""
    sizes = np.asarray(sizes, float)
    if len(sizes) < 3 or np.ptp(sizes) == 0 or sizes.min() <= 0:
        raise Failure(f"a Weibull distribution needs three or more different sizes above 0; there are {len(sizes)}.")
    logs = np.log(sizes / sizes.max())

    def slope(k):  # of the likelihood; falls with k
        powers = np.exp(k * logs)
        return 1 / k + logs.mean() - (powers @ logs) / powers.sum()

    low, high = 1e-3, 1e3
    for _ in range(200):
        k = (low * high) ** 0.5
        low, high = (k, high) if slope(k) > 0 else (low, k)
    return k, sizes.max() * np.exp(k * logs).mean() ** (1 / k)


def power_law(sizes):
    """Exponent a and smallest size of the likeliest power law P(size > s) = (s/smallest)^(1-a), and its share of all
    sizes. The smallest size is that with the least distance between the law and the sizes above (Kolmogorov, Smirnov),
    ten of them at least."""
    sizes = np.sort(np.asarray(sizes, float))
    if len(sizes) < 10 or sizes[0] <= 0 or sizes[0] == sizes[-1]:
        raise Failure(f"a power law needs ten or more different sizes above 0; there are {len(sizes)}.")
    best = None
    for first in range(len(sizes) - 9):
        tail = sizes[first:]
        logs = np.log(tail / tail[0])
        if logs.sum() <= 0:
            continue
        a = 1 + len(tail) / logs.sum()
        distance = np.abs(1 - (tail / tail[0]) ** (1 - a) - np.arange(len(tail)) / len(tail)).max()
        if best is None or distance < best[0]:
            best = distance, a, tail[0], len(tail) / len(sizes)
    return best[1:]
