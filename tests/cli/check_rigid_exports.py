"""Reads rigid pieces for simulators and games, knowing only their formats, and compares them with each other and with the
run's frames. usage: check_rigid_exports.py RUN   in a folder with houdini/, vat/, unreal.geo and bonds.usda of it"""
import json
import pathlib
import re
import struct
import sys
import zlib

import numpy as np

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "postprocess"))
import brisance_post as post  # noqa: E402
from snapshots import read_dust, snapshot_files  # noqa: E402
from check_exports import Glb  # noqa: E402

FLIP = np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]])  # z up to y up


def pairs(items):
    assert len(items) % 2 == 0
    return dict(zip(items[::2], items[1::2]))


class Geo:
    """Houdini's JSON geometry."""
    def __init__(self, path):
        top = pairs(json.loads(pathlib.Path(path).read_text()))
        self.points = top["pointcount"]
        self.corners = np.array(pairs(pairs(top["topology"])["pointref"])["indices"], int)
        assert len(self.corners) == top["vertexcount"] and (not len(self.corners) or self.corners.max() < self.points)
        counts = {"pointattributes": self.points, "vertexattributes": top["vertexcount"],
                  "primitiveattributes": top["primitivecount"]}
        self.values = {}
        for owner, columns in pairs(top["attributes"]).items():
            for head, body in columns:
                head, body = pairs(head), pairs(body)
                if head["type"] == "string":
                    rows = np.array(body["strings"] or [""])[pairs(body["indices"])["arrays"][0]]
                else:
                    values = pairs(body["values"])
                    rows = np.array(values["tuples"] if body["size"] > 1 else values["arrays"][0], float)
                    assert body["size"] == 1 or rows.shape[1] == body["size"] or not len(rows), head
                assert len(rows) == counts[owner], (head["name"], len(rows))
                self.values[head["name"]] = rows
        for kind, run in top.get("primitives", []):
            self.kind, run = pairs(kind)["type"], pairs(run)
            sides, count = run["nvertices_rle"]
            assert sides * count == top["vertexcount"] and count == run["nprimitives"] == top["primitivecount"]
            self.faces = self.corners.reshape(-1, sides)
        self.groups = {}
        for name, selection in top.get("primitivegroups", []):
            runs = pairs(pairs(pairs(selection)["selection"])["unordered"])["boolRLE"]
            self.groups[pairs(name)["name"]] = np.repeat(np.array(runs[1::2], bool), runs[::2])
            assert len(self.groups[pairs(name)["name"]]) == top["primitivecount"]


def volume(points, faces):
    a, b, c = (points[faces[:, k]] for k in range(3))
    return np.einsum("ij,ij->", a, np.cross(b, c)) / 6


def turned(q, x):
    return x + 2 * np.cross(q[:3], np.cross(q[:3], x) + q[3] * x)


