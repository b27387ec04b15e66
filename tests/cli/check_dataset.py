#!/usr/bin/python3
"""Checks a data set: check_dataset.py DIR OBJECTS IMPACTS LEAST MOST MIN_VOLUME: read as programs for reassembly do, each
folder holds meshes alone; pieces are closed, fill the object, and have labels that fit."""
import collections
import json
import pathlib
import sys

import numpy as np

out = pathlib.Path(sys.argv[1])
num_objects, num_impacts, least, most = map(int, sys.argv[2:6])
min_volume = float(sys.argv[6])


def read_obj(path):
    rows = [line.split() for line in path.read_text().splitlines()]
    points = np.array([r[1:] for r in rows if r[0] == "v"], float)
    return points, np.array([r[1:] for r in rows if r[0] == "f"], int) - 1


def volume(points, triangles):
    return np.einsum("ij,ij->i", points[triangles[:, 0]], np.cross(points[triangles[:, 1]], points[triangles[:, 2]])).sum() / 6


def check_impact(folder, labels, whole):
    files = sorted(p.name for p in folder.iterdir())
    assert files == sorted(f"piece_{p}.obj" for p in range(labels["num_pieces"])), files
    assert least <= len(files) <= most
    total, areas = 0, collections.Counter()
    for number, piece in enumerate(labels["pieces"]):
        points, triangles = read_obj(folder / piece["file"])
        edges = collections.Counter(e for a, b, c in triangles.tolist() for e in ((a, b), (b, c), (c, a)))
        assert all(edges[b, a] == count == 1 for (a, b), count in edges.items()), "a piece is not closed"
        size = volume(points, triangles)
        assert abs(size - piece["volume_m3"]) < 1e-6 * whole and size >= 0.999 * min_volume * whole
        total += size
        beyond = np.array(piece["neighbour_of_face"])
        assert len(beyond) == len(triangles) and np.any(beyond >= 0)
        corners = points[triangles]
        area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1) / 2
        for other in set(beyond[beyond >= 0].tolist()):
            areas[number, other] = area[beyond == other].sum()
        turn = piece["pose"]["rotation_xyzw"]
        assert abs(np.linalg.norm(turn) - 1) < 1e-9 and len(piece["pose"]["translation_m"]) == 3
    assert abs(total - whole) < 1e-6 * whole, (total, whole)
    assert {(b["a"], b["b"]) for b in labels["adjacency"]} == {(a, b) for a, b in areas if a < b}
    for bond in labels["adjacency"]:
        one, other = areas[bond["a"], bond["b"]], areas[bond["b"], bond["a"]]
        assert abs(one - other) < 1e-6 * one and abs(one - bond["area_m2"]) < 1e-6 * one


manifest = json.loads((out / "manifest.json").read_text())
lists = [line for name in ("train", "val") for line in (out / f"data_split/everyday.{name}.txt").read_text().split("\n") if line]
assert len(lists) == len(set(lists)) == num_objects, lists
broken = 0
for entry in manifest["objects"]:
    if entry["status"] == "refused":
        assert entry["reason"] and entry["object"] == "cut_short"
        continue
    folder = out / entry["folder"]
    assert entry["folder"] in lists
    whole = volume(*read_obj(folder / "whole.obj")) if (folder / "whole.obj").exists() else None
    breaks = sorted(p.name for p in folder.iterdir() if "fractured" in p.name or "mode" in p.name)  # what loaders take
    assert breaks == [f"fractured_{k}" for k in range(num_impacts)], breaks
    seen = set()
    for k in range(num_impacts):
        labels = json.loads((folder / f"impact_{k}.json").read_text())
        assert labels["status"] == "made" and labels["object"] == entry["object"]
        size = whole or sum(p["volume_m3"] for p in labels["pieces"])
        check_impact(folder / f"fractured_{k}", labels, size)
        seen.add(tuple(round(p["volume_m3"], 12) for p in labels["pieces"]))
        broken += 1
    assert len(seen) == num_impacts, "two impacts break it in the same way"
assert broken == num_objects * num_impacts
print(f"{out}: {broken} breaks as expected")
