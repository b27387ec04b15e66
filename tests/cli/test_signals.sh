#!/usr/bin/env bash
# A run that is asked to stop ends after its step, with a checkpoint and a last snapshot; one rank that fails takes all down; a folder
# that is taken is bad input. Arguments: program, source folder, scratch folder.
set -uo pipefail
program=$1 source_dir=$2 scratch=$3
rm -rf "$scratch" && mkdir -p "$scratch" && cd "$scratch"

fail() { echo "FAILED: $*"; exit 1; }

# Far more steps than the test waits for.
sed 's/^duration_s = .*/duration_s = 1000.0/' "$source_dir/configs/bowl_4.toml" > long.toml
run() { exec mpirun -q -n "$1" "$program" run long.toml --out "$2" --set output.frame_interval_s=500 \
  --set object.mesh.edge_length_m=0.04 --set time.min_step_s=1e-9; }

# Waits until the run in folder $1 is under way: its first snapshot is there.
await_start() {
  for ((i = 0; i < 300; i++)); do [[ -e $1/snapshots/000000.hdf ]] && return; sleep 0.1; done
  fail "$1 did not start: $(cat "$1.txt")"
}

# SIGNAL RANKS: sent to the last rank alone, the others learn it from that one.
stop_by() {
  local signal=$1 ranks=$2 folder=stopped_$1_$2 launcher status=0
  (run "$ranks" "$folder") > "$folder.txt" 2>&1 &
  launcher=$!
  await_start "$folder"
  kill -"$signal" "$(pgrep -P $launcher | tail -n 1)"
  wait $launcher; status=$?
  [[ $status -eq 75 ]] || fail "$folder: exit code $status instead of 75: $(cat "$folder.txt")"
  [[ $(grep -c "brisance: error: .*: a signal or a time limit asked the run to stop" "$folder.txt") -eq 1 ]] || fail "$(cat "$folder.txt")"
  grep -q '"status": "interrupted"' "$folder/run.json" || fail "$(cat "$folder/run.json")"
  [[ -e $folder/snapshots/000001.hdf ]] || fail "$folder has no last snapshot"
  "$program" info "$folder" > info.txt 2>&1 || fail "$(cat info.txt)"
  grep -q "snapshots/000001.hdf" "$folder/run.hdf.series" || fail "the series does not name the last snapshot"
}

stop_by TERM 1
stop_by INT 3
stop_by HUP 1

# A run that nohup started stays when its terminal goes.
nohup "$program" run long.toml --out kept --set output.frame_interval_s=500 --set object.mesh.edge_length_m=0.04 --set time.min_step_s=1e-9 \
  > kept.txt 2>&1 &
child=$!
await_start kept
kill -HUP $child; sleep 1
kill -0 $child || fail "nohup: $(cat kept.txt)"
kill -TERM $child; wait $child
[[ $? -eq 75 ]] || fail "nohup: $(cat kept.txt)"

# TERM to mpirun, which kills the ranks a second after the signal: the folder records it, for any length of a step. A
# rank that is stopped, so that the other waits for it, simulates a long step. The log names the signal to send instead.
(run 2 killed) > killed.txt 2>&1 &
launcher=$!
await_start killed
grep -q "kill -USR2 $launcher (mpirun" killed/run.log || fail "how to stop: $(cat killed/run.log)"
kill -STOP "$(pgrep -P $launcher | tail -n 1)"
sleep 0.5
kill -TERM $launcher; wait $launcher
[[ $? -ne 0 ]] || fail "killed by mpirun: $(cat killed.txt)"
grep -q '"status": "interrupted"' killed/run.json || fail "killed in a step: $(cat killed/run.json)"

# A folder with a run in it is bad input, and stays as it was.
before=$(cd stopped_TERM_1 && find . -type f | sort | xargs md5sum)
for ranks in 1 3; do
  mpirun -q -n $ranks "$program" run long.toml --out stopped_TERM_1 > taken.txt 2>&1
  [[ $? -eq 2 ]] || fail "a folder that is taken: $(cat taken.txt)"
  [[ $(grep -c "brisance: error: stopped_TERM_1 already holds a run" taken.txt) -eq 1 ]] || fail "$(cat taken.txt)"
done
[[ $before == "$(cd stopped_TERM_1 && find . -type f | sort | xargs md5sum)" ]] || fail "a taken folder was changed"

# An error on one rank only: the last of three is given a command line that makes no sense. The others wait for it in a
# collective call and must not wait for ever.
timeout 60 mpirun -q -n 2 "$program" check long.toml : -n 1 "$program" chekc > one_rank.txt 2>&1
[[ $? -eq 2 ]] || fail "an error on one rank: $(cat one_rank.txt)"
[[ $(grep -c "brisance: error: rank 2: " one_rank.txt) -eq 1 ]] || fail "an error on one rank: $(cat one_rank.txt)"

echo "signals: passed"
