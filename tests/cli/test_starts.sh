#!/usr/bin/env bash
# Where and how the program may be started: file systems without locks, a working folder that is gone, a bad .petscrc, tasks
# of SLURM that do not know of each other, folders that cannot be written, output intervals that cannot be counted. Each
# works or ends in one message. Arguments: program, source folder, scratch folder.
source "$(dirname "$0")/small_box.sh" "$@" || exit 1
unset "${!SLURM_@}" BRISANCE_SERIAL_TASKS HDF5_USE_FILE_LOCKING
write_box box.toml 0.0005
# CODE WHAT COMMAND ...: one error with that text, in our own words.
ends() {
  local code
  timeout -s KILL 60 "${@:3}" >said.txt 2>&1
  code=$?
  [[ $code -eq $1 ]] || fail "$code instead of $1, $2: $(cat said.txt)"
  [[ $(grep -c "brisance: error:" said.txt) -eq 1 ]] || fail "$(cat said.txt)"
  grep -qF -- "$2" said.txt || fail "wanted '$2': $(cat said.txt)"
  ! grep -qE "PETSC ERROR|json\.exception|filesystem error|basic_filebuf" said.txt || fail "$(cat said.txt)"
}
works() { timeout -s KILL 60 "$@" >said.txt 2>&1 || fail "$*: $(cat said.txt)"; }

# Without file locks, alone and on two ranks; a user who wants HDF5's locks is told which variable it is.
if cc -shared -fPIC -o no_locks.so "$source_dir/tests/cli/no_locks.c" -ldl 2>/dev/null; then
  works env LD_PRELOAD="$PWD/no_locks.so" "$program" run box.toml --out unlocked --checkpoint-every 1h
  works env LD_PRELOAD="$PWD/no_locks.so" "$program" info unlocked
  works env LD_PRELOAD="$PWD/no_locks.so" mpirun -q -n 2 "$program" run box.toml --out unlocked_2 --checkpoint-every 1h
  works env LD_PRELOAD="$PWD/no_locks.so" "$program" run box.toml --out unlocked --resume --set time.duration_s=0.0006
  ends 3 "HDF5_USE_FILE_LOCKING=FALSE" env LD_PRELOAD="$PWD/no_locks.so" HDF5_USE_FILE_LOCKING=TRUE "$program" run box.toml --out locked
  grep -q '"failed"' locked/run.json || fail "$(cat locked/run.json)"
  ends 2 "HDF5_USE_FILE_LOCKING=FALSE" env LD_PRELOAD="$PWD/no_locks.so" HDF5_USE_FILE_LOCKING=TRUE "$program" info unlocked/snapshots/000000.hdf
else
  echo "no C compiler here: a file system without locks was not tried"
fi

# PETSc, which starts with the program.
mkdir gone
(cd gone && rmdir "$scratch/gone" && exec "$program" info --materials) >said.txt 2>&1
code=$?
[[ $code -eq 0 || $code -eq 2 ]] || fail "a working folder that is gone: $code, $(cat said.txt)"
! grep -q PETSC said.txt || fail "a working folder that is gone: $(cat said.txt)"
mkdir bad && echo "garbage line" >bad/.petscrc
ends 2 ".petscrc" env --chdir="$PWD/bad" "$program" info --materials
timeout 60 mpirun -q -n 2 --wdir "$PWD/bad" "$program" info --materials >said.txt 2>&1
[[ $? -eq 2 ]] || fail "two ranks and a bad .petscrc: $(cat said.txt)"

# Tasks of a step of SLURM that are no ranks of one run: all end. A command in the job's own shell, in a step of one task, or where it is wanted, works.
step=(SLURM_JOB_ID=7 SLURM_STEP_ID=0 SLURM_NTASKS=3 SLURM_STEP_NUM_TASKS=3)
for task in 0 1 2; do
  ends 2 "srun --mpi=pmix" env "${step[@]}" SLURM_PROCID=$task "$program" run box.toml --out copies
  grep -q "mpirun" said.txt || fail "$(cat said.txt)"
done
[[ ! -e copies ]] || fail "a run of copies was begun"
works env SLURM_JOB_ID=7 SLURM_NTASKS=3 SLURM_PROCID=0 "$program" info --materials
works env "${step[@]}" SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=1 "$program" info --materials
works env "${step[@]}" SLURM_PROCID=1 BRISANCE_SERIAL_TASKS=1 "$program" info --materials
works env "${step[@]}" SLURM_PROCID=0 mpirun -q -n 1 "$program" info --materials

# Intervals of output.
for key in frame_interval_s surface_interval_s monitor_interval_s; do
  ends 2 "output.$key = 1e-30 is too short" "$program" run box.toml --out tiny --set output.$key=1e-30
done
works "$program" run box.toml --out every_step --set output.monitor_interval_s=1e-15
[[ $(wc -l <every_step/monitor.csv) -ge $(($(tail -n 1 every_step/monitor.csv | cut -d, -f2 | cut -d. -f1) + 1)) ]] || fail "not a row a step"

# Names that are not UTF-8, of the folder that a run branches off from.
latin=$'half\xe9'
works "$program" run box.toml --out "$latin" --checkpoint-every 1h
works "$program" run box.toml --out branched --branch "$latin" --set time.duration_s=0.002
/usr/bin/python3 -c 'import json; assert "half\ufffd/" in json.load(open("branched/run.json"))["branched_from"]' || fail "$(cat branched/run.json)"

# Places that cannot be written are wrong input, whatever the command, before anything is computed.
works "$program" run box.toml --out whole
for place in /proc/nowhere box.toml/under missing/folder; do
  commands=("check box.toml --json $place/c.json" "evaluate whole/snapshots/000000.hdf --scene box.toml --out $place/e.vtu"
    "mesh --shape box --tets 20 --out $place/m.hdf" "modes --shape box --tets 20 --count 2 --out $place/m.h5")
  # These make the folders that are missing.
  [[ $place == missing/* ]] || commands+=("render whole --width 8 --height 8 --samples 1 --out $place/p" "run box.toml --out $place/r")
  for command in "${commands[@]}"; do ends 2 "" "$program" $command; done
done
[[ ! -e missing ]] || fail "folders were made for what could not be written"

# Files of a run folder that are none.
cp -r whole folder && rm folder/run.json && mkdir folder/run.json
for command in "run box.toml --out folder --overwrite" "run box.toml --out folder --resume" "info folder"; do
  ends 2 "is a folder" "$program" $command
done
works "$program" run box.toml --out series --checkpoint-every 1h
echo x >series/run.hdf.series
ends 3 "series/run.hdf.series is not a list of frames: it is damaged" "$program" run box.toml --out series --resume --set time.duration_s=0.002
grep -q '"failed"' series/run.json || fail "$(cat series/run.json)"
cp -r whole log && rm log/run.log && mkdir log/run.log
ends 2 "run.log" "$program" run box.toml --out log --overwrite
grep -q '"finished"' log/run.json || fail "$(cat log/run.json)"

echo "starts: passed"
