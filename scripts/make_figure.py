#!/usr/bin/python3
"""Writes configs/meshes/figure.obj: a figure of capsules, 32 cm tall, that faces -y with its arms spread.

  scripts/make_figure.py > configs/meshes/figure.obj

The capsules overlap each other and stay so: `object.mesh.repair` wraps them in one closed surface.
"""
import math

SIDES = 12  # of a capsule
RINGS = 3   # of each of its ends, from the pole to the shaft

# Name, from, to, radius; millimetres. Parts of SIDED exist twice, mirrored.
MIDDLE = [("head", (0, 0, 262), (0, 0, 274), 30), ("neck", (0, 0, 195), (0, 0, 250), 12), ("trunk", (0, 0, 120), (0, 0, 175), 36),
          ("shoulders", (-36, 0, 188), (36, 0, 188), 21), ("hips", (-17, 0, 98), (17, 0, 98), 29)]
SIDED = [("upper_arm", (40, 0, 190), (90, 0, 212), 13), ("lower_arm", (90, 0, 212), (140, 0, 234), 14), ("hand", (140, 0, 234), (152, 0, 239), 19),
         ("thigh", (22, 0, 92), (42, 0, 42), 17), ("shin", (42, 0, 42), (62, 0, -12), 17), ("foot", (63, 4, -16), (65, -24, -18), 18)]


def capsule(start, end, radius):
    """Vertices and triangles (outward) of the points within radius of a segment."""
    axis = [b - a for a, b in zip(start, end)]
    length = math.hypot(*axis)
    axis = [x / length for x in axis]
    helper = (0, 1, 0) if abs(axis[1]) < 0.9 else (1, 0, 0)
    u = [axis[1] * helper[2] - axis[2] * helper[1], axis[2] * helper[0] - axis[0] * helper[2], axis[0] * helper[1] - axis[1] * helper[0]]
    size = math.hypot(*u)
    u = [x / size for x in u]
    v = [axis[1] * u[2] - axis[2] * u[1], axis[2] * u[0] - axis[0] * u[2], axis[0] * u[1] - axis[1] * u[0]]

    def point(centre, latitude, turn):
        out, along = radius * math.cos(latitude), radius * math.sin(latitude)
        return [c + along * n + out * (math.cos(turn) * a + math.sin(turn) * b) for c, n, a, b in zip(centre, axis, u, v)]

    vertices = [point(start, -math.pi / 2, 0)]
    lower = [(start, -math.pi / 2 * (1 - i / RINGS)) for i in range(1, RINGS + 1)]
    upper = [(end, math.pi / 2 * i / RINGS) for i in range(RINGS)]
    for centre, latitude in lower + upper:
        vertices += [point(centre, latitude, 2 * math.pi * side / SIDES) for side in range(SIDES)]
    vertices.append(point(end, math.pi / 2, 0))

    def at(ring, side):
        return 1 + ring * SIDES + side % SIDES

    triangles = []
    for side in range(SIDES):
        triangles.append((0, at(0, side + 1), at(0, side)))
        for ring in range(2 * RINGS - 1):
            a, b, c, d = at(ring, side), at(ring, side + 1), at(ring + 1, side + 1), at(ring + 1, side)
            triangles += [(a, b, c), (a, c, d)]
        triangles.append((len(vertices) - 1, at(2 * RINGS - 1, side), at(2 * RINGS - 1, side + 1)))
    return vertices, triangles


def mirrored(point):
    return (-point[0], point[1], point[2])


parts = list(MIDDLE)
for name, start, end, radius in SIDED:
    parts += [(name + "_left", start, end, radius), (name + "_right", mirrored(start), mirrored(end), radius)]
print("# A figure of capsules that run into each other, made by scripts/make_figure.py. Millimetres.")
count = 1
for name, start, end, radius in parts:
    vertices, triangles = capsule(start, end, radius)
    print("o", name)
    for vertex in vertices:
        print("v", *(f"{x:.4g}" for x in vertex))
    for triangle in triangles:
        print("f", *(count + corner for corner in triangle))
    count += len(vertices)
