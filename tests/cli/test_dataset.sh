#!/usr/bin/env bash
# A data set of three shapes and a damaged file: layout, labels, determinism, kills, slices, runs.
# usage: test_dataset.sh PROGRAM SOURCE_DIR SCRATCH_DIR
set -u
program=$1 source=$2 scratch=$3
rm -rf "$scratch" && mkdir -p "$scratch"
cd "$scratch" || exit 1
failures=0
fail() { echo "FAILED: $1"; tail -n 5 log.txt 2> /dev/null; failures=$((failures + 1)); }
run() { "$program" "$@" > log.txt 2>&1; }
same() { diff -r -x work -x costs.csv "$1" "$2" > diff.txt || { head -5 diff.txt; fail "$3"; }; }

/usr/bin/python3 "$source/tests/cli/small_shapes.py" shapes
options=(--impacts 2 --tets 300 --count 12 --min-volume 0.02 --pieces 2:6)
run dataset shapes --out whole "${options[@]}" --jobs 2
[ $? -eq 2 ] || fail "a folder with a damaged file does not end with 2"
grep -q '1 object and 0 impacts were refused; manifest.json in whole says why' log.txt || fail "no summary"
/usr/bin/python3 "$source/tests/cli/check_dataset.py" whole 3 2 2 6 0.02 || fail "contents"

# Killed once an impact is there, and continued: the same bytes. In two slices as well.
"$program" dataset shapes --out killed "${options[@]}" > killed.txt 2>&1 &
pid=$!
for _ in $(seq 600); do [ ! -d killed/everyday/bars/bar/fractured_0 ] || break; sleep 0.05; done
kill -KILL $pid
wait $pid 2> /dev/null
[ ! -e killed/manifest.json ] || fail "it ended before it was killed"
run dataset shapes --out killed "${options[@]}"
same whole killed "killed and continued: other files"
run dataset shapes --out sliced "${options[@]}" --slice 2/2
grep -q ' of other slices missing' log.txt && grep -q pending sliced/manifest.json || fail "a slice does not say what is missing"
run dataset shapes --out sliced "${options[@]}" --slice 1/2
same whole sliced "two slices: other files"
run dataset shapes --out killed "${options[@]}" --jobs 2
grep -q '^bars/bar: kept' log.txt || fail "a finished object was made again"

# Schedulers signal each process of a job, a child perhaps first: nothing is refused.
"$program" dataset shapes --out ended "${options[@]}" > ended.txt 2>&1 &
pid=$!
for _ in $(seq 600); do child=$(pgrep -P $pid) && kill -TERM "$child" 2> /dev/null && break; sleep 0.05; done
wait $pid
[ $? -eq 75 ] || fail "a child that is asked to stop does not end all with 75"
run dataset shapes --out ended "${options[@]}"
same whole ended "a child asked to stop, and continued: other files"

# One object: another seed, other impacts; PLY carries the labels.
run dataset whole/work/bars/bar.modes.h5 --out ply --name bars/bar --impacts 1 --pieces 2:6 --min-volume 0.02 --format ply --seed 2 || fail "one object"
grep -o '"draw".*"threshold"' ply/impact_0.json > seed_2.txt
grep -o '"draw".*"threshold"' whole/everyday/bars/bar/impact_0.json | cmp -s - seed_2.txt && fail "another seed, the same impact"
head -12 ply/fractured_0/piece_0.ply | grep -aq 'property uchar crack' || fail "PLY without labels"

# By simulation.
cat > shot.toml <<'TOML'
title = "A ball hits an object of glass"
[[material]]
preset = "glass"
[[object]]
[object.mesh]
shape = "box"
target_tets = 100
[[collider]]
shape = "sphere"
motion = "free"
radius_m = 0.1
density_kg_m3 = 7800
velocity_m_s = [0, 0, -100]
position_m = [0, 0, 3]
[time]
duration_s = 6e-4
[output]
frame_interval_s = 3e-4
TOML
mkdir -p two && cp shapes/bars/plank.obj two
run dataset two --out shots --method run --scene shot.toml --impacts 1 --tets 300 --min-volume 0.01 --pieces 2:200 --jobs 2
/usr/bin/python3 "$source/tests/cli/check_dataset.py" shots 1 1 2 200 0.01 || fail "contents by runs"
[ ! -e shots/work/plank.run_0 ] || fail "the run folder is left"

refused() {
  local pattern=$1; shift
  run "$@"
  [ $? -eq 2 ] && [ "$(grep -c 'brisance: error: ' log.txt)" -eq 1 ] && grep -q -F -e "$pattern" log.txt || fail "$*: no \"$pattern\""
}
refused "whole was begun with seed = 1, not 2" dataset shapes --out whole "${options[@]}" --seed 2
refused "needs --scene" dataset shapes --out never --method run
refused "is not i/n" dataset shapes --out never --slice 3/2
refused "is not LEAST:MOST" dataset shapes --out never --pieces 1:5
refused "no such folder" dataset nowhere --out never
[ ! -e never ] || fail "something was written"

[ $failures -eq 0 ] && echo "all as expected"
exit $((failures > 0))
