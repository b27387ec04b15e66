#!/usr/bin/env bash
# Looks for mistakes that tests do not see: sanitizers (memory, undefined behaviour) and clang-tidy.
#
#   scripts/check.sh                 the modules around the solver: core, dist, dynamics, fracture, contact, readers
#   scripts/check.sh --all           everything, every test on 1 and 2 ranks: for a night
#   scripts/check.sh --only tidy     one of the two: tidy, sanitizers
#
# The sanitizers have a build of their own (preset asan, assertions on). clang-tidy is left out where it is not installed.
# Settings from the environment: scripts/lib.sh.
set -euo pipefail
BRISANCE_PRESET=asan
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

all='' only=''
while (($#)); do
  case $1 in
    -h | --help) usage; exit ;;
    --all) all=1 ;;
    --only) (($# > 1)) || fail "--only needs a value: tidy or sanitizers."; only=$2; shift ;;
    *) usage >&2; fail "there is no option $1." ;;
  esac
  shift
done
[[ -z $only || $only == tidy || $only == sanitizers ]] || fail "--only $only: the two are tidy and sanitizers."

# Programs, and the tests in them. Three and four ranks show what two do, in more time.
targets=(test_core test_material test_dynamics test_fracture test_contact test_io dist_mpi_test_mesh
  fracture_mpi_test_random_cuts contact_mpi_test_rigid_contact io_mpi_test_snapshot)
tests='^(core|material|dynamics|fracture|contact|io)\.[A-Z]|mpi_test_(mesh|random_cuts|rigid_contact|snapshot)\.np2$'
sources=(core material dist dynamics fracture contact)
if [[ -n $all ]]; then
  targets=(all) sources=(.)
  tests='^[a-z]+\.[A-Z]|mpi_test_.*\.np[12]$|^cli\.'
fi

run_sanitizers() {
  # Open MPI and PETSc keep memory until exit, so leaks are not asked for.
  export ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
  build_targets "${targets[@]}"
  ctest --test-dir "$build" --output-on-failure --no-tests=error --parallel "$(nproc)" --tests-regex "$tests"
}

run_tidy() {
  if ! command -v clang-tidy >/dev/null; then
    say "clang-tidy is not installed (apt-get install clang-tidy): left out."
    return
  fi
  # Its own record of the compiler's flags: clang cannot read what GCC has precompiled, nor GCC's names of warnings.
  local record=$root/build/tidy
  cmake -S "$root" --preset release -B "$record" -DBRISANCE_PRECOMPILED=OFF -DBRISANCE_UNITY=OFF -DBRISANCE_WERROR=OFF >&2
  (cd "$root/src" && find "${sources[@]}" -name '*.cpp' -print0) | sort -z |
    (cd "$root/src" && xargs -0 -n 1 -P "$(nproc)" clang-tidy -p "$record" --quiet --warnings-as-errors='*' \
      --extra-arg=-Wno-unknown-warning-option --extra-arg=-w 2>/dev/null)
}

install_packages
[[ $only == tidy ]] || run_sanitizers
[[ $only == sanitizers ]] || run_tidy
say "check.sh: nothing found."
