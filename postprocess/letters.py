#!/usr/bin/python3
"""Letters of a font as closed surfaces, one OBJ each, for scenes in which they fall and break.

examples:
  letters.py --text "THE END" --font DejaVuSans-Bold --out letters
  letters.py --text Fin --font /usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf --height 0.5 --depth 0.1 --out fin

FONT is a file (TrueType, OpenType, Type 1) or the name of one that is installed, without folder and ending. Letters
stand upright: their face points towards -y, z points up, the baseline is z = 0, x counts from the left edge of the box
around the letter. HEIGHT is that of the capital H; curves are cut into chords that miss them by less than a thousandth
of it.

Written: OUT/X.obj for each letter X (U+XXXX.obj where the letter is no file name), and OUT/objects.toml, the [[object]]
tables of a scene that has them side by side in the lines of the text ("\\n" begins one), the last line at the bottom.
"""
import argparse
import difflib
import pathlib
import warnings

from failure import Failure, missing_package, run
from output_files import make_folder, open_text, write_complete

try:
    import numpy as np
except ImportError:
    np = None

FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts", "~/.fonts")
ENDINGS = (".ttf", ".otf", ".ttc", ".pfb")
PIXELS = 1000          # of an em, in which VTK gives outlines
CHORD_MISS = 1e-3      # of the height
FONT_FILE = 4          # VTK_FONT_FILE
MOVE, LINE, CONIC, CUBIC = range(4)  # vtkPath::ControlPointType


def font_file(name):
    """The file that --font names."""
    path = pathlib.Path(name)
    if path.is_file():
        return path
    installed = {}
    for folder in FOLDERS:
        for file in sorted(pathlib.Path(folder).expanduser().rglob("*")):
            if file.suffix.lower() in ENDINGS:
                installed.setdefault(file.stem.lower(), file)
    if name.lower() in installed:
        return installed[name.lower()]
    near = [installed[stem].stem for stem in difflib.get_close_matches(name.lower(), installed, 3, 0.5)]
    raise Failure(f"--font {name}: there is no such file, and no font of that name below {', '.join(FOLDERS)}. "
                  + (f"There is {', '.join(near)}." if near else "Install one, for example the Debian package "
                     "fonts-dejavu-core, or name a file."))


class Font:
    """Outlines of a font's letters, in pixels of which an em has PIXELS."""

    def __init__(self, path):
        try:
            from PIL import ImageFont
        except ImportError:
            raise missing_package("PIL", "python3-pil") from None
        try:
            from vtkmodules.vtkCommonDataModel import vtkPath
            from vtkmodules.vtkRenderingCore import vtkTextProperty
            from vtkmodules.vtkRenderingFreeType import vtkFreeTypeTools
        except ImportError:
            raise missing_package("vtkmodules", "python3-vtk9") from None
        try:
            ImageFont.truetype(str(path), 10)  # VTK silently uses another font if it cannot read this one
        except OSError as failure:
            raise Failure(f"{path} cannot be read as a font: {failure}. Name a TrueType or OpenType file.") from None
        self.path, self._new_path, self._tools = path, vtkPath, vtkFreeTypeTools.GetInstance()
        self._property = vtkTextProperty()
        self._property.SetFontFamily(FONT_FILE)
        self._property.SetFontFile(str(path))
        self._property.SetFontSize(PIXELS)
        capital = np.concatenate(self.contours("H", CHORD_MISS * PIXELS))
        self.baseline, self.height = capital[:, 1].min(), np.ptp(capital[:, 1])

    def contours(self, letter, miss):
        """Closed polygons (n, 2) that miss the curves by less than `miss`; the last corner is not the first again."""
        path = self._new_path()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # VTK warns about its choice of an overload
            drawn = self._tools.StringToPath(self._property, letter, 72, path)
        if not drawn or path.GetNumberOfPoints() == 0:
            raise Failure(f"{self.path} has no outline for {letter!r} (U+{ord(letter):04X}). Choose another --font, or "
                          "another --text.")
        points = [np.array(path.GetPoint(i)[:2]) for i in range(path.GetNumberOfPoints())]
        codes = [int(path.GetCodes().GetValue(i)) for i in range(len(points))]
        result, i = [], 0
        while i < len(points):
            if codes[i] == MOVE:
                result.append([points[i]])
                i += 1
                continue
            last = i + {LINE: 1, CONIC: 2, CUBIC: 3}[codes[i]]
            result[-1] += flattened([result[-1][-1], *points[i:last]], miss)
            i = last
        return [polygon for polygon in map(without_doubles, result) if len(polygon) > 2]


def flattened(controls, miss):
    """Points of a Bezier curve after its first, on equal parts of its parameter."""
    if len(controls) == 2:
        return controls[1:]
    bend = max(np.linalg.norm(a - 2 * b + c) for a, b, c in zip(controls, controls[1:], controls[2:]))
    degree = len(controls) - 1
    parts = max(1, int(np.ceil(np.sqrt(degree * (degree - 1) * bend / (8 * miss)))))  # the error of linear interpolation
    result = []
    for t in np.arange(1, parts + 1) / parts:
        row = controls
        while len(row) > 1:
            row = [(1 - t) * a + t * b for a, b in zip(row, row[1:])]
        result.append(row[0])
    return result


