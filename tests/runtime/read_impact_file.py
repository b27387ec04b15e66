"""Reads a runtime file knowing only docs/FORMAT.md. usage: read_impact_file.py FILE; prints a summary, exit code 1 if it
is not as that page says."""

import struct
import sys
import zlib

import numpy as np

data = open(sys.argv[1], "rb").read()
magic, version, num_sections, size, table_crc, _ = struct.unpack_from("<8sIIQII", data)
assert (magic, version, size) == (b"BRISIMP\n", 1, len(data))
table = data[32:32 + 40 * num_sections]
assert zlib.crc32(table) == table_crc

section = {}
for name, offset, length, crc, _ in struct.iter_unpack("<16sQQII", table):
    assert offset % 8 == 0
    section[name.rstrip(b"\0").decode()] = data[offset:offset + length]
    assert zlib.crc32(section[name.rstrip(b"\0").decode()]) == crc

sizes = struct.unpack("<6i", section["sizes"])
dimension, components, atoms, faces, modes, vertices = sizes
shape = np.frombuffer(section["atom_shape"], "<f8").reshape(atoms, 10)
pairs = np.frombuffer(section["face_atoms"], "<i4").reshape(faces, 2)
area = np.frombuffer(section["face_area"], "<f8").reshape(faces)
energy = np.frombuffer(section["mode_energy"], "<f8").reshape(modes)
value = np.frombuffer(section["mode_value"], "<f8").reshape(modes, atoms, components)
vertex = np.frombuffer(section["vertex"], "<f8").reshape(vertices, 3)
assert (shape[:, 0] > 0).all() and (pairs[:, 0] < pairs[:, 1]).all() and (area > 0).all() and np.isfinite(vertex).all()
gram = np.einsum("iak,jak,a->ij", value, value, shape[:, 0])
assert np.abs(gram - np.eye(modes)).max() < 1e-8
if "axis_strength" in section:
    assert (np.frombuffer(section["axis_strength"], "<f8").reshape(3) > 0).all()
for smear in ("elastic", "gaussian"):
    if smear + "_share" in section:
        share = np.frombuffer(section[smear + "_share"], "<f4").reshape(vertices, atoms)
        assert np.abs(share.sum(axis=1) - 1).max() < 1e-5
        assert struct.unpack("<d", section[smear + "_length"])[0] > 0
print(f"{atoms} atoms, {faces} faces, {modes} modes, {vertices} vertices")
