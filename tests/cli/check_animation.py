"""Checks an animated GLB by rules of the glTF 2.0 specification, with a reader of its own, and that every keyframe puts
the pieces where the snapshots have them. usage: check_animation.py FILE.glb RUN"""
import json
import pathlib
import struct
import sys

import h5py
import numpy as np

TYPE = {5126: np.dtype("<f4"), 5125: np.dtype("<u4"), 5121: np.dtype("u1")}
WIDTH = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}


class Glb:
    def __init__(self, path):
        data = path.read_bytes()
        magic, version, total, length, kind = struct.unpack_from("<4sIIII", data)
        assert (magic, version, total, kind) == (b"glTF", 2, len(data), 0x4E4F534A)
        self.document = json.loads(data[20:20 + length])
        size, kind = struct.unpack_from("<II", data, 20 + length)
        self.binary = data[28 + length:]
        assert kind == 0x004E4942 and length % 4 == 0 and size % 4 == 0 and size == len(self.binary)
        assert self.document["asset"]["version"] == "2.0"
        assert 0 <= size - self.document["buffers"][0]["byteLength"] < 4

    def values(self, number):
        accessor = self.document["accessors"][number]
        view = self.document["bufferViews"][accessor["bufferView"]]
        kind, width = TYPE[accessor["componentType"]], WIDTH[accessor["type"]]
        assert view["byteOffset"] % kind.itemsize == 0 and accessor["count"] > 0
        assert accessor["count"] * width * kind.itemsize == view["byteLength"]
        assert view["byteOffset"] + view["byteLength"] <= self.document["buffers"][0]["byteLength"]
        return np.frombuffer(self.binary, kind, accessor["count"] * width, view["byteOffset"]).reshape(-1, width)

    def check_bounds(self, number):
        accessor, values = self.document["accessors"][number], self.values(number)
        assert accessor["min"] == values.min(0).tolist() and accessor["max"] == values.max(0).tolist()

    def target(self, number):
        accessor = self.document["accessors"][number]
        return self.document["bufferViews"][accessor["bufferView"]].get("target")


def check_meshes(glb):
    for mesh in glb.document["meshes"]:
        for primitive in mesh["primitives"]:
            count = {len(glb.values(accessor)) for accessor in primitive["attributes"].values()}
            assert len(count) == 1, "all attributes of a primitive have as many values"
            assert {glb.target(accessor) for accessor in primitive["attributes"].values()} == {34962}
            glb.check_bounds(primitive["attributes"]["POSITION"])
            indices = glb.values(primitive["indices"])
            assert glb.target(primitive["indices"]) == 34963 and len(indices) % 3 == 0 and indices.max() < count.pop()
            assert "_VELOCITY" not in primitive["attributes"], "one mesh stands for all frames"


def check_nodes(glb):
    """One tree: every node but the root is the child of one other; unit quaternions; a mesh for each piece."""
    nodes = glb.document["nodes"]
    children = [child for node in nodes for child in node.get("children", [])]
    assert glb.document["scenes"][0]["nodes"] == [0] and sorted(children) == list(range(1, len(nodes)))
    assert sorted(node["mesh"] for node in nodes[1:]) == list(range(len(glb.document["meshes"])))
    for node in nodes:
        assert abs(np.linalg.norm(node["rotation"]) - 1) < 1e-6


def keyframes(glb):
    """times, {node: {path: values}} after checking the samplers."""
    animation, = glb.document["animations"]
    motion, clocks = {}, set()
    for channel in animation["channels"]:
        sampler, target = animation["samplers"][channel["sampler"]], channel["target"]
        assert sampler["interpolation"] == "LINEAR"
        assert glb.target(sampler["input"]) is None and glb.target(sampler["output"]) is None
        clock = glb.document["accessors"][sampler["input"]]
        output = glb.document["accessors"][sampler["output"]]
        assert (clock["type"], clock["componentType"], output["componentType"]) == ("SCALAR", 5126, 5126)
        assert output["type"] == {"translation": "VEC3", "rotation": "VEC4"}[target["path"]]
        assert output["count"] == clock["count"]
        glb.check_bounds(sampler["input"])
        clocks.add(sampler["input"])
        assert target["path"] not in motion.setdefault(target["node"], {}), "a target is moved once"
        motion[target["node"]][target["path"]] = glb.values(sampler["output"]).astype(float)
    times = glb.values(clocks.pop())[:, 0]
    assert not clocks and times[0] == 0 and np.all(np.diff(times) > 0)
    for node, paths in motion.items():
        assert np.allclose(np.linalg.norm(paths["rotation"], axis=1), 1, rtol=0, atol=1e-6)
        assert np.all(np.einsum("ij,ij->i", paths["rotation"][1:], paths["rotation"][:-1]) >= 0), "the shorter way round"
        for path in ("translation", "rotation"):
            assert np.allclose(glb.document["nodes"][node][path], paths[path][0], rtol=0, atol=1e-7)
    return times, motion


def turned(quaternion, points):
    """q v q* for q = (x y z, w)."""
    u, w = quaternion[:3], quaternion[3]
    cross = np.cross(u, points)
    return points + 2 * (w * cross + np.cross(u, cross))


