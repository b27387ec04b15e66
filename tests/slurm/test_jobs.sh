#!/usr/bin/env bash
# The job scripts of scripts/slurm on a real SLURM of four nodes, started for this test on loopback: limits, requeue, lost
# nodes, arrays, scancel, errors. Jobs run at the same time where they do not disturb each other.
# Arguments: program, source folder, scratch folder.
set -uo pipefail
program=$1 source_dir=$2 scratch=$3
source "$(dirname "$0")/cluster.sh"
rm -rf "$scratch" && mkdir -p "$scratch" && cd "$scratch" || exit

fail() {
  echo "FAILED: $*"
  squeue -o '%i %j %T %r %N' 2>&1
  tail -n 8 ./*.out "$cluster"/log/slurmctld.log
  exit 1
}

trap stop_cluster EXIT
start_cluster 4 2
export BRISANCE=$program OMPI_MCA_odls_base_sigkill_timeout=2
jobs=$source_dir/scripts/slurm

# A scene of some seconds that breaks, and the run that all others must equal.
settings=(--set object.mesh.edge_length_m=0.013 --set output.frame_interval_s=2e-4)
cp "$source_dir/tests/cases/hard_landing/scene.toml" scene.toml
mpirun -q -n 1 "$program" run scene.toml --out straight "${settings[@]}" >straight.txt 2>&1 || fail "$(cat straight.txt)"
coarse=(--set object.mesh.edge_length_m=0.016 --set output.frame_interval_s=2e-4)
mpirun -q -n 1 "$program" run scene.toml --out coarse "${coarse[@]}" >coarse.txt 2>&1 || fail "$(cat coarse.txt)"
endless=(scene.toml --set time.duration_s=1000 --set output.frame_interval_s=500 --set time.min_step_s=1e-12)

job() { sbatch --parsable --exclusive=user --mem=2G "$@" || fail "sbatch $*"; }
# Word $2 of SLURM's record of job $1, as JobState.
record() { scontrol show job --oneliner "$1" | tr ' ' '\n' | sed -n "s/^$2=//p" | head -n 1; }
# await SECONDS WHAT COMMAND ...: until the command succeeds
await() {
  local i
  for ((i = 0; i < 5 * $1; i++)); do "${@:3}" >/dev/null 2>&1 && return; sleep 0.2; done
  fail "waited $1 s for: $2"
}
is_in_state() { [[ $(record "$1" JobState) == "$2" ]]; }
has_ended() { ! squeue --noheader --job "$1" --format %T 2>/dev/null | grep -q .; }
has_checkpoint() { compgen -G "$1/checkpoints/*.h5.sums"; }
# ended ID STATE EXIT: waits for the end, then compares
ended() {
  await 400 "the end of job $1 ($(record "$1" JobName))" has_ended "$1"
  [[ $(record "$1" JobState) == "$2" && $(record "$1" ExitCode) == "$3" ]] ||
    fail "job $1 ($(record "$1" JobName)): $(record "$1" JobState) $(record "$1" ExitCode), not $2 $3"
}
# equal FOLDER STRAIGHT
equal() {
  "$program" diff "$2" "$1" >diff.txt 2>&1 || fail "$1: $(cat diff.txt)"
  cmp "$2/run.hdf.series" "$1/run.hdf.series" || fail "$1: another series"
}

# Started together. The limit of SLURM's shortest job is a minute, its signal comes up to 30 s late: only one job waits for it.
limit=$(job --job-name=limit --time=1 --signal=B:USR2@50 --ntasks=1 "$jobs/run_requeue.sbatch" "${endless[@]}" --out limit)
bad=$(job --job-name=bad --ntasks=1 "$jobs/run_requeue.sbatch" scene.toml --out bad --set material.density_kg_m3=-1)
chain=$(job --job-name=chain --ntasks=1 "$jobs/run_requeue.sbatch" scene.toml --out chain "${settings[@]}")
printf '#!/bin/sh\nexit 75\n' >no_progress.sh && chmod +x no_progress.sh
stuck=$(BRISANCE=$PWD/no_progress.sh BRISANCE_STARTS=1 job --job-name=stuck --ntasks=1 "$jobs/run_requeue.sbatch" scene.toml --out stuck)

starts=$(job --job-name=starts --output=%x-%j.out --ntasks=2 --wrap="srun -n 2 '$program' info --materials; echo \"two tasks: \$?\"
  srun -n 1 '$program' info --materials >one_task.txt; echo \"one task: \$?\"")

# Signalled three times before its limit, as SLURM signals the job's shell; finished by requeue alone.
begun() { (($(grep -c "element kernels" chain/run.log) == $1)); }
has_restarts() { [[ $(record "$1" Restarts) == "$2" ]]; }
for i in 1 2 3; do
  await 200 "start $i of the chain" begun "$i"
  sleep 0.5
  scancel --batch --signal=USR2 "$chain"
  await 200 "requeue $i of the chain" has_restarts "$chain" "$i"
done

# Wrong input: the job fails with the program's code, once.
ended "$bad" FAILED 2:0
[[ $(record "$bad" Restarts) == 0 ]] || fail "a wrong scene was started again"
grep -q "density_kg_m3 = -1.*must be" "bad-$bad.out" || fail "no message about the wrong scene"

# Tasks of srun without a common MPI job report it, all of them; a single task works.
ended "$starts" COMPLETED 0:0
grep -q "two tasks: 2" "starts-$starts.out" && (($(grep -c "error: srun started 2 tasks .*srun --mpi=pmix" "starts-$starts.out") == 2)) ||
  fail "srun without PMIx: $(cat "starts-$starts.out")"
grep -q "one task: 0" "starts-$starts.out" && grep -q "^glass" one_task.txt || fail "one task of srun: $(cat "starts-$starts.out" one_task.txt)"
echo "srun without PMIx: refused"

# No checkpoint, again and again: given up after the starts allowed.
ended "$stuck" FAILED 3:0
[[ $(record "$stuck" Restarts) == 1 ]] || fail "starts without progress: $(record "$stuck" Restarts) restarts, not 1"
grep -q "1 starts in a row made no new checkpoint" "stuck-$stuck.out" || fail "no word about starts without progress"

# The chain is at its end.
ended "$chain" COMPLETED 0:0
(($(record "$chain" Restarts) == 3)) || fail "the chain had $(record "$chain" Restarts) restarts"
(($(grep -c "resumed at step" chain/run.log) == 3)) || fail "the chain did not resume"
equal chain straight
echo "chain: $(record "$chain" Restarts) restarts, equal"

# Limit: by now SLURM's signal has come at least once.
await 200 "a requeue at SLURM's limit" test -s limit/requeued.txt
await 200 "the second start" grep -q "resumed at step" limit/run.log
(($(record "$limit" Restarts) >= 1)) || fail "no requeue at the limit"
echo "limit: requeued by SLURM's signal"

scancel "$limit"

# scancel of a run under way: a checkpoint, and no requeue.
cancelled=$(job --job-name=cancelled --ntasks=1 "$jobs/run_requeue.sbatch" "${endless[@]}" --out cancelled)
await 200 "the start of job $cancelled" test -e cancelled/snapshots/000000.hdf
scancel "$cancelled"
await 400 "the end of job $cancelled" has_ended "$cancelled"
await 30 "word of the cancelled job" grep -q "cancelled. Submitted again" "cancelled-$cancelled.out"
grep -q '"status": "interrupted"' cancelled/run.json || fail "scancel: $(cat cancelled/run.json)"
has_checkpoint cancelled >/dev/null || fail "scancel: no checkpoint"
[[ $(record "$cancelled" JobState) == CANCELLED && $(record "$cancelled" Restarts) == 0 ]] ||
  fail "scancel: $(record "$cancelled" JobState), $(record "$cancelled" Restarts) restarts"
echo "scancel: a checkpoint and the end"

# An array of eight from a sweep file, one rank each.
cat >eight.sweep <<'SWEEP'
# eight tasks
scene scene.toml
set object.mesh.edge_length_m=0.04   output.frame_interval_s=0.002
t1 material.strength_pa=1e5
t2 material.strength_pa=1.1e5
t3 material.strength_pa=1.2e5
t4 material.strength_pa=1.3e5
t5 material.strength_pa=1.4e5
t6 material.strength_pa=1.5e5
t7 material.strength_pa=1.6e5 object[0].velocity_m_s=[0.0,0.0,-20.0]
t8 material.strength_pa=1.7e5
SWEEP
sweep=$(job --job-name=sweep --ntasks=1 "$jobs/sweep.sbatch" eight.sweep --out sweep)
await 400 "the end of the sweep" has_ended "$sweep"
for i in 1 2 3 4 5 6 7 8; do
  grep -q '"status": "finished"' "sweep/t$i/run.json" || fail "task $i of the sweep"
done
(($(cat sweep/t?/scene.toml | grep '^strength_pa' | sort -u | wc -l) == 8)) || fail "tasks of the sweep have the same values"
echo "sweep: eight tasks finished"
next=$(job --job-name=next --ntasks=1 --array=2,7 "$jobs/sweep.sbatch" eight.sweep --out next --branch sweep --set time.duration_s=0.0062)
await 400 "the end of the second sweep" has_ended "$next"
for i in 2 7; do
  grep -q "\"branched_from\": \"$PWD/sweep/t$i/checkpoints/" "next/t$i/run.json" || fail "task $i of the second sweep: $(cat next/t$i/run.json)"
done
echo "sweep: two tasks gone on from where they were"

# USR2 to the shell of a job that is not requeued: the job's exit code is the program's.
usr2=$(job --job-name=usr2 --ntasks=2 "$jobs/run.sbatch" "${endless[@]}" --out usr2)
await 200 "the start of job $usr2" test -e usr2/snapshots/000000.hdf
scancel --batch --signal=USR2 "$usr2"
ended "$usr2" FAILED 75:0
has_checkpoint usr2 >/dev/null || fail "USR2: no checkpoint"

# A node is lost while the run is on it: SLURM starts the job again on others. First the second node, then the first, where
# the job's shell and mpirun are.
for lost in 2 1; do
  crash=$(job --job-name=crash --nodes=2 --ntasks=2 --ntasks-per-node=1 "$jobs/run_requeue.sbatch" scene.toml --out "crash_$lost" \
    "${coarse[@]}" --checkpoint-every 0.5s)
  await 200 "a checkpoint of job $crash" has_checkpoint "crash_$lost"
  node=$(scontrol show hostnames "$(record "$crash" NodeList)" | sed -n "${lost}p")
  lose_node "$node"
  ended "$crash" COMPLETED 0:0
  (($(record "$crash" Restarts) >= 1)) || fail "job $crash was not requeued when it lost $node"
  grep -q "resumed at step" "crash_$lost/run.log" || fail "job $crash did not resume"
  equal "crash_$lost" coarse
  echo "lost node $lost of the job: $(record "$crash" Restarts) restart(s), equal"
  BRISANCE_TEST_NODE=$node slurmd -N "$node"
  await 200 "node $node to come back" test "$(sinfo -h -n "$node" -o %T)"
done

echo "slurm jobs: passed in $SECONDS s"
