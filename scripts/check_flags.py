#!/usr/bin/env python3
"""Checks that every unit is compiled with the flags of the header that was precompiled for it, and units with CGAL
with -frounding-math.

GCC takes optimisation flags (-O3, -frounding-math) from the precompiled header and silently drops those of the unit;
CGAL's interval arithmetic would then be compiled as if there were one rounding mode.

    scripts/check_flags.py build/release
"""
import json
import pathlib
import re
import shlex
import sys


def flags(words):
    """The flags that choose code: -O, -f and -m, each -O overruling those before it."""
    level = [word for word in words if word.startswith("-O")][-1:]
    return level, sorted(word for word in words if word.startswith(("-f", "-m")) and not word.startswith(("-fdiag", "-fPIE")))


def source(file):
    """The text of a unit; of one that CMake put together (UNITY_BUILD) that of all its sources."""
    text = pathlib.Path(file).read_text()
    if "/Unity/" in str(file):
        text += "".join(pathlib.Path(name).read_text() for name in re.findall(r'#include "(/.*)"', text))
    return text


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    units = [shlex.split(entry["command"]) + [entry["file"]] for entry in json.loads((folder / "compile_commands.json").read_text())]
    headers = {words[-1].removesuffix(".cxx"): flags(words) for words in units if words[-1].endswith("cmake_pch.hxx.cxx")}
    wrong = []
    for words in units:
        if "#include <CGAL/" in source(words[-1]) and "-frounding-math" not in words:
            wrong.append(f"{words[-1]}: includes CGAL, but is compiled without -frounding-math (src/mesh/CMakeLists.txt)")
        used = [words[i + 1] for i, word in enumerate(words[:-1]) if word == "-include"]
        for header in used:
            if header in headers and flags(words) != headers[header]:
                wrong.append(f"{words[-1]}: {flags(words)}, but its precompiled header: {headers[header]}")
    print("\n".join(wrong) or f"flags: {len(headers)} precompiled header(s), all units as theirs")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
