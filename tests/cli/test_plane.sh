#!/usr/bin/env bash
# Flat bodies from a mesh to modes, and refusals. Arguments: program, source folder, scratch folder.
set -u
program=$1 source=$2 scratch=$3
export PYTHONDONTWRITEBYTECODE=1
rm -rf "$scratch" && mkdir -p "$scratch"
cd "$scratch" || exit 1
fail() { echo "FAILED: $1"; cat log.txt 2> /dev/null | tail -5; exit 1; }
refused() {  # PATTERN ARGUMENTS...
  local pattern=$1; shift
  timeout 60 "$program" "$@" > log.txt 2> stderr.txt && fail "brisance $* was accepted"
  [ "$(grep -c 'brisance: error: ' stderr.txt)" -eq 1 ] || fail "brisance $*: not exactly one message"
  grep -q -F -e "$pattern" stderr.txt || fail "brisance $*: no \"$pattern\" in $(cat stderr.txt)"
}
checked() {  # a script of Python that may find its modules missing
  /usr/bin/python3 "$@"
  local code=$?
  [ $code -eq 0 ] || [ $code -eq 77 ] || fail "$*"
}

# A dumb-bell: squares of side 1 with a neck 0.2 wide and 0.2 long between them, as one polygon at z = 0.5.
cat > bell.obj <<'OBJ'
v 0 0 0.5
v 1 0 0.5
v 1 0.4 0.5
v 1.2 0.4 0.5
v 1.2 0 0.5
v 2.2 0 0.5
v 2.2 1 0.5
v 1.2 1 0.5
v 1.2 0.6 0.5
v 1 0.6 0.5
v 1 1 0.5
v 0 1 0.5
f 1 2 3 4 5 6 7 8 9 10 11 12
OBJ
"$program" modes --plane bell.obj --triangles 900 --count 8 --out bell.h5 > log.txt || fail "modes"
grep -q 'area 2.04 m² in the plane z = 0.5 m' log.txt || fail "no report"
grep -q '100%  modes 7-8 of 8' log.txt || fail "modes do not come in pairs"
checked "$source/tests/cli/check_modes_vtk.py" bell.h5
mpirun -q -n 2 "$program" modes --plane bell.obj --triangles 900 --count 8 --out two.h5 > log.txt || fail "two ranks"
"$program" modes --count 12 --out two.h5 --resume > log.txt || fail "resume"
grep -q 'continuing two.h5: it has 8 modes' log.txt || fail "resume does not say so"
/usr/bin/python3 - <<'PYTHON' || fail "the neck is not what breaks first, or two ranks differ"
import sys
try:
    import h5py
except ImportError:
    sys.exit(0)
one, two = h5py.File("bell.h5"), h5py.File("two.h5")
assert one["brisance_modes"].attrs["dimension"] == 2
# E = w/sqrt(A f (1 - f)) of a straight cut through the neck, between 0.2 at its middle and at its ends
energy = one["brisance_modes/energy"][1]
assert 0.2 / (2.04 / 4) ** 0.5 - 1e-9 < energy < 0.25 / (1 * 1.04 / 2.04) ** 0.5, energy
assert all((one[f"VTKHDF/CellData/mode_{k:03}"][()] == two[f"VTKHDF/CellData/mode_{k:03}"][()]).all() for k in range(4))
PYTHON

# Strengths: a plate that splits along y, painted, with a corner that stays whole.
plate=(--plane --shape slab --set size_m=[1,1,0.1] --triangles 600)
"$program" modes "${plate[@]}" --count 6 --eta-normal 1,10 --no-break-sphere 0.5,0.5,0,0.3 --out wood.h5 > log.txt || fail "wood"
printf 'x,y,z,eta\n-0.4,0,0,0.01\n0.4,0,0,1\n' > paint.csv
"$program" modes "${plate[@]}" --count 6 --eta-field paint.csv --eta 2,1 --out paint.h5 > log.txt || fail "paint"

