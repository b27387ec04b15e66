"""Reads the meshes made from sample_snapshot.py's run with independent readers and compares them with known values:
volumes 1/6 and 1/2 of the pieces, one crack triangle on each, velocity (id, -id, 0.5). usage: check_meshes.py DIR"""
import json
import pathlib
import struct
import sys

import numpy as np

VOLUME = {0: 1 / 6, 1: 1 / 2}


def volume(points, triangles):
    """Of a closed, outward surface, by the divergence theorem."""
    a, b, c = (points[triangles[:, i]] for i in range(3))
    return np.einsum("ij,ij->", a, np.cross(b, c)) / 6


def near(value, expected, what, tolerance=1e-6):
    assert np.allclose(value, expected, rtol=0, atol=tolerance), f"{what}: {value}, expected {expected}"


def read_ply(path):
    data = path.read_bytes()
    header, body = data[:data.index(b"end_header\n")].decode().split("\n"), data[data.index(b"end_header\n") + 11:]
    counts = {line.split()[1]: int(line.split()[2]) for line in header if line.startswith("element")}
    vertex = np.dtype([("x", "<f4", 3), ("v", "<f4", 3), ("id", "<f8"), ("colour", "u1", 3)])
    assert [line for line in header if "uchar" in line][:3] == [f"property uchar {c}" for c in ("red", "green", "blue")]
    face = np.dtype([("n", "u1"), ("c", "<i4", 3), ("crack", "u1"), ("piece", "<i4")])
    assert len(body) == counts["vertex"] * vertex.itemsize + counts["face"] * face.itemsize
    return (np.frombuffer(body, vertex, counts["vertex"]),
            np.frombuffer(body, face, counts["face"], counts["vertex"] * vertex.itemsize))


def check_ply(folder):
    vertices, faces = read_ply(folder / "ply" / "000001.ply")
    assert len(vertices) == 9 and len(faces) == 10, "the node on the rank boundary must be merged"
    near(vertices["v"], np.stack([vertices["id"], -vertices["id"], np.full(9, 0.5)], axis=1), "velocity")
    for piece, expected in VOLUME.items():
        mine = faces[faces["piece"] == piece]
        near(volume(vertices["x"].astype(float), mine["c"]), expected, f"ply volume of piece {piece}")
        assert mine["crack"].sum() == 1
        check_colours(vertices["colour"].astype(int), mine)
        alone, alone_faces = read_ply(folder / "ply_pieces" / f"000001_piece_{piece:05d}.ply")
        near(volume(alone["x"].astype(float), alone_faces["c"]), expected, f"ply of piece {piece} alone")
    hues = [vertices["colour"][faces["c"][faces["piece"] == piece][0, 0]].argmax() for piece in VOLUME]
    assert hues[0] != hues[1], "the pieces must differ in colour"
    assert not (folder / "ply_pieces" / "000000_piece_00000.ply").exists(), "--frames 1 must leave frame 0 out"


def check_colours(colours, faces):
    """One hue a piece: (max − channel)/(max − min) is its own for each; brighter with the share of crack triangles."""
    corners = np.unique(faces["c"])
    share = np.array([faces["crack"][np.any(faces["c"] == corner, axis=1)].mean() for corner in corners])
    mine = colours[corners]
    high, low = mine.max(1), mine.min(1)
    near((high[:, None] - mine) / (high - low)[:, None], np.tile((high[0] - mine[0]) / (high[0] - low[0]), (len(mine), 1)),
         "hue of a piece", 0.02)
    near(high, 255 * (0.6 + 0.4 * share), "brightness by share of crack surface", 1)
    assert share.min() == 0 < share.max()


def check_stl(folder):
    data = (folder / "stl" / "000000.stl").read_bytes()
    facets = np.frombuffer(data, np.dtype([("n", "<f4", 3), ("x", "<f4", (3, 3)), ("a", "<u2")]), offset=84)
    assert struct.unpack_from("<I", data, 80)[0] == len(facets) == 10
    x = facets["x"].astype(float)
    near(volume(x.reshape(-1, 3), np.arange(30).reshape(-1, 3)), sum(VOLUME.values()), "stl volume")
    normals = np.cross(x[:, 1] - x[:, 0], x[:, 2] - x[:, 0])
    near(facets["n"], normals / np.linalg.norm(normals, axis=1, keepdims=True), "stl normals")


