# shellcheck shell=bash
# Common functions of run.sh, break.sh, test.sh and .ci/run: packages, configure, build. Sourced, never run.
#
# Settings from the environment:
#   BRISANCE_PRESET    CMake preset to build with (release); `portable` where login and compute nodes differ
#   BRISANCE_BATCH     sources of a module that a new build folder compiles together (12 for runs; 1, each by itself, for tests)
#   BRISANCE_PACKAGES  `skip`: libraries come from modules or Spack, do not ask Debian's package list
#   BRISANCE           the program, where it is installed: nothing is built then
#   CMAKE_BUILD_PARALLEL_LEVEL  compilers at a time (all cores)

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
preset=${BRISANCE_PRESET:-release}
build=$root/build/$preset runs=$root/runs
# Installed (PREFIX/share/brisance): the program is there, and runs go into the working folder.
if [[ ! -f $root/CMakeLists.txt && -x $root/../../bin/brisance ]]; then
  : "${BRISANCE:=$(cd "$root/../../bin" && pwd)/brisance}"
  runs=$PWD/runs
fi
# shellcheck disable=SC2034  # for the scripts that source this
brisance=${BRISANCE:-$build/brisance}

say() { printf '%s\n' "$*" >&2; }
fail() { say "${0##*/}: $*"; exit 2; }
usage() { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0"; }

# The file that a user names: that path, or one in the source folder (or installed), as configs/bowl.toml.
find_input() { if [[ ! -f $1 && -f $root/$1 ]]; then echo "$root/$1"; else echo "$1"; fi; }

# runs/NAME, or the first of runs/NAME-2, runs/NAME-3 ... that does not exist.
free_run_folder() {
  local name=$1 folder=$runs/$1 i=2
  while [[ -e $folder ]]; do folder=$runs/$name-$((i++)); done
  echo "$folder"
}

# Column of scripts/packages.txt (1: Debian, 2: Spack) for the Debian packages named; for all if none is.
package_column() {
  local column=$1
  shift
  awk -v column="$column" -v names="$*" '
    BEGIN { split(names, list, " "); for (i in list) wanted[list[i]] = 1 }
    !/^#/ && NF && (names == "" || $1 in wanted) && $column != "-" && !seen[$column]++ { print $column }' "$root/scripts/packages.txt"
}

# Debian packages under these headings of the list (build, run, scripts ...); all if none is named.
packages_of() {
  awk -v headings="$*" '
    BEGIN { split(headings, list, " "); for (i in list) wanted[list[i]] = 1 }
    /^# / { heading = $2; next }
    NF && (headings == "" || heading in wanted) { print $1 }' "$root/scripts/packages.txt"
}

# Those of them that are not installed, one a line.
missing_packages() {
  local wanted
  mapfile -t wanted < <(packages_of "$@")
  comm -23 <(printf '%s\n' "${wanted[@]}" | sort) \
    <(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${wanted[@]}" 2>/dev/null | sed -n 's/^installed //p' | sort -u)
}

explain_missing() {
  say "Three ways to get them:"
  say "  Debian  apt-get install --no-install-recommends $*"
  say "  modules module load $(package_column 2 "$@" | sed 's/[@+~].*//' | sort -u | tr '\n' ' ')  (names differ between sites)"
  say "  Spack   spack install $(package_column 2 "$@" | tr '\n' ' ')"
  say "With libraries from modules or Spack loaded, set BRISANCE_PACKAGES=skip and call this again."
}

# install_packages [HEADING ...]: installs missing packages of the list.
install_packages() {
  [[ ${BRISANCE_PACKAGES:-} == skip ]] && return
  # Not a Debian: CMake will report missing packages.
  command -v dpkg-query >/dev/null || return 0
  local missing as_root=()
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]})) || return 0
  say "Missing packages: ${missing[*]}"
  if ((EUID != 0)); then
    if ! sudo -n true 2>/dev/null; then
      explain_missing "${missing[@]}"
      fail "packages are missing and installing them needs root."
    fi
    as_root=(sudo -n)
  fi
  say "Installing them ..."
  "${as_root[@]}" apt-get -q update >&2
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get -q install -y --no-install-recommends "${missing[@]}" </dev/null >&2
}

only_to_run=''  # set: neither tests nor benchmarks are configured, and need no packages

# build_targets [TARGET ...]: configures if never done (Ninja sees later changes itself), then builds; all without names.
# One at a time in a build folder, however many jobs of a cluster start together.
build_targets() {
  mkdir -p "$build"
  (
    flock 9 || true  # where the file system has no locks, others wait at most for the same files
    # Sources compiled together take half of the time from nothing; by themselves they show that each includes what it
    # uses, and a cache finds them again.
    local settings=("-DBRISANCE_BATCH=${BRISANCE_BATCH:-1}")
    if [[ -n $only_to_run ]]; then
      settings=("-DBRISANCE_BATCH=${BRISANCE_BATCH:-12}" -DBRISANCE_TESTS=OFF -DBRISANCE_BENCHMARKS=OFF)
    elif grep -qs '^BRISANCE_TESTS:BOOL=OFF' "$build/CMakeCache.txt"; then  # so far there were only runs
      settings=(-DBRISANCE_TESTS=ON -DBRISANCE_BENCHMARKS=ON)
      rm -f "$build/build.ninja"
    fi
    if [[ ! -f $build/build.ninja ]] && ! cmake -S "$root" --preset "$preset" "${settings[@]}" >&2; then
      # shellcheck disable=SC2046  # one word a package
      explain_missing $(package_column 1)
      fail "configuring failed, see above."
    fi
    # nproc believes OMP_NUM_THREADS, which is for the ranks (prepare_mpi).
    local jobs=${CMAKE_BUILD_PARALLEL_LEVEL:-$(env -u OMP_NUM_THREADS nproc)}
    cmake --build "$build" --parallel "$jobs" ${@:+--target "$@"} >&2
  ) 9>"$build/.lock"
}

