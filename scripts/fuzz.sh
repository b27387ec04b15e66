#!/usr/bin/env bash
# Damaged files for every reader under the address and undefined-behaviour sanitizers, for as long as it may take.
# usage: scripts/fuzz.sh [--count N] [--seed S] [READER ...]
#   N inputs a reader (100000); S the seed (the date, new every night); readers by their names in fuzz_readers:
#   obj off ply stl tetgen msh vtu samples toml snapshot hdf-mesh modes pieces vibrations impact (all).
# A finding is printed with the command that reproduces it, and its file is kept; the exit code is then 1.
# BRISANCE_PRESET=release takes the ordinary build: faster, but detects crashes only.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=${BRISANCE_PRESET:-asan} count=100000 seed=$(date +%Y%m%d) readers=()
while [ $# -gt 0 ]; do
  case $1 in
    --count) count=$2; shift 2 ;;
    --seed) seed=$2; shift 2 ;;
    --help|-h) sed -n '2,8s/^# \?//p' "$0"; exit 0 ;;
    *) readers+=("$1"); shift ;;
  esac
done
[ ${#readers[@]} -gt 0 ] || readers=(obj off ply stl tetgen msh vtu samples toml snapshot hdf-mesh modes pieces vibrations impact)
cmake --preset "$preset" > /dev/null
cmake --build --preset "$preset" --target fuzz_readers
export OMPI_MCA_ess_singleton_isolated=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# Leaks are MPI's and PETSc's own; a signal goes to the program's handler, which says which input it was.
export ASAN_OPTIONS=detect_leaks=0:handle_segv=0:handle_abort=0:abort_on_error=1:allocator_may_return_null=1:max_allocation_size_mb=6000
export UBSAN_OPTIONS=halt_on_error=1:abort_on_error=1:print_stacktrace=1:suppressions=$PWD/scripts/ubsan.supp
[ -z "${TMPDIR:-}" ] && [ -w /dev/shm ] && export TMPDIR=/dev/shm
failed=0
for reader in "${readers[@]}"; do
  "build/$preset/tests/fuzz/fuzz_readers" "$reader" --count "$count" --seed "$seed" || failed=1
done
exit $failed
