#!/usr/bin/env bash
# Faults of checkpoints and of the runs that write and read them: each gives a warning and a run that continues, or
# one clear error. Arguments: program, source folder, scratch folder.
set -uo pipefail
program=$1 source_dir=$2 scratch=$3
rm -rf "$scratch" && mkdir -p "$scratch" && cd "$scratch"

fail() { echo "FAILED: $*"; exit 1; }
cp "$source_dir/tests/cases/wall/scene.toml" scene.toml
sed -i 's/^edge_length_m = .*/edge_length_m = 0.3/; s/^duration_s = .*/duration_s = 0.03/' scene.toml
spoil() { /usr/bin/python3 "$source_dir/tests/cli/checkpoint_files.py" "$@" || fail "checkpoint_files.py $*"; }
newest() { ls "$1"/checkpoints/*.h5 | tail -n 1; }
oldest() { ls "$1"/checkpoints/*.h5 | head -n 1; }
step_of() { echo $((10#$(basename "$1" .h5))); }
await() { local i; for ((i = 0; i < 300; i++)); do "${@:2}" > /dev/null 2>&1 && return; sleep 0.1; done; fail "waited for $1"; }
has_checkpoint() { ls "$1"/checkpoints/*.sums; }
trap 'kill $(jobs -p) 2> /dev/null' EXIT  # of a test that failed
gone() { ! kill -0 "$1"; }
# CODE WHAT COMMAND ...: one error, that says so.
ends() {
  local code
  "${@:3}" > said.txt 2>&1; code=$?
  [[ $code -eq $1 ]] || fail "$code instead of $1, $2: $(cat said.txt)"
  [[ $(grep -c "brisance: error:" said.txt) -eq 1 ]] || fail "$(cat said.txt)"
  grep -qF "$2" said.txt || fail "wanted '$2': $(cat said.txt)"
}

# Two checkpoints, the newer at the end; its copy is as if the run had been killed there.
"$program" run scene.toml --out run --set time.duration_s=0.02 --checkpoint-every 1h > said.txt 2>&1 || fail "$(cat said.txt)"
"$program" run scene.toml --out run --resume --checkpoint-every 1h > said.txt 2>&1 || fail "$(cat said.txt)"
[[ $(ls run/checkpoints/*.h5 | wc -l) -eq 2 ]] || fail "$(ls run/checkpoints)"
sed -i 's/"finished"/"running"/' run/run.json
first=$(step_of "$(oldest run)")
fresh() { rm -rf spoiled && cp -r run spoiled; }
resumed_before() {  # WHAT SENTENCE
  "$program" run scene.toml --out spoiled --resume > said.txt 2>&1 || fail "$1: $(cat said.txt)"
  grep -q "$(basename "$(newest run)").*$2.*It is passed over" said.txt || fail "$1: no warning: $(cat said.txt)"
  grep -q "resumed at step $first," said.txt || fail "$1: not from the one before: $(cat said.txt)"
}

# A bit of every table in turn.
spoil blocks "$(newest run)" > blocks.txt
(($(wc -l < blocks.txt) > 40)) || fail "few tables: $(cat blocks.txt)"
while read -r table byte; do
  fresh
  spoil flip "$(newest spoiled)" "$byte"
  resumed_before "a bit of $table" "is damaged: the block from byte 0 on is not what was written"
done < blocks.txt
"$program" run scene.toml --out whole > said.txt 2>&1 || fail "$(cat said.txt)"
"$program" diff whole spoiled > said.txt 2>&1 || fail "from the one before: $(cat said.txt)"

# Cut short; without checksums, or with half of them.
fresh; truncate --size=-1 "$(newest spoiled)"; resumed_before "cut short" "cut short"
fresh; truncate --size=0 "$(newest spoiled)"; resumed_before "empty" "cut short"
fresh; rm "$(newest spoiled).sums"; resumed_before "no checksums" ""
fresh; truncate --size=40 "$(newest spoiled).sums"; resumed_before "half the checksums" ""

# Another version; more than fits; a scene that was edited.
fresh; spoil version "$(newest spoiled)"
ends 2 "is a checkpoint of format" mpirun -q -n 2 "$program" run scene.toml --out spoiled --resume
fresh; spoil huge "$(newest spoiled)"
ends 2 "8388608000 tets need at least 3.12e+03 GiB of memory" mpirun -q -n 2 "$program" run scene.toml --out spoiled --resume
ends 2 "8388608000 tets need at least 3.12e+03 GiB of memory" "$program" run scene.toml --out new --branch spoiled --set time.duration_s=0.04
fresh; sed 's/^lame_mu_pa = .*/lame_mu_pa = 1.8e8/; s/^duration_s = .*/duration_s = 0.04/' scene.toml > edited.toml
ends 2 "is of a run of another scene (there: lame_mu_pa = 181000000.0; now: lame_mu_pa = 180000000.0)" mpirun -q -n 2 "$program" run edited.toml --out spoiled --resume
grep -q '"running"' spoiled/run.json || fail "what was refused was marked: $(cat spoiled/run.json)"

# A folder that nobody can write to, where this system lets the test make one.
cp -r run readonly
if unshare -rm bash -c 'mount --bind readonly readonly && mount -o remount,bind,ro readonly' 2> /dev/null; then
  ends 2 "Read-only file system" unshare -rm bash -c "mount --bind readonly readonly && mount -o remount,bind,ro readonly
    exec mpirun -q -n 2 '$program' run scene.toml --out readonly --resume"
  ends 2 "Read-only file system" unshare -rm bash -c "mount --bind readonly readonly && mount -o remount,bind,ro readonly
    exec '$program' run scene.toml --out readonly/new"
else
  echo "no mounts here: the folder that cannot be written was not tried"
fi

# Far more steps than the test waits for.
endless=(--set time.duration_s=1000 --set output.frame_interval_s=500 --set time.min_step_s=1e-12)
start() { exec mpirun -q -n 2 "$program" run scene.toml --out "$1" "${endless[@]}" "${@:2}"; }
ranks_of() { pgrep -P "$1"; }

# No space for checkpoints: the run continues with a warning, and makes the next.
(start blocked) > blocked.txt 2>&1 &
launcher=$!
await "a start" test -e blocked/snapshots/000000.hdf
await "a row of progress" grep -q "step" blocked.txt
touch blocked/checkpoints
kill -USR1 $launcher
await "a warning" grep -q "no checkpoint at step .* The run goes on" blocked.txt
rm blocked/checkpoints
kill -USR1 $launcher
await "the next checkpoint" has_checkpoint blocked
kill -USR2 $launcher; wait $launcher
[[ $? -eq 75 ]] || fail "$(cat blocked.txt)"

# A disk that fills up between two checkpoints: the old one stays, and the run continues from it.
cat > full_disk.sh <<EOF
mount -t tmpfs -o size=60M none disk || exit 99
mpirun -q -n 2 '$program' run scene.toml --out disk/run ${endless[*]} > full.txt 2>&1 &
launcher=\$!
await() { for ((i = 0; i < 300; i++)); do "\$@" > /dev/null 2>&1 && return; sleep 0.1; done; kill -KILL \$(pgrep -P \$launcher) \$launcher; exit 98; }
await test -e disk/run/snapshots/000000.hdf
kill -USR1 \$launcher; await bash -c "ls disk/run/checkpoints/*.sums"
before=\$(md5sum disk/run/checkpoints/*)
dd if=/dev/zero of=disk/filler bs=1k 2> /dev/null
kill -USR1 \$launcher; await grep -q "no checkpoint at step" full.txt
[[ \$before == "\$(md5sum disk/run/checkpoints/*)" ]] || exit 97
kill -KILL \$(pgrep -P \$launcher) \$launcher
rm disk/filler
flock disk/run/run.lock true
'$program' run scene.toml --out disk/run ${endless[*]} --resume --wall-limit 2s > again.txt 2>&1
[[ \$? -eq 75 ]] && grep -q "resumed at step" again.txt
EOF
mkdir disk
unshare -rm bash full_disk.sh 2> /dev/null
case $? in
  0) grep -q "no checkpoint at step .*No space left on device.*The run goes on" full.txt || fail "$(cat full.txt)" ;;
  1 | 99) [[ ! -e full.txt ]] || fail "a full disk: $(cat full.txt again.txt)"; echo "no mounts here: the full disk was not tried" ;;
  *) fail "a full disk: $(cat full.txt)" ;;
esac

# The run ends before the end of its SLURM job.
ended_s=$((SECONDS + 12))
SLURM_JOB_END_TIME=$(($(date +%s) + 12)) "$program" run scene.toml --out job "${endless[@]}" > said.txt 2>&1
[[ $? -eq 75 ]] || fail "SLURM_JOB_END_TIME: $(cat said.txt)"
((SECONDS <= ended_s)) || fail "the job would have ended $((SECONDS - ended_s)) s before the run"
[[ -e $(newest job).sums ]] || fail "no checkpoint before the job's end"

# The script that starts a run stops it in time, too.
BRISANCE=$program BRISANCE_PACKAGES=skip "$source_dir/scripts/run.sh" scene.toml --ranks 2 --out scripted "${endless[@]}" > scripted.txt 2>&1 &
script=$!
await "a start" test -e scripted/snapshots/000000.hdf
kill -TERM $script; wait $script
[[ $? -eq 75 ]] || fail "run.sh and TERM: $(cat scripted.txt)"
[[ -e $(newest scripted).sums ]] && grep -q '"interrupted"' scripted/run.json || fail "run.sh and TERM: $(cat scripted.txt)"

# A rank that dies ends the others at once, and the run can continue from the remaining files.
(start dying --checkpoint-every 1s) > dying.txt 2>&1 &
launcher=$!
await "a checkpoint" has_checkpoint dying
ranks=$(ranks_of $launcher)
kill -KILL "$(tail -n 1 <<< "$ranks")"
died_s=$SECONDS
wait $launcher
[[ $? -ne 0 ]] || fail "a run that lost a rank ended well"
for rank in $ranks; do await "rank $rank to end" gone "$rank"; done
((SECONDS - died_s <= 15)) || fail "a lost rank took the job down after $((SECONDS - died_s)) s"
(start dying --resume --wall-limit 2s) > again.txt 2>&1
[[ $? -eq 75 ]] && grep -q "resumed at step" again.txt || fail "$(cat again.txt)"

echo "checkpoint faults: passed"