# Targets that a run may need: the main program, and those it starts. brisance-solids takes minutes to compile and most
# scenes need none of it: it is built when a run needs it or after the first run, and kept up to date from then on.
build_to_run() {
  local solids=()
  [[ ! -x $build/brisance-solids ]] || solids=(brisance-solids)
  build_targets brisance brisance-tetgen ${solids[@]+"${solids[@]}"}
}

# prepare_program [TARGET ...]: builds the program with these targets, or with those that a run may need.
prepare_program() {
  if [[ -n ${BRISANCE:-} ]]; then
    [[ -x $BRISANCE ]] || fail "there is no program $BRISANCE, which BRISANCE names."
    return
  fi
  install_packages build run scripts
  only_to_run=1
  if (($#)); then build_targets "$@"; else build_to_run; fi
}

# with_solids COMMAND ...: runs the program; if that needs a missing brisance-solids, builds it and starts again.
with_solids() {
  local code=0
  "$@" || code=$?
  if ((code == 69)) && [[ -z ${BRISANCE:-} && ! -x $build/brisance-solids ]]; then  # found before the run folder was made
    say "This scene needs brisance-solids, which takes some minutes to compile, once."
    build_targets brisance-solids
    code=0
    "$@" || code=$?
  fi
  return "$code"
}

# Builds brisance-solids if it was never built, after the requested run. The results do not depend on it.
build_solids_too() {
  [[ -z ${BRISANCE:-} && ! -x $build/brisance-solids && -z ${SLURM_JOB_ID:-} ]] || return 0
  say "
Compiling brisance-solids, once, for scenes with shapes of several parts and with surface files. The run is complete:
Ctrl+C does no harm, a scene that needs it has it built."
  build_targets brisance-solids || say "brisance-solids could not be built, see above: scenes that need it will say so."
}

# Open MPI refuses to start as root and on fewer cores than ranks; a waiting rank should leave its core to the others.
prepare_mpi() {
  local ranks=$1 cores=$2
  ((EUID == 0)) && export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  ((ranks > cores)) && export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
  # The program reports the error; mpirun need not repeat it.
  export OMPI_MCA_orte_execute_quiet=1 OMP_NUM_THREADS=${OMP_NUM_THREADS:-1}
}

# Sets `launch`: the command that starts that many ranks. In a SLURM job Open MPI's mpirun asks SLURM to start them;
# sites without it have srun. BRISANCE_LAUNCH=srun (or mpirun) chooses by hand, for either command with its options.
set_launch() {
  local ranks=$1
  read -ra launch <<<"${BRISANCE_LAUNCH:-}"
  if ((${#launch[@]} == 0)); then
    launch=(mpirun)
    if [[ -n ${SLURM_JOB_ID:-} ]] && ! command -v mpirun >/dev/null; then launch=(srun); fi
  fi
  launch+=(-n "$ranks")
}

# Signals -------------------------------------------------------------------------------------------------------------
# A script that gets a signal to stop passes it on to the launcher as USR2: checkpoint, close, exit 75. mpirun that is
# sent TERM itself waits for its timeout, kills the ranks after the same time again, and exits with 1. SLURM signals the
# job's shell (--signal=B:USR2@120) or, on scancel, all its processes (TERM).
heard=0 heard_term='' child='' marker='' marker_before=''

hear() {
  heard=$((heard + 1))
  [[ $1 != TERM || $heard != 1 ]] || heard_term=1  # after USR2 it is the limit itself
  [[ -z $child ]] || pass_on &
}

# From now on signals reach the run that `simulate` starts.
listen() {
  trap 'hear USR2' USR2
  trap 'hear TERM' TERM
  trap 'hear HUP' HUP
}

# The launcher and the ranks would die of a signal that comes while they start: it waits until the run records in its
# folder that it has begun.
pass_on() {
  while kill -0 "$child" 2>/dev/null && [[ -n $marker && $(state_of "$marker") == "$marker_before" ]]; do sleep 0.2; done
  kill -USR2 "$child" 2>/dev/null || true
}

# Changes whenever the file is written.
state_of() { stat --format '%i %y' "$1" 2>/dev/null || true; }

# attend COMMAND ...: runs it and waits, passing signals on; its exit code.
attend() {
  local code seen
  [[ -z $marker ]] || marker_before=$(state_of "$marker")
  "$@" &
  child=$!
  ((heard == 0)) || pass_on &  # before there was a child
  while :; do
    seen=$heard code=0
    wait "$child" || code=$?
    ((heard == seen)) && break  # else a signal ended the waiting
  done
  child=''
  return "$code"
}