def check_obj(path, num_vertices):
    points, triangles, group, material = [], {}, None, None
    for line in path.read_text().split("\n"):
        word, *rest = line.split() or [""]
        if word == "v":
            points.append([float(number) for number in rest])
        elif word == "g":
            group = rest[0]
        elif word == "usemtl":
            material = rest[0]
        elif word == "f":
            triangles.setdefault(group, []).append([*(int(number) - 1 for number in rest), material == "crack_surface"])
    assert len(points) == num_vertices
    for piece, expected in VOLUME.items():
        mine = np.array(triangles[f"piece_{piece}"])
        near(volume(np.array(points), mine[:, :3]), expected, f"obj volume of piece {piece}")
        assert mine[:, 3].sum() == 1
    assert "newmtl crack_surface" in path.with_suffix(".mtl").read_text()


def check_glb(path, names):
    data = path.read_bytes()
    magic, version, total, length, _ = struct.unpack_from("<4sIIII", data)
    assert (magic, version, total) == (b"glTF", 2, len(data))
    document, binary = json.loads(data[20:20 + length]), data[28 + length:]

    def values(accessor):
        accessor = document["accessors"][accessor]
        view = document["bufferViews"][accessor["bufferView"]]
        kind = {5126: "<f4", 5125: "<u4", 5121: "u1"}[accessor["componentType"]]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
        return np.frombuffer(binary, kind, accessor["count"] * width, view["byteOffset"]).reshape(-1, width)

    assert [node["name"] for node in document["nodes"][1:]] == names
    found = dict.fromkeys(VOLUME, 0.0)
    num_crack_triangles = 0
    for mesh in document["meshes"]:
        for primitive in mesh["primitives"]:
            points = values(primitive["attributes"]["POSITION"]).astype(float)
            triangles = values(primitive["indices"]).reshape(-1, 3)
            piece = values(primitive["attributes"]["_PIECE"])[triangles[:, 0], 0]
            for number in VOLUME:
                found[number] += volume(points, triangles[piece == number])
            near(values(primitive["attributes"]["_VELOCITY"])[:, 2], 0.5, "glb velocity")
            if document["materials"][primitive["material"]]["name"] == "crack_surface":
                num_crack_triangles += len(triangles)
    near([found[0], found[1]], [VOLUME[0], VOLUME[1]], "glb volumes")
    assert num_crack_triangles == 2


def check_vtp(path):
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(str(path))
    reader.Update()
    mesh = reader.GetOutput()
    cells = {name: vtk_to_numpy(mesh.GetCellData().GetArray(name)) for name in ("piece", "crack", "source_triangle")}
    triangles = vtk_to_numpy(mesh.GetPolys().GetConnectivityArray()).reshape(-1, 3)
    points = vtk_to_numpy(mesh.GetPoints().GetData())
    for piece, expected in VOLUME.items():
        near(volume(points, triangles[cells["piece"] == piece]), expected, f"vtp volume of piece {piece}")
    assert np.array_equal(cells["crack"] == 1, cells["source_triangle"] == -1) and cells["crack"].sum() == 2
    node = vtk_to_numpy(mesh.GetPointData().GetArray("global_id"))
    near(vtk_to_numpy(mesh.GetPointData().GetArray("velocity"))[:, 1], -node, "vtp velocity")
    near(mesh.GetFieldData().GetArray("TimeValue").GetValue(0), 0.25, "vtp time")


if __name__ == "__main__":
    meshes = pathlib.Path(sys.argv[1])
    check_ply(meshes)
    check_stl(meshes)
    check_obj(meshes / "obj" / "000000.obj", num_vertices=9)
    check_obj(meshes / "obj_pieces" / "000000.obj", num_vertices=9)
    check_glb(meshes / "glb" / "000000.glb", ["surface"])
    check_glb(meshes / "glb_pieces" / "000000.glb", ["piece_0", "piece_1"])
    if (meshes / "vtp").is_dir():
        check_vtp(meshes / "vtp" / "000001.vtp")
    print("meshes: as expected")
