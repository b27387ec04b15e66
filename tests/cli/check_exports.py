"""Checks meshes and animations of objects far from the origin, and origins of single pieces, with independent readers.
usage: check_exports.py painted GLB | far DIR | pieces DIR | animation GLB | orphans DIR"""
import json
import pathlib
import struct
import sys

import numpy as np

PLACE = np.array([456789.0, 5412345.0, 0.06])  # where test_exports.sh puts the sample of sample_snapshot.py
SIZE = np.array([2.0, 1.0, 1.0])
CENTRES = {0: np.array([0.25, 0.25, 0.25])}  # of mass, of the tet that is piece 0


class Glb:
    def __init__(self, path):
        data = path.read_bytes()
        length = struct.unpack_from("<I", data, 12)[0]
        self.document, self.binary = json.loads(data[20:20 + length]), data[28 + length:]

    def values(self, number):
        accessor = self.document["accessors"][number]
        view = self.document["bufferViews"][accessor["bufferView"]]
        kind = {5126: "<f4", 5125: "<u4", 5121: "u1"}[accessor["componentType"]]
        width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}[accessor["type"]]
        return np.frombuffer(self.binary, kind, accessor["count"] * width, view.get("byteOffset", 0)).reshape(-1, width)

    def root(self):
        """Its place, z up."""
        x, y, z = self.document["nodes"][0].get("translation", [0, 0, 0])
        return np.array([x, -z, y])

    def meshes(self):
        """name, place below the root, vertices and attributes of each node that has a mesh"""
        for node in self.document["nodes"][1:]:
            primitives = self.document["meshes"][node["mesh"]]["primitives"]
            points = np.concatenate([self.values(p["attributes"]["POSITION"]) for p in primitives]).astype(float)
            yield node["name"], np.array(node.get("translation", [0, 0, 0])), points, primitives[0]["attributes"]


def near(value, expected, tolerance=1e-6):
    assert np.allclose(value, expected, rtol=0, atol=tolerance), f"{value}, expected {expected}"


def check_box(points, low):
    near(np.ptp(points, axis=0), SIZE)
    near(points.min(0), low)


def far_glb(path, num_nodes):
    glb = Glb(path)
    meshes = list(glb.meshes())
    assert len(meshes) == num_nodes and np.abs(glb.root()).max() > 5e6, glb.root()
    points = np.concatenate([place + points for _, place, points, _ in meshes])
    assert all(np.abs(place).max() < 8 and np.abs(points).max() < 8 for _, place, points, _ in meshes)
    check_box(points, PLACE - glb.root())


def far(folder):
    far_glb(folder / "000000.glb", 1)
    far_glb(folder / "pieces" / "000000.glb", 2)
    ply = (folder / "000000.ply").read_bytes()
    header, body = ply.split(b"end_header\n", 1)
    assert b"property double x" in header and b"property float vx" in header
    vertex = np.dtype([("x", "<f8", 3), ("v", "<f4", 3), ("id", "<f8"), ("colour", "u1", 3)])
    check_box(np.frombuffer(body, vertex, 9)["x"], PLACE)
    stl = (folder / "000000.stl").read_bytes()
    facets = np.frombuffer(stl, np.dtype([("n", "<f4", 3), ("x", "<f4", (3, 3)), ("a", "<u2")]), offset=84)
    origin = np.array([float(word) for word in stl[:80].split(b"about")[1].split()])
    check_box(facets["x"].reshape(-1, 3).astype(float), PLACE - origin)
    # Pieces of one frame in files of their own still fit together.
    alone = [(folder / "split" / f"000000_piece_0000{piece}.stl").read_bytes() for piece in (0, 1)]
    assert {data[:80] for data in alone} == {stl[:80]}
    obj = (folder / "000000.obj").read_text(encoding="utf-8")
    check_box(np.array([line.split()[1:] for line in obj.split("\n") if line.startswith("v ")], float), PLACE)


def pieces(folder):
    """Near the origin: each piece about its centre of mass, where its node stands; velocities of a run only."""
    glb = Glb(folder / "run.glb")
    assert not np.any(glb.root())
    meshes = list(glb.meshes())
    near(meshes[0][1], CENTRES[0])
    near(meshes[0][1] + meshes[0][2].min(0), [0, 0, 0])
    assert all("_VELOCITY" in attributes for _, _, _, attributes in meshes)
    prefractured = list(Glb(folder / "pieces.glb").meshes())
    assert len(prefractured) > 1
    for name, place, points, attributes in prefractured:
        assert "_VELOCITY" not in attributes, f"{name} has a velocity that nobody gave it"
        assert np.all(points.min(0) < 0) and np.all(points.max(0) > 0), f"the origin of {name} lies outside of it"
        assert np.all(place > 0) and np.all(place < 1)
    near(min((place + points).min() for _, place, points, _ in prefractured), 0)


def animation(path):
    """A plate of 0.3 by 0.3 by 0.1 m at PLACE: its pieces in each keyframe, to a hundredth of a millimetre."""
    glb = Glb(path)
    moved = glb.document["animations"][0]
    for channel in moved["channels"]:
        values = glb.values(moved["samplers"][channel["sampler"]]["output"])
        assert np.abs(values).max() <= 1, f"{values} is not about the pieces"
    first = np.concatenate([place + points for name, place, points, _ in glb.meshes()
                            if name != "ball"])
    near((glb.root() + first.mean(0))[:2], PLACE[:2], 0.05)
    assert np.all(np.abs(np.ptp(first, axis=0) - (0.3, 0.3, 0.1)) < 0.05), np.ptp(first, axis=0)
    assert len(np.unique(np.round(first, 4), axis=0)) > 100


def orphans(folder):
    """Every OBJ names an existing library, and no other file is left."""
    for obj in folder.glob("*.obj"):
        library = next(line[7:] for line in obj.read_text(encoding="utf-8").split("\n") if line.startswith("mtllib "))
        assert library == obj.with_suffix(".mtl").name and (folder / library).is_file(), library
    assert {file.suffix for file in folder.iterdir()} == {".obj", ".mtl"}, list(folder.iterdir())
    assert len(list(folder.glob("*.obj"))) == len(list(folder.glob("*.mtl"))) > 0


def painted(path):
    """The GLB holds the picture of configs/meshes, on all of the original surface and on nothing else."""
    glb = Glb(path)
    image, = glb.document["images"]
    view = glb.document["bufferViews"][image["bufferView"]]
    picture = pathlib.Path("configs/meshes/vase.png").read_bytes()
    assert glb.binary[view["byteOffset"]:view["byteOffset"] + view["byteLength"]] == picture
    names = [material["name"] for material in glb.document["materials"]]
    assert "baseColorTexture" in glb.document["materials"][0]["pbrMetallicRoughness"], glb.document["materials"]
    for mesh in glb.document["meshes"]:
        for primitive in mesh["primitives"]:
            is_original = names[primitive["material"]] == "original_surface"
            assert ("TEXCOORD_0" in primitive["attributes"]) == is_original, mesh["name"]
            if is_original:
                uv = glb.values(primitive["attributes"]["TEXCOORD_0"])
                assert uv.min() > -1e-6 and uv.max() < 1 + 1e-6 and np.ptp(uv, axis=0).max() > 0.05, mesh["name"]


if __name__ == "__main__":
    {"painted": painted, "far": far, "pieces": pieces, "animation": animation, "orphans": orphans}[sys.argv[1]](pathlib.Path(sys.argv[2]))
