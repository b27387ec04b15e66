#!/usr/bin/python3
"""Writes configs/meshes/vase.obj, vase.mtl and vase.png: a vase of revolution with a wall, 18 cm tall, and its painting.

  scripts/make_vase.py configs/meshes

The outside has the upper three quarters of the picture, from the foot to the rim; the inside has the rest.
"""
import math
import pathlib
import sys

from PIL import Image, ImageDraw

SECTORS = 24
# Radius and height from the middle of the foot to that of the inner bottom; millimetres.
OUTSIDE = [(0, 0), (24, 0), (30, 4), (26, 12), (40, 40), (52, 75), (53, 95), (42, 122), (24, 145), (23, 158), (34, 178)]
INSIDE = [(31, 180), (19, 160), (19, 144), (37, 118), (47, 94), (46, 76), (34, 42), (20, 18), (0, 16)]
OUTSIDE_SHARE = 0.75  # of the picture's height
CLAY, DARK, PALE = (186, 92, 48), (38, 28, 24), (232, 196, 150)


def profile():
    """Radius, height and v of each ring: v by the length along its side."""
    rings = []
    for points, low, high in ((OUTSIDE, 1 - OUTSIDE_SHARE, 1.0), (INSIDE, 1 - OUTSIDE_SHARE, 0.0)):
        lengths = [0.0]
        for a, b in zip(points, points[1:]):
            lengths.append(lengths[-1] + math.dist(a, b))
        rings.append([(*point, low + (high - low) * length / lengths[-1]) for point, length in zip(points, lengths)])
    return rings[0], rings[1]


def write_obj(file):
    outside, inside = profile()
    rings = outside + inside
    print("# A vase of revolution with a wall, made by scripts/make_vase.py. Millimetres.\nmtllib vase.mtl\no vase", file=file)
    first = []  # vertex of each ring's sector 0
    count = 0
    for radius, height, _ in rings:
        first.append(count + 1)
        for s in range(SECTORS if radius else 1):
            angle = 2 * math.pi * s / SECTORS
            print(f"v {radius * math.cos(angle):.6g} {radius * math.sin(angle):.6g} {height:g}", file=file)
            count += 1
    for v in [v for _, _, v in rings] + [1.0]:  # the last row: the rim, between both sides, has the colour of the edge
        for s in range(SECTORS + 1):
            print(f"vt {s / SECTORS:.6g} {v:.6g}", file=file)
    print("usemtl painted_clay", file=file)
    for k, (lower, upper) in enumerate(zip(rings, rings[1:])):
        for s in range(SECTORS):
            def corner(ring, sector, k=k):
                row = k + ring
                vertex = first[row] + (sector % SECTORS if rings[row][0] else 0)
                coordinate = len(rings) if row == len(outside) and ring == 1 else row
                return f"{vertex}/{coordinate * (SECTORS + 1) + sector + 1}"

            if upper[0]:
                print("f", corner(0, s), corner(1, s + 1), corner(1, s), file=file)
            if lower[0]:
                print("f", corner(0, s), corner(0, s + 1), corner(1, s + 1 if upper[0] else s), file=file)


def paint():
    picture = Image.new("RGB", (512, 512), CLAY)
    draw = ImageDraw.Draw(picture)

    def row(v):
        return round((1 - v) * 511)

    def band(low, high, colour):
        draw.rectangle((0, row(high), 511, row(low)), fill=colour)

    band(0, 1 - OUTSIDE_SHARE, PALE)
    for low, high in ((0.28, 0.36), (0.60, 0.615), (0.80, 0.815), (0.9, 1)):
        band(low, high, DARK)
    for s in range(24):  # rays above the foot
        left = s * 512 / 24
        draw.polygon([(left, row(0.36)), (left + 512 / 24, row(0.36)), (left + 256 / 24, row(0.44))], fill=DARK)
    for s in range(12):  # a meander between two lines
        left, step, low = s * 512 / 12, 512 / 60, 0.65
        heights = (0, 0.11, 0.11, 0.035, 0.035, 0.07, 0.07)
        places = [(left, row(low))] + [(left + x * step, row(low + y)) for x, y in
                                       zip((0, 0, 4, 4, 2, 2, 3), heights)]
        draw.line(places, fill=DARK, width=6)
        draw.line([(left, row(low)), (left + 5 * step, row(low))], fill=DARK, width=6)
    for s in range(16):  # drops on the shoulder
        left = (s + 0.5) * 32
        draw.ellipse((left - 8, row(0.87), left + 8, row(0.83)), fill=DARK)
    return picture.quantize(8)


def main():
    folder = pathlib.Path(sys.argv[1])
    with open(folder / "vase.obj", "w", encoding="ascii") as file:
        write_obj(file)
    (folder / "vase.mtl").write_text("newmtl painted_clay\nKd 1 1 1\nmap_Kd vase.png\n", encoding="ascii")
    paint().save(folder / "vase.png", optimize=True)


if __name__ == "__main__":
    main()
