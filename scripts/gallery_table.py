#!/usr/bin/python3
"""Measures scenes of docs/GALLERY.md and writes the table of their counts.

  scripts/gallery_table.py                             # every scene of the table, each run whole; writes docs/GALLERY.md
  scripts/gallery_table.py bowl wall_light --print     # these alone, to the terminal

  --print      print the rows, change no file
  --runs DIR   keep the run folders there; by default they are removed
  --program F  default build/release/brisance

A scene runs as it is in configs/, on one rank. The table carries the commit, the date and the processor; counts of an
explicit run depend on neither of the last two, seconds do.
"""
import argparse
import csv
import datetime
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import tomllib

import h5py
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
GALLERY = ROOT / "docs" / "GALLERY.md"
BEGIN, END = "<!-- scripts/gallery_table.py writes from here -->", "<!-- to here -->"
SCENES = ["bowl", "bowl_quick", "bowl_1", "bowl_2", "bowl_3", "bowl_4", "wall_light", "wall_heavy", "glass_slab", "comparison_bowl",
          "notched_block_mode1", "notched_block_mode2", "notched_block_mode3", "cylinder_pull", "bowl_on_steps", "own_model"]
HEAD = ["scene", "tets at start → end", "steps", "processor seconds", "pieces: all, > 0.1 %, > 1 % of the mass", "cracks", "imbalance"]


def run(program, scene, folder):
    """Runs a scene; returns the processor seconds it took [s]."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([program, "run", ROOT / "configs" / f"{scene}.toml", "--out", folder], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"{scene}: exit code {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def densities(folder, names):
    """Density of each material that a frame names [kg/m³]; graded and crushed forms have that of what they are forms of."""
    materials = tomllib.loads((folder / "scene.toml").read_text())["material"]
    by_name = {m["name"]: m["density_kg_m3"] for m in materials}
    return [by_name[name] if name in by_name else next(rho for known, rho in by_name.items() if name.startswith(known)) for name in names]


def piece_shares(folder):
    """Shares of the mass of all pieces of the last frame, descending [–]."""
    frame = sorted((folder / "snapshots").glob("*.hdf"))[-1]
    with h5py.File(frame) as file:
        parts, mass = file["VTKHDF"], {}
        names = [n.decode() if isinstance(n, bytes) else n for n in file["brisance/material_names"]]
        density = np.array(densities(folder, names))
        rest, corners = parts["PointData/rest_position"][:], parts["Connectivity"][:].reshape(-1, 4)
        first_point = np.repeat(np.concatenate([[0], np.cumsum(parts["NumberOfPoints"][:])[:-1]]), parts["NumberOfCells"][:])
        x = rest[corners + first_point[:, None]]
        volume = np.abs(np.linalg.det(x[:, 1:] - x[:, :1])) / 6
        weight = volume * density[parts["CellData/material"][:]]
        piece = parts["CellData/piece"][:]
    for number, of_tet in zip(piece, weight):
        mass[number] = mass.get(number, 0) + of_tet
    shares = np.array(sorted(mass.values(), reverse=True))
    return shares / shares.sum()


def row_of(program, scene, runs):
    """Runs a scene; its row of the table."""
    folder = pathlib.Path(runs) / scene
    seconds = run(program, scene, folder)
    with open(folder / "monitor.csv") as file:
        rows = list(csv.DictReader(file))
    first, last, shares = rows[0], rows[-1], piece_shares(folder)
    imbalance = re.search(r"largest imbalance .*\(([0-9.]+) % of the largest term\)", (folder / "run.log").read_text())
    pieces = f"{len(shares)}, {(shares > 1e-3).sum()}, {(shares > 1e-2).sum()}"
    return [f"`{scene}`", f"{first['tets']} → {last['tets']}", last["step"], f"{seconds:.0f}", pieces, last["cracks"],
            f"{imbalance.group(1)} %" if imbalance else "–"]


def line(cells):
    return "| " + " | ".join(cells) + " |"


def processor():
    names = [text.split(":")[1].strip() for text in open("/proc/cpuinfo") if text.startswith("model name")]
    return names[0] if names else os.uname().machine


def table(rows):
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    said = f"Measured by `scripts/gallery_table.py` at {commit}, {datetime.date.today()}, one rank of {processor()}."
    return "\n".join([BEGIN, line(HEAD), "|" + "---|" * len(HEAD), *map(line, rows), "", said, END])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenes", nargs="*", help="names of configs/; default: all of the table")
    parser.add_argument("--print", action="store_true", dest="only_print")
    parser.add_argument("--runs", type=pathlib.Path)
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build" / "release" / "brisance")
    options = parser.parse_args()
    if options.scenes and not options.only_print:
        parser.error("a part of the scenes goes with --print: the table holds all of them, of one commit.")
    if not options.program.exists():
        parser.error(f"there is no program {options.program}; build it, or name it with --program.")
    text = GALLERY.read_text()
    if not options.only_print and (BEGIN not in text or END not in text):
        sys.exit(f"{GALLERY} has lost the two lines between which the table stands: {BEGIN} and {END}")
    with tempfile.TemporaryDirectory() as scratch:
        rows = []
        for scene in options.scenes or SCENES:
            rows.append(row_of(options.program, scene, options.runs or scratch))
            print(line(rows[-1]), flush=True)
    if options.only_print:
        return
    before, rest = text.split(BEGIN)
    GALLERY.write_text(before + table(rows) + rest.split(END)[1])


if __name__ == "__main__":
    main()
