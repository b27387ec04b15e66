#!/usr/bin/env bash
# Modes of the general problem by command: computing, storing, resuming and refusing; the sweep of weights.
# Arguments: program, source folder, scratch folder.
set -u
program=$1 source=$2 scratch=$3
export PYTHONDONTWRITEBYTECODE=1
rm -rf "$scratch" && mkdir -p "$scratch"
cd "$scratch" || exit 1
fail() { echo "FAILED: $1"; cat log.txt stderr.txt 2> /dev/null | tail -8; exit 1; }
refused() {  # PATTERN ARGUMENTS...
  local pattern=$1; shift
  timeout 120 mpirun -q -n 2 "$program" "$@" > log.txt 2> stderr.txt && fail "brisance $* was accepted"
  [ "$(grep -c 'brisance: error: ' stderr.txt)" -eq 1 ] || fail "brisance $*: not exactly one message"
  grep -q -F -e "$pattern" stderr.txt || fail "brisance $*: no \"$pattern\" in $(cat stderr.txt)"
}

plate=(modes --plane --shape notched_block --set 'size_m=[1,0.4,0.1]' --set notch_depth_m=0.15 --triangles 120)
"$program" "${plate[@]}" --count 6 --out exact.h5 > log.txt 2> stderr.txt || fail "exact"
mpirun -q -n 2 "$program" "${plate[@]}" --count 6 --method admm --out admm.h5 > log.txt 2> stderr.txt || fail "admm"
grep -q '100%  modes 5-6 of 6' log.txt || fail "the scalar problem's modes do not come in pairs"
mpirun -q -n 2 "$program" "${plate[@]}" --count 4 --strain elastic --omega 0.1 --out cheap.h5 > log.txt 2> stderr.txt || fail "cheap"
grep -q '100%  mode 4 of 4 .* of it strain' log.txt || fail "no share of strain in the progress line"
"$program" "${plate[@]}" --count 4 --strain elastic --omega 100 --out dear.h5 > log.txt 2> stderr.txt || fail "dear"
"$program" "${plate[@]}" --count 5 --sliding 0.5 --eta-tensor 2,1,0.1 --out tensor.h5 > log.txt 2> stderr.txt || fail "tensor"
"$program" "${plate[@]}" --count 5 --strain elastic --omega 100 --out dear.h5 --resume > log.txt 2> stderr.txt || fail "resume"
grep -q 'continuing dear.h5: it has 4 modes' log.txt || fail "resume does not say so"
"$program" runtime cheap.h5 --out cheap.impact > log.txt 2> stderr.txt || fail "runtime"
"$program" prefracture cheap.h5 --thickness 0.02 --out cheap.pieces.h5 > log.txt 2> stderr.txt || fail "prefracture"
/usr/bin/python3 "$source/postprocess/mode_shapes.py" cheap.h5 --modes 4 --out shapes > log.txt 2> stderr.txt || fail "mode_shapes"
[ "$(head -c 4 shapes/cheap_004.png | tail -c 3)" = PNG ] || fail "no picture"
/usr/bin/python3 "$source/postprocess/mode_shapes.py" cheap.h5 --modes 9 --out shapes > log.txt 2> stderr.txt && fail "mode 9 drawn"
grep -q 'there are modes 1 to 4' stderr.txt || fail "mode_shapes does not say which modes there are"
# a search that does not fit into memory uses the divided one, also when resumed, and only on several ranks
mpirun -q -n 2 "$program" "${plate[@]}" --count 4 --memory-gb 1e-5 --out auto.h5 > log.txt 2> stderr.txt || fail "auto"
grep -q 'the object is divided over the ranks (--method admm)' log.txt || fail "auto does not say what it chose"
mpirun -q -n 2 "$program" "${plate[@]}" --count 6 --out auto.h5 --resume > log.txt 2> stderr.txt || fail "auto, resumed"
"$program" "${plate[@]}" --count 4 --memory-gb 1e-5 --out alone.h5 > log.txt 2> stderr.txt || fail "auto, one rank"
grep -q 'needs about .* GB on one rank and has' log.txt stderr.txt || fail "one rank is not warned"
/usr/bin/python3 - <<'PYTHON' || fail "numbers"
import sys
try:
    import h5py
    import numpy as np
except ImportError:
    sys.exit(0)
exact, admm, cheap, dear = (h5py.File(f"{name}.h5")["brisance_modes"] for name in ("exact", "admm", "cheap", "dear"))
# the first optimum of a convex step is unique: within the gap of 1e-3
assert abs(admm["convex_energy"][0] / exact["convex_energy"][0] - 1) < 1e-3
assert admm.attrs["method"] == b"admm strain=none" or admm.attrs["method"] == "admm strain=none", admm.attrs["method"]
chosen = h5py.File("auto.h5")["brisance_modes"]
assert chosen.attrs["method"] == admm.attrs["method"] and len(chosen["energy"]) == 3
assert h5py.File("alone.h5")["brisance_modes"].attrs["method"] == exact.attrs["method"]
assert cheap["strain_energy"][3] < 0.02 * cheap["energy"][3]
assert dear["strain_energy"][3] > 0.99 * dear["energy"][3]
# breaking and deforming freely cannot cost more than only one of them
assert cheap["energy"][3] < dear["energy"][3]
volume = h5py.File("dear.h5")["VTKHDF/CellData/volume"][()]
corner = np.array([dear[f"corner_{k:03}"][()].reshape(len(volume), 3, 2) for k in range(5)])
products = np.einsum("icka,jcka,c->ij", corner, corner, volume / 3)
assert abs(products - np.eye(5)).max() < 1e-8
PYTHON

refused 'solves the reduced problem only' "${plate[@]}" --method exact --strain elastic --out no.h5

refused 'was begun by the method "admm strain=elastic omega=100' "${plate[@]}" --count 6 --strain elastic --omega 7 --out dear.h5 --resume
refused 'must be positive definite' "${plate[@]}" --eta-tensor 1,1,2 --out no.h5
refused '3 numbers are needed' "${plate[@]}" --eta-tensor 1,1 --out no.h5
refused '--starts, --min-volume and --refine are for the exact search' "${plate[@]}" --method admm --starts 2 --out no.h5
refused 'leave it or --strain out' "${plate[@]}" --strain elastic --no-break-sphere 0,0,0,0.3 --out no.h5
refused 'start vectors' "${plate[@]}" --count 3000 --method admm --out no.h5
"$program" "${plate[@]}" --omega -1 --strain elastic --out no.h5 > log.txt 2> stderr.txt && fail "a negative weight was accepted"
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 3 0 0\nv 4 0 0\nv 3 1 0\nf 1 2 3\nf 4 5 6\n' > two.obj
refused 'falls into 2 connected parts' modes --plane two.obj --edge 0.3 --method admm --out no.h5
[ ! -e no.h5 ] || fail "a refused command left a file"
echo "all of it"
