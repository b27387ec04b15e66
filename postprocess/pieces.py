#!/usr/bin/python3
"""Pieces of a prefractured object (brisance prefracture) as meshes for other tools.

examples:
  pieces.py bunny.pieces.h5 --format glb --out meshes        one file, a node a piece
  pieces.py bunny.pieces.h5 --format obj --split --out meshes  one file a piece
  pieces.py bunny.pieces.h5 --format ply --explode 0.5 --out meshes

what each format keeps:
  obj  pieces as objects, outside and crack surface as materials, texture coordinates
  ply  crack flag and piece of faces
  stl  geometry
  glb  pieces, outside and crack surface as materials, texture coordinates, _PIECE at vertices; y is up
  svg  of flat pieces only: closed outlines as paths, a millimetre of the drawing a millimetre of the object
"""
import argparse
import pathlib

from failure import blame, run
from mesh_formats import write_complete, write_glb, write_obj, write_ply, write_stl, write_svg
from snapshots import np, read_pieces

WRITERS = {"ply": write_ply, "stl": write_stl, "svg": write_svg,
           "obj": lambda surface, path: write_obj(surface, path, True),
           "glb": lambda surface, path: write_glb(surface, path, True)}


def centroid(corners):
    """Centre of the solid that outward triangles bound: mean of the cones to the first corner, by their volumes. Of a
    flat piece the mean of its triangles, by their areas."""
    apex = corners[0, 0]
    a, b, c = (corners[:, i] - apex for i in range(3))
    if np.ptp(corners[..., 2]) == 0:
        areas = np.cross(b - a, c - a)[:, 2]
        return apex + (areas[:, None] * (a + b + c)).sum(0) / (3 * areas.sum())
    volumes = np.einsum("ij,ij->i", np.cross(a, b), c)
    return apex + (volumes[:, None] * (a + b + c)).sum(0) / (4 * volumes.sum())


def moved_apart(surface, share):
    """Every piece moved away from the middle of all by a share of its distance from it."""
    middle = (surface.points.min(0) + surface.points.max(0)) / 2
    for piece in np.unique(surface.piece):
        triangles = surface.triangles[surface.piece == piece]
        nodes = np.unique(triangles)
        surface.points[nodes] += share * (centroid(surface.points[triangles]) - middle)
    return surface


def outputs(surface, arguments):
    """(path, surface) of each file."""
    stem = arguments.pieces.stem
    if not arguments.split:
        yield arguments.out / f"{stem}.{arguments.format}", surface
        return
    for piece in np.unique(surface.piece):
        yield arguments.out / f"{stem}_{piece:05d}.{arguments.format}", surface.part(surface.piece == piece)


def convert(arguments):
    arguments.out.mkdir(parents=True, exist_ok=True)
    count = 0
    with blame(arguments.pieces, "brisance file of pieces"):
        surface = moved_apart(read_pieces(arguments.pieces), arguments.explode)
        for path, part in outputs(surface, arguments):
            write_complete(path, lambda unfinished, part=part: WRITERS[arguments.format](part, unfinished),
                           arguments.overwrite)
            count += 1
    print(f"{len(np.unique(surface.piece))} pieces in {count} {arguments.format} file{'s' if count != 1 else ''} in "
          f"{arguments.out}")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pieces", metavar="PIECES", type=pathlib.Path, help="file of brisance prefracture (.h5)")
    parser.add_argument("--format", required=True, choices=sorted(WRITERS))
    parser.add_argument("--out", required=True, type=pathlib.Path, metavar="DIR", help="folder for the meshes")
    parser.add_argument("--split", action="store_true", help="one file a piece; by default one file holds them all")
    parser.add_argument("--explode", type=float, default=0.0, metavar="SHARE",
                        help="move pieces apart by this share of their distance from the middle (0)")
    parser.add_argument("--overwrite", action="store_true", help="replace existing files")
    return parser.parse_args()


if __name__ == "__main__":
    run(lambda: convert(parse_arguments()))
