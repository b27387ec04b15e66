#!/usr/bin/env bash
# Files for other programs: objects far from the origin, names of any letters, full disks, and
# too large files. Arguments: program, source folder, scratch folder.
set -euo pipefail
program=$1 source_dir=$2 scratch=$3
python=/usr/bin/python3
$python -c 'import h5py, numpy' 2>/dev/null || { echo "skipped: python3-h5py or python3-numpy is not installed"; exit 77; }
export PYTHONDONTWRITEBYTECODE=1
scripts=$source_dir/postprocess
check="$python $source_dir/tests/cli/check_exports.py"
rm -rf "$scratch" && mkdir -p "$scratch" && cd "$scratch"
fail() { echo "FAILED: $*"; exit 1; }
# expect CODE TEXT COMMAND…: that exit code, and that text on one line of stderr and no traceback
expect() {
  local code=$1 text=$2 output status=0
  shift 2
  output=$("$@" 2>&1 >/dev/full) || status=$?
  [[ $status -eq $code && $output == *"$text"* && $output != *Traceback* && $(wc -l <<<"$output") == 1 ]] ||
    fail "expected exit code $code and \"$text\" from $*, got $status and: $output"
}
# refuse TEXT COMMAND…: it fails, prints TEXT, and names no file that it has read
refuse() {
  local text=$1 output status=0
  shift
  output=$("$@" 2>&1) || status=$?
  [[ $status -ne 0 && $output == *"$text"* && $output != *Traceback* && $output != *damaged* ]] ||
    fail "expected \"$text\" from $*, got $status and: $output"
}

# --- far from the origin -------------------------------------------------------------------------------------------
$python "$source_dir/tests/cli/sample_snapshot.py" run
cp -r run far
$python - <<'PYTHON'
import glob, h5py
for name in glob.glob("far/snapshots/*.hdf"):
    with h5py.File(name, "r+") as file:
        file["VTKHDF/Points"][...] += [456789.0, 5412345.0, 0.06]
PYTHON
for format in ply stl obj glb; do
  "$scripts/to_mesh.py" far --format $format --out far_meshes > $format.txt
  grep -q "^note: far from the origin" $format.txt || fail "$(cat $format.txt)"
  [[ $(wc -l < $format.txt) == 2 ]] || fail "one note: $(cat $format.txt)"
  [[ -z $("$scripts/to_mesh.py" run --format $format --out near_meshes | grep note) ]] || fail "a note without need"
done
"$scripts/to_mesh.py" far --format glb --per-piece --out far_meshes/pieces > /dev/null
"$scripts/to_mesh.py" far --format stl --per-piece --out far_meshes/split > /dev/null
$check far far_meshes
# All frames are about one point, so that they may be shown one after the other.
cmp <(head -c 80 far_meshes/000000.stl) <(head -c 80 far_meshes/000001.stl) || fail "frames are about different points"
# Two bodies far from each other: no point is near both.
cp -r run apart
$python - <<'PYTHON'
import glob, h5py
for name in glob.glob("apart/snapshots/*.hdf"):
    with h5py.File(name, "r+") as file:
        far = file["VTKHDF/PointData/global_id"][:] > 3
        points = file["VTKHDF/Points"][:]
        points[far] += [1e6, 0, 0]
        file["VTKHDF/Points"][...] = points
PYTHON
"$scripts/to_mesh.py" apart --format stl --out apart_meshes | grep -q "rounds positions to 0.06 m" || fail "no note of bodies apart"

cat > scene.toml <<'TOML'
[[material]]
name = "m"
density_kg_m3 = 1000.0
youngs_modulus_pa = 1.0e6
poissons_ratio = 0.2
damping_time_s = 2e-4
strength_pa = 2e4
[[object]]
name = "plate"
material = "m"
translation_m = [456789.0, 5412345.0, 0.06]
velocity_m_s = [0.0, 0.0, -6.0]
[object.mesh]
shape = "box"
size_m = [0.3, 0.3, 0.1]
target_tets = 400
[[collider]]
name = "ground"
shape = "plane"
[[collider]]
name = "ball"
shape = "sphere"
motion = "free"
radius_m = 0.02
mass_kg = 0.1
position_m = [456789.0, 5412345.0, 0.3]
[time]
duration_s = 0.01
[output]
frame_interval_s = 0.005
precision = "single"
TOML
"$program" run scene.toml --out plate > plate.txt 2>&1 || fail "$(cat plate.txt)"
[[ $(grep -c "written in double precision" plate.txt) == 1 ]] || fail "$(cat plate.txt)"
"$program" run scene.toml --out here --set 'object[0].translation_m=[0,0,0.06]' --set 'collider[1].position_m=[0,0,0.3]' > here.txt 2>&1
! grep -q "double precision" here.txt || fail "$(cat here.txt)"
$python - <<'PYTHON'
import h5py
assert h5py.File("plate/snapshots/000001.hdf")["VTKHDF/Points"].dtype == "f8"
assert h5py.File("here/snapshots/000001.hdf")["VTKHDF/Points"].dtype == "f4"
PYTHON
"$program" play plate --seconds 0.1 --out debris > debris.txt 2>&1 || fail "$(cat debris.txt)"
$check animation debris/debris.glb
"$scripts/animate.py" debris --out again.glb > /dev/null
$check animation again.glb
# A free collider is not one of the pieces.
grep -Eq "steps in .*; [0-9]+ of [0-9]+ pieces? and [01] of 1 free collider still move" debris.txt || fail "$(cat debris.txt)"

