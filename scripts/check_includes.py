#!/usr/bin/python3
"""Prints every include that points up or sideways in the module map (docs/ARCHITECTURE.md), and every file that is
too long; exit code 1 if any.

Modules have floors, and so have the folders inside a module that has some. Files of a module's top folder stand above
its subfolders. A folder that is in no list is an error, too.
"""

import pathlib
import re
import sys

FLOORS = {
    "core": 0, "runtime": 0,
    "elements": 1, "mesh": 1, "material": 1, "la": 1,
    "dist": 2,
    "dynamics": 3, "contact": 3, "fracture": 3, "modes": 3, "rigid": 3, "io": 3,
    "sim": 4, "breaking": 4, "render": 4, "exports": 4,
    "app": 5,
}
SUBFOLDERS = {  # module: folder: floor within the module; folders of one floor do not include each other
    "app": {"cli": 0, "scene": 1, "modes": 2, "batch": 2, "commands": 3},
    "app/scene": {"tables": 0},
    "modes": {"body": 0, "spectral": 1, "strength": 2, "pieces": 2, "search": 3, "general": 4},
    # The plain types of the module are in its top folder; solids is a program on top of it.
    "mesh": {"tetgen": 0, "assimp": 0, "surface": 100, "tets": 101, "plane": 102, "shapes": 102, "formats": 102, "meshers": 102, "generate": 103,
             "solids": 104},
    # Pairs of tets alone; then folders that use the common parts of contact, but not the reverse.
    "contact": {"overlap": 0, "shapes": 100, "rigid": 101, "surface": 101, "search": 101, "forces": 102},
    # Implicit steps in fewer unknowns, on top of their equations.
    "dynamics": {"basis": 100},
    "fracture": {"criteria": 100, "cohesive": 101, "cutters": 102, "virtual_nodes": 103},
    # Rays and triangles, materials and lights, what they meet, light on its way; pictures stand on all.
    "render": {"media": 0, "sampling": 100, "geometry": 101, "materials": 102, "lights": 102, "tracing": 103, "integrator": 105, "film": 106},
    # A frame in plain arrays; input surfaces on the pieces of a frame; what is made of frames.
    "exports": {"frames": 100, "skin": 100, "writers": 103, "report": 103},
    # What a scene says and what a run remembers are in its top folder; then what makes a mesh of a scene, what a step
    # consists of, and ways of taking one. Files of a run stand on the simulation.
    "sim": {"loads": 100, "setup": 101, "phases": 102, "explicit": 103, "implicit": 103, "output": 105},
}
TOP = 99  # of files in no subfolder
ABOVE = {  # files of a module's top folder that stand above some of its subfolders: file: floor
    "fracture": {"rounds": 104, "independent_set": 104, "cutter_table": 104},
    "exports": {"fragment_reader": 102, "piece_history": 101, "fragments_of_pieces": 101},
    "render": {"pieces_frame": 104, "frame": 107, "run": 107},
    "sim": {"simulation": 104, "step": 104, "saved_run": 104, "make_stepper": 104, "run": 106, "branch": 106, "evaluate": 106},
}
INCLUDE = re.compile(r'^\s*#\s*include\s+["<](?:brisance/)?([a-z_]+(?:/[a-z_]+)*/[^/">]+)\.(?:hpp|h|inl)[">]')


def folder_of(file, root):
    """Path below src or include/brisance, without the file: ["modes", "search"]."""
    relative = file.relative_to(root)
    return folder(relative.with_suffix("").parts[1 if relative.parts[0] == "src" else 2:])


def folder(parts):
    """The same from a path's parts; files of ABOVE count as in a folder of that floor."""
    *folders, name = parts
    floor = ABOVE.get(folders[0], {}).get(name) if len(folders) == 1 else None
    return folders if floor is None else [*folders, floor]


def floor_of(folder, inside):
    return folder if isinstance(folder, int) else inside.get(folder, 0)


def problem(here, there):
    """The error if a file of folder `here` includes one of folder `there` (lists); None if it may."""
    if here[0] != there[0]:
        if FLOORS[there[0]] < FLOORS[here[0]]:
            return None
        return f"{here[0]} (floor {FLOORS[here[0]]}) includes {there[0]} (floor {FLOORS[there[0]]})"
    for depth in range(1, max(len(here), len(there))):
        inside = SUBFOLDERS.get("/".join(map(str, here[:depth])), {})
        mine, its = (floor_of(path[depth], inside) if depth < len(path) else TOP for path in (here, there))
        if here[depth:depth + 1] == there[depth:depth + 1]:
            continue
        if its < mine or "/".join(here[:depth]) in OWN_HEADERS:
            return None
        return f"{'/'.join(map(str, here))} includes {'/'.join(map(str, there))}"
    return None


MOST_LINES = 400
LONGER = {"include/brisance/elements/law.inl"}  # all formulas of one tet, in lanes
OWN_HEADERS = {"app/scene"}  # tables fill what the folder above declares


def violations(root):
    files = [*(root / "include/brisance").glob("**/*.hpp"), *(root / "src").glob("**/*.[ch]pp")]
    for file in sorted(files):
        here = folder_of(file, root)
        if not here:
            continue
        for depth in range(len(here)):
            known = FLOORS if depth == 0 else SUBFOLDERS.get("/".join(map(str, here[:depth])), {})
            if isinstance(here[depth], str) and here[depth] not in known:
                yield f"{file.relative_to(root)}: folder {'/'.join(here[:depth + 1])} has no floor in {sys.argv[0]}"
        for number, line in enumerate(file.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            there = folder(match[1].split("/")) if match else [""]
            if there[0] not in FLOORS or here[0] not in FLOORS:
                continue
            wrong = problem(here, there)
            if wrong:
                yield f"{file.relative_to(root)}:{number}: {wrong}"


def too_long(root):
    for folder_name in ("include", "src"):
        for file in sorted((root / folder_name).glob("**/*.*")):
            name = str(file.relative_to(root))
            if file.suffix in (".cpp", ".hpp", ".inl") and name not in LONGER:
                lines = len(file.read_text().splitlines())
                if lines > MOST_LINES:
                    yield f"{name}: {lines} lines; {MOST_LINES} are allowed. Divide it by what it does."


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    found = [*violations(root), *too_long(root)]
    print("\n".join(found) if found else "includes: all point down; no file is too long")
    return 1 if found else 0


sys.exit(main())
