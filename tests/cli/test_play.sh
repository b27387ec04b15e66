#!/usr/bin/env bash
# A cube falls and breaks: run folder, picture, animation; stopped by a signal. Arguments: program, source folder, scratch.
set -euo pipefail
program=$1 source_dir=$2 scratch=$3
python=/usr/bin/python3
$python -c 'import h5py, numpy' 2>/dev/null || { echo "skipped: python3-h5py or python3-numpy is not installed"; exit 77; }
export PYTHONDONTWRITEBYTECODE=1
animate="$python $source_dir/postprocess/animate.py"
rm -rf "$scratch" && mkdir -p "$scratch" && cd "$scratch"

fail() { echo "FAILED: $*"; exit 1; }
# expect_failure TEXT COMMAND…: it must fail, say TEXT, and show no traceback
expect_failure() {
  local text=$1 output
  shift
  if output=$("$@" 2>&1); then fail "should have failed: $*"; fi
  [[ $output == *"$text"* && $output != *Traceback* ]] || fail "expected \"$text\" from $*, got: $output"
}

$python - > cube.obj <<'PYTHON'
for corner in ((x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)): print("v %d %d %d" % corner)
for face in ((1, 3, 4, 2), (5, 6, 8, 7), (1, 2, 6, 5), (2, 4, 8, 6), (4, 3, 7, 8), (3, 1, 5, 7)): print("f", *face)
PYTHON
"$program" modes cube.obj --tets 300 --count 9 --out cube.modes.h5
impact="$program impact cube.modes.h5 --point 1,1,1 --sigma 0"
$impact --out struck.h5 > struck.txt
"$program" render struck.h5 --explode 0.3 --colour piece --width 64 --height 48 --samples 1 --out pictures_struck
$python - <<'PYTHON'
import h5py
said = int(open("struck.txt").read().split()[0])
with h5py.File("struck.h5") as file:
    volume = file["brisance/pieces/volume_m3"][:]
assert len(volume) == said > 1 and abs(volume.sum() - 1) < 1e-9, (said, volume)
PYTHON
expect_failure "struck.h5 (--out) exists" $impact --out struck.h5
expect_failure "must end in .h5" $impact --out struck.glb
$impact --out struck.h5 --overwrite > struck.txt
play="$program play cube.modes.h5 --tilt 20,30,0 --spin 1,2,3 --break-speed 1 --drop 0.3"
$play --duration 1 --out run
"$program" info run > info.txt
grep -q "finished" info.txt
awk '$1 == 0 && NF == 5 { ok = $4 == 1 && $5 == 0 } $1 == 30 && NF == 5 { broken = $4 > 1 && $5 > 0 }
     END { exit !(ok && broken) }' info.txt || fail "$(cat info.txt)"
[[ -s run/run.log ]] || fail "no log"
"$program" render run/snapshots/000030.hdf --width 64 --height 48 --samples 1 --out pictures

$animate run --out cube.glb
$python "$source_dir/tests/cli/check_animation.py" cube.glb run
# Parts of two ranks, written by h5py alone: two pieces that rise by 1 m.
$python "$source_dir/tests/cli/sample_snapshot.py" sample
$animate sample --out sample.glb
$python "$source_dir/tests/cli/check_animation.py" sample.glb sample

expect_failure "exists" $animate run --out cube.glb
expect_failure "must end in .glb" $animate run --out cube.gltf
expect_failure "does not exist" $animate nowhere --out x.glb
expect_failure "frames 0 to 30" $animate run --frames 99 --out x.glb
$python - <<'PYTHON'
import h5py
with h5py.File("sample/snapshots/000001.hdf", "r+") as file:
    file["VTKHDF/Points"][0] += [0.1, 0, 0]
PYTHON
expect_failure "not rigid" $animate sample --out x.glb
[[ ! -e x.glb ]] || fail "x.glb was written"

# A world with obstacles, pieces with modes of their own, and a path that TOML must escape.
mkdir 'a "b" \c' && cp cube.modes.h5 'a "b" \c/'
$program play 'a "b" \c/cube.modes.h5' --drop 0.001 --gravity 0 --no-ground --break-speed 0.5 --own-modes 9 \
  --ball=-1.5,0,0.5,0.3,10,0,0,2000 --box 2,-2,-2,3,2,3 --wall 0,0,-3,0,0,1 --duration 0.5 --monitor-interval 0.1 \
  --out hit > hit.txt
grep -q "of them have modes of their own" hit.txt || fail "$(cat hit.txt)"
grep -q "bodies broke" hit.txt || fail "$(cat hit.txt)"
$python - <<'PYTHON'
import csv, tomllib
scene = tomllib.load(open("hit/scene.toml", "rb"))["play"]
assert scene["modes"] == 'a "b" \\c/cube.modes.h5', scene
assert scene["balls"] == ["-1.5,0,0.5,0.3,10,0,0,2000"] and scene["ground"] is False and scene["own_modes"] == 9
rows = list(csv.DictReader(open("hit/monitor.csv")))
pieces = [int(row["pieces"]) for row in rows]
breaks = sum(a != b for a, b in zip(pieces, pieces[1:]))
assert breaks > 0 and 6 <= len(rows) <= 7 + breaks, "a line each 0.1 s and each break"
def momentum(row): return [float(row[f"momentum_{axis}_kg_m_s"]) for axis in "xyz"]
free = [row for row in rows if float(row["time_s"]) < 0.15]  # before the box is reached
assert all(abs(a - b) < 1e-6 * 20000 for a, b in zip(momentum(free[0]), momentum(free[-1])))
PYTHON
$animate hit --out hit.glb
$python "$source_dir/tests/cli/check_animation.py" hit.glb hit
if [[ -n ${BRISANCE_GLTF_VALIDATOR:-} ]]; then  # a folder with the npm package gltf-validator
  node "$source_dir/tests/cli/validate_glb.js" "$BRISANCE_GLTF_VALIDATOR" cube.glb sample.glb hit.glb
  echo "gltf-validator: no errors, no warnings"
fi
"$program" render hit/snapshots/000015.hdf --width 64 --height 48 --samples 1 --out pictures_hit
grep -q "pieces" <("$program" info hit)
for wrong in "--ball 0,0,1" "--ball 0,0,0,-1" "--ball 0,0,0,1,1,0,0,0" "--ball 0,0,0,1,1e9,0,0,1" "--wall 0,0,0,0,0,0" \
  "--wall 0,0,1" "--box 1,1,1,0,0,0" "--box 0,0,0,1,1,x" "--own-volume 2" "--own-modes -1" "--monitor-interval 0"; do
  # shellcheck disable=SC2086  # two words
  expect_failure "brisance: error: " $play $wrong --out refused
  [[ ! -e refused ]] || fail "$wrong left a folder"
done

# Far more steps than the test waits for.
timeout 120 $play --duration 100000 --fps 0.00001 --out stopped > stopped.txt 2>&1 &
launcher=$!
for ((i = 0; i < 300; i++)); do [[ -e stopped/snapshots/000000.hdf ]] && break; sleep 0.1; done
kill -TERM $launcher  # timeout hands it on
status=0; wait $launcher || status=$?
[[ $status -eq 3 ]] || fail "exit code $status instead of 3: $(cat stopped.txt)"
grep -q "a signal asked the run to stop" stopped.txt || fail "$(cat stopped.txt)"
grep -q '"status": "interrupted"' stopped/run.json || fail "$(cat stopped/run.json)"
grep -q "snapshots/000001.hdf" stopped/run.hdf.series || fail "no last snapshot"
"$program" info stopped > /dev/null
echo "play: passed"
