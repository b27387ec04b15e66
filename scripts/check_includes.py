#!/usr/bin/python3
"""Prints every include that points up or sideways in the module map (docs/ARCHITECTURE.md); exit code 1 if any."""

import pathlib
import re
import sys

FLOORS = {
    "core": 0, "runtime": 0,
    "mesh": 1, "material": 1, "la": 1,
    "dist": 2,
    "dynamics": 3, "contact": 3, "fracture": 3, "modes": 3, "rigid": 3, "io": 3,
    "sim": 4, "render": 4,
    "app": 5,
}
INCLUDE = re.compile(r'^\s*#\s*include\s+["<](?:brisance/)?([a-z]+)/[^">]+[">]')


def violations(root):
    for folder in ("include/brisance", "src"):
        for module, floor in FLOORS.items():
            for file in sorted((root / folder / module).glob("**/*.[ch]pp")):
                for number, line in enumerate(file.read_text().splitlines(), 1):
                    match = INCLUDE.match(line)
                    if not match or match[1] not in FLOORS or match[1] == module:
                        continue
                    if FLOORS[match[1]] >= floor:
                        yield f"{file.relative_to(root)}:{number}: {module} (floor {floor}) includes {match[1]} (floor {FLOORS[match[1]]})"


found = list(violations(pathlib.Path(__file__).resolve().parent.parent))
print("\n".join(found) if found else "includes: all point down")
sys.exit(bool(found))