def without_doubles(polygon):
    polygon = np.array(polygon)
    return polygon[np.linalg.norm(polygon - np.roll(polygon, 1, axis=0), axis=1) > 1e-6 * PIXELS]


def triangulated(contours):
    """Triangles of what lies between the contours, outer ones counterclockwise, holes clockwise: rows of all corners one
    after the other. Ears are cut off, the roundest first, so that no triangle has its corners in line."""
    flat = np.concatenate(contours)
    ends = np.cumsum([len(polygon) for polygon in contours])
    loops = [list(range(end - len(polygon), end)) for polygon, end in zip(contours, ends)]
    edges = [(i, j) for loop in loops for i, j in zip(loop, loop[1:] + loop[:1])]
    result = []
    for number, outer in enumerate(contours):
        if area(outer) < 0:
            continue
        loop = list(loops[number])
        holes = [loops[k] for k, hole in enumerate(contours) if area(hole) < 0 and holder(contours, k) == number]
        for hole in sorted(holes, key=lambda hole: -flat[hole, 0].max()):
            loop = bridged(flat, loop, hole, edges)
        result += ears(flat, loop)
    return np.array(result, int).reshape(-1, 3)


def holder(contours, hole):
    """The outer contour around a hole: the smallest that holds it."""
    around = [k for k, other in enumerate(contours) if area(other) > 0 and holds(other, contours[hole][0])]
    return min(around, key=lambda k: area(contours[k]))


def bridged(flat, loop, hole, edges):
    """One loop of both, with a bridge that meets no edge, gone there and back; not where one ends already: its sides
    would have to be told apart."""
    pairs = sorted(((i, j) for i in range(len(loop)) if loop.count(loop[i]) == 1 for j in range(len(hole))),
                   key=lambda pair: np.linalg.norm(flat[loop[pair[0]]] - flat[hole[pair[1]]]))
    for i, j in pairs:
        a, b = loop[i], hole[j]
        if not any(cross(flat, a, b, c, d) for c, d in edges if not {a, b} & {c, d}):
            edges.append((a, b))
            return loop[:i + 1] + hole[j:] + hole[:j + 1] + loop[i:]
    raise Failure("an outline crosses itself and could not be filled. Choose another --font.")


def side(a, b, c):
    """Twice the area of triangles, positive where they are counterclockwise."""
    return (b[..., 0] - a[..., 0]) * (c[..., 1] - a[..., 1]) - (b[..., 1] - a[..., 1]) * (c[..., 0] - a[..., 0])


def cross(flat, a, b, c, d):
    a, b, c, d = (flat[i] for i in (a, b, c, d))
    return side(a, b, c) * side(a, b, d) <= 0 and side(c, d, a) * side(c, d, b) <= 0


def ears(flat, loop):
    """Cuts triangles off a loop, whose corners may occur twice, until one is left."""
    size = np.ptp(flat, axis=0).max()
    result = []
    while len(loop) > 2:
        best, roundest = None, 0.0
        for k in range(len(loop)):
            corners = loop[k - 1], loop[k], loop[(k + 1) % len(loop)]
            a, b, c = flat[list(corners)]
            longest = max(np.sum((b - a) ** 2), np.sum((c - b) ** 2), np.sum((a - c) ** 2))
            shape = side(a, b, c) / longest if longest > 0 else 0
            if shape <= max(roundest, 1e-9):
                continue
            others = flat[[i for i in loop if i not in corners]]
            least = np.minimum(np.minimum(side(a, b, others), side(b, c, others)), side(c, a, others))
            if not np.any(least >= -1e-9 * size ** 2):
                best, roundest = k, shape
        if best is None:
            raise Failure("an outline crosses itself and could not be filled. Choose another --font.")
        result.append((loop[best - 1], loop[best], loop[(best + 1) % len(loop)]))
        del loop[best]
    return result


def area(polygon):
    x, y = polygon.T
    return 0.5 * np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)