# Struck as it is and as a plate; through the runtime file it is the same.
"$program" runtime bell.h5 --out bell.impact > log.txt || fail "runtime"
checked "$source/tests/runtime/read_impact_file.py" bell.impact
blow=(--point 0,0.5,0.5 --direction 1,0,0 --sigma 0.2 --json)
"$program" impact bell.impact "${blow[@]}" > from_runtime.json || fail "impact on the runtime file"
"$program" impact bell.h5 "${blow[@]}" > from_modes.json || fail "impact on the modes"
cmp from_runtime.json from_modes.json || fail "runtime file and modes disagree"
"$program" impact bell.h5 --point 0,0.5,0.5 --direction 1,0,0 --sigma 0.2 --out struck.h5 > log.txt || fail "pieces of an impact"
"$program" render struck.h5 --width 32 --height 24 --samples 1 --out pictures > log.txt || fail "picture of an impact"
grep -q area_m2 from_modes.json || fail "pieces have no area"
[ "$(sed -n 's/.*"num_pieces": \([0-9]*\).*/\1/p' from_modes.json)" -gt 1 ] || fail "nothing broke"
"$program" impact bell.h5 --thickness 0.1 "${blow[@]}" | grep -q volume_m3 || fail "impact on a plate"
"$program" play bell.h5 --thickness 0.1 --tilt 80,0,0 --drop 0.5 --break-speed 0.5 --duration 0.5 --fps 10 --out run \
  > log.txt 2>&1 || fail "play"
"$program" info run > info.txt || fail "info on the playback"
[ "$(sed -n 's/^ *5  [0-9.e-]*  [0-9]*  \([0-9]*\) .*/\1/p' info.txt)" -gt 1 ] || { cat info.txt; fail "the plate did not break"; }
refused "give its --thickness" play bell.h5 --out other

# Pieces: flat, and plates; their areas and volumes, a picture, and files for others.
"$program" prefracture bell.h5 --smooth 1e-3 --out flat.h5 > log.txt || fail "flat pieces"
grep -q 'pieces of 2.04 m²' log.txt || fail "flat pieces are not said to have an area"
"$program" prefracture bell.h5 --smooth 1e-3 --thickness 0.1 --out thick.h5 > log.txt || fail "plates"
grep -q 'pieces of 0.204 m³' log.txt || fail "plates are not said to have a volume"
"$program" render flat.h5 --explode 0.3 --colour piece --width 64 --height 48 --samples 1 --out pictures > log.txt || fail "render"
[ -s pictures/flat.png ] || fail "no picture"
if /usr/bin/python3 -c 'import h5py, numpy' 2> /dev/null; then
  for format in obj ply stl glb svg; do
    "$source/postprocess/pieces.py" flat.h5 --format $format --explode 0.3 --out meshes > log.txt 2>&1 || fail "$format"
  done
  [ "$(grep -c '<path' meshes/flat.svg)" -eq "$(grep -c '^o ' meshes/flat.obj)" ] || fail "not a path a piece"
  "$source/postprocess/pieces.py" thick.h5 --format svg --out meshes > log.txt 2>&1 && fail "svg of solids"
  grep -q 'svg is for flat pieces' log.txt || fail "svg of solids: no reason"
  /usr/bin/python3 "$source/tests/cli/check_flat_svg.py" meshes/flat.svg 2.04 || fail "areas in the drawing"
fi
refused "leave out --exact" prefracture bell.h5 --exact bell.obj --out bad.h5
"$program" modes --shape box --tets 50 --count 6 --out box.h5 > log.txt || fail "a solid"
refused "leave out --thickness" prefracture box.h5 --thickness 0.1 --out bad.h5
refused "has its thickness already" impact box.h5 --thickness 0.1 --point 0,0,0

refused "two (x and y)" modes "${plate[@]}" --eta 1,1,10 --out bad.h5
refused "2 numbers are needed" modes "${plate[@]}" --eta-normal 1,1,10 --out bad.h5
refused "--triangles requires --plane" modes --shape slab --triangles 100 --out bad.h5
refused "give --triangles instead of --tets" modes --plane --shape slab --tets 100 --out bad.h5
refused "no section to take" modes --plane --shape bowl --out bad.h5
refused "is for solids" modes --plane --shape slab --kind vibration --out bad.h5
refused "What shall be broken?" modes --plane --out bad.h5
sed 's/^v 0 1 0.5/v 0 1 0.7/' bell.obj > bent.obj
refused "reaches from z = 0.5 to 0.7" modes --plane bent.obj --out bad.h5
(cat bell.obj; printf 'v 0.1 0.1 0.5\nv 0.2 0.1 0.5\nv 0.1 0.2 0.5\nf 13 14 15\n') > twice.obj
refused "overlap" modes --plane twice.obj --out bad.h5
(cat bell.obj; printf 'v 5 5 0.5\nv 6 5 0.5\nv 7 5 0.5\nf 13 14 15\n') > thin.obj
refused "has no area" modes --plane thin.obj --out bad.h5
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 -1 0\nv 1 1 0\nf 1 2 3\nf 1 2 4\nf 1 2 5\n' > crowded.obj
refused "1 edge has three triangles" modes --plane crowded.obj --out bad.h5
[ ! -e bad.h5 ] && [ ! -e other ] || fail "a refused command left a file behind"
echo "plane: passed"
