#!/usr/bin/env bash
# What users get wrong and machines do to them: one clear message on stderr, a non-zero exit code on every number of
# ranks within seconds, no partial file under its final name, nothing of theirs overwritten.
# usage: test_bad_input.sh PROGRAM SOURCE_DIR SCRATCH_DIR
set -u
program=$1 source=$2 scratch=$3
rm -rf "$scratch" && mkdir -p "$scratch"
cd "$scratch" || exit 1
failures=0
fail() { echo "FAILED: $1"; sed 's/^/  /' stderr.txt | head -12; failures=$((failures + 1)); }

# refused RANKS PATTERN ARGUMENTS...: ends with 1, 2 or 3 and exactly one error message, which holds the pattern.
refused() {
  local ranks=$1 pattern=$2; shift 2
  timeout 60 mpirun -q -n "$ranks" "${launcher[@]}" "$@" > stdout.txt 2> stderr.txt
  local code=$? what="$ranks rank(s): brisance $*"
  [ $code -ge 1 ] && [ $code -le 3 ] || fail "$what ended with $code"
  [ "$(grep -c 'brisance: error: ' stderr.txt)" -eq 1 ] || fail "$what: not exactly one message"
  grep 'brisance: error: ' stderr.txt | grep -q -F -e "$pattern" || fail "$what: no \"$pattern\""
}
launcher=("$program")
# absent PATH...: nothing is there, neither under that name nor half written.
absent() { for f in "$@"; do [ ! -e "$f" ] && [ ! -e "$f.writing" ] || fail "$f was left behind"; done; }
unchanged() { sha256sum --quiet -c "$1" > /dev/null 2>&1 || fail "files of $1 were changed"; }

# A small scene that runs in a second: a plate of few tets thrown at the ground.
cat > scene.toml <<'SCENE'
title = "plate"
[[material]]
name = "plate"
density_kg_m3 = 1000.0
youngs_modulus_pa = 1.0e7
poissons_ratio = 0.2
damping_phi_pa_s = 10.0
damping_psi_pa_s = 10.0
strength_pa = 6.0e4
[[object]]
material = "plate"
lowest_point_m = 0.001
velocity_m_s = [0.0, 0.0, -4.0]
[object.mesh]
shape = "box"
size_m = [0.2, 0.05, 0.2]
target_tets = 300
[[collider]]
shape = "plane"
normal = [0.0, 0.0, 1.0]
[time]
duration_s = 0.004
[output]
frame_interval_s = 0.001
SCENE

# -- surfaces that cannot be filled, and odd ones that can ----------------------------------------------------------
python3 "$source/tests/cli/bad_surfaces.py" . || exit 1
surface() { refused "$1" "$2" mesh "$3" --tets 1000 --out "$3.hdf"; absent "$3.hdf"; }
for ranks in 1 3; do
  surface $ranks "truncated.obj:483: the face has 1 corners" truncated.obj
  surface $ranks "the file is empty" empty.obj
  surface $ranks "nan.obj:1: coordinate x is nan" nan.obj
  surface $ranks "a corner of the face is not one of the file's 182 vertices" index.obj
  surface $ranks "it is open: 7 edges" open.obj
  surface $ranks "it intersects itself" crossing.obj
  surface $ranks "does not bound a solid" flat.obj
  surface $ranks "no triangle with an area is left" point.obj
  surface $ranks "the file ends inside facet 101" truncated.stl
done
for file in valid_*.obj; do
  timeout 60 "$program" mesh "$file" --tets 1000 --out "$file.hdf" > stdout.txt 2> stderr.txt || fail "$file was refused"
  [ -e "$file.hdf" ] || fail "$file made no mesh"
done
for file in open.obj crossing.obj; do
  timeout 60 "$program" mesh "$file" --tets 1000 --set repair=true --out "$file.hdf" > stdout.txt 2> stderr.txt ||
    fail "$file was not repaired"
done

# -- tet meshes: without volume; a single tet on more ranks than it has nodes -----------------------------------------
nodes() { printf '4 3 0 0\n0 0 0 1\n1 1 0 1\n2 0 1 1\n3 %s\n' "$1"; }
nodes "0.5 0.5 1" > flat.node; nodes "0 0 2" > one.node; nodes "nan 0 2" > nantet.node
for name in flat one nantet; do
  printf '1 4 0\n0 0 1 2 3\n' > $name.ele
  sed -e "s/^shape = \"box\"/file = \"$name.ele\"/" -e '/^size_m/d' -e '/^target_tets/d' scene.toml > $name.toml
done
for ranks in 1 3; do
  refused $ranks "holds no tet with a volume" run flat.toml --out run_flat_$ranks
  refused $ranks "nantet.node" run nantet.toml --out run_nan_$ranks
done
for ranks in 1 3 7; do
  timeout 60 mpirun -q -n $ranks "$program" run one.toml --out run_one_$ranks \
    > stdout.txt 2> stderr.txt || fail "a single tet on $ranks ranks"
