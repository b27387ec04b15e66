#!/usr/bin/env bash
# brisance modes: the same file on one and two ranks, readable by others, resumed, extended; and refusals.
# usage: test_modes.sh PROGRAM SOURCE_DIR SCRATCH_DIR
set -u
program=$1 source=$2 scratch=$3
rm -rf "$scratch" && mkdir -p "$scratch"
cd "$scratch" || exit 1
fail() { echo "FAILED: $1"; exit 1; }
export OMPI_MCA_ess_singleton_isolated=1  # a single rank starts without a daemon of its own
# refused PATTERN ARGUMENTS...: on one rank; where errors are agreed on does not depend on what is wrong, so a few on two.
refused() { refused_by "$program" "$@"; }
refused_on_two() { refused_by "mpirun -q -n 2 $program" "$@"; }
refused_by() {
  local launch=$1 pattern=$2; shift 2
  timeout 60 $launch modes "$@" > stdout.txt 2> stderr.txt && fail "brisance modes $* was accepted"
  [ "$(grep -c 'brisance: error: ' stderr.txt)" -eq 1 ] || fail "brisance modes $*: not exactly one message"
  grep -q -F -e "$pattern" stderr.txt || fail "brisance modes $*: no \"$pattern\" in $(cat stderr.txt)"
}

bar=(--shape box --set size_m=[4.0,1.0,1.0] --edge 0.25)
"$program" modes "${bar[@]}" --count 12 --out one.h5 > log.txt || fail "one rank"
grep -q '100%  modes 10-12 of 12' log.txt || fail "no progress line"
# Of an option given twice the last counts, which break.sh needs for options beside a recipe.
"$program" modes "${bar[@]}" --count 3 --count 12 --out again.h5 > log.txt || fail "an option twice"
grep -q '100%  modes 10-12 of 12' log.txt || fail "not the last of an option given twice"
mpirun -q -n 2 "$program" modes "${bar[@]}" --count 12 --out two.h5 > /dev/null || fail "two ranks"
/usr/bin/python3 "$source/tests/cli/check_modes_vtk.py" one.h5
code=$?
[ $code -eq 0 ] || [ $code -eq 77 ] || fail "mode file"

# An unfinished job continues; a finished one can be extended; nothing is overwritten without --overwrite.
"$program" modes "${bar[@]}" --count 6 --out grown.h5 > /dev/null || fail "fewer modes"
"$program" modes "${bar[@]}" --count 12 --out grown.h5 --resume > log.txt || fail "resume"
grep -q 'continuing grown.h5: it has 6 modes' log.txt || fail "resume does not say so"
/usr/bin/python3 - <<'PYTHON' || fail "the same modes in one go, on two ranks and in two goes"
import sys
try:
    import h5py, numpy as np
except ImportError:
    sys.exit(0)
files = [h5py.File(name) for name in ("one.h5", "two.h5", "grown.h5")]
energy = [f["brisance_modes/energy"][()] for f in files]
same = all((files[0][f"VTKHDF/CellData/mode_{k:03}"][()] == files[1][f"VTKHDF/CellData/mode_{k:03}"][()]).all()
           for k in range(4))
sys.exit(not (same and np.allclose(energy[0], energy[2], rtol=1e-6)))
PYTHON
sha256sum one.h5 > one.sha
refused_on_two "exists" "${bar[@]}" --count 12 --out one.h5
refused "begun with other --weights" "${bar[@]}" --count 12 --weights sqrt-area --out one.h5 --resume
refused "Give that or more" --count 9 --out one.h5 --resume
sha256sum --quiet -c one.sha || fail "a refused command changed the file"

# Strengths: kept on resume, refused where they make no sense.
"$program" modes "${bar[@]}" --count 6 --out wood.h5 --eta-normal 10,1,1 --no-break-sphere -2,0,0,0.9 > /dev/null || fail "wood"
"$program" modes "${bar[@]}" --count 9 --out wood.h5 --eta-normal 10,1,1 --no-break-sphere -2,0,0,0.9 --resume > /dev/null \
  || fail "resume with the same strengths"
