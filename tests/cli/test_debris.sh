#!/usr/bin/env bash
# The pieces of a run move on as rigid bodies: the same frames for any number of ranks, momentum, an animation, and
# refusals. Arguments: program, source folder, scratch folder.
set -euo pipefail
program=$1 source_dir=$2 scratch=$3
python=/usr/bin/python3
$python -c 'import h5py, numpy' 2>/dev/null || { echo "skipped: python3-h5py or python3-numpy is not installed"; exit 77; }
export PYTHONDONTWRITEBYTECODE=1
rm -rf "$scratch" && mkdir -p "$scratch" && cd "$scratch"

fail() { echo "FAILED: $*"; exit 1; }
expect_failure() {  # TEXT COMMAND…: it fails with exit code 2, says TEXT, and leaves no folder
  local text=$1 output status=0
  shift
  output=$("$@" 2>&1) || status=$?
  [[ $status -eq 2 ]] || fail "exit code $status instead of 2: $*: $output"
  [[ $output == *"$text"* && $output != *Traceback* ]] || fail "expected \"$text\" from $*, got: $output"
  [[ ! -e refused ]] || fail "$* left a folder"
}

# A plate that a ball has broken, held at one end; and the same of four ranks.
cat > scene.toml <<'TOML'
[[material]]
name = "clay"
density_kg_m3 = 1500.0
lame_lambda_pa = 2.0e6
lame_mu_pa = 2.0e6
elastic_law = "stvk"
damping_phi_pa_s = 100.0
damping_psi_pa_s = 100.0
toughness_n = 2.0
[[object]]
name = "plate"
[object.mesh]
shape = "box"
size_m = [0.3, 0.1, 0.02]
edge_length_m = 0.02
[[region]]
name = "end"
shape = "box"
low_m = [-0.16, -1.0, -1.0]
high_m = [-0.14, 1.0, 1.0]
[[collider]]
name = "ground"
shape = "plane"
position_m = [0.0, 0.0, -0.2]
[[collider]]
name = "ball"
shape = "sphere"
motion = "free"
radius_m = 0.03
mass_kg = 1.0
position_m = [0.05, 0.0, 0.0405]
velocity_m_s = [0.0, 0.0, -12.0]
angular_velocity_rad_s = [0.0, 30.0, 0.0]
[[collider]]
name = "ram"
shape = "box"
motion = "path"
size_m = [0.02, 0.5, 0.5]
path_time_s = [0.0, 1.0]
path_position_m = [[0.3, 0.0, 0.0], [0.1, 0.0, 0.0]]
[contact]
enabled = "off"  # with pieces that meet the held one was seen to shake by 1.6e-7 m while played
[fracture]
dust = "tets"
[time]
duration_s = 0.008
[output]
frame_interval_s = 0.002
TOML
"$program" run scene.toml --out one > one.txt
mpirun -q -n 4 "$program" run scene.toml --out four > four.txt
"$program" diff one four > diff.txt || fail "the runs differ: $(cat diff.txt)"

play="$program play one --seconds 1.5"
$play --out debris > debris.txt
"$program" play four --seconds 1.5 --out debris_of_four > /dev/null
"$program" diff debris debris_of_four || fail "one rank's run and four ranks' run give other debris"
mpirun -q -n 2 "$program" play one --seconds 1.5 --out debris_on_two > /dev/null
"$program" diff debris debris_on_two || fail "played on two ranks"
cmp debris/debris.glb debris_of_four/debris.glb || fail "animations differ"
grep -q "has nodes of a region" debris.txt || fail "$(cat debris.txt)"
"$program" info debris | grep -q finished || fail "no run folder"

$python - <<'PYTHON'
import csv, tomllib
import h5py, numpy as np
play = tomllib.load(open("debris/scene.toml", "rb"))["play"]
hand = play["handover"]
assert play["run"] == "one" and play["from_frame"] == 4 and hand["pieces_held"] >= 1, play
for what in ("momentum_{}_kg_m_s", "angular_momentum_{}_kg_m2_s"):
    before, after = (np.array(hand[what.format(when)]) for when in ("before", "after"))
    assert np.linalg.norm(after - before) < 1e-13 * (np.linalg.norm(before) + 1), (what, before, after)
assert 0 < hand["kinetic_energy_after_j"] < hand["kinetic_energy_before_j"] and hand["elastic_energy_dropped_j"] > 0

run, first = (h5py.File(name) for name in ("one/snapshots/000004.hdf", "debris/snapshots/000000.hdf"))
position = dict(zip(run["VTKHDF/PointData/global_id"][:], run["VTKHDF/Points"][:]))
ids = first["VTKHDF/PointData/global_id"][:]
assert np.abs(first["VTKHDF/Points"][:] - np.array([position[i] for i in ids])).max() < 1e-14
assert first["brisance"].attrs["num_pieces"] == run["brisance"].attrs["num_pieces"] > 3
colliders, then = (f["brisance/colliders"] for f in (run, first))
for name in ("centre", "velocity", "angular_velocity"):
    assert np.allclose(colliders[name][:2], then[name][:2], rtol=0, atol=1e-12), (name, colliders[name][:], then[name][:])
