"""Writes a runtime file knowing only docs/FORMAT.md: two unit cubes side by side and the one mode that separates them.
usage: two_halves.py FILE [VERSION]"""

import struct
import sys
import zlib

half = 0.5 ** 0.5
cube = [1 / 6, 1 / 6, 1 / 6, 0, 0, 0]
sections = {
    "sizes": struct.pack("<6i", 3, 1, 2, 1, 2, 2),
    "atom_shape": struct.pack("<20d", 1, 0.5, 0.5, 0.5, *cube, 1, 1.5, 0.5, 0.5, *cube),
    "face_atoms": struct.pack("<2i", 0, 1),
    "face_area": struct.pack("<d", 1),
    "mode_energy": struct.pack("<2d", 0, 1),
    "mode_value": struct.pack("<4d", half, half, half, -half),
    "vertex": struct.pack("<6d", 0, 0, 0, 2, 0, 0),
    "elastic_length": struct.pack("<d", 0.2),
    "elastic_share": struct.pack("<4f", 0.75, 0.25, 0.5, 0.5),
}
version = int(sys.argv[2]) if len(sys.argv) > 2 else 1
table, body, start = b"", b"", 32 + 40 * len(sections)
for name, data in sections.items():
    table += struct.pack("<16sQQII", name.encode(), start + len(body), len(data), zlib.crc32(data), 0)
    body += data + b"\0" * (-len(data) % 8)
header = struct.pack("<8sIIQII", b"BRISIMP\n", version, len(sections), start + len(body), zlib.crc32(table), 0)
open(sys.argv[1], "wb").write(header + table + body)
