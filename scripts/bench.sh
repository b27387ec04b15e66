#!/usr/bin/env bash
# Measures kernels, whole steps, cracks, a small run, fracture modes, reading and writing, and compares with earlier
# results.
#
#   scripts/bench.sh --out now.json                          some minutes
#   scripts/bench.sh --quick --compare scripts/bench_baseline.json
#   scripts/bench.sh --from now.json --compare before.json   nothing measured: two files
#
#   --out FILE       writes the results as JSON, with facts of the machine (standard output)
#   --compare FILE   prints ratios of seconds, now to before; ends with code 1 if one is above the tolerance
#   --tolerance X    the tolerated ratio (1.25)
#   --quick          the most important part of it, once: a minute or two
#   --only REGEX     only results with such a name: kernels/, steps/, cracks/, run/, modes/, io/
#   --repeat N       medians of N (3; --quick 1); the force pass and steps have their own repetitions
#   --from FILE      takes measurements from there
#   --build DIR      takes the programs of that build folder as they are, as of another commit
# Programs of one process are compared by processor time, others by the wall clock: run nothing else beside it. Counts
# of work (element updates, cracks, messages, bytes) stand beside the seconds. Builds first, if needed. Settings from
# the environment: scripts/lib.sh.
set -euo pipefail
source "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/lib.sh"

folder='' stored='' options=()
while (($#)); do
  case $1 in
    -h | --help) usage; exit ;;
    --build) (($# > 1)) || fail "--build needs a value."; folder=$2; shift ;;
    --from) stored=1 options+=("$1") ;;
    *) options+=("$1") ;;
  esac
  shift
done
if [[ -z $folder && -z $stored ]]; then
  install_packages
  build_targets brisance brisance-tetgen bench_internal_forces bench_contact bench_impact bench_explicit_step bench_crack_event
fi
prepare_mpi 2 "$(nproc)"
export OMPI_MCA_ess_singleton_isolated=1
exec /usr/bin/python3 "$root/scripts/bench.py" --build "${folder:-$build}" ${options[@]+"${options[@]}"}