# --- names of any letters, and pivots ------------------------------------------------------------------------------
$python - > "Würfel.obj" <<'PYTHON'
for corner in ((x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)): print("v %d %d %d" % corner)
for face in ((1, 3, 4, 2), (5, 6, 8, 7), (1, 2, 6, 5), (2, 4, 8, 6), (4, 3, 7, 8), (3, 1, 5, 7)): print("f", *face)
PYTHON
"$program" modes "Würfel.obj" --tets 200 --count 4 --out "Würfel.modes.h5" > /dev/null
"$program" prefracture "Würfel.modes.h5" --out "Würfel.pieces.h5" > /dev/null
for locale in C.UTF-8 C POSIX; do
  LC_ALL=$locale PYTHONUTF8=0 PYTHONCOERCECLOCALE=0 "$scripts/pieces.py" "Würfel.pieces.h5" --format obj --out "obj_$locale"
  LC_ALL=$locale "$scripts/mode_shapes.py" "Würfel.modes.h5" --modes 2 --format obj --out "obj_$locale"
  $check orphans "obj_$locale"
done
"$scripts/pieces.py" "Würfel.pieces.h5" --format glb --out glb
"$scripts/to_mesh.py" run --format glb --per-piece --out glb
mv glb/000000.glb glb/run.glb && mv "glb/Würfel.pieces.glb" glb/pieces.glb
$check pieces glb

refuse "has no texture coordinates" "$scripts/pieces.py" "Würfel.pieces.h5" --format glb --picture "$source_dir/configs/meshes/vase.png" --out glb
refuse "--picture is for --format glb and obj" "$scripts/pieces.py" "Würfel.pieces.h5" --format ply --picture "$source_dir/configs/meshes/vase.png" --out glb

# --- disks that are full -------------------------------------------------------------------------------------------
# A limit of the size of files stands for a disk: what is written fails in the same way.
formats="ply stl obj glb"
$python -c 'import vtkmodules.vtkIOXML' 2>/dev/null && formats+=" vtp"
for format in $formats; do
  mkdir "full_$format"
  refuse "could not be written: File too large" bash -c "ulimit -f 1; exec '$scripts/to_mesh.py' here --format $format --out full_$format"
  [[ -z $(ls -A "full_$format") ]] || fail "left over: $(ls -A "full_$format")"
done
refuse "could not be written: File too large" bash -c "ulimit -f 1; exec '$scripts/pieces.py' 'Würfel.pieces.h5' --format obj --out full_obj"
[[ -z $(ls -A full_obj) ]] || fail "left over: $(ls -A full_obj)"
refuse "could not be written: File too large" bash -c "ulimit -f 1; exec '$scripts/animate.py' debris --out full.glb"
[[ ! -e full.glb ]] || fail "full.glb is there"
# An existing library is not replaced without --overwrite, and its contents stay.
mkdir taken && echo "newmtl mine" > taken/000000.mtl
refuse "000000.mtl exists" "$scripts/to_mesh.py" run --format obj --frames 0 --out taken
[[ $(ls -A taken) == 000000.mtl && $(cat taken/000000.mtl) == "newmtl mine" ]] || fail "$(ls -A taken)"

# Output to a full disk is not reported as written.
expect 3 "standard output: No space left on device" "$program" info here
expect 3 "standard output: No space left on device" "$program" --help
expect 3 "standard output: No space left on device" "$program" overlaps here --json said.json
expect 3 "standard output: No space left on device" "$program" check scene.toml
expect 1 "standard output: No space left on device" "$scripts/to_mesh.py" run --format ply --out said
expect 1 "standard output: No space left on device" "$scripts/crack_area.py" here
"$program" info here | head -n 1 > /dev/null || fail "a reader that leaves is no failure"
"$program" info here >&- || fail "nor is an output that was closed"

# --- too large files -----------------------------------------------------------------------------------------------
play="$program play here --out large"
too_much() {  # TEXT OPTION…: refused with exit code 2 before there is a folder
  local text=$1 output status=0
  shift
  output=$($play "$@" 2>&1) || status=$?
  [[ $status -eq 2 && $output == *"$text"* && ! -e large ]] || fail "expected \"$text\" of $*, got $status and: $output"
}
too_much "--max-size is 0.001 GB" --max-size 1e-3
too_much "--max-size is 2 GB. Take fewer snapshots" --seconds 2000 --fps 300
too_much "at least a millionth of the duration" --seconds 1e300 --fps 1e9
play="$program play Würfel.modes.h5 --out large"
too_much "Take fewer frames a second" --duration 100000
play="$program play here --out large"
# The announced files are those that are written.
$play --from 0 --seconds 0.5 --slow 10 --with-run > large.txt 2>&1 || fail "$(cat large.txt)"
$python - <<'PYTHON'
import pathlib, re
said = re.search(r"will write (\d+) snapshots of ([\d.]+) MB and an animation of (\d+) keyframes, ([\d.]+) MB",
                 open("large.txt").read())
count, each, keyframes, film = map(float, said.groups())
files = sorted(pathlib.Path("large/snapshots").glob("*.hdf"))
assert count - 1 <= len(files) <= count and len(files) < 20, (said.group(0), len(files))
assert 0.5 < files[0].stat().st_size / (1e6 * each) <= 1.001, (said.group(0), files[0].stat().st_size)
glb = pathlib.Path("large/debris.glb").stat().st_size
assert 0.4 < glb / (1e6 * film) <= 1.001 and keyframes == 151, (said.group(0), glb)
PYTHON
echo "exports: passed"
