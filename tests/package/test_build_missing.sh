#!/usr/bin/env bash
# `cmake --install` of a tree where not all is built, as run.sh leaves it: what is missing is built first; where that fails
# nothing is installed. On a project of two lines, since the real one compiles for minutes. usage: test_build_missing.sh SOURCE_DIR SCRATCH_DIR
set -euo pipefail
source=$1 scratch=$2
rm -rf "$scratch" && mkdir -p "$scratch"
cd "$scratch"
failed() { echo "FAILED: $*"; cat output; exit 1; }
cat >CMakeLists.txt <<CMAKE
cmake_minimum_required(VERSION 3.20)
project(part NONE)
add_custom_target(all_of_it COMMAND test -e \${CMAKE_SOURCE_DIR}/compiles COMMAND \${CMAKE_COMMAND} -E touch tool library)
install(CODE "set(build \"\${CMAKE_BINARY_DIR}\")
set(target all_of_it)
set(files \"\${CMAKE_BINARY_DIR}/tool;\${CMAKE_BINARY_DIR}/library\")
include(\"$source/cmake/build_missing.cmake\")")
install(FILES CMakeLists.txt \${CMAKE_BINARY_DIR}/tool DESTINATION share)
CMAKE
cmake -G Ninja -S . -B build >output
touch build/library

! cmake --install build --prefix "$PWD/tree" >output 2>&1 || failed "it installs what cannot be built"
grep -q "Nothing was installed" output || failed "no word about the failure"
[[ ! -e tree ]] || failed "half an installation"

touch compiles
cmake --install build --prefix "$PWD/tree" >output 2>&1 || failed "it does not build what is missing"
grep -q "Not built yet, so built now: tool$" output || failed "no word about building"
[[ -e tree/share/tool ]] || failed "not installed"
rm compiles
cmake --install build --prefix "$PWD/again" >output 2>&1 || failed "it builds what is there"
echo "missing programs: built first"
