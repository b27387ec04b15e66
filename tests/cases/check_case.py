#!/usr/bin/python3
"""Runs a golden case and compares it with what is on record: counts, energies, and a digest of every bit of its last
frame, read with h5py and not with the program's own reader.

    check_case.py PROGRAM CASE_FOLDER SCRATCH_FOLDER [--ranks N] [--update WHY]

A case is a folder with expected.json and scene.toml, or in its place command.json: the arguments of the program, with
{case} for the folder; --out is added. --update writes expected.json anew; WHY goes into it and belongs
into the commit. The digest is a function of ids and values alone: ranks, file order and compression do not enter.
"""

import argparse
import csv
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys

import h5py
import numpy as np

COUNTS = ["step", "nodes", "tets", "pieces", "dust_particles", "cracks", "front_splits", "edge_splits", "contacts"]
POINT_ARRAYS = ["rest_position", "velocity"]
CELL_ARRAYS = ["material", "piece", "plastic_strain"]
DUST_ARRAYS = ["id", "birth_s", "position", "velocity", "angular_momentum", "radius", "mass"]


class Parts:
    """The rows of all ranks of a snapshot: points by global id (each once), cells with global corner ids."""

    def __init__(self, file):
        vtk = file["VTKHDF"]
        self.point_data, self.cell_data = vtk["PointData"], vtk["CellData"]
        num_points = vtk["NumberOfPoints"][:]
        self.first_point = np.concatenate([[0], np.cumsum(num_points)])
        self.ids = self.point_data["global_id"][:]
        self.points = np.flatnonzero(self.point_data["owned"][:])
        self.points = self.points[np.argsort(self.ids[self.points], kind="stable")]
        self.cells = np.argsort(self.cell_data["global_id"][:], kind="stable")
        self.positions = vtk["Points"][:]
        self.corners = self.global_ids(vtk["Connectivity"][:].reshape(-1, 4), vtk["NumberOfCells"][:])

    def global_ids(self, local, rows_by_part):
        part = np.repeat(np.arange(len(rows_by_part)), rows_by_part)
        return self.ids[local + self.first_point[part][:, None]]


def digest(snapshot):
    total = hashlib.sha256()

    def add(name, values):
        total.update(name.encode())
        total.update(np.ascontiguousarray(values).tobytes())

    with h5py.File(snapshot, "r") as file:
        parts = Parts(file)
        add("node", parts.ids[parts.points])
        add("position", parts.positions[parts.points])
        for name in POINT_ARRAYS:
            add(name, parts.point_data[name][:][parts.points])
        add("tet", parts.cell_data["global_id"][:][parts.cells])
        add("corners", parts.corners[parts.cells])
        for name in CELL_ARRAYS:
            if name in parts.cell_data:
                add(name, parts.cell_data[name][:][parts.cells])
        boundary = file["brisance/boundary"]
        faces = parts.global_ids(boundary["corners"][:], boundary["num_triangles"][:])
        rows = np.column_stack([boundary["element"][:], faces, boundary["source_triangle"][:]])
        add("boundary", rows[np.lexsort(rows.T[::-1])])
        colliders = file.get("brisance/colliders")
        for name in ["centre", "orientation"]:
            if colliders is not None and name in colliders:
                add(name, colliders[name][:])
        if "brisance/dust" in file:
            dust = file["brisance/dust"]
            order = np.argsort(dust["id"][:], kind="stable")
            for name in DUST_ARRAYS:
                add("dust " + name, dust[name][:][order])
    return total.hexdigest()


def last_line(monitor):
    with open(monitor, newline="") as file:
        return list(csv.DictReader(file))[-1]


def result_of(run):
    row = last_line(run / "monitor.csv")
    snapshots = sorted((run / "snapshots").glob("*.hdf"))
    return {
        "counts": {name: int(float(row[name])) for name in COUNTS if name in row},
        "energies": {name: float(value) for name, value in row.items() if name.endswith("_j")},
        "digest": digest(snapshots[-1]),
    }


def compare(found, expected):
    """What differs, in words. Bits come from exact sums: energies agree to the last printed digit."""
    for group in ["counts", "energies"]:
        for name, value in expected[group].items():
            if found[group].get(name) != value:
                yield f"{name} is {found[group].get(name)}, on record {value}"
    if found["digest"] != expected["digest"]:
        yield f"digest of the last frame is {found['digest'][:16]}..., on record {expected['digest'][:16]}..."


def run_case(program, case, ranks, out):
    shutil.rmtree(out, ignore_errors=True)
    out.parent.mkdir(parents=True, exist_ok=True)
    arguments = ["run", "{case}/scene.toml"]
    if (case / "command.json").exists():
        arguments = json.loads((case / "command.json").read_text())
    arguments = [word.replace("{case}", str(case)) for word in arguments]
    command = ["mpirun", "-q", "-n", str(ranks), program, *arguments, "--out", str(out)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("program")
    arguments.add_argument("case", type=pathlib.Path)
    arguments.add_argument("scratch", type=pathlib.Path)
    arguments.add_argument("--ranks", type=int, default=1)
    arguments.add_argument("--update", metavar="WHY")
    given = arguments.parse_args()
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    run = given.scratch / f"{given.case.name}_np{given.ranks}"
    run_case(given.program, given.case, given.ranks, run)
    found = result_of(run)
    record = given.case / "expected.json"
    expected = json.loads(record.read_text()) if record.exists() else {"trusted": ""}
    if given.update:
        record.write_text(json.dumps({"trusted": expected["trusted"], "why_last_changed": given.update, **found}, indent=2) + "\n")
        print(f"{record}: written")
        return 0
    differences = list(compare(found, expected))
    for line in differences:
        print(f"{given.case.name}, {given.ranks} rank(s): {line}")
    if not differences:
        print(f"{given.case.name}, {given.ranks} rank(s): {found['counts']['pieces']} pieces, "
              f"{found['counts'].get('cracks', 'no')} cracks, every bit as on record")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
