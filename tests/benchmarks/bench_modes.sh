#!/usr/bin/env bash
# Fracture modes of one or more objects, on one rank and on two: seconds a mode (a field that stands for three modes),
# all of it and without reading and start vectors, the worst certificate, memory of the larger rank. Needs GNU time.
#   tests/benchmarks/bench_modes.sh build/release/brisance "bunny3k.node homer12k.node" [--count 30 ...]
set -euo pipefail
program=$(realpath "$1") objects=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

printf '%-16s %8s %6s %6s %9s %9s %11s %9s %9s\n' object tets fields ranks 'wall s' 'search s' 's a field' gap 'MB'
for object in $objects; do
  for ranks in 1 2; do
    rm -f "$folder"/rss
    mpirun -q --oversubscribe -n "$ranks" /usr/bin/time -a -o "$folder/rss" -f '%M %e' "$program" modes "$object" --overwrite \
      --out "$folder/modes.h5" "$@" > "$folder/log" 2>&1 || { tail -3 "$folder/log"; exit 1; }
    /usr/bin/python3 - "$folder" "$(basename "$object")" "$ranks" <<'PYTHON'
import pathlib, re, sys
import h5py
folder, name, ranks = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
memory, wall = zip(*(map(float, line.split()) for line in (folder / "rss").read_text().splitlines()))
# wall seconds of the searches, from the progress lines: "... 0.05 s  left"
search = sum(float(s) for s in re.findall(r" ([0-9.e+-]+) s  left", (folder / "log").read_text()))
with h5py.File(folder / "modes.h5") as file:
    ours = file["brisance_modes"]
    fields = len(ours["energy"]) - 1
    print(f"{name[:16]:16} {len(file['VTKHDF/CellData/volume']):8} {fields:6} {ranks:>6} {max(wall):9.2f} {search:9.2f} "
          f"{search / fields:11.3f} {ours['relative_gap'][:].max():9.0e} {max(memory) / 1024:9.0f}")
PYTHON
  done
done
