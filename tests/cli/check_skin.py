"""Checks exports of a textured crate that breaks: check_skin.py INPUT.obj EXPORT_DIR RUN."""
import collections
import csv
import pathlib
import sys

import h5py


def read(path):
    points, texture, objects, name, material = [], [], collections.OrderedDict(), None, None
    for line in open(path, encoding="utf-8"):
        words = line.split()
        if not words:
            continue
        if words[0] == "v":
            points.append(tuple(float(x) for x in words[1:4]))
        elif words[0] == "vt":
            texture.append(tuple(float(x) for x in words[1:3]))
        elif words[0] in ("o", "g"):
            name = words[1]
        elif words[0] == "usemtl":
            material = words[1]
        elif words[0] == "f":
            corners = [tuple(int(i) - 1 if i else None for i in (word.split("/") + [""])[:2]) for word in words[1:]]
            objects.setdefault(name, []).append((material, corners))
    return points, texture, objects


def area(points, corners):
    total = [0.0, 0.0, 0.0]
    a = points[corners[0][0]]
    for k in range(1, len(corners) - 1):
        u = [q - p for p, q in zip(a, points[corners[k][0]])]
        v = [q - p for p, q in zip(a, points[corners[k + 1][0]])]
        total[0] += u[1] * v[2] - u[2] * v[1]
        total[1] += u[2] * v[0] - u[0] * v[2]
        total[2] += u[0] * v[1] - u[1] * v[0]
    return sum(x * x for x in total) ** 0.5 / 2


def areas(points, objects):
    by_material = collections.Counter()
    for faces in objects.values():
        for material, corners in faces:
            by_material[material] += area(points, corners)
    return by_material


def num_open_edges(points, faces):
    """Directed edges between places that do not have their reverse as often."""
    balance = collections.Counter()
    for _, corners in faces:
        places = [points[corner[0]] for corner in corners]
        for a, b in zip(places, places[1:] + places[:1]):
            balance[min(a, b), max(a, b)] += (a < b) - (b < a)
    return sum(abs(count) for count in balance.values())


def near(a, b, tolerance):
    return abs(a - b) <= tolerance * abs(b)


def check_names(run, exported, known):
    """Ids last: tets of a piece were in the piece of the same id before, or in its parent's; exports have the names."""
    before = {}
    for frame in sorted(run.glob("snapshots/*.hdf")):
        with h5py.File(frame) as file:
            tets, piece = file["VTKHDF/CellData/global_id"][:], file["VTKHDF/CellData/piece"][:]
            ids, parents = file["brisance/piece_names/id"][:], file["brisance/piece_names/parent"][:]
            names = [name.decode() for name in file["brisance/piece_names/name"][:]]
        assert len(set(ids)) == len(ids) == piece.max() + 1, frame
        assert names == [f"piece_{i:04d}" for i in ids] and all(p < i for p, i in zip(parents, ids))
        former_ids = set(before.values())
        for tet, number in zip(tets, piece):
            former = before.get(tet)
            assert former is None or former in (ids[number], parents[number]), (frame, tet)
            # A piece named for the first time is a part of one of the frame before.
            assert not before or ids[number] in former_ids or parents[number] in former_ids, (frame, tet)
        text = (exported / frame.with_suffix(".obj").name).read_text()
        assert {line[2:] for line in text.split("\n") if line.startswith("o ")} <= set(names), frame
        assert all(known[name]["parent"] == str(p) for name, p in zip(names, parents)), frame
        before = dict(zip(tets, ids[piece]))
    assert len(set(before.values())) > 2


def main():
    source, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    points, texture, objects = read(source)
    expected = areas(points, objects)
    frames = sorted(folder.glob("*.obj"))
    assert len(frames) > 2, frames
    points0, texture0, whole = read(frames[0])
    assert list(whole) == ["piece_0000"], list(whole)
    found = areas(points0, whole)
    assert set(found) == set(expected) == {"wood", "lid"}, (found, expected)
    for name in expected:
        assert near(found[name], expected[name], 1e-5), (name, found, expected)
    assert sum(len(f) for f in whole.values()) == 2 * sum(len(f) for f in objects.values())  # two of each square
    wanted = {tuple(round(x, 4) for x in t) for t in texture}
    assert {tuple(round(x, 4) for x in t) for t in texture0} == wanted

    for frame in frames:
        points1, _, broken = read(frame)
        open_edges = {name: num_open_edges(points1, faces) for name, faces in broken.items()}
        assert not any(open_edges.values()), (frame, open_edges)
    assert len(broken) > 2, "it did not break"
    assert "piece_0000" in broken
    assert {m for faces in broken.values() for m, _ in faces} == {"wood", "lid", "crack"}
    outside = {m: a for m, a in areas(points1, broken).items() if m != "crack"}
    for name, a in outside.items():
        assert near(a, expected[name], 0.1), (name, a, expected)  # strained, and some of it is dust
    table = list(csv.DictReader(open(folder / "pieces.csv", encoding="utf-8")))
    assert {row["name"] for row in table} >= set(broken), (table, list(broken))
    assert [int(row["parent"]) >= 0 for row in table] == [False] + [True] * (len(table) - 1), table
    assert all(float(row["mass_kg"]) > 0 for row in table)
    check_names(pathlib.Path(sys.argv[3]), folder, {row["name"]: row for row in table})


main()
