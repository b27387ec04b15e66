#!/usr/bin/python3
"""Impacts of a page and names of pieces against the C library: check_names.py LIBBRISANCE_IMPACT FILE.impact CASES.json
PLAYBACK EXPORT. CASES: of page_impacts.js; EXPORT: the playback as OBJ."""
import csv
import ctypes
import json
import pathlib
import sys

import h5py
import numpy as np

from impact_library import Impact


def main():
    library = ctypes.CDLL(sys.argv[1])
    library.brisance_target_open.restype = ctypes.c_void_p
    target = ctypes.c_void_p(library.brisance_target_open(sys.argv[2].encode()))
    cases = json.loads(pathlib.Path(sys.argv[3]).read_text())
    count = len(cases[0]["piece_of_atom"])
    numbers = set()
    for case in cases:
        blow = Impact((ctypes.c_double * 3)(*case["point"]), (ctypes.c_double * 3)(*case["direction"]), 1,
                      case["threshold"], 0, int(case["leastSquares"]))
        first, again = (ctypes.c_int32 * count)(), (ctypes.c_int32 * count)()
        numbers.add(library.brisance_target_strike(target, ctypes.byref(blow), None, 0, first))
        assert list(first) == case["piece_of_atom"], case
        blow.threshold /= 2
        library.brisance_target_strike(target, ctypes.byref(blow), first, case["body"], again)
        assert list(again) == case["again"], case
    assert len(numbers) > 4, f"all blows break alike: {numbers}"
    name = ctypes.create_string_buffer(64)
    names = []
    for atom in range(count):
        library.brisance_target_atom_name(target, atom, name, 64)
        names.append(name.value.decode())
    # In a playback the names of pieces are those of atoms, in the frames and in what is exported.
    table = {row["name"]: row for row in csv.DictReader(open(f"{sys.argv[5]}/pieces.csv", encoding="utf-8"))}
    most = 0
    for frame in sorted(pathlib.Path(sys.argv[4], "snapshots").glob("*.hdf")):
        with h5py.File(frame) as file:
            ids, pieces = file["VTKHDF/CellData/piece_id"][:].astype(int), file["VTKHDF/CellData/piece"][:]
        assert len(set(zip(ids, pieces))) == len(set(pieces)) == len(set(ids)), "an id for each piece"
        text = pathlib.Path(sys.argv[5], frame.stem + ".obj").read_text()
        assert {line[2:] for line in text.split("\n") if line.startswith("o ")} == {names[i] for i in set(ids)}
        most = max(most, len(set(ids)))
    assert most > 2, "it did not break"
    assert len(table) == most and sum(int(row["parent"]) < 0 for row in table.values()) == 1, table
    assert all(names[int(row["id"])] == key for key, row in table.items())
    print(f"{len(cases)} blows of the page as by the C library; {most} pieces of the playback named after atoms")


main()
