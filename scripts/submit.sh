#!/usr/bin/env bash
# Submits a run to SLURM, with memory and time from `brisance check`.
#
#   scripts/submit.sh configs/bowl_500k.toml --nodes 2 --time 8:00:00
#   scripts/submit.sh my_scene.toml --ranks 64 --requeue --out /scratch/mine --set material.strength_pa=2e4
#   scripts/submit.sh my_scene.toml --dry-run              # print the job script, submit nothing
#
#   --nodes N     nodes (1)
#   --ranks N     MPI ranks; by default the cores of that many nodes, but none with less than 2500 tets
#   --time T      the job's limit, as sbatch takes it: minutes, H:M:S, D-H; by default twice the estimate, at least 10 min
#   --out DIR     run folder; by default runs/NAME in the source folder, or NAME-2, NAME-3 ... where that exists
#   --requeue     continue beyond the limit until the run is finished (scripts/slurm/run_requeue.sbatch)
#   --dry-run     print the job script
# Other options go to `brisance run`. Partition, account and the like: SBATCH_PARTITION, SBATCH_ACCOUNT ... from the
# environment (man sbatch). Builds first, if needed. The estimate takes some seconds of steps here, on one rank.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# Seconds of a time in sbatch's format; nothing if it is invalid.
seconds_of() {
  local days=0 a b c text=$1
  [[ $text =~ ^([0-9]+-)?[0-9]+(:[0-9]+){0,2}$ ]] || return 0
  if [[ $text == *-* ]]; then
    days=${text%%-*}
    IFS=: read -r a b c <<<"${text#*-}"
    echo $(((10#$days * 24 + 10#$a) * 3600 + 10#${b:-0} * 60 + 10#${c:-0}))
  else
    IFS=: read -r a b c <<<"$text"
    if [[ -n $c ]]; then echo $((10#$a * 3600 + 10#$b * 60 + 10#$c)); else echo $((10#$a * 60 + 10#${b:-0})); fi
  fi
}
# A name that sbatch takes as it is: letters, digits and . _ - of a text, one _ for all else.
job_name_of() {
  local name
  name=$(LC_ALL=C tr -cs 'A-Za-z0-9._-' _ <<<"$1")
  name=${name%_} name=${name:0:64}
  echo "${name:-brisance}"
}
as_time() { printf '%d:%02d:%02d' $(($1 / 3600)) $(($1 / 60 % 60)) $(($1 % 60)); }

scene='' nodes=1 ranks='' time='' out='' requeue='' dry_run='' options=()
while (($#)); do
  case $1 in
    -h | --help) usage; exit ;;
    --nodes | --ranks | --time | --out) (($# > 1)) || fail "$1 needs a value."; declare "${1#--}=$2"; shift ;;
    --nodes=* | --ranks=* | --time=* | --out=*) name=${1%%=*}; declare "${name#--}=${1#*=}" ;;
    --requeue) requeue=1 ;;
    --dry-run) dry_run=1 ;;
    *.toml) if [[ -z $scene ]]; then scene=$1; else options+=("$1"); fi ;;
    *) options+=("$1") ;;
  esac
  shift
done
[[ -n $scene ]] || { usage >&2; fail "name a scene file (.toml); the ones that come along are in $root/configs."; }
[[ -f $scene ]] || fail "there is no scene file $scene. The ones that come along are in $root/configs."
[[ $nodes =~ ^[1-9][0-9]*$ ]] || fail "--nodes $nodes must be a whole number, 1 or more."
[[ -z $ranks || $ranks =~ ^[1-9][0-9]*$ ]] || fail "--ranks $ranks must be a whole number, 1 or more."
limit=$(seconds_of "$time")
[[ -z $time || ${limit:-0} -gt 0 ]] || fail "--time $time is no length of time: minutes, M:S, H:M:S or D-H."
[[ -n $dry_run ]] || command -v sbatch >/dev/null ||
  fail "there is no sbatch here. On a login node of a SLURM cluster, call this again; scripts/run.sh runs the scene on this machine."

# Cost of the scene, from steps on one rank here. Only --set matters for it.
prepare_program
prepare_mpi 1 1
settings=()
for ((i = 0; i < ${#options[@]}; i++)); do
  case ${options[i]} in
    --set) settings+=(--set "${options[i + 1]-}") ;;
    --set=*) settings+=("${options[i]}") ;;
  esac
done
say "estimating ..."
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT
estimate=$scratch/estimate.json
with_solids env -u SLURM_JOB_ID "$brisance" check "$scene" ${settings[@]+"${settings[@]}"} --json "$estimate" >/dev/null || exit
read -r tets bytes seconds < <(/usr/bin/python3 -c '
import json, sys
e = json.load(open(sys.argv[1]))
print(*(round(e[key]) for key in ("tets", "bytes", "seconds")))' "$estimate")

if [[ -z $ranks ]]; then
  cores=$(sinfo --noheader --format %c 2>/dev/null | tr -d + | sort -n | head -n 1 || true)
  ranks=$((nodes * ${cores:-8})) most=$((tets / 2500))
  ((ranks <= most)) || ranks=$((most > nodes ? most : nodes))
fi
# Ranks wait for each other and compute some elements twice: measured is 1.6 times the speed on two.
needed=$((seconds * 5 / (ranks * 4) + 1))
((ranks > 1)) || needed=$((seconds + 1))
if [[ -z $time ]]; then
  limit=$((2 * needed > 600 ? 2 * needed : 600))
  time=$(as_time "$limit")
elif ((needed > limit)) && [[ -z $requeue ]]; then
  fail "the run is estimated at $(as_time "$needed") on $ranks rank(s), more than --time $time. Give --time $(as_time $((2 * needed))), more --ranks, or --requeue to go on through the limit."
fi
# A rank's program, libraries and buffers beside its share of the mesh, which cracks make about three times as large; the
# first rank makes the whole mesh, so all get room for it.
megabytes=$((300 + 3 * bytes / 1000000 / ranks + bytes / 1000000))
# Time for a last checkpoint; SLURM may signal a minute earlier.
lead=$((limit / 5 < 120 ? limit / 5 : 120))

name=$(basename "$scene" .toml)
[[ -n $out ]] || out=$(free_run_folder "$name")
job_name=$(job_name_of "$name")
job=run.sbatch keep='#SBATCH --no-requeue'
[[ -z $requeue ]] || { job=run_requeue.sbatch keep=$'#SBATCH --requeue\n#SBATCH --open-mode=append'; }
words=("$root/scripts/slurm/$job" "$(realpath "$scene")" --out "$(realpath -m "$out")" ${options[@]+"${options[@]}"})
script="#!/usr/bin/env bash
# By scripts/submit.sh: about $tets tets and $(as_time "$seconds") of one processor; $(as_time "$needed") on $ranks rank(s).
#SBATCH --job-name=$job_name
#SBATCH --output=%x-%j.out
#SBATCH --nodes=$nodes
#SBATCH --ntasks=$ranks
#SBATCH --mem-per-cpu=${megabytes}M
#SBATCH --time=$time
#SBATCH --signal=B:USR2@$lead
$keep
exec bash$(printf ' %q' "${words[@]}")"
if [[ -n $dry_run ]]; then
  echo "$script"
else
  say "$job_name: about $tets tets, estimated at $(as_time "$needed") on $ranks rank(s), limit $time -> $out"
  sbatch <<<"$script"
fi