"$program" modes "${bar[@]}" --count 9 --out wood.h5 --resume > /dev/null || fail "resume with the file's strengths"
refused "was begun with other strengths" "${bar[@]}" --count 9 --out wood.h5 --resume --eta-normal 10,1,2
refused_on_two "must be positive" "${bar[@]}" --out bad.h5 --eta 0
refused "must be positive" "${bar[@]}" --out bad.h5 --eta 10,-1,1
refused "must be positive" "${bar[@]}" --out bad.h5 --eta nan
refused "must be finite" "${bar[@]}" --out bad.h5 --eta-normal 1,nan,1
refused "must be positive" "${bar[@]}" --out bad.h5 --eta-normal 1,0,1
refused "must be positive" "${bar[@]}" --out bad.h5 --eta inf
refused "nothing was given" "${bar[@]}" --out bad.h5 --eta ""
refused "give one number, or three" "${bar[@]}" --out bad.h5 --eta 1,2
refused "3 numbers are needed" "${bar[@]}" --out bad.h5 --eta-normal 1,2
refused "must be positive" "${bar[@]}" --out bad.h5 --eta-normal=-1,1,1
refused "must be positive" "${bar[@]}" --out bad.h5 --eta-region 0=0
refused "must be finite" "${bar[@]}" --out bad.h5 --eta-region 0=nan
refused "1 numbers are needed" "${bar[@]}" --out bad.h5 --eta-region 0=1,2
refused "has a strength already" "${bar[@]}" --out bad.h5 --eta-region 0=1 --eta-region 0=2
refused "a region is a whole number" "${bar[@]}" --out bad.h5 --eta-region x=2
refused "nothing is left to break" "${bar[@]}" --out bad.h5 --no-break 0
refused "nothing is left to break" "${bar[@]}" --out bad.h5 --no-break-sphere 0,0,0,9
refused "No element of the mesh is in the region 4" "${bar[@]}" --out bad.h5 --no-break 4
refused "No element of the mesh is in the box" "${bar[@]}" --out bad.h5 --no-break-box 9,9,9,10,10,10
refused "not in range" "${bar[@]}" --out bad.h5 --count 0
refused "no such region" "${bar[@]}" --out bad.h5 --eta-region 3=2
refused "No element of the mesh is in the sphere" "${bar[@]}" --out bad.h5 --no-break-sphere 9,9,9,0.1
printf 'x,y,z,eta\n-2,0,0,0.2\n2,0,0,-5\n' > paint.csv
refused "paint.csv: The painted strength of point 1" "${bar[@]}" --out bad.h5 --eta-field paint.csv
printf 'x,y,z,eta\n' > paint.csv
refused "paint.csv: The painted strength has no points" "${bar[@]}" --out bad.h5 --eta-field paint.csv
printf 'x,y,z,paint\n0,0,0,1\n' > paint.csv
refused "there is no column 'eta'" "${bar[@]}" --out bad.h5 --eta-field paint.csv
printf 'x,y,z,eta\n0,0,0,inf\n' > paint.csv
refused "paint.csv:2: eta is inf" "${bar[@]}" --out bad.h5 --eta-field paint.csv
printf 'x,y,z,eta\n-2,0,0,0.2\n2,0,0,5\n' > paint.csv
"$program" modes "${bar[@]}" --count 6 --out paint.h5 --eta-field paint.csv > /dev/null || fail "paint"

# Better than the plain sequence.
"$program" modes "${bar[@]}" --count 12 --out better.h5 --starts 3 --min-volume 0.02 --refine > log.txt || fail "better"
grep -q 'refined together' log.txt || fail "refinement is not mentioned"
/usr/bin/python3 "$source/tests/cli/check_modes_vtk.py" better.h5
code=$?
[ $code -eq 0 ] || [ $code -eq 77 ] || fail "refined mode file"
refused "begun with other --weights, --gap, --starts or --min-volume" "${bar[@]}" --count 12 --out better.h5 --resume

refused "more than this mesh allows" --shape box --edge 1 --count 300 --out many.h5
refused "What shall be broken?" --out nothing.h5
refused "not both" cubes.obj --shape box --out nothing.h5
refused_on_two "there is no such file" missing.obj --out nothing.h5
[ ! -e many.h5 ] && [ ! -e nothing.h5 ] && [ ! -e bad.h5 ] || fail "a refused command left a file behind"

# Tets without volume are left out, with a message; a face without area is refused.
printf '5 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n4 1 1 0\n' > flat.node
printf '2 4 0\n0 0 1 2 3\n1 0 1 2 4\n' > flat.ele
"$program" modes flat.ele --count 3 --out flat.h5 > log.txt 2>&1 && grep -q 'dropped 1 tet without volume' log.txt || fail "a flat tet"
refused "2 scalar modes are more than this mesh allows" flat.ele --count 6 --out bad.h5
printf '2 4 0\n0 0 1 2 4\n1 0 2 1 4\n' > flat.ele
refused "holds no tet with a volume" flat.ele --count 3 --out bad.h5

# Mode files that are cut, damaged, of another version or of an unfinished search.
for length in 0 1000 $(($(stat -c %s one.h5) - 1)); do
  head -c $length one.h5 > cut.h5
  "$program" prefracture cut.h5 --out cut.pieces.h5 > /dev/null 2> stderr.txt && fail "a mode file of $length bytes was taken"
  grep -q 'brisance: error: cut.h5 ' stderr.txt || fail "a mode file of $length bytes: $(cat stderr.txt)"
  sha256sum cut.h5 > cut.sha
  refused "cut.h5 " "${bar[@]}" --count 12 --out cut.h5 --resume
  sha256sum --quiet -c cut.sha || fail "a mode file of $length bytes was changed"
