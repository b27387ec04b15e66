#!/usr/bin/python3
"""Checks folders of assets: check_assets.py LIBBRISANCE_IMPACT FOLDER...: hulls enclose the pieces, are small and have few
vertices; pieces are closed; bonds, levels and nodes fit together; each impact answer of the C library names nodes."""
import collections
import ctypes
import json
import pathlib
import struct
import sys

import h5py
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "postprocess"))
from impact_library import Impact  # noqa: E402
from snapshots import read_pieces  # noqa: E402


def glb(path):
    data = path.read_bytes()
    length, = struct.unpack_from("<I", data, 12)
    return json.loads(data[20:20 + length]), data[20 + length + 8:]


def planes(hull):
    corners = np.array(hull["points_m"])[np.array(hull["triangles"])]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    areas = np.linalg.norm(normals, axis=1)
    has_normal = areas > 1e-7 * areas.max()  # of needles between points of one plane it is rounding
    normals = normals[has_normal] / areas[has_normal, None]
    return normals, np.einsum("ij,ij->i", normals, corners[has_normal, 0])


def check_hulls(asset, surface, labels, size):
    for number, piece in enumerate(asset["pieces"]):
        triangles = surface.points[surface.triangles[labels[surface.piece] == number]]
        assert bool(len(triangles)) == bool(piece["hulls"]) == (piece["volume_m3"] > 0), piece["name"]
        if not len(triangles):  # a thin one, of which smoothing left nothing: its name stays
            continue
        points = np.concatenate([triangles.reshape(-1, 3), triangles.mean(1)])
        inside = np.zeros(len(points), bool)
        for hull in piece["hulls"]:
            assert len(hull["points_m"]) <= 60, hull["name"]
            normals, offsets = planes(hull)
            inside |= np.all(points @ normals.T <= offsets + 1e-9 * size, axis=1)
        assert np.all(inside), f"{piece['name']}: {np.sum(~inside)} of {len(points)} points outside its hulls"


def check_scene(asset, document, binary):
    """Names, parents, closed surfaces."""
    nodes = {node["name"]: node for node in document["nodes"]}
    assert len(nodes) == len(document["nodes"]), "two nodes have one name"
    parent = {document["nodes"][c]["name"]: node["name"] for node in document["nodes"] for c in node.get("children", [])}
    for piece in asset["pieces"]:
        node = nodes[piece["name"]]
        assert parent[piece["name"]] == piece["parent"] == node["extras"]["parent"]
        assert np.allclose(node["translation"], piece["centre_of_mass_m"])
        assert ("mesh" in node) == bool(node["extras"]["bounds_m"]) == (piece["volume_m3"] > 0)
        if "mesh" not in node:
            continue
        edges = collections.Counter()
        for primitive in document["meshes"][node["mesh"]]["primitives"]:
            def values(number, kind, width):
                accessor = document["accessors"][number]
                view = document["bufferViews"][accessor["bufferView"]]
                return np.frombuffer(binary, kind, accessor["count"] * width, view["byteOffset"]).reshape(-1, width)
            points = values(primitive["attributes"]["POSITION"], "<f4", 3)
            for t in points[values(primitive["indices"], "<u4", 1).reshape(-1, 3)]:
                a, b, c = (tuple(x) for x in t)
                edges.update([(a, b), (b, c), (c, a)])
        assert all(edges[b, a] == count for (a, b), count in edges.items()), f"{piece['name']} is not closed"
    clusters = [c for level in asset["levels"] for c in level["clusters"]]
    assert all(parent[c["name"]] == c["parent"] for c in clusters)
    for level in asset["levels"]:
        assert sorted(p for c in level["clusters"] for p in c["pieces"]) == sorted(p["name"] for p in asset["pieces"])
    return nodes


def check_names(library, file, nodes, asset):
    """Strikes in two generations; all names of atoms are nodes."""
    target = library.brisance_target_open(str(file).encode())
    count = len(asset["pieces"])
    name = ctypes.create_string_buffer(64)
    names = []
    for atom in range(count):
        assert library.brisance_target_atom_name(ctypes.c_void_p(target), atom, name, 64) > 0
        names.append(name.value.decode())
    assert library.brisance_target_atom_name(ctypes.c_void_p(target), count, name, 64) == -1
    broken = 0
    for piece in asset["pieces"]:
        blow = Impact((ctypes.c_double * 3)(*piece["centre_of_mass_m"]), (ctypes.c_double * 3)(0, 0, -1), 1, 0.05, 0, 0)
        first, second = (ctypes.c_int32 * count)(), (ctypes.c_int32 * count)()
        broken += library.brisance_target_strike(ctypes.c_void_p(target), ctypes.byref(blow), None, 0, first) > 1
        library.brisance_target_strike(ctypes.c_void_p(target), ctypes.byref(blow), first, 0, second)
        for answer in (first, second):
            members = [names[a] for a in range(count) if answer[a] >= 0]
            assert members and all(n in nodes and "volume_m3" in nodes[n]["extras"] for n in members)
    assert broken, "no blow broke it"
    # First pieces struck alone break where they have modes of their own.
    generations = library.brisance_target_generations(ctypes.c_void_p(target))
    blow.threshold, further = 0, 0
    number = library.brisance_target_strike(ctypes.c_void_p(target), ctypes.byref(blow), None, 0, first)
    for piece in range(number):
        further += library.brisance_target_strike(ctypes.c_void_p(target), ctypes.byref(blow), first, piece, second)
    assert (further > number) == (generations > 1) and further <= count, (number, further, count)
    assert generations == 1 or any(c["pieces"] == [names[a] for a in range(count) if first[a] == p]
                                   for p in range(number) for c in asset["levels"][-1]["clusters"])
    library.brisance_target_close(ctypes.c_void_p(target))
    return generations


library = ctypes.CDLL(sys.argv[1])
library.brisance_target_open.restype = ctypes.c_void_p
ratios = []
for folder in map(pathlib.Path, sys.argv[2:]):
    base = folder / folder.name
    asset = json.loads(pathlib.Path(f"{base}.json").read_text())
    surface = read_pieces(pathlib.Path(f"{base}.pieces.h5"))
    size = float(np.ptp(surface.points, axis=0).max())
    with h5py.File(f"{base}.pieces.h5") as file:
        labels = file["brisance/pieces/label"][:]
    check_hulls(asset, surface, labels, size)
    document, binary = glb(pathlib.Path(f"{base}.glb"))
    nodes = check_scene(asset, document, binary)
    hulls = {node["name"] for node in glb(pathlib.Path(f"{base}.hulls.glb"))[0]["nodes"]}
    assert all(h["name"] in hulls for p in asset["pieces"] for h in p["hulls"])
    assert all(b["area_m2"] > 0 and b["strength"] > 0 and b["a"] in nodes and b["b"] in nodes for b in asset["bonds"])
    present = sum(piece["volume_m3"] > 0 for piece in asset["pieces"])
    assert len(asset["bonds"]) >= present - 1 and asset["levels"] and present >= 0.8 * len(asset["pieces"])
    generations = check_names(library, f"{base}.impact", nodes, asset)
    ratios.append(asset["hull_volume_ratio"])
    print(f"{folder}: {len(asset['pieces'])} pieces, {asset['num_triangles']} triangles, {asset['num_hulls']} hulls of "
          f"{asset['hull_volume_ratio']:.3f} times their volume, {len(asset['bonds'])} bonds, {len(asset['levels'])} levels, {generations} generations")
assert np.mean(ratios) <= 1.3, ratios
