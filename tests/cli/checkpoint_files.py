"""Makes modified checkpoints. Usage: blocks FILE (prints a name and a byte of every table) |
flip FILE BYTE | version FILE | huge FILE. The last two get right checksums, as if a program had written them so."""
import json
import os
import sys
import zlib

import h5py

BLOCK = 1 << 20


def print_blocks(name):
    with h5py.File(name) as file:
        def visit(path, item):
            if isinstance(item, h5py.Dataset) and item.id.get_offset() is not None:
                print(path, item.id.get_offset() + item.id.get_storage_size() // 2)
        file.visititems(visit)


def flip(name, at):
    with open(name, "r+b") as file:
        file.seek(at)
        byte = file.read(1)[0]
        file.seek(at)
        file.write(bytes([byte ^ 8]))


def sum_up(name):
    with open(name, "rb") as file:
        crc = [zlib.crc32(block) for block in iter(lambda: file.read(BLOCK), b"")]
    with open(name + ".sums") as file:
        sums = json.load(file)
    sums.update(bytes=os.path.getsize(name), crc32=crc)
    with open(name + ".sums", "w") as file:
        json.dump(sums, file)


def change(name, work):
    with h5py.File(name, "r+") as file:
        work(file["brisance/checkpoint"])
    sum_up(name)


def other_version(group):
    group.attrs["format_version"] = group.attrs["format_version"] + 1


def huge(group):
    """A table of zeros that takes a thousandth of its length in the file."""
    chunk, count = 1 << 22, 2000
    packed = zlib.compress(bytes(8 * chunk), 6)
    del group["elements/id"]
    ids = group.create_dataset("elements/id", shape=(chunk * count,), chunks=(chunk,), dtype="i8", compression="gzip")
    for i in range(count):
        ids.id.write_direct_chunk((i * chunk,), packed)


what, name = sys.argv[1:3]
if what == "blocks":
    print_blocks(name)
elif what == "flip":
    flip(name, int(sys.argv[3]))
else:
    change(name, {"version": other_version, "huge": huge}[what])
