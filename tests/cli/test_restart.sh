#!/usr/bin/env bash
# A run that is stopped, killed or interrupted continues where it was, on any number of ranks, with every frame and row
# once and the same bits. Arguments: program, source folder, scratch folder, and how often to kill it (4; 200 for a night).
set -uo pipefail
program=$1 source_dir=$2 scratch=$3 kills=${4:-4}
rm -rf "$scratch" && mkdir -p "$scratch" && cd "$scratch"

fail() { echo "FAILED: $*"; exit 1; }

cp "$source_dir/tests/cases/hard_landing/scene.toml" scene.toml
settings=(--set object.mesh.edge_length_m=0.02 --set output.frame_interval_s=2e-4)
longer=0.0065 longest=0.007
((kills > 4)) && settings+=(--set time.duration_s=0.05) && longer=0.0505 longest=0.051
run() { exec mpirun -q -n "$1" "$program" run scene.toml --out "$2" "${settings[@]}" "${@:3}"; }
in_full() { (run "$@"); }

# Frames and rows of folder $1 as those of the straight run, each once; wall times apart.
same_as_straight() {
  "$program" diff straight "$1" > diff.txt 2>&1 || fail "$1: $(cat diff.txt)"
  cmp straight/run.hdf.series "$1/run.hdf.series" || fail "$1: another series"
  /usr/bin/python3 - "$1" <<'EOF' || fail "$1: rows of monitor.csv"
import csv, sys
free = {"ms_per_step", "element_updates", "cracks_across_ranks"}
a, b = ([{k: v for k, v in row.items() if k not in free} for row in csv.DictReader(open(f"{name}/monitor.csv"))]
        for name in ["straight", sys.argv[1]])
assert a == b, [(x, y) for x, y in zip(a, b) if x != y][:1] or (len(a), len(b))
EOF
}

in_full 2 straight > straight.txt 2>&1 || fail "$(cat straight.txt)"