done
/usr/bin/python3 - <<'PYTHON'
import shutil, sys
try:
    import h5py, numpy as np
except ImportError:
    sys.exit(77)
def change(name, what, value):
    shutil.copy("one.h5", name)
    with h5py.File(name, "r+") as f:
        if what in f:
            f[what][(0,) * f[what].ndim] = value
        else:
            f["brisance_modes"].attrs.modify(what, np.int64(value))
change("version.h5", "format_version", 9)
change("unfinished.h5", "complete", 0)
change("starts.h5", "starts", -5)
for k, (what, value) in enumerate([("brisance_modes/face_weight", -1), ("brisance_modes/axis_strength", float("nan")),
                                   ("VTKHDF/CellData/mode_001", float("inf")), ("VTKHDF/Points", float("nan")),
                                   ("brisance_modes/part", -1), ("VTKHDF/Connectivity", 10**9)]):
    change(f"damaged{k}.h5", what, value)
PYTHON
if [ $? -eq 0 ]; then
  refused "version 9, this program reads version 1" "${bar[@]}" --count 12 --out version.h5 --resume
  refused "starts.h5: attribute" "${bar[@]}" --count 12 --out starts.h5 --resume
  for file in damaged0 damaged1 damaged2 damaged3 damaged4 damaged5; do
    "$program" impact $file.h5 --point 0,0,0 > stdout.txt 2> stderr.txt && fail "impact took $file.h5"
    grep -q 'is missing, unreadable or does not fit' stderr.txt || fail "$file.h5: $(cat stderr.txt)"
  done
  "$program" impact unfinished.h5 --point 0,0,0 > stdout.txt 2> stderr.txt || fail "impact on an unfinished file"
  grep -q 'brisance: warning: unfinished.h5' stderr.txt || fail "no word about an unfinished file"
fi

# Two separate cubes: each gets its own modes.
cat > cubes.py <<'PYTHON'
for k, x in enumerate((0, 3)):
    for i in range(8):
        print("v", x + (i & 1), i >> 1 & 1, i >> 2 & 1)
    for face in ((0, 2, 3), (0, 3, 1), (4, 5, 7), (4, 7, 6), (0, 1, 5), (0, 5, 4), (2, 6, 7), (2, 7, 3), (0, 4, 6), (0, 6, 2),
                 (1, 3, 7), (1, 7, 5)):
        print("f", *(8 * k + corner + 1 for corner in face))
PYTHON
/usr/bin/python3 cubes.py > cubes.obj
"$program" modes cubes.obj --edge 0.3 --count 6 --out cubes.h5 > log.txt || fail "two cubes"
grep -q 'falls into 2 connected parts; each gets modes of its own (12 in all)' log.txt || fail "parts are not mentioned"

# Many objects, shared out over the ranks; one that cannot be used does not stop the others.
cp cubes.obj again.obj
mpirun -q -n 2 "$program" modes cubes.obj again.obj --edge 0.3 --count 6 --out many > log.txt || fail "two objects"
[ "$(grep -c 'finished many/' log.txt)" -eq 2 ] || fail "two objects: $(cat log.txt)"
refused_on_two "missing.obj: " missing.obj again.obj --edge 0.3 --count 6 --out some
[ -e some/again.modes.h5 ] || fail "an object that could be used was left out"
refused "Two objects would be written to" cubes.obj ./cubes.obj --out same
mpirun -q -n 3 "$program" modes cubes.obj again.obj --edge 0.3 --count 6 --out three > log.txt || fail "three ranks"
/usr/bin/python3 - <<'PYTHON' || fail "the same modes alone, on a rank and on two"
import sys
try:
    import h5py
except ImportError:
    sys.exit(0)
files = [h5py.File(name) for name in ("cubes.h5", "many/cubes.modes.h5", "many/again.modes.h5", "three/cubes.modes.h5")]
name = "VTKHDF/CellData/mode_003"
sys.exit(not all((f[name][()] == files[0][name][()]).all() for f in files))
PYTHON

# Vibration: six rigid motions, then frequencies, on one rank and two.
"$program" modes "${bar[@]}" --kind vibration --material steel_soft --count 8 --out hum.h5 > one.txt || fail "vibration"
mpirun -q -n 2 "$program" modes "${bar[@]}" --kind vibration --material steel_soft --count 8 --out hum2.h5 > two.txt || fail "vibration on two ranks"
[ "$(grep -c '  0 Hz  (rigid)' one.txt)" -eq 6 ] || fail "rigid motions: $(cat one.txt)"
diff <(grep Hz one.txt | cut -d']' -f2-) <(grep Hz two.txt | cut -d']' -f2-) > /dev/null || fail "frequencies on two ranks"
refused 'There is no material "cheese"' "${bar[@]}" --kind vibration --material cheese --out cheese.h5
refused "falls into 2 connected parts" cubes.obj --edge 0.3 --kind vibration --out cubes_hum.h5
echo "modes: fine"
