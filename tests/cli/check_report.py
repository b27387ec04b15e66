"""Reads what brisance report and export have written, knowing only their formats, and compares it with the frames.
usage: check_report.py files|numbers|pages RUN   in the folder of test_report.sh"""
import base64
import json
import pathlib
import re
import struct
import sys
import zlib

import numpy as np

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "postprocess"))
import brisance_post as post  # noqa: E402
from check_exports import Glb  # noqa: E402


def corners_of(surface):
    """Triangles as sorted sets of rounded points: the same whatever the order and the division of vertices."""
    rows = np.round(np.asarray(surface, float).reshape(-1, 9) * 1e5) / 1e5
    triangles = np.sort(rows.reshape(-1, 3, 3).view([("x", float), ("y", float), ("z", float)]), axis=1)
    return np.sort(triangles.view(float).reshape(-1, 9).sum(1))


def same_surface(found, frame, what):
    expected = corners_of(frame.points[frame.triangles])
    found = corners_of(found)
    assert len(found) == len(expected), f"{what}: {len(found)} triangles, not {len(expected)}"
    assert np.abs(found - expected).max() < 2e-4, f"{what}: points differ by {np.abs(found - expected).max()}"


def ply(path):
    header, body = path.read_bytes().split(b"end_header\n", 1)
    kinds = {"float": "<f4", "double": "<f8", "int": "<i4", "uchar": "u1"}
    counts, rows, current = {}, {}, None
    for line in header.decode().split("\n"):
        words = line.split()
        if words[:1] == ["element"]:
            current = words[1]
            counts[current], rows[current] = int(words[2]), []
        elif words[:2] == ["property", "list"]:
            rows[current] += [("n", "u1"), ("corners", "<i4", 3)]
        elif words[:1] == ["property"]:
            rows[current].append((words[2], kinds[words[1]]))
    vertices = np.frombuffer(body, rows["vertex"], counts["vertex"])
    return vertices, np.frombuffer(body, rows["face"], counts["face"], vertices.nbytes)


def positions(vertices):
    return np.stack([vertices[k] for k in "xyz"], axis=1)


def check_ply(frames):
    for number, frame in enumerate(frames):
        vertices, faces = ply(pathlib.Path(f"ply/{number:06d}.ply"))
        points = positions(vertices)
        same_surface(points[faces["corners"]], frame, "ply")
        assert faces["crack"].sum() == frame.is_crack.sum()
        # Normals have length 1, point outward, and differ at the edges of the box.
        normals = np.stack([vertices["n" + k] for k in "xyz"], axis=1)
        assert np.allclose(np.linalg.norm(normals, axis=1), 1, atol=1e-5)
        a, b, c = (points[faces["corners"][:, k]] for k in range(3))
        own = np.cross(b - a, c - a)
        own /= np.linalg.norm(own, axis=1, keepdims=True)
        for k in range(3):
            assert np.einsum("ij,ij->i", own, normals[faces["corners"][:, k]]).min() > 0.2
        if number == 0:
            outer = np.abs(normals).max(1)
            assert np.allclose(outer, 1, atol=1e-3), "a box has six normals"
    _, turned = ply(pathlib.Path("ply/000002.ply")), ply(pathlib.Path("up_y/000002.ply"))
    x, y = positions(_[0]), positions(turned[0])
    assert np.allclose(y, np.stack([x[:, 0], x[:, 2], -x[:, 1]], axis=1)), "y is up"


def check_obj(frames):
    for number, frame in enumerate(frames):
        lines = pathlib.Path(f"obj/{number:06d}.obj").read_text().split("\n")
        points = np.array([line.split()[1:4] for line in lines if line.startswith("v ")], float)
        faces = np.array([[corner.split("/")[0] for corner in line.split()[1:]] for line in lines
                          if line.startswith("f ")], int) - 1
        same_surface(points[faces], frame, "obj")
        named = {line[7:] for line in lines if line.startswith("usemtl ")}
        library = pathlib.Path(f"obj/{number:06d}.mtl").read_text()
        assert named <= {"outside", "crack"} and all(f"newmtl {name}\n" in library for name in named), named
        assert len([line for line in lines if line.startswith("o ")]) == len(np.unique(frame.piece))


def check_vtp(frames):
    for number, frame in enumerate(frames):
        text = pathlib.Path(f"vtp/{number:06d}.vtp").read_text()
        arrays = {}
        for kind, name, data in re.findall(r'<DataArray type="(\w+)" Name="(\w+)" [^>]*format="binary">([^<]*)<', text):
            raw = base64.b64decode(data)
            assert struct.unpack_from("<Q", raw)[0] == len(raw) - 8, name
            arrays.setdefault(name, []).append(np.frombuffer(raw[8:], {"Float64": "f8", "Int64": "i8", "Int32": "i4",
                                                                       "UInt8": "u1"}[kind]))
        points = arrays["Points"][0].reshape(-1, 3)
        same_surface(points[arrays["connectivity"][1].reshape(-1, 3)], frame, "vtp")
        first = len(arrays["connectivity"][0])  # particles
        assert len(np.unique(arrays["piece"][0][first:])) == len(np.unique(frame.piece))
    series = json.loads(pathlib.Path("vtp/run.vtp.series").read_text())
    assert [entry["time"] for entry in series["files"]] == [frame.time_s for frame in frames]


