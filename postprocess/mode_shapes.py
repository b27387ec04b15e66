#!/usr/bin/python3
"""Shapes of fracture modes (brisance modes): the object, each element displaced, open where it breaks.

examples:
  mode_shapes.py plate.modes.h5 --out shapes                         flat bodies: a picture (PNG) a mode
  mode_shapes.py cup.modes.h5 --modes 4,5 --format glb --out shapes  solids: a mesh a mode
  mode_shapes.py cup.modes.h5 --amplitude 0.3 --out shapes           largest displacement over the object's size

Modes are counted as displacement modes, from 1, as `brisance modes` counts them: where one field stands for all axes,
each axis is a mode. Solids: outside and open cracks, which get the crack material of the format (see pieces.py).
"""
import argparse
import pathlib
from dataclasses import dataclass

from failure import Failure, blame, missing_package, run
from mesh_formats import far_note, place_origin, write_glb, write_obj, write_ply, write_stl
from output_files import make_folder, write_complete
from snapshots import Surface, np, read_file

WRITERS = {"ply": write_ply, "stl": write_stl, "obj": lambda surface, path: write_obj(surface, path, False),
           "glb": lambda surface, path: write_glb(surface, path, False)}
KIND = "file of fracture modes"
CLOSED = 1e-6  # jumps below this over the root of the volume are rounding
PICTURE_WIDTH = 480
FACE_CORNERS = {3: ((0, 1), (1, 2), (2, 0)), 4: ((1, 2, 3), (0, 3, 2), (0, 1, 3), (0, 2, 1))}


@dataclass
class ModeFile:
    points: "np.ndarray"   # (n, 3) [m]
    cells: "np.ndarray"    # (c, 3 or 4) corners
    volume: "np.ndarray"   # (c,)
    values: list           # of each mode: (c,), (c, d) or at the corners (c, corners, d)

    @property
    def dimension(self):
        return self.cells.shape[1] - 1

    def displacements(self):
        """(c, corners, 3) of each displacement mode."""
        shape = (*self.cells.shape, 3)
        for value in self.values:
            if value.ndim == 1:
                for axis in range(self.dimension):
                    moved = np.zeros(shape)
                    moved[:, :, axis] = value[:, None]
                    yield moved
            else:
                moved = np.zeros(shape)
                moved[:, :, :self.dimension] = value[:, None, :] if value.ndim == 2 else value
                yield moved


def mode_file(file, path):
    vtk, ours = file["VTKHDF"], file["brisance_modes"]
    corners = int(ours.attrs["dimension"]) + 1
    cells = vtk["Connectivity"][:].reshape(-1, corners)
    values = []
    for k in range(len(ours["energy"])):
        at_corners = f"corner_{k:03}"
        if at_corners in ours:
            values.append(ours[at_corners][:].reshape(len(cells), corners, corners - 1))
        else:
            values.append(vtk[f"CellData/mode_{k:03}"][:])
    if not values:
        raise ValueError("it holds no mode")
    modes = ModeFile(vtk["Points"][:], cells, vtk["CellData/volume"][:], values)
    if cells.min() < 0 or cells.max() >= len(modes.points) or any(len(value) != len(cells) for value in values):
        raise ValueError("its cells name points that are not in the file, or modes do not have as many cells")
    if not all(np.all(np.isfinite(values)) for values in (modes.points, modes.volume, *modes.values)):
        raise ValueError("it holds numbers that are not finite")
    return modes


def scaled(modes, displacement, amplitude):
    """Corner positions (c, corners, 3): the largest displacement, less the mean, is `amplitude` of the size."""
    rest = modes.points[modes.cells]
    size = np.linalg.norm(modes.points.max(0) - modes.points.min(0))
    mean = (displacement.mean(1) * modes.volume[:, None]).sum(0) / modes.volume.sum()
    relative = displacement - mean
    largest = np.linalg.norm(relative, axis=2).max()
    moved = displacement if largest < 1e-9 * np.linalg.norm(mean) else relative
    return rest + moved * (amplitude * size / np.linalg.norm(moved, axis=2).max())


