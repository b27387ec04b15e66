#!/usr/bin/python3
"""Boundary surfaces of a run as meshes for other tools.

examples:
  to_mesh.py runs/bowl --format ply --out meshes            one PLY a frame, faces with crack flag and piece
  to_mesh.py runs/bowl --format glb --per-piece --out meshes  one glTF node a piece
  to_mesh.py runs/bowl --format stl --frames 10:11 --per-piece --out meshes
  to_mesh.py runs/bowl/snapshots/000010.hdf --format vtp --out meshes

what each format keeps:
  ply  velocity and node id at vertices, crack flag and piece of faces; vertex colours (Blender and MeshLab show them):
       a hue for each piece, lighter on crack surfaces
  obj  pieces as groups, original and crack surface as materials
  stl  geometry
  glb  pieces (per piece: a node about its centre of mass), original and crack surface as materials, _VELOCITY and _PIECE
       at vertices; y is up
  vtp  velocity, node id, piece, crack flag, triangle of the input surface
"""
import argparse
import pathlib

from failure import run
from mesh_formats import far_note, place_origin, write_glb, write_obj, write_ply, write_stl, write_vtp
from output_files import make_folder, write_complete
from snapshots import chosen_frames, np, read_surface, snapshot_files

WRITERS = {"ply": write_ply, "stl": write_stl, "vtp": write_vtp}
WRITERS_OF_SCENES = {"obj": write_obj, "glb": write_glb}  # one file holds several meshes


def outputs(surface, stem, arguments):
    """(path, action) for each file of a frame; the action writes to the path it is given."""
    kind, folder = arguments.format, arguments.out
    if kind in WRITERS_OF_SCENES:
        write = WRITERS_OF_SCENES[kind]
        yield folder / f"{stem}.{kind}", lambda path: write(surface, path, arguments.per_piece)
    elif not arguments.per_piece:
        yield folder / f"{stem}.{kind}", lambda path: WRITERS[kind](surface, path)
    else:
        for piece in np.unique(surface.piece):
            yield (folder / f"{stem}_piece_{piece:05d}.{kind}",
                   lambda path, piece=piece: WRITERS[kind](surface.part(surface.piece == piece), path))


def convert(arguments):
    files = chosen_frames(snapshot_files(arguments.run), arguments.frames)
    make_folder(arguments.out)
    count, origin, notes = 0, None, {}
    for file in files:
        surface = read_surface(file)
        origin = place_origin(surface, origin)
        notes[far_note(surface, arguments.format)] = None
        for path, action in outputs(surface, file.stem, arguments):
            write_complete(path, action, arguments.overwrite)
            count += 1
    print(f"{count} {arguments.format} file{'s' if count != 1 else ''} from {len(files)} frame"
          f"{'s' if len(files) != 1 else ''} in {arguments.out}")
    for note in filter(None, notes):
        print(note)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", metavar="RUN", help="run folder or snapshot (.hdf)")
    parser.add_argument("--format", required=True, choices=["ply", "obj", "stl", "glb", "vtp"])
    parser.add_argument("--out", required=True, type=pathlib.Path, metavar="DIR", help="folder for the meshes")
    parser.add_argument("--frames", metavar="A:B", help="frames A to B-1, or one frame; all by default")
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--merged", action="store_true", help="one mesh with the piece as an attribute (default)")
    shape.add_argument("--per-piece", action="store_true", help="one mesh a piece")
    parser.add_argument("--overwrite", action="store_true", help="replace existing files")
    return parser.parse_args()


if __name__ == "__main__":
    run(lambda: convert(parse_arguments()))
