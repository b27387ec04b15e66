#!/usr/bin/python3
"""Writes small objects: small_shapes.py DIR: bars/bar.obj, bars/plank.obj, lens.stl, cut_short.obj (damaged)."""
import math
import pathlib
import sys


def box(x, y, z):
    points = [(x * (i & 1), y * (i >> 1 & 1), z * (i >> 2 & 1)) for i in range(8)]
    quads = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    return points, [t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))]


def lens(sectors=10):
    points = [(math.cos(2 * math.pi * s / sectors), math.sin(2 * math.pi * s / sectors), 0) for s in range(sectors)]
    points += [(0, 0, 0.5), (0, 0, -0.5)]
    triangles = []
    for s in range(sectors):
        triangles += [(s, (s + 1) % sectors, sectors), ((s + 1) % sectors, s, sectors + 1)]
    return points, triangles


def obj(points, triangles):
    return "".join(f"v {x} {y} {z}\n" for x, y, z in points) + "".join(
        f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in triangles)


def stl(points, triangles):
    facets = ("facet normal 0 0 0\nouter loop\n" + "".join("vertex {} {} {}\n".format(*points[v]) for v in t) +
              "endloop\nendfacet\n" for t in triangles)
    return "solid lens\n" + "".join(facets) + "endsolid lens\n"


folder = pathlib.Path(sys.argv[1])
(folder / "bars").mkdir(parents=True)
(folder / "bars/bar.obj").write_text(obj(*box(1, 0.3, 0.2)))
(folder / "bars/plank.obj").write_text(obj(*box(1, 0.5, 0.1)))
(folder / "lens.stl").write_text(stl(*lens()))
(folder / "cut_short.obj").write_text(obj(*box(1, 1, 1))[:-8] + "f 1 2 99\n")
