# shellcheck shell=bash
# Common functions of the job scripts of this folder: ranks and launcher of the job, signals, count of restarts.
# Sourced, never run.
#
# Settings from the environment, which sbatch hands on to the job, beside those of scripts/lib.sh:
#   BRISANCE_STARTS    starts in a row without a new checkpoint until a requeued run is given up (3)
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

# Start of a job script: determines program, launcher and the job's end.
prepare_job() {
  [[ -n ${SLURM_JOB_ID:-} ]] || fail "is a job script: sbatch $0 ... (scripts/slurm/README.md)."
  # The build stays unchanged for all starts and tasks of a job; a clone without a build is built once.
  [[ -n ${BRISANCE:-} || ! -x $brisance ]] || BRISANCE=$brisance
  prepare_program
  local ranks=${SLURM_NTASKS:-1} end
  prepare_mpi "$ranks" "$ranks"
  # mpirun kills a second after it has passed SIGTERM on (scancel); a checkpoint takes longer. It waits twice as long at
  # each exit code but 0, whether or not a rank is left: so not a minute.
  export OMPI_MCA_odls_base_sigkill_timeout=${OMPI_MCA_odls_base_sigkill_timeout:-10}
  set_launch "$ranks"
  # The program stops in time by itself where it knows the end; SLURM provides it from version 23.02 on.
  if [[ -z ${SLURM_JOB_END_TIME:-} ]] && end=$(squeue --noheader --job "$(job_name)" --format %e) &&
    end=$(date --date "$end" +%s 2>/dev/null); then
    export SLURM_JOB_END_TIME=$end
  fi
}

# The words of a run's job: SCENE [--out DIR] [options of `brisance run`]. Sets scene, out, options.
read_run_arguments() {
  scene='' out='' options=()
  while (($#)); do
    case $1 in
      -h | --help) usage; exit ;;
      --out) (($# > 1)) || fail "$1 needs a value."; out=$2; shift ;;
      --out=*) out=${1#*=} ;;
      *.toml) if [[ -z $scene ]]; then scene=$1; else options+=("$1"); fi ;;
      *) options+=("$1") ;;
    esac
    shift
  done
  [[ -n $scene ]] || { usage >&2; fail "name a scene file (.toml); the ones that come along are in $root/configs."; }
  [[ -f $scene ]] || fail "there is no scene file $scene in $PWD."
  : "${out:=$runs/$(basename "$scene" .toml)}"
}

# The run of scene, out and options, or its remaining part; the exit code of `brisance run`.
simulate() {
  local checkpoints=(--checkpoint-every 10min)
  [[ " ${options[*]-} " != *" --checkpoint-every"* ]] || checkpoints=()
  say "$(date '+%F %T') job $(job_name), start $((${SLURM_RESTART_COUNT:-0} + 1)): $scene on ${SLURM_NTASKS:-1} rank(s) of $SLURM_JOB_NODELIST -> $out"
  # Ranks of a start before this one, on a node that SLURM has lost, may be about to end.
  [[ ! -f $out/run.lock ]] || flock --timeout 120 "$out/run.lock" true || true
  marker=$out/run.json
  with_solids attend "${launch[@]}" "$brisance" run "$scene" --out "$out" --resume ${checkpoints[@]+"${checkpoints[@]}"} \
    ${options[@]+"${options[@]}"}
}

# As scontrol names it: an element of an array by its index.
job_name() {
  if [[ -n ${SLURM_ARRAY_TASK_ID:-} ]]; then echo "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"; else echo "$SLURM_JOB_ID"; fi
}

# Requeue -------------------------------------------------------------------------------------------------------------
newest_checkpoint() { find "$out/checkpoints" -name '*.h5' 2>/dev/null | sort | tail -n 1 || true; }

# Ends the job if the last starts have made no progress: a run that fails in the same way each time must not stay in the
# queue. The count is SLURM's, so that it includes starts that ended with their node.
require_progress() {
  local most=${BRISANCE_STARTS:-3} starts=${SLURM_RESTART_COUNT:-0} newest job='' before=0 name=''
  newest=$(newest_checkpoint)
  [[ ! -f $out/requeued.txt ]] || read -r job before name <"$out/requeued.txt" || true
  if [[ $job != "$(job_name)" || $name != "${newest##*/}" ]]; then
    before=$starts
    [[ -n $newest ]] || before=0
    [[ ! -d $out ]] || echo "$(job_name) $before ${newest##*/}" >"$out/requeued.txt"
  fi
  ((starts - before < most)) || {
    say "${0##*/}: $((starts - before)) starts in a row made no new checkpoint in $out; not started again. See run.log there" \
      "and at what the job said; make --time longer or checkpoints more frequent (--checkpoint-every)."
    exit 3
  }
}

# Puts the job back into the queue and waits for SLURM to end it.
requeue() {
  say "$(date '+%F %T') $1: back into the queue, to go on from ${2:-its start}"
  scontrol requeue "$(job_name)" ||
    fail "SLURM did not requeue the job, see above. Submit it again: the run goes on (scripts/slurm/README.md, \"Without requeue\")."
  sleep 60
  exit 75
}

# The run, as often as its job's limit or a lost node makes it start; ends the job.
go_through_limits() {
  local code=0 newest
  require_progress
  simulate || code=$?
  newest=$(newest_checkpoint)
  if ((code == 0)); then
    say "finished; pictures: sbatch $root/scripts/slurm/render.sbatch $out"
  elif [[ -n $heard_term ]]; then
    say "cancelled. Submitted again, it goes on from ${newest:-its start}."
    code=75  # mpirun, which SLURM has told as well, says 1
  elif ((code == 75)); then
    requeue "stopped in time" "$newest"
  elif ((code == 2 || code == 3 || code == 69)); then
    say "the run ended by its own error (exit code $code), see above; it is not started again."
  else
    requeue "the ranks were killed (exit code $code)" "$newest"
  fi
  exit "$code"
}