def visible_faces(modes, displacement):
    """(f, 3) corners of the cells' corners list, outward, and which are cracks: outside faces, and faces that open."""
    local = np.array(FACE_CORNERS[4])
    faces = modes.cells[:, local].reshape(-1, 3)
    flat_index = (np.arange(len(modes.cells))[:, None, None] * 4 + local).reshape(-1, 3)
    order = np.argsort(faces, axis=1)
    key = np.take_along_axis(faces, order, 1)
    by_node = np.take_along_axis(flat_index, order, 1)
    rank = np.lexsort(key.T[::-1])
    same = (key[rank][1:] == key[rank][:-1]).all(1)
    first, second = rank[:-1][same], rank[1:][same]
    inner = np.zeros(len(faces), bool)
    inner[first] = inner[second] = True
    corner = displacement.reshape(-1, 3)
    jump = np.linalg.norm(corner[by_node[first]] - corner[by_node[second]], axis=2).max(1)
    is_open = np.zeros(len(faces), bool)
    opened = jump > CLOSED / np.sqrt(modes.volume.sum())
    is_open[first[opened]] = is_open[second[opened]] = True
    shown = ~inner | is_open
    return flat_index[shown], is_open[shown]


def solid_surface(modes, displacement, amplitude):
    triangles, crack = visible_faces(modes, displacement)
    used, triangles = np.unique(triangles, return_inverse=True)
    points = scaled(modes, displacement, amplitude).reshape(-1, 3)[used]
    triangles = triangles.reshape(-1, 3)
    return Surface(0.0, 0, np.arange(len(points)), points, None, triangles,
                   np.zeros(len(triangles), int), np.where(crack, -1, 0))


def draw(modes, displacement, amplitude, path):
    try:
        from PIL import Image, ImageDraw
    except ImportError:
        raise missing_package("PIL", "python3-pil") from None
    rest = modes.points[:, :2]
    span = rest.max(0) - rest.min(0)
    margin = amplitude * np.linalg.norm(span)
    scale = 2 * PICTURE_WIDTH / (span[0] + 2 * margin)  # drawn twice as large, then reduced: smooth lines
    height = int(scale * (span[1] + 2 * margin))
    picture = Image.new("RGB", (2 * PICTURE_WIDTH, height), (255, 255, 255))
    pen = ImageDraw.Draw(picture)
    at = (scaled(modes, displacement, amplitude)[:, :, :2] - rest.min(0) + margin) * scale
    for triangle in at:
        pen.polygon([(x, height - y) for x, y in triangle], fill=(196, 164, 132), outline=(110, 85, 60))
    picture.resize((PICTURE_WIDTH, height // 2), Image.LANCZOS).save(path, format="PNG")


def chosen(text, count):
    if text is None:
        return range(1, count + 1)
    try:
        numbers = [int(word) for word in text.split(",")]
    except ValueError:
        raise Failure(f"--modes {text}: give numbers with commas between them, as in 4,5.") from None
    if not all(1 <= number <= count for number in numbers):
        raise Failure(f"--modes {text}: there are modes 1 to {count}.")
    return numbers


def shapes(modes, arguments, path):
    """(number, surface or, of a flat body, displacement) of each mode that was asked for."""
    with blame(path, KIND):
        displacements = list(modes.displacements())
    for number in chosen(arguments.modes, len(displacements)):
        displacement = displacements[number - 1]
        with blame(path, KIND):
            yield number, (displacement if modes.dimension == 2
                           else solid_surface(modes, displacement, arguments.amplitude).check())


def write_mode(modes, shape, path, arguments):
    if modes.dimension == 2:
        write_complete(path, lambda file: draw(modes, shape, arguments.amplitude, file), arguments.overwrite)
    else:
        write_complete(path, lambda file: WRITERS[arguments.format](shape, file), arguments.overwrite)


def convert(arguments):
    modes = read_file(arguments.modes_file, mode_file, KIND)
    make_folder(arguments.out)
    extension = "png" if modes.dimension == 2 else arguments.format
    count, origin, notes = 0, None, {}
    for number, shape in shapes(modes, arguments, arguments.modes_file):
        if modes.dimension == 3:
            origin = place_origin(shape, origin)
            notes[far_note(shape, extension)] = None
        write_mode(modes, shape, arguments.out / f"{arguments.modes_file.stem}_{number:03}.{extension}", arguments)
        count += 1
    print(f"{count} {'mode' if count == 1 else 'modes'} in {arguments.out}")
    for note in filter(None, notes):
        print(note)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modes_file", metavar="MODES", type=pathlib.Path, help="what `brisance modes` wrote")
    parser.add_argument("--modes", metavar="N,N...", help="which (all)")
    parser.add_argument("--format", choices=sorted(WRITERS), default="ply", help="of solids (ply)")
    parser.add_argument("--amplitude", type=float, default=0.1, metavar="SHARE",
                        help="largest displacement over the object's diagonal (0.1)")
    parser.add_argument("--out", required=True, type=pathlib.Path, metavar="DIR")
    parser.add_argument("--overwrite", action="store_true", help="replace files that are there")
    return parser.parse_args()


if __name__ == "__main__":
    run(lambda: convert(parse_arguments()))