assert abs(colliders["velocity"][1, 2]) > 0.1, "the ball still moves"
# Constrained pieces stay; the ram is where its path ends; all else lies on the ground.
last = h5py.File(sorted(__import__("glob").glob("debris/snapshots/*.hdf"))[-1])
assert abs(last["brisance/colliders/centre"][2, 0] - 0.1) < 1e-9
assert abs(last["brisance"].attrs["time_s"] - run["brisance"].attrs["time_s"] - 1.5) < 1e-9
rest = first["VTKHDF/PointData/rest_position"][:]
held = run["VTKHDF/PointData/rest_position"][:][:, 0] < -0.14
held = np.isin(ids, run["VTKHDF/PointData/global_id"][:][held])
# A nanometre: measured were 4e-10 m where many pieces strike it.
assert held.any() and np.abs(last["VTKHDF/Points"][:] - first["VTKHDF/Points"][:])[held].max() < 1e-9
assert last["VTKHDF/Points"][:][:, 2].min() > -0.2 - 0.004
rows = list(csv.DictReader(open("debris/monitor.csv")))
assert len(rows) == 46 and abs(float(rows[0]["collider_momentum_z_kg_m_s"]) - colliders["velocity"][1, 2]) < 1e-12
PYTHON

# The animation agrees with the frames, with a reader of its own, and the script makes the same of the folder.
$python "$source_dir/tests/cli/check_animation.py" debris/debris.glb debris
$python "$source_dir/postprocess/animate.py" debris --out again.glb
$python "$source_dir/tests/cli/check_animation.py" again.glb debris
if [[ -n ${BRISANCE_GLTF_VALIDATOR:-} ]]; then  # a folder with the npm package gltf-validator
  node "$source_dir/tests/cli/validate_glb.js" "$BRISANCE_GLTF_VALIDATOR" debris/debris.glb again.glb
fi
"$program" render debris/snapshots/000020.hdf --width 64 --height 48 --samples 1 --out pictures
"$source_dir/postprocess/to_mesh.py" debris --format ply --out meshes > /dev/null

# From a time, slowed down, with the run before it; fewer snapshots than keyframes.
"$program" play one --from 4ms --seconds 0.1 --slow 10 --with-run --snapshot-every 5 --glb slow.glb --out slow > slow.txt
grep -q "begins with 2 frames of the run" slow.txt || fail "$(cat slow.txt)"
[[ $(ls slow/snapshots | wc -l) == 7 && ! -e slow/debris.glb ]] || fail "$(ls slow/snapshots)"
SOURCE="$source_dir/tests/cli" $python - <<'PYTHON'
import os, pathlib, sys
sys.path.insert(0, os.environ["SOURCE"])
import check_animation
import numpy as np
glb = check_animation.Glb(pathlib.Path("slow.glb"))
check_animation.check_meshes(glb)
check_animation.check_nodes(glb)
times, motion = check_animation.keyframes(glb)
assert len(times) == 2 + 31 and np.allclose(np.diff(times), 1 / 30, rtol=0, atol=1e-6), times
PYTHON
"$program" play one --no-glb --crumbs drop --crumb-share 0.01 --seconds 0.1 --out dropped > dropped.txt
[[ ! -e dropped/debris.glb ]] || fail "--no-glb made one"

# Invalid options: one message each, and no folder.
play="$program play one --out refused"
expect_failure "there is no such frame; the run has frames 0 to 4" $play --from 99
expect_failure "the run has frames from 0 s to" $play --from 2s
expect_failure "give last, the number of a frame" $play --from tomorrow
expect_failure "--duration" $play --seconds=-1
expect_failure "--slow" $play --slow 0
expect_failure "--crumb-share" $play --crumb-share 2
expect_failure "--drop is for an object that breaks along its modes" $play --drop 1
expect_failure "--from is for the pieces of a run" "$program" play scene.toml --from last --out refused
mkdir empty
expect_failure "is not a run folder" "$program" play empty --out refused
expect_failure "is a playback" "$program" play debris --out refused
expect_failure "already holds a finished run" "$program" play one --out debris
expect_failure "is the run itself" "$program" play one --out one --overwrite
[[ -e one/snapshots/000004.hdf ]] || fail "the run is gone"
cp -r one surface && "$program" run scene.toml --set time.duration_s=0.001 --set output.surface_only=true --out thin > /dev/null
expect_failure "all frames are of the surface alone" "$program" play thin --out refused
cp thin/snapshots/000001.hdf surface/snapshots/000005.hdf
expect_failure "The last whole frame is --from 4" "$program" play surface --out refused
"$program" run scene.toml --set time.duration_s=0.001 --set 'output.fields=["rest_position"]' --out still > /dev/null
expect_failure "has no velocities" "$program" play still --out refused
cp -r one busy
exec 9> busy/run.lock && flock 9
expect_failure "is being written by a run" "$program" play busy --out refused
exec 9>&-
sed -i 's/finished/running/' busy/run.json
"$program" play busy --seconds 0.1 --out killed > killed.txt 2>&1
grep -q "was killed" killed.txt || fail "$(cat killed.txt)"

# Far more steps than the test waits for.
timeout 120 "$program" play one --seconds 100000 --fps 0.001 --out stopped > stopped.txt 2>&1 &
launcher=$!
for ((i = 0; i < 300; i++)); do [[ -e stopped/snapshots/000000.hdf ]] && break; sleep 0.1; done
kill -TERM $launcher  # timeout hands it on
status=0; wait $launcher || status=$?
[[ $status -eq 3 ]] || fail "exit code $status instead of 3: $(cat stopped.txt)"
grep -q '"status": "interrupted"' stopped/run.json || fail "$(cat stopped/run.json)"
[[ -s stopped/debris.glb ]] || fail "no animation of what there is"
echo "debris: passed"
