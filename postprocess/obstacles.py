"""Colliders that a run's pieces meet, as meshes that move. Planes have none: they do not end."""
from snapshots import Surface, np


def mesh_of(obstacle):
    """Closed and outward, about the origin."""
    if obstacle.points is not None and len(obstacle.points):
        points, triangles = obstacle.points, obstacle.triangles
    else:
        points, triangles = _sphere(obstacle.size[0]) if obstacle.kind == "sphere" else _box(obstacle.size)
    number = np.zeros(len(triangles), dtype=np.int64)
    return Surface(0.0, 0, np.arange(len(points)), points, None, triangles, number - 1, number)


def _box(size):
    corners = np.array([[x, y, z] for x in (-.5, .5) for y in (-.5, .5) for z in (-.5, .5)]) * size
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return corners, np.array([t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))])


def _sphere(radius, rings=12, sectors=24):
    """Poles, and rings - 1 circles between them."""
    polar = np.pi * np.arange(1, rings)[:, None] / rings
    azimuth = 2 * np.pi * np.arange(sectors)[None] / sectors
    circles = np.stack(np.broadcast_arrays(np.sin(polar) * np.cos(azimuth), np.sin(polar) * np.sin(azimuth),
                                           np.cos(polar)), axis=-1).reshape(-1, 3)
    north, south = len(circles), len(circles) + 1
    triangles = []
    for s in range(sectors):
        right = (s + 1) % sectors
        triangles.append((north, s, right))
        for upper in range(0, (rings - 2) * sectors, sectors):
            lower = upper + sectors
            triangles += [(upper + s, lower + s, lower + right), (upper + s, lower + right, upper + right)]
        triangles.append((lower + s, south, lower + right))
    return radius * np.concatenate([circles, [[0, 0, 1], [0, 0, -1]]]), np.array(triangles)
