"""Malformed surfaces, and odd ones that are valid: bad_surfaces.py FOLDER"""
import math
import pathlib
import struct
import sys

folder = pathlib.Path(sys.argv[1])


def sphere(centre=(0.0, 0.0, 0.0), n=10):
    """Vertices and outward triangles of a latitude-longitude sphere of radius 1."""
    vertices = [(0, 0, 1)]
    for i in range(1, n):
        for j in range(2 * n):
            polar, turn = math.pi * i / n, math.pi * j / n
            vertices.append((math.sin(polar) * math.cos(turn), math.sin(polar) * math.sin(turn), math.cos(polar)))
    vertices.append((0, 0, -1))

    def ring(i, j):
        return 1 + (i - 1) * 2 * n + j % (2 * n)

    triangles = []
    for j in range(2 * n):
        triangles.append((0, ring(1, j), ring(1, j + 1)))
        for i in range(1, n - 1):
            triangles.append((ring(i, j), ring(i + 1, j), ring(i + 1, j + 1)))
            triangles.append((ring(i, j), ring(i + 1, j + 1), ring(i, j + 1)))
        triangles.append((ring(n - 1, j), len(vertices) - 1, ring(n - 1, j + 1)))
    return [tuple(x + c for x, c in zip(v, centre)) for v in vertices], triangles


def obj(name, vertices, triangles, newline="\n"):
    lines = ["v %.17g %.17g %.17g" % v for v in vertices] + ["f %d %d %d" % tuple(i + 1 for i in t) for t in triangles]
    (folder / name).write_bytes((newline.join(lines) + newline).encode())
    return lines


vertices, triangles = sphere()
lines = obj("sphere.obj", vertices, triangles)
(folder / "truncated.obj").write_text("\n".join(lines[:-60]) + "\nf 1")
(folder / "empty.obj").write_text("")
(folder / "nan.obj").write_text("\n".join(["v nan 0 0"] + lines[1:]))
(folder / "index.obj").write_text("\n".join(lines) + "\nf 1 2 100000\n")
obj("open.obj", vertices, triangles[5:])
other, _ = sphere(centre=(0.5, 0.3, 0.2))
count = len(vertices)
obj("crossing.obj", vertices + other, triangles + [tuple(i + count for i in t) for t in triangles])
rim = [(math.cos(math.pi * j / 8), math.sin(math.pi * j / 8), 0.0) for j in range(16)] + [(0.0, 0.0, 0.0)]
fan = [(16, j, (j + 1) % 16) for j in range(16)]
obj("flat.obj", rim, fan + [(a, c, b) for a, b, c in fan])
obj("point.obj", [(1.0, 2.0, 3.0)] * 3, [(0, 1, 2)])
facets = b"".join(struct.pack("<12fH", 0, 0, 0, *(x for i in t for x in vertices[i]), 0) for t in triangles)
(folder / "truncated.stl").write_bytes(bytes(80) + struct.pack("<I", len(triangles)) + facets[: 50 * 100 + 20])

obj("valid_turned.obj", vertices, [t if k % 7 else t[::-1] for k, t in enumerate(triangles)])
obj("valid_tiny.obj", [tuple(1e-9 * x for x in v) for v in vertices], triangles)
obj("valid_crlf.obj", vertices, triangles, "\r\n")
soup = [vertices[i] for t in triangles for i in t]
obj("valid_unwelded.obj", soup, [(3 * k, 3 * k + 1, 3 * k + 2) for k in range(len(triangles))])