done
for ranks in 3 7; do
  timeout 60 "$program" diff run_one_1 run_one_$ranks > stdout.txt 2> stderr.txt || fail "a single tet differs on $ranks"
done

# -- scenes -----------------------------------------------------------------------------------------------------------
for ranks in 1 3; do
  refused $ranks "cannot open the scene file absent.toml" run absent.toml --out run_scene
  refused $ranks "unknown key" run scene.toml --set fracture.snap_fracton=0.1 --out run_scene
  refused $ranks "must be a number" run scene.toml --set 'material.density_kg_m3="heavy"' --out run_scene
  refused $ranks "must be positive" run scene.toml --set material.density_kg_m3=-2700 --out run_scene
done
absent run_scene

# -- output folders ---------------------------------------------------------------------------------------------------
echo "mine" > file; mkdir foreign; echo "mine" > foreign/scene.toml
timeout 60 "$program" run scene.toml --out done > stdout.txt 2> stderr.txt || fail "the plate does not run"
find file foreign done -type f -exec sha256sum {} + > theirs.txt
for ranks in 1 3; do
  refused $ranks "file is a file" run scene.toml --out file
  refused $ranks "cannot make the run folder" run scene.toml --out file/run
  refused $ranks "nothing was touched" run scene.toml --out foreign
  refused $ranks "nothing was touched" run scene.toml --out done
done
refused 1 "absent/box.hdf" mesh --shape box --tets 300 --out absent/box.hdf
unchanged theirs.txt

# -- TetGen: crashes, gives up, is missing, or says nothing ---------------------------------------------------------
mkdir crash && cp "$program" crash/brisance
tetgen() { printf '#!/bin/sh\n%s\n' "$1" > crash/brisance-tetgen; chmod +x crash/brisance-tetgen; }
launcher=(crash/brisance)
for ranks in 1 3; do
  tetgen 'kill -SEGV $$'; refused $ranks "TetGen crashed with signal 11" run scene.toml --out run_crash_$ranks
  tetgen 'exit 3'; refused $ranks "TetGen gave up" run scene.toml --out run_gave_up_$ranks
  tetgen 'exit 0'; refused $ranks "no readable result" run scene.toml --out run_silent_$ranks
  rm crash/brisance-tetgen; refused $ranks "brisance-tetgen" run scene.toml --out run_missing_$ranks
done
absent run_{crash,gave_up,silent,missing}_[13]/snapshots/000000.hdf
launcher=("$program")

# -- a full disk: a file system of our own, gone with its process -----------------------------------------------------
full_disk() {  # full_disk RANKS KILOBYTES: runs the scene there; copies what is left to full/
  rm -rf full && mkdir -p mount full
  timeout 60 unshare -rm bash -c "mount -t tmpfs -o size=$2k none mount || exit 99
    mpirun -q -n $1 '$program' run scene.toml --out mount/run > stdout.txt 2> stderr.txt; code=\$?
    cp -r mount/. full; exit \$code"
}
full_disk 1 60000
if [ $? -ne 0 ]; then
  echo "skipped: this machine does not let a test mount a file system of its own"
else
  for ranks in 1 3; do
    for size in 8 200 400; do
      full_disk $ranks $size
      code=$?
      [ $code -ge 1 ] && [ $code -le 3 ] || fail "$size kB disk, $ranks rank(s): ended with $code"
      [ "$(grep -c 'brisance: error: ' stderr.txt)" -eq 1 ] || fail "$size kB disk, $ranks rank(s): not one message"
      grep -q "No space left on device" stderr.txt || fail "$size kB disk: no reason given"
      [ -z "$(find full -name '*.writing')" ] || fail "$size kB disk: partial files were left"
      for frame in full/run/snapshots/*.hdf; do
        [ ! -e "$frame" ] || "$program" info "$frame" > /dev/null 2> stderr.txt || fail "$frame is not readable"
      done
    done
  done
fi

# -- a run that is killed ---------------------------------------------------------------------------------------------
for ranks in 1 3; do
  mpirun -q -n $ranks "$program" run scene.toml --set time.duration_s=100 --out killed_$ranks > stdout.txt 2> stderr.txt &
  pid=$!
  for _ in $(seq 300); do [ -e killed_$ranks/snapshots/000001.hdf ] && break; sleep 0.1; done
  kill -TERM $pid; wait $pid
  [ $? -ne 0 ] || fail "a killed run on $ranks rank(s) ended with 0"
  for frame in killed_$ranks/snapshots/*.hdf; do
    "$program" info "$frame" > /dev/null 2> stderr.txt || fail "$frame of a killed run is not readable"
  done
  refused $ranks "nothing was touched" run scene.toml --out killed_$ranks
  timeout 60 mpirun -q -n $ranks "$program" run scene.toml --out killed_$ranks --overwrite > stdout.txt 2> stderr.txt ||
    fail "a killed run cannot be replaced"
  timeout 60 "$program" diff done killed_$ranks > stdout.txt 2> stderr.txt || fail "the replaced run differs"
done

[ $failures -eq 0 ] && echo "bad input: every case ended as it should"
exit $((failures > 0))
