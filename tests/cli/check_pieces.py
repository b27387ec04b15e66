"""Checks OBJ files that pieces.py made of a textured unit cube: closed solids that fill it, with u = x and v = y on the
outside. Arguments: the files."""
import collections
import sys


def read(path):
    points, coords, faces, material = [], [], [], None
    for line in open(path, encoding="ascii"):
        words = line.split()
        if words[:1] == ["v"]:
            points.append([float(w) for w in words[1:]])
        elif words[:1] == ["vt"]:
            coords.append([float(w) for w in words[1:]])
        elif words[:1] == ["usemtl"]:
            material = words[1]
        elif words[:1] == ["f"]:
            corners = [[int(i) - 1 for i in w.split("/")] for w in words[1:]]
            assert (len(corners[0]) == 2) == (material == "original_surface"), line
            faces.append(corners)
    return points, coords, faces


def volume(points, faces):
    total = 0
    for face in faces:
        a, b, c = (points[corner[0]] for corner in face)
        total += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2])
                  + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6
    return total


total = 0
for path in sys.argv[1:]:
    points, coords, faces = read(path)
    edges = collections.Counter()
    for face in faces:
        for i in range(3):
            edges[face[i][0], face[(i + 1) % 3][0]] += 1
    assert all(count == 1 and edges[edge[::-1]] == 1 for edge, count in edges.items()), f"{path} is not closed"
    for corner in (corner for face in faces for corner in face if len(corner) == 2):
        point, uv = points[corner[0]], coords[corner[1]]
        assert max(abs(point[0] - uv[0]), abs(point[1] - uv[1])) < 1e-6, (path, point, uv)
        assert min(min(abs(x), abs(x - 1)) for x in point) < 1e-6, (path, point)
    total += volume(points, faces)
assert abs(total - 1) < 1e-6, total
print(f"{len(sys.argv) - 1} closed pieces, volume {total:.9f}")
