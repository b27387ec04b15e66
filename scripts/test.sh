#!/usr/bin/env bash
# Installs what is missing, builds, and runs the tests.
#
#   scripts/test.sh                  all of them
#   scripts/test.sh -L unit          by label: unit, mpi, regression
#   scripts/test.sh -R 'mesh\.'      by name
#
# Everything after the name goes to ctest. Settings from the environment: scripts/lib.sh.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

case ${1:-} in -h | --help) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0"; exit ;; esac

install_packages
build_targets all
# Half as many again as cores: tests wait for files, limits and each other's ranks.
exec ctest --test-dir "$build" --output-on-failure --no-tests=error --parallel "$(($(env -u OMP_NUM_THREADS nproc) * 3 / 2))" "$@"