def check_blender(frames):
    for number, frame in enumerate(frames):
        data = pathlib.Path(f"blender/frames/{number:06d}.brf").read_bytes()
        end = data.index(b"\n")
        header = json.loads(data[:end])

        def array(entry):
            return np.frombuffer(data, entry["type"], entry["size"] // 4, end + 1 + entry["at"]).reshape(-1, entry["width"])

        same_surface(np.concatenate([array(o["points"])[array(o["triangles"])] for o in header["objects"]]), frame, "blender")


def rotated(quaternions, points):
    v, w = quaternions[:3], quaternions[3]
    return points + 2 * np.cross(v, np.cross(v, points) + w * points)


def triangles_of(glb, node):
    for primitive in glb.document["meshes"][node["mesh"]]["primitives"]:
        points = glb.values(primitive["attributes"]["POSITION"]).astype(float)
        yield points[glb.values(primitive["indices"]).ravel()]


def check_glb(frames):
    glb = Glb(pathlib.Path("rigid.glb"))
    document = glb.document
    assert [m["name"] for m in document["materials"]] == ["outside", "crack", "collider"]
    tracks = {}
    for channel in document["animations"][0]["channels"]:
        sampler = document["animations"][0]["samplers"][channel["sampler"]]
        tracks.setdefault(channel["target"]["node"], {})[channel["target"]["path"]] = glb.values(sampler["output"])
    pieces = [n for n, node in enumerate(document["nodes"]) if node["name"].startswith("piece")]
    # The last frame: rigid pieces are near the deformed ones.
    placed = np.concatenate([rotated(tracks[n]["rotation"][-1].astype(float), corner) + tracks[n]["translation"][-1]
                             for n in pieces for corner in triangles_of(glb, document["nodes"][n])])
    expected = frames[-1].points[np.unique(frames[-1].triangles)]
    assert np.allclose(placed.min(0), expected.min(0), atol=2e-3) and np.allclose(placed.max(0), expected.max(0), atol=2e-3)
    assert len(placed) == 3 * len(frames[-1].triangles)
    # Meshes that are shown in some frames: there they have the frame's shape, by their morph targets.
    glb = Glb(pathlib.Path("deforming.glb"))
    shown, weights = {}, {}
    for channel in glb.document["animations"][0]["channels"]:
        sampler, node = glb.document["animations"][0]["samplers"][channel["sampler"]], channel["target"]["node"]
        values = glb.values(sampler["output"])
        if channel["target"]["path"] == "scale":
            assert sampler["interpolation"] == "STEP"
            shown[node] = values[:, 0]
        elif channel["target"]["path"] == "weights":
            assert sampler["interpolation"] == "LINEAR"
            weights[node] = values.reshape(len(frames), -1)
    assert weights, "the mesh before the first crack has no morph targets"
    for number, frame in enumerate(frames):
        corners = []
        for n, node in enumerate(glb.document["nodes"]):
            if shown.get(n, [0] * len(frames))[number] == 0 or not node["name"].startswith("frame_"):
                continue
            for primitive in glb.document["meshes"][node["mesh"]]["primitives"]:
                points = glb.values(primitive["attributes"]["POSITION"]).astype(float)
                for weight, target in zip(weights[n][number] if n in weights else [], primitive.get("targets", [])):
                    points = points + weight * glb.values(target["POSITION"])
                corners.append(points[glb.values(primitive["indices"]).ravel()])
        same_surface(np.concatenate(corners), frame, "glb")


def samples(text, name):
    """Values of the time samples of a USD attribute, by the code of their time."""
    block = re.search(re.escape(name) + r"\.timeSamples = \{\n(.*?)\n        \}", text, re.S)[1]
    rows = (line.strip().rstrip(",").split(": ", 1) for line in block.split("\n"))
    return {float(code): np.array(re.findall(r"[-+.\de]+", value), float) for code, value in rows}


def check_usda(frames):
    text = pathlib.Path("deforming.usda").read_text()
    per_second = float(re.search(r"timeCodesPerSecond = (\S+)", text)[1])
    points, corners = samples(text, "point3f[] points"), samples(text, "int[] faceVertexIndices")
    velocities = samples(text, "vector3f[] velocities")
    assert len(points) == len(frames)
    for frame, (code, values) in zip(frames, points.items()):
        assert abs(code / per_second - frame.time_s) < 0.0101 / per_second, (code, frame.time_s)  # whole if so near
        same_surface(values.reshape(-1, 3)[corners[code].astype(int)], frame, "usda")
        assert abs(np.abs(velocities[code]).max() - np.abs(frame.velocity[np.unique(frame.triangles)]).max()) < 1e-3
    first = np.array(re.findall(r"[-+.\de]+", re.search(r"point3f\[\] points = \[(.*)\]", text)[1]), float)
    assert np.array_equal(first, next(iter(points.values())))  # the default beside the samples
    faces = re.findall(r"GeomSubset .*?int\[\] indices\.timeSamples = \{\n(.*?)\n            \}", text, re.S)
    count = sum(len(re.findall(r"\d+", block.split("\n")[-1].split(": ", 1)[1])) for block in faces)
    assert len(faces) > 1 and count == len(frames[-1].triangles)  # a material for each face
    rigid = pathlib.Path("rigid.usda").read_text()
    assert rigid.count("def Mesh") == len(np.unique(frames[-1].piece)) and 'upAxis = "Z"' in rigid
    assert rigid.count("{") == rigid.count("}") and text.count("{") == text.count("}")
    assert 'upAxis = "Y"' in pathlib.Path("up_y.usda").read_text()


def files(run):
    frames = list(post.frames(run))
    assert len(np.unique(frames[-1].piece)) > 1, "nothing has broken"
    for check in (check_ply, check_obj, check_vtp, check_blender, check_glb, check_usda):
        check(frames)


def numbers(run):
    table = post.monitor(run)
    assert table["time_s"][-1] > 0.0119 and np.all(table["kinetic_energy_j"] >= 0)
    for frame in (0, -1):
        pieces = post.pieces(run, frame)
        lost = sum(4 / 3 * np.pi * particle ** 3 for particle in particles(run, frame))
        assert abs(pieces["volume_m3"].sum() + lost - 0.3 * 0.3 * 0.1) < 1e-9, pieces["volume_m3"].sum()
    assert len(post.pieces(run)) == table["pieces"][-1]
    times_s, areas = post.crack_area(run)
    assert areas[0] == 0 and np.all(np.diff(times_s) > 0) and areas[-1] > 0
    random = np.random.default_rng(1)
    shape, scale = post.weibull(2 * random.weibull(1.5, 20000))
    assert abs(shape - 1.5) < 0.05 and abs(scale - 2) < 0.05, (shape, scale)
    exponent, smallest, share = post.power_law((1 - random.random(1000)) ** (-1 / 1.2))
    assert abs(exponent - 2.2) < 0.2 and share > 0.3, (exponent, smallest, share)


def particles(run, frame):
    from snapshots import read_dust, snapshot_files
    return read_dust(snapshot_files(run)[frame]).radius


class Page:
    def __init__(self, path):
        self.text = path.read_text(encoding="utf-8")
        elements = re.findall(r'<script type="[^"]*" id="(data|arrays)">(.*?)</script>', self.text, re.S)
        found = dict(elements)
        self.data, self.bytes = json.loads(found["data"]), base64.b64decode(found["arrays"])

    def array(self, name):
        kind, offset, length = self.data["arrays"][name]
        kinds = {"Float32Array": "<f4", "Int16Array": "<i2", "Uint8Array": "u1", "Uint16Array": "<u2", "Uint32Array": "<u4"}
        return np.frombuffer(zlib.decompress(self.bytes[offset:offset + length]), kinds[kind])


def pages(run):
    frames = list(post.frames(run))
    page = Page(pathlib.Path("deforming.html"))
    assert 'A plate </script> falls' in page.data["scene"], "the scene as run"
    assert not re.search(r'(?:src|href)="(?!data:)', page.text), "the page loads something"
    for number, (frame, shown) in enumerate(zip(frames, page.data["frames"])):
        points = page.array(f"points/{number}").reshape(-1, 3) * (shown["reach_m"] / 32767) + shown["centre_m"]
        corners = page.array(f"corners/{shown['topology']}")
        same_surface(points[corners], frame, "page")
        assert shown["time_s"] == frame.time_s and shown["pieces"] == len(np.unique(frame.piece))
        if shown["ranges"]["speed"] > 0:
            speed = np.linalg.norm(frame.velocity[np.unique(frame.triangles)], axis=1).max()
            assert abs(shown["ranges"]["speed"] - speed) < 1e-4 * speed
    _, areas = post.crack_area(run)
    assert np.allclose([shown["crack_area_m2"] for shown in page.data["frames"]], areas)
    assert "kinetic_energy_j" in page.data["monitor"]["columns"] and len(page.data["phases"]) >= 5
    assert np.isclose(sum(piece["volume_m3"] for piece in page.data["pieces"]), post.pieces(run)["volume_m3"].sum())
    small = Page(pathlib.Path("small.html"))
    assert 2 <= len(small.data["frames"]) < len(frames) and small.data["frames"][-1]["time_s"] == frames[-1].time_s
    assert len(page.text) < 2e6


if __name__ == "__main__":
    {"files": files, "numbers": numbers, "pages": pages}[sys.argv[1]](sys.argv[2])