def exr(path):
    """Channels of an OpenEXR file of scan lines, 32 bits, ZIP."""
    data = pathlib.Path(path).read_bytes()
    assert struct.unpack_from("<I", data)[0] == 20000630
    at, attributes = 8, {}
    while data[at]:
        name, at = data[at:data.index(0, at)].decode(), data.index(0, at) + 1
        at = data.index(0, at) + 1
        size, = struct.unpack_from("<i", data, at)
        attributes[name], at = data[at + 4:at + 4 + size], at + 4 + size
    x0, y0, x1, y1 = struct.unpack("<4i", attributes["dataWindow"])
    width, height, names, listed = x1 - x0 + 1, y1 - y0 + 1, [], attributes["channels"]
    while listed[0]:
        end = listed.index(0)
        assert struct.unpack_from("<i", listed, end + 1)[0] == 2, "32 bits"
        names.append(listed[:end].decode())
        listed = listed[end + 17:]
    lines = {0: 1, 2: 1, 3: 16}[attributes["compression"][0]]
    picture = np.zeros((height, len(names), width), "<f4")
    for offset in struct.unpack_from(f"<{-(-height // lines)}Q", data, at + 1):
        y, size = struct.unpack_from("<ii", data, offset)
        block, count = data[offset + 8:offset + 8 + size], min(lines, y1 + 1 - y)
        if size < count * len(names) * width * 4:
            deltas = np.frombuffer(zlib.decompress(block), "u1").astype(int)
            deltas[1:] -= 128
            mixed = (np.cumsum(deltas) % 256).astype("u1")
            block = np.empty_like(mixed)
            block[::2], block[1::2] = mixed[:-(-len(mixed) // 2)], mixed[-(-len(mixed) // 2):]
        picture[y - y0:y - y0 + count] = np.frombuffer(bytes(block), "<f4").reshape(count, len(names), width)
    return {name: picture[:, k] for k, name in enumerate(names)}


def check_houdini(frames):
    rest = Geo("houdini/pieces.geo")
    assert rest.kind == "Polygon_run" and np.all(rest.groups["inside"] != rest.groups["outside"])
    places = rest.values["P"]
    # Faces are clockwise, as in Houdini; each piece is closed.
    names = sorted(set(rest.values["name"]))
    volumes = {name: -volume(places, rest.faces[rest.values["name"] == name]) for name in names}
    expected = post.pieces(sys.argv[1])["volume_m3"]
    assert np.allclose(sorted(volumes.values()), sorted(expected), rtol=1e-4), (volumes, expected)
    assert set(rest.values["orig_name"]) == {"piece_0000"}
    broken = []
    for number, frame in enumerate(frames):
        points = Geo(f"houdini/points/{number:06d}.geo")
        rows = {name: k for k, name in enumerate(points.values["name"])}
        assert set(names) <= set(rows)
        moved = np.empty_like(places[rest.corners])
        for name in names:
            k, used = rows[name], np.repeat(rest.values["name"] == name, 3)
            arms = places[rest.corners[used]] - points.values["pivot"][k]
            moved[used] = turned(points.values["orient"][k], arms) + points.values["P"][k]
        seen = frame.points[np.unique(frame.triangles)] @ FLIP.T
        assert np.allclose(moved.min(0), seen.min(0), atol=4e-3) and np.allclose(moved.max(0), seen.max(0), atol=4e-3)
        bonds = Geo(f"houdini/constraints/{number:06d}.geo")
        assert bonds.kind == "PolygonCurve_run" and bonds.faces.shape[1] == 2 and set(bonds.values["name"]) <= set(names)
        assert np.allclose(bonds.values["strength"], 2e4 * bonds.values["area"]) and bonds.values["area"].min() > 0
        ends = bonds.values["P"][bonds.faces]
        gaps = np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1)
        assert number > 0 or gaps.max() < 1e-3, gaps
        broken.append(bonds.groups["broken"].sum())
    assert broken[0] == 0 and broken == sorted(broken) and broken[-1] == len(bonds.faces), broken
    return bonds


def check_unreal():
    geo = Geo("unreal.geo")
    levels, clusters = geo.values["unreal_gc_piece"].astype(int), geo.values["unreal_gc_cluster"].astype(int)
    assert sorted(set(levels)) == list(range(1, levels.max() + 1)), "a level is missing"
    assert np.all((levels == 1) == (clusters == -1)) and set(geo.values["unreal_gc_name"]) == {"unreal"}
    for name in set(geo.values["name"]):
        assert len({*zip(levels[geo.values["name"] == name], clusters[geo.values["name"] == name])}) == 1


def check_vat(frames):
    numbers = json.loads(pathlib.Path("vat/vat.json").read_text())
    positions, rotations = exr("vat/positions.exr"), exr("vat/rotations.exr")
    assert positions["R"].shape == (numbers["num_frames"] * numbers["rows_a_frame"], len(numbers["pieces"]))
    glb = Glb(pathlib.Path("vat/mesh.glb"))
    (_, _, _, _), = glb.meshes()
    first, last = [], []
    for primitive in glb.document["meshes"][0]["primitives"]:
        points, texel, low, high = (glb.values(primitive["attributes"][name]).astype(float)
                                    for name in ("POSITION", "TEXCOORD_1", "TEXCOORD_2", "TEXCOORD_3"))
        pivots, piece = np.column_stack([low, high[:, 0]]), high[:, 1].astype(int)
        assert np.array_equal(np.floor(texel[:, 0] * len(numbers["pieces"])).astype(int), piece)
        assert np.allclose(pivots, np.array([p["pivot_m"] for p in numbers["pieces"]])[piece], atol=1e-6)
        for row, moved in ((0, first), (-1, last)):
            for k, x in enumerate(points):
                q = np.array([rotations[c][row, piece[k]] for c in "RGBA"], float)
                moved.append(turned(q, x - pivots[k]) + [positions[c][row, piece[k]] for c in "RGB"])
    for moved, frame in ((first, frames[0]), (last, frames[-1])):
        seen, moved = frame.points[np.unique(frame.triangles)] @ FLIP.T, np.array(moved)
        assert np.allclose(moved.min(0), seen.min(0), atol=4e-3) and np.allclose(moved.max(0), seen.max(0), atol=4e-3)
        assert np.all(moved >= np.array(numbers["bounds_m"]["low"]) - 1e-6)
    assert abs(numbers["duration_s"] * numbers["frames_per_second"] - len(frames) + 1) < 1e-9


def check_bonds(bonds):
    text = pathlib.Path("bonds.usda").read_text()
    joints = re.findall(r'def PhysicsFixedJoint "(\w+)"\n(.*?)\n        }', text, re.S)
    assert len(joints) == len(bonds.faces)
    masses = dict(re.findall(r'def Xform "(piece_\w+)".*?physics:mass = (\S+)', text, re.S))
    for (name, body), strength, ends in zip(joints, bonds.values["strength"], bonds.values["name"][bonds.faces]):
        force, = re.findall(r"float physics:breakForce = (\S+)", body)
        targets = re.findall(r"rel physics:body[01] = </run/(\w+)>", body)
        assert abs(float(force) - strength) < 1e-5 * strength and targets == list(ends) and name == "_".join(ends)
        assert all(float(masses[t]) > 0 for t in targets)
    assert "timeSamples" not in text and text.count("{") == text.count("}")


def check_crumbs(frames):
    """Pieces below 2 % of the mass are particles in all frames, as dust is from its birth on."""
    volumes = post.pieces(sys.argv[1])["volume_m3"]
    small = np.sum(volumes < 0.02 * 0.3 * 0.3 * 0.1)
    assert small > 0
    text = pathlib.Path("crumbs.usda").read_text()
    assert text.count("def Xform \"piece_") == len(volumes) - small
    block = text[text.index("def Points"):]
    rows = {}
    for name in ("points", "velocities", "widths", "ids", "primvars:born_s"):
        values = re.search(name + r"\.timeSamples = \{\n(.*?)\n        \}", block, re.S)[1].split("\n")
        rows[name] = [np.array(re.findall(r"[-+.\de]+", value.split(": ", 1)[1]), float) for value in values]
    dust = [len(particles) for particles in (read_dust(path).radius for path in snapshot_files(sys.argv[1]))]
    for number in range(len(frames)):
        count = small + dust[number]
        assert len(rows["points"][number]) == len(rows["velocities"][number]) == 3 * count, (number, count)
        assert len(rows["widths"][number]) == len(rows["primvars:born_s"][number]) == count
    crumbs = np.array([points[-3 * small:] for points in rows["points"]])
    times = np.array([frame.time_s for frame in frames])
    slopes = (crumbs[2:] - crumbs[:-2]) / (times[2:] - times[:-2])[:, None]
    assert np.allclose(slopes, [v[-3 * small:] for v in rows["velocities"][1:-1]], rtol=1e-3, atol=1e-3)
    names = [node["name"] for node in Glb(pathlib.Path("crumbs.glb")).document["nodes"]]
    assert sum(name.startswith("crumb_") for name in names) == small and sum(n.startswith("piece_") for n in names) > 0


frames = list(post.frames(sys.argv[1]))
check_bonds(check_houdini(frames))
check_unreal()
check_vat(frames)
check_crumbs(frames)
