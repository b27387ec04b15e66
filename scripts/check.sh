#!/usr/bin/env bash
# Finds errors that tests do not detect: sanitizers (memory, undefined behaviour) and clang-tidy.
#
#   scripts/check.sh                 the modules around the solver: core, dist, dynamics, fracture, contact, readers
#   scripts/check.sh --quick         the most important part of that, for every change: of clang-tidy, sources that the
#                                    last 12 commits changed
#   scripts/check.sh --all           everything, every test on 1 and 2 ranks: for a night
#   scripts/check.sh --only tidy     one of the two: tidy, sanitizers
#
# The sanitizers have a build of their own (preset asan, assertions on). clang-tidy is left out where it is not installed.
# scripts/fuzz.sh reads damaged files under the same sanitizers.
# Settings from the environment: scripts/lib.sh.
set -euo pipefail
BRISANCE_PRESET=asan
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

all='' quick='' only=''
while (($#)); do
  case $1 in
    -h | --help) usage; exit ;;
    --all) all=1 ;;
    --quick) quick=1 ;;
    --only) (($# > 1)) || fail "--only needs a value: tidy or sanitizers."; only=$2; shift ;;
    *) usage >&2; fail "there is no option $1." ;;
  esac
  shift
done
[[ -z $only || $only == tidy || $only == sanitizers ]] || fail "--only $only: the two are tidy and sanitizers."

# Programs, and the tests in them. Three and four ranks find the same as two, in more time.
targets=(test_core test_material test_dynamics test_fracture test_contact test_io dist_mpi_test_mesh
  fracture_mpi_test_random_cuts contact_mpi_test_rigid_contact io_mpi_test_snapshot)
tests='^(core|material|dynamics|fracture|contact|io)\.unit$|mpi_test_(mesh|random_cuts|rigid_contact|snapshot)\.np2$'
sources=(core material dist dynamics fracture contact) lighter=''
if [[ -n $all ]]; then
  targets=(all) sources=(.)
  tests='^[a-z]+\.unit$|mpi_test_.*\.np[12]$|^cli\.'
elif [[ -n $quick ]]; then
  targets=(test_core test_fracture test_contact dist_mpi_test_mesh fracture_mpi_test_plane_cuts contact_mpi_test_rigid_contact)
  tests='^(core|fracture|contact)\.unit$|mpi_test_(mesh|plane_cuts|rigid_contact)\.np2$'
  # Minutes under sanitizers, of what other tests do as well.
  export GTEST_FILTER='-MeshBodies.*:BodyContacts.CrateFalls*:RigidMesh.*:OverlapStages/*UntilItIsOutdated*:All/ExactVolume.*'
  lighter='-clang-analyzer-*'  # a third of clang-tidy's time
fi

run_sanitizers() {
  # Open MPI and PETSc keep memory until exit, so leaks are not reported.
  export ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1:suppressions=$root/scripts/ubsan.supp
  build_targets "${targets[@]}"
  ctest --test-dir "$build" --output-on-failure --no-tests=error --parallel "$(nproc)" --tests-regex "$tests"
}

# Findings of clang-tidy in one source file, or the reason why it could not be read; nothing and 0 if there are none.
tidy_one() {
  local said
  said=$(clang-tidy -p "$record" --quiet --checks="$lighter" --warnings-as-errors='*' --extra-arg=-Wno-unknown-warning-option "$1" 2>&1) && return
  grep -v '^[0-9]* warnings\? .*generated\.$' <<<"$said" >&2
  say "clang-tidy: $1"
  return 1
}

# One source file, unless its text with all that it includes has passed the same checks before, in any checkout.
tidy_if_new() {
  local command mark
  command=$(awk -F '\t' -v unit="$1" '$1 == unit { print $2 }' "$record/commands.txt")
  mark=$known/$({ clang-tidy --version; cat "$root/.clang-tidy"; echo "$lighter"; eval "$command"; } | sha256sum | cut -c 1-64)
  if [[ -e $mark ]]; then touch "$mark"; return; fi
  tidy_one "$1" && touch "$mark"
}

# A check that finds nothing says something only if it would find: a value used after it was moved away, and text that is no C++.
prove_tidy() {
  local unit=$record/proof.cpp text
  for text in 'int f(std::string a) { std::string b = std::move(a); return a.size() + b.size(); }' 'int f() { return nothing; }'; do
    printf '#include <string>\n#include <utility>\n%s\n' "$text" >"$unit"
    ! tidy_one "$unit" 2>/dev/null || fail "clang-tidy takes this without a word: $text"
  done
  rm "$unit"
}

# Names of the sources, each ended by a zero byte. --quick: those of the last commits, where there is a history.
sources_to_tidy() {
  local name
  while IFS= read -r -d '' name; do
    if [[ -z $recent || $'\n'$recent$'\n' == *$'\n'"src/$name"$'\n'* ]]; then printf '%s\0' "$name"; fi
  done < <(find "${sources[@]}" -name '*.cpp' -print0)
}

run_tidy() {
  local recent=''
  if [[ -n $quick ]]; then recent=$(git -C "$root" log -n 12 --format= --name-only -- src 2>/dev/null | sort -u); fi
  if ! command -v clang-tidy >/dev/null; then
    say "clang-tidy is not installed (apt-get install clang-tidy): left out."
    return
  fi
  # Its own record of the compiler's flags: clang cannot read what GCC has precompiled, nor GCC's names of warnings.
  export root record=$root/build/tidy known=${XDG_CACHE_HOME:-$HOME/.cache}/brisance-tidy lighter
  cmake -S "$root" --preset release -B "$record" -DBRISANCE_PRECOMPILED=OFF -DBRISANCE_UNITY=OFF -DBRISANCE_WERROR=OFF >&2
  export -f say tidy_one tidy_if_new
  prove_tidy
  mkdir -p "$known"
  find "$known" -type f -mtime +30 -delete
  # How to preprocess each file, comments kept: they switch checks off.
  /usr/bin/python3 - "$record/compile_commands.json" "$root/src/" >"$record/commands.txt" <<'PYTHON'
import json, re, sys
for unit in json.load(open(sys.argv[1])):
    command = re.sub(r" -o \S+ -c ", " -E -C -P ", unit["command"])
    print(unit["file"].removeprefix(sys.argv[2]), f"cd '{unit['directory']}' && {command}", sep="\t")
PYTHON
  (cd "$root/src" && sources_to_tidy) | sort -z |
    (cd "$root/src" && xargs -0 -n 1 -P "$(nproc)" bash -c 'tidy_if_new "$1"' tidy_if_new)
}

install_packages
[[ $only == tidy ]] || run_sanitizers
[[ $only == sanitizers ]] || run_tidy
say "check.sh: nothing found."
