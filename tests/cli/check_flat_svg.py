"""Checks that the outlines in a drawing of flat pieces have the area of the object: check_flat_svg.py FILE AREA_M2"""
import re
import sys
import xml.etree.ElementTree as ElementTree

total = 0.0
for path in ElementTree.parse(sys.argv[1]).iter("{http://www.w3.org/2000/svg}path"):
    for rim in re.findall(r"M ([^Z]*) Z", path.get("d")):
        points = [tuple(map(float, point.split(","))) for point in rim.split(" L ")]
        assert len(set(points)) == len(points), "a rim passes a point twice"
        total -= sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(points, points[1:] + points[:1])) / 2
assert abs(total * 1e-6 / float(sys.argv[2]) - 1) < 1e-6, total