# Nothing to resume: starts. Finished: leaves it. A stop by the wall clock, then on another number of ranks.
(run 2 limited --resume --wall-limit 1s) > limited.txt 2>&1
[[ $? -eq 75 ]] || fail "a wall limit: $(cat limited.txt)"
grep -q '"status": "interrupted"' limited/run.json || fail "$(cat limited/run.json)"
checkpoint=$(ls limited/checkpoints/*.h5 | tail -n 1)
"$program" info "$checkpoint" > info.txt || fail "$(cat info.txt)"
grep -q "checkpoint at step" info.txt && grep -q "written by 2 ranks" info.txt || fail "$(cat info.txt)"
in_full 3 limited --resume > limited.txt 2>&1 || fail "$(cat limited.txt)"
grep -q "resumed at step" limited/run.log || fail "$(cat limited.txt)"
same_as_straight limited
before=$(find limited -type f ! -name '*.lock' | sort | xargs md5sum)
in_full 1 limited --resume > limited.txt 2>&1 || fail "$(cat limited.txt)"
grep -q "holds this run, finished" limited.txt || fail "$(cat limited.txt)"
[[ $before == "$(find limited -type f ! -name '*.lock' | sort | xargs md5sum)" ]] || fail "a finished run was touched"

# Checkpoints and the latest frames of folder $1 can be read to the end, whatever happened to the run that wrote them.
all_readable() {
  /usr/bin/python3 - "$1" <<'EOF' || fail "$1 has a file that cannot be read"
import glob, sys, h5py
frames = sorted(glob.glob(f"{sys.argv[1]}/snapshots/*.hdf"))[-3:]
for name in frames + sorted(glob.glob(f"{sys.argv[1]}/checkpoints/*.h5")):
    with h5py.File(name) as file:
        file.visititems(lambda _, item: item[()] is None if isinstance(item, h5py.Dataset) else None)
EOF
}

# Killed again and again, at any moment, while it writes checkpoints all the time.
ranks=(4 1 3 2) inside=0
for ((i = 0; i < kills; i++)); do
  setsid bash -c "$(declare -f run); program=$program; settings=(${settings[*]}); run ${ranks[i % 4]} killed --resume --checkpoint-every 0.05s" \
    > "killed_$((i % 4)).txt" 2>&1 &
  launcher=$!
  sleep "$((RANDOM % 2)).$((RANDOM % 900 + 100))"
  kill -KILL $(pgrep -P $launcher) $launcher 2> /dev/null  # the ranks first: they must not live on without mpirun
  wait $launcher 2> /dev/null
  [[ ! -e killed/run.lock ]] || flock --timeout 60 killed/run.lock true || fail "a rank of killed lives on"
  [[ -z $(find killed -name '*.writing' 2> /dev/null) ]] || inside=$((inside + 1))
  all_readable killed
  grep -q "finished" killed/run.json 2> /dev/null && { echo "finished after $i kills"; break; }
done
for ((attempt = 0; attempt < 100; attempt++)); do
  in_full 2 killed --resume --checkpoint-every 0.2s > killed.txt 2>&1 && break
  grep -q "a run is writing into killed" killed.txt || fail "$(cat killed.txt)"  # the last of the killed ones is not gone yet
  sleep 0.1
done
same_as_straight killed
echo "killed $i times, $inside times inside a write: $(grep -c 'resumed at step' killed/run.log) times gone on from a checkpoint"
[[ $(ls killed/checkpoints/*.h5 | wc -l) -eq 2 ]] || fail "checkpoints kept: $(ls killed/checkpoints)"

# A finished run with a checkpoint can be extended; settings of its past cannot change.
newest=$(ls killed/checkpoints/*.h5 | tail -n 1)
refused() {
  "${@:2}" > refused.txt 2>&1
  [[ $? -eq 2 ]] || fail "taken: $(cat refused.txt)"
  [[ $(grep -c "brisance: error:" refused.txt) -eq 1 ]] || fail "$(cat refused.txt)"
  grep -q "$1" refused.txt || fail "wanted '$1': $(cat refused.txt)"
}
refused "is of a run of another scene (there: density_kg_m3 = 1000.0; now: density_kg_m3 = 1001.0)" in_full 2 killed --resume \
  --set time.duration_s=$longer --set "material[0].density_kg_m3=1001"
refused "not a length of time" in_full 2 killed --resume --wall-limit soon
refused "is a file; a run needs a folder" in_full 1 scene.toml --resume

# If the newest is damaged the one before is used, with a warning.
cp -r killed damaged
printf '\x55' | dd of="damaged/checkpoints/$(basename "$newest")" bs=1 seek=5000 conv=notrunc status=none
in_full 3 damaged --resume --set time.duration_s=$longer > damaged.txt 2>&1 || fail "$(cat damaged.txt)"
grep -q "is damaged: the block from byte 0 on is not what was written. It is passed over" damaged.txt || fail "$(cat damaged.txt)"
in_full 1 killed --resume --set time.duration_s=$longer > longer.txt 2>&1 || fail "$(cat longer.txt)"
"$program" diff killed damaged > diff.txt 2>&1 || fail "longer: $(cat diff.txt)"
"$program" diff "$newest" "$newest" > diff.txt || fail "diff of a checkpoint with itself"

# A run that cannot be continued is not deleted.
cp -r killed spoiled
for file in spoiled/checkpoints/*.h5; do printf '\x55' | dd of="$file" bs=1 seek=5000 conv=notrunc status=none; done
refused "Of 2 checkpoints in spoiled none is whole" in_full 2 spoiled --resume --set time.duration_s=$longest
cp -r killed lost && rm -r lost/checkpoints && sed -i 's/"finished"/"running"/' lost/run.json
refused "lost holds a run of another scene without a checkpoint" in_full 2 lost --resume --set "material[0].density_kg_m3=1001"

# Two runs do not share a folder, with any options; a signal makes a checkpoint without a stop.
(run 2 busy --set time.duration_s=1000 --set output.frame_interval_s=500 --set time.min_step_s=1e-12) > busy.txt 2>&1 &
launcher=$!
for ((i = 0; i < 200; i++)); do [[ -e busy/snapshots/000000.hdf ]] && break; sleep 0.1; done
refused "a run is writing into busy" in_full 1 busy --overwrite
refused "a run is writing into busy" in_full 2 busy --resume
kill -USR1 "$(pgrep -P $launcher | tail -n 1)"
for ((i = 0; i < 200; i++)); do ls busy/checkpoints/*.sums > /dev/null 2>&1 && break; sleep 0.1; done
ls busy/checkpoints/*.sums > /dev/null || fail "no checkpoint after SIGUSR1"
kill -USR2 "$(pgrep -P $launcher | tail -n 1)"
wait $launcher
[[ $? -eq 75 ]] || fail "SIGUSR2: $(cat busy.txt)"

echo "restart: passed"
