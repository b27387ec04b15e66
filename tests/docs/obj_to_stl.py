"""The triangles of an OBJ file as ASCII STL. usage: obj_to_stl.py IN.obj OUT.stl"""
import sys

points, lines = [], ["solid made_of_obj"]
for line in open(sys.argv[1], encoding="utf-8"):
    words = line.split()
    if words[:1] == ["v"]:
        points.append(" ".join(words[1:4]))
    elif words[:1] == ["f"]:
        corners = [points[int(word.split("/")[0]) - 1] for word in words[1:]]
        for second, third in zip(corners[1:], corners[2:]):
            lines.append("facet normal 0 0 0\nouter loop\n" + "".join(f"vertex {x}\n" for x in (corners[0], second, third))
                         + "endloop\nendfacet")
with open(sys.argv[2], "w", encoding="ascii") as file:
    file.write("\n".join([*lines, "endsolid made_of_obj", ""]))
