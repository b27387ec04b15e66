#!/usr/bin/python3
"""Crack fronts of snapshots as a drawing: the body at rest from +z, crack faces, front nodes, growth directions.

examples:
  fronts.py runs/block/snapshots/000011.hdf --out fronts.png
  fronts.py plain.hdf hoop.hdf --out both.png                  side by side

The run needs output.front_fields = true (or output.state_fields). Grey: the outer surface towards +z; blue: crack
faces; red: nodes on a front, each with a line in its growth direction.
"""
import argparse
import pathlib

from failure import Failure, blame, missing_package, run
from output_files import write_complete
from snapshots import boundary_corners, h5py, need_packages, np, refuse_values_elsewhere

try:
    from PIL import Image, ImageDraw
except ImportError:
    Image = None


def main():
    arguments = parse_arguments()
    need_packages()
    if Image is None:
        raise missing_package("Pillow", "python3-pil")
    panels = []
    for path in arguments.snapshots:
        with blame(path, "brisance snapshot"):
            panels.append(panel(path, arguments.width))
    sheet = Image.new("RGB", (sum(p.width for p in panels), max(p.height for p in panels)), "white")
    left = 0
    for picture in panels:
        sheet.paste(picture, (left, 0))
        left += picture.width
    write_complete(arguments.out, lambda path: sheet.save(path, format="PNG"), arguments.overwrite)
    print(f"{arguments.out}: {len(panels)} snapshot{'s' if len(panels) != 1 else ''}")


def panel(path, width):
    """One snapshot drawn."""
    rest, faces, is_crack, fronts, growth = read(path)
    low, high = rest.min(0), rest.max(0)
    scale = 0.92 * width / (high[0] - low[0])
    height = int(width * (high[1] - low[1]) / (high[0] - low[0]))

    def place(x):
        return width / 2 + scale * (x[0] - (low[0] + high[0]) / 2), height / 2 - scale * (x[1] - (low[1] + high[1]) / 2)

    picture = Image.new("RGB", (width, height), "white")
    draw = ImageDraw.Draw(picture)
    corners = rest[faces]
    normal_z = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[:, 2]
    for triangle in corners[~is_crack & (normal_z > 0)]:
        draw.polygon([place(x) for x in triangle], outline=(205, 205, 205))
    for triangle in corners[is_crack]:
        draw.polygon([place(x) for x in triangle], outline=(60, 90, 200))
    length = 0.03 * (high[0] - low[0])
    for x, direction in zip(fronts, growth):
        at = place(x)
        draw.line([at, place(x + length * direction)], fill=(220, 30, 30), width=2)
        draw.ellipse([at[0] - 3, at[1] - 3, at[0] + 3, at[1] + 3], fill=(220, 30, 30))
    return picture


def read(path):
    """Rest positions of all rows, triangles by row, which are crack faces, rest positions of front nodes, growth."""
    with h5py.File(path, "r") as file:
        refuse_values_elsewhere(file, path)
        points = file["VTKHDF/PointData"]
        for name in ("front", "front_growth", "rest_position"):
            if name not in points:
                raise Failure(f"{path}: has no {name}. Run the scene with --set output.front_fields=true, and with "
                              "rest_position among output.fields.")
        rest, owned = points["rest_position"][:], points["owned"][:] != 0
        chosen = owned & (points["front"][:] > 0)
        growth = points["front_growth"][:][chosen]
        is_crack = file["brisance/boundary/source_triangle"][:] < 0
        return rest, boundary_corners(file), is_crack, rest[chosen], growth


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("snapshots", nargs="+", metavar="SNAPSHOT", help="snapshots (.hdf), drawn side by side")
    parser.add_argument("--out", required=True, type=pathlib.Path, metavar="FILE", help="the drawing (.png)")
    parser.add_argument("--width", type=int, default=480, help="of a snapshot's drawing, in pixels (480)")
    parser.add_argument("--overwrite", action="store_true", help="replace an existing file")
    return parser.parse_args()


if __name__ == "__main__":
    run(main)