def vertices(glb, node):
    primitives = glb.document["meshes"][glb.document["nodes"][node]["mesh"]]["primitives"]
    return np.concatenate([glb.values(p["attributes"]["POSITION"]) for p in primitives]).astype(float)


def boundary_of_piece(path):
    """{piece: ids of nodes on its boundary}"""
    with h5py.File(path) as file:
        vtk, boundary = file["VTKHDF"], file["brisance/boundary"]
        first = np.concatenate(([0], np.cumsum(vtk["NumberOfPoints"][:])[:-1]))
        corners = vtk["PointData/global_id"][:][boundary["corners"][:]
                                                + np.repeat(first, boundary["num_triangles"][:])[:, None]]
        piece = dict(zip(vtk["CellData/global_id"][:], vtk["CellData/piece"][:]))
        piece = np.array([piece[element] for element in boundary["element"][:]])
        return {int(p): np.unique(corners[piece == p]) for p in np.unique(piece)}


def snapshot(path):
    """time, {node id: position}"""
    with h5py.File(path) as file:
        return file["brisance"].attrs["time_s"], dict(zip(file["VTKHDF/PointData/global_id"][:], file["VTKHDF/Points"][:]))


def obstacles_of(files):
    """{name: [(kind, size, centre, quaternion w x y z) in each frame]} of balls and boxes"""
    obstacles = {}
    for path in files:
        with h5py.File(path) as file:
            if "colliders" not in file["brisance"]:
                continue
            group = file["brisance/colliders"]
            for row in zip(*(group[name][:] for name in ("name", "kind", "size", "centre", "orientation"))):
                if row[1] != b"plane":
                    obstacles.setdefault(row[0].decode(), []).append(row[1:])
    return obstacles


def check_obstacles(glb, nodes, motion, obstacles):
    """Closed outward meshes of the right size, where the snapshots have them."""
    for name, frames in obstacles.items():
        points = vertices(glb, nodes[name])
        primitive, = glb.document["meshes"][glb.document["nodes"][nodes[name]]["mesh"]]["primitives"]
        triangles = glb.values(primitive["indices"]).reshape(-1, 3)
        edges = np.concatenate([triangles[:, [a, b]] for a, b in ((0, 1), (1, 2), (2, 0))])
        assert len(np.unique(edges, axis=0)) == len(edges)
        assert np.array_equal(np.unique(edges, axis=0), np.unique(edges[:, ::-1], axis=0)), "closed"
        a, b, c = (points[triangles[:, k]] for k in range(3))
        volume, kind, size = np.einsum("ij,ij->", a, np.cross(b, c)) / 6, frames[0][0], frames[0][1]
        exact = 4 / 3 * np.pi * size[0] ** 3 if kind == b"sphere" else np.prod(size)
        least = 0 if kind == b"mesh" else 0.95 * exact  # of a mesh the size is that of its box
        assert least < volume < 1.0001 * exact, (name, "outward, and as large as it should be", volume, exact)
        for frame, (_, _, centre, wxyz) in enumerate(frames):
            assert np.allclose(motion[nodes[name]]["translation"][frame], centre, rtol=0, atol=1e-5)
            assert abs(abs(np.dot(np.roll(wxyz, -1), motion[nodes[name]]["rotation"][frame])) - 1) < 1e-6


def check_motion(glb, run):
    files = sorted((run / "snapshots").glob("*.hdf"))
    times, motion = keyframes(glb)
    frames = [snapshot(file) for file in files]
    first_time_s = frames[0][0]
    assert np.allclose(times, [time_s - first_time_s for time_s, _ in frames], rtol=0, atol=1e-6)
    pieces = boundary_of_piece(files[-1])
    names = {node["name"]: i for i, node in enumerate(glb.document["nodes"])}
    obstacles = obstacles_of(files)
    assert sorted(motion) == sorted(names[name] for name in [*(f"piece_{piece}" for piece in pieces), *obstacles])
    check_obstacles(glb, {name: names[name] for name in obstacles}, motion, obstacles)
    largest = 0.0
    for piece, ids in pieces.items():
        node = names[f"piece_{piece}"]
        points, node_of_vertex = vertices(glb, node), None
        for frame, (_, position) in enumerate(frames):
            here = turned(motion[node]["rotation"][frame], points) + motion[node]["translation"][frame]
            there = np.array([position[i] for i in ids])
            if node_of_vertex is None:  # which vertex is which node: found once, must hold in all frames
                distance = np.linalg.norm(here[:, None] - there[None], axis=2)
                node_of_vertex = distance.argmin(1)
                assert distance.min(0).max() < 1e-5, "each node of the piece has a vertex"
            largest = max(largest, np.linalg.norm(here - there[node_of_vertex], axis=1).max())
    assert largest < 1e-5, f"a vertex is {largest} m from its node"
    return len(pieces), len(frames), largest


if __name__ == "__main__":
    animation = Glb(pathlib.Path(sys.argv[1]))
    check_meshes(animation)
    check_nodes(animation)
    print("animation: %d pieces, %d frames, vertices within %.2g m of the snapshots"
          % check_motion(animation, pathlib.Path(sys.argv[2])))
