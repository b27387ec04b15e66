#!/usr/bin/python3
"""Pieces of a prefractured object (brisance prefracture) as meshes for other tools.

examples:
  pieces.py bunny.pieces.h5 --format glb --out meshes        one file, a node a piece
  pieces.py bunny.pieces.h5 --format obj --split --out meshes  one file a piece
  pieces.py bunny.pieces.h5 --format ply --explode 0.5 --out meshes
  pieces.py vase.pieces.h5 --format glb --picture vase.png --out meshes

what each format keeps:
  obj  pieces as objects, outside and crack surface as materials, texture coordinates
  ply  crack flag and piece of faces
  stl  geometry
  glb  pieces, each a node about its centre of mass, outside and crack surface as materials, texture coordinates, _PIECE
       at vertices; y is up
  svg  of flat pieces only: closed outlines as paths, a millimetre of the drawing a millimetre of the object
"""
import argparse
import pathlib

from failure import Failure, run
from mesh_formats import far_note, place_origin, read_picture, write_glb, write_obj, write_ply, write_stl, write_svg
from output_files import make_folder, write_complete
from snapshots import centroid, np, read_pieces

WRITERS = {"ply": write_ply, "stl": write_stl, "svg": write_svg}
WRITERS_WITH_PICTURE = {"obj": write_obj, "glb": write_glb}


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


def writer(surface, arguments):
    """The writer of a surface to a path in the requested format."""
    if arguments.format in WRITERS:
        if arguments.picture:
            raise Failure("--picture is for --format glb and obj, the formats that can name one.")
        return WRITERS[arguments.format]
    if arguments.picture and surface.texture is None:
        raise Failure(f"{arguments.pieces} has no texture coordinates, which --picture needs: the OBJ that it was made of "
                      "must have them, and prefracture must be called with --exact.")
    picture = read_picture(arguments.picture) if arguments.picture else None
    return lambda part, path: WRITERS_WITH_PICTURE[arguments.format](part, path, True, picture)


def convert(arguments):
    surface = moved_apart(read_pieces(arguments.pieces), arguments.explode)
    write = writer(surface, arguments)
    place_origin(surface)
    make_folder(arguments.out)
    count = 0
    for path, part in outputs(surface, arguments):
        write_complete(path, lambda unfinished, part=part: write(part, unfinished), arguments.overwrite)
        count += 1
    print(f"{len(np.unique(surface.piece))} pieces in {count} {arguments.format} file{'s' if count != 1 else ''} in "
          f"{arguments.out}")
    if note := far_note(surface, arguments.format):
        print(note)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pieces", metavar="PIECES", type=pathlib.Path, help="file of brisance prefracture (.h5)")
    parser.add_argument("--format", required=True, choices=sorted([*WRITERS, *WRITERS_WITH_PICTURE]))
    parser.add_argument("--out", required=True, type=pathlib.Path, metavar="DIR", help="folder for the meshes")
    parser.add_argument("--split", action="store_true", help="one file a piece; by default one file holds them all")
    parser.add_argument("--explode", type=float, default=0.0, metavar="SHARE",
                        help="move pieces apart by this share of their distance from the middle (0)")
    parser.add_argument("--picture", type=pathlib.Path, metavar="FILE",
                        help="what is painted on the object (PNG, JPEG): into the GLB, or beside the OBJ")
    parser.add_argument("--overwrite", action="store_true", help="replace existing files")
    return parser.parse_args()


if __name__ == "__main__":
    run(lambda: convert(parse_arguments()))
