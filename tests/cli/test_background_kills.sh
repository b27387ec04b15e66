#!/usr/bin/env bash
# A run that is killed at any moment, at times while a frame is being written beside it (the last line says how often),
# continues, and has every frame once and whole. Arguments:
# program, source folder, scratch folder, and how often to kill it (4; 50 by hand).
set -uo pipefail
program=$1 source_dir=$2 scratch=$3 kills=${4:-4}
rm -rf "$scratch" && mkdir -p "$scratch" && cd "$scratch"

fail() { echo "FAILED: $*"; exit 1; }
trap 'kill -KILL $(jobs -p) 2> /dev/null' EXIT  # of a test that failed

# Frames follow one another so closely that the next is waiting when one is done.
cp "$source_dir/tests/cases/hard_landing/scene.toml" scene.toml
settings=(--set object.mesh.edge_length_m=0.012 --set output.frame_interval_s=2e-5 --set time.duration_s=$(awk "BEGIN { print 0.0008 + 0.0003 * $kills }"))
run() { exec mpirun -q -n "$1" "$program" run scene.toml --out "$2" "${settings[@]}" "${@:3}"; }
in_full() { (run "$@"); }
in_full 2 straight > straight.txt 2>&1 || fail "$(cat straight.txt)"

# Every file with the name of a frame is a complete frame; those listed exist.
all_readable() {
  /usr/bin/python3 - killed <<'EOF' || fail "a frame that cannot be read, or is not there, after kill $1"
import glob, json, os, sys, h5py
folder = sys.argv[1]
for name in sorted(glob.glob(f"{folder}/snapshots/*.hdf"))[-4:]:
    with h5py.File(name) as file:
        file.visititems(lambda _, item: item[()] is None if isinstance(item, h5py.Dataset) else None)
        assert file["brisance"].attrs["frame"] == int(os.path.basename(name)[:-4])
if os.path.exists(f"{folder}/run.hdf.series"):
    listed = [f["name"] for f in json.load(open(f"{folder}/run.hdf.series"))["files"]]
    assert len(set(listed)) == len(listed)
    assert all(os.path.exists(f"{folder}/{name}") for name in listed), listed[-2:]
EOF
}

ranks=(2 1 3 2) inside=0
for ((i = 0; i < kills; i++)); do
  before=$(ls killed/snapshots/*.hdf 2> /dev/null | wc -l)
  setsid bash -c "$(declare -f run); program=$program; settings=(${settings[*]}); run ${ranks[i % 4]} killed --resume --checkpoint-every 0.2s" \
    > "killed_$((i % 4)).txt" 2>&1 &
  launcher=$!
  # Once it has written some frames, at any moment.
  for ((wait = 0; wait < 600; wait++)); do
    kill -0 $launcher 2> /dev/null || break
    (($(ls killed/checkpoints/*.sums 2> /dev/null | wc -l) > 0 && $(ls killed/snapshots/*.hdf 2> /dev/null | wc -l) != before)) && break
    sleep 0.05
  done
  sleep "0.$((RANDOM % 900 + 100))"
  kill -KILL $(pgrep -P $launcher) $launcher 2> /dev/null  # the ranks first: they must not live on without mpirun
  wait $launcher 2> /dev/null
  [[ ! -e killed/run.lock ]] || flock --timeout 60 killed/run.lock true || fail "a rank lives on"
  [[ -z $(find killed/snapshots -name '*.writing' 2> /dev/null) ]] || inside=$((inside + 1))
  all_readable "$i"
  grep -q '"finished"' killed/run.json 2> /dev/null && { echo "finished after $i kills"; break; }
done
in_full 2 killed --resume --checkpoint-every 5s > killed.txt 2>&1 || fail "$(cat killed.txt)"
"$program" diff straight killed > diff.txt 2>&1 || fail "another run: $(cat diff.txt)"
cmp straight/run.hdf.series killed/run.hdf.series || fail "another series"
[[ $(ls straight/snapshots | sort) == "$(ls killed/snapshots | sort)" ]] || fail "other files: $(ls killed/snapshots | tail -n 3)"
echo "killed $i times, $inside times while a frame was written: $(grep -c 'resumed at step' killed/run.log) times gone on from a checkpoint"