def holds(polygon, point):
    """Whether a point lies in a polygon: crossings of a ray."""
    (x, y), a, b = point, polygon, np.roll(polygon, -1, axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        at = a[:, 0] + (y - a[:, 1]) / (b[:, 1] - a[:, 1]) * (b[:, 0] - a[:, 0])
    return np.count_nonzero(((a[:, 1] > y) != (b[:, 1] > y)) & (x < at)) % 2 == 1


def turned(contours):
    """Outer contours counterclockwise, those of holes clockwise, by how many others each lies in."""
    result = []
    for i, polygon in enumerate(contours):
        depth = sum(holds(other, polygon[0]) for j, other in enumerate(contours) if j != i)
        result.append(polygon if (area(polygon) > 0) == (depth % 2 == 0) else polygon[::-1])
    return result


def extruded(contours, depth):
    """Vertices (n, 3) and triangles of the closed surface: faces at y = -depth/2 and depth/2, walls between them."""
    flat = np.concatenate(contours)
    cap = triangulated(contours)
    expected = sum(map(area, contours))
    if abs(0.5 * side(*(flat[cap[:, k]] for k in range(3))).sum() - expected) > 1e-6 * expected:
        raise Failure("an outline crosses itself and could not be filled. Choose another --font.")
    n = len(flat)
    front, back = (np.column_stack([flat[:, 0], np.full(n, y), flat[:, 1]]) for y in (-depth / 2, depth / 2))
    walls, first = [], 0
    for polygon in contours:
        i = first + np.arange(len(polygon))
        j = np.roll(i, -1)
        walls += [np.column_stack([i, i + n, j]), np.column_stack([j, i + n, j + n])]
        first += len(polygon)
    return np.concatenate([front, back]), np.concatenate([cap, cap[:, ::-1] + n, *walls])


def solid(font, letter, height, depth):
    """The letter's surface [m]."""
    scale = height / font.height
    contours = [scale * (c - [0, font.baseline]) for c in font.contours(letter, CHORD_MISS * font.height)]
    left = min(c[:, 0].min() for c in contours)
    return extruded(turned([c - [left, 0] for c in contours]), depth)


def write_obj(path, about, points, triangles):
    lines = [f"# {about}"] + ["v %.9g %.9g %.9g" % tuple(point) for point in points]
    with open_text(path) as file:
        file.write("\n".join(lines + ["f %d %d %d" % tuple(t + 1) for t in triangles]) + "\n")


def file_name(letter):
    return f"{letter}.obj" if letter.isascii() and letter.isalnum() else f"U+{ord(letter):04X}.obj"


def object_table(name, file, x, z):
    return (f'[[object]]\nname = "{name}"\ntranslation_m = [{x:.6g}, 0.0, {z:.6g}]\n'
            f'[object.mesh]\nfile = "{file}"\ntarget_tets = 2000\n')


def write_tables(path, tables):
    with open_text(path) as file:
        file.write("\n".join(tables))


def layout(lines, widths, height, gap):
    """(letter, x, z) of each letter: lines centred about x = 0, the last at z = 0."""
    for row, line in enumerate(lines):
        length = sum(0.5 * height if letter == " " else widths[letter] for letter in line) + gap * (len(line) - 1)
        x = -length / 2
        for letter in line:
            if letter != " ":
                yield letter, x, (len(lines) - 1 - row) * 1.5 * height
            x += (0.5 * height if letter == " " else widths[letter]) + gap


def make(arguments):
    if np is None:
        raise missing_package("numpy", "python3-numpy")
    lines = arguments.text.replace("\\n", "\n").split("\n")
    letters = sorted(set("".join(lines)) - {" "})
    if not letters:
        raise Failure("--text has no letters.")
    for option in ("height", "depth", "gap"):
        if not getattr(arguments, option) > (0 if option != "gap" else -1e-300):
            raise Failure(f"--{option} {getattr(arguments, option)} must be a positive length [m].")
    font = Font(font_file(arguments.font))
    solids = {letter: solid(font, letter, arguments.height, arguments.depth) for letter in letters}
    if arguments.out.exists() and not arguments.overwrite:
        raise Failure(f"{arguments.out} exists. Choose another --out, or allow replacing its files with --overwrite.")
    make_folder(arguments.out)
    about = f"letters.py, {font.path.name}, height {arguments.height:g} m, depth {arguments.depth:g} m"
    for letter, (points, triangles) in solids.items():
        write_complete(arguments.out / file_name(letter),
                       lambda path, points=points, triangles=triangles: write_obj(path, about, points, triangles), True)
    widths = {letter: np.ptp(points[:, 0]) for letter, (points, _) in solids.items()}
    tables = [object_table(f"{letter} {count}", file_name(letter), x, z)
              for count, (letter, x, z) in enumerate(layout(lines, widths, arguments.height, arguments.gap), 1)]
    write_complete(arguments.out / "objects.toml", lambda path: write_tables(path, tables), True)
    print(f"{len(letters)} letters of {font.path} in {arguments.out}, {len(tables)} objects in "
          f"{arguments.out / 'objects.toml'}")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--text", required=True, help="what to write; \\n begins another line")
    parser.add_argument("--font", required=True, help="font file, or name of an installed one")
    parser.add_argument("--height", type=float, default=0.3, help="of the capital H [m] (0.3)")
    parser.add_argument("--depth", type=float, default=0.08, help="thickness [m] (0.08)")
    parser.add_argument("--gap", type=float, default=0.02, help="between letters [m] (0.02)")
    parser.add_argument("--out", required=True, type=pathlib.Path, help="folder for the files")
    parser.add_argument("--overwrite", action="store_true", help="replace files of an --out that exists")
    return parser.parse_args()


if __name__ == "__main__":
    run(lambda: make(parse_arguments()))
