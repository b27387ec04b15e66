#!/usr/bin/env bash
# The shared library links the C and C++ runtimes and nothing else, shows only its C functions, and serves a C program.
# usage: check_library.sh LIBRARY C_PROGRAM WRITE_SAMPLE SOURCE_DIR SCRATCH_DIR ALLOCATION_FAILS
set -eu
library=$1 c_program=$2 write_sample=$3 source=$4 scratch=$5 allocation_fails=$6
mkdir -p "$scratch"
fail() { echo "FAILED: $1"; exit 1; }

needed=$(readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
echo "$needed"
for name in $needed; do
  case $name in
    libstdc++.so.*|libm.so.*|libgcc_s.so.*|libc.so.*|ld-linux*|libasan.so.*|libubsan.so.*) ;;
    *) fail "it needs $name" ;;
  esac
done
exported=$(nm -D --defined-only "$library" | awk '$2 == "T" { print $3 }')
declared=$(grep -o 'brisance_[a-z_]*(' "$source/include/brisance/runtime/impact.h" | tr -d '(' | sort -u)
[ "$(echo "$exported" | sort)" = "$declared" ] || fail "exported: $exported"

"$write_sample" "$scratch/cubes.impact"
"$c_program" "$scratch/cubes.impact"
/usr/bin/python3 "$source/tests/runtime/read_impact_file.py" "$scratch/cubes.impact"
"$allocation_fails" "$scratch/cubes.impact" || fail "an allocation that fails"

# By itself as C++17, static and shared: nothing of the rest is included, and every file has its licence.
for file in "$source"/src/runtime/* "$source"/include/brisance/runtime/*; do
  head -1 "$file" | grep -q 'SPDX-License-Identifier: MIT' || fail "$file has no SPDX line"
  ! grep -E '^#include "' "$file" | grep -vE '"(brisance/)?runtime/' || fail "$file includes other parts of brisance"
done
rm -rf "$scratch/alone"
cmake -S "$source/src/runtime" -B "$scratch/alone" -DBRISANCE_WERROR=ON -DCMAKE_BUILD_TYPE=Debug > "$scratch/alone.txt" 2>&1 &&
  cmake --build "$scratch/alone" --parallel 2 >> "$scratch/alone.txt" 2>&1 || { cat "$scratch/alone.txt"; fail "the library does not build by itself"; }
grep -q 'std=c++17' "$scratch"/alone/CMakeFiles/brisance_runtime_objects.dir/flags.make || fail "it is not compiled as C++17"
cc -std=c99 -I "$source/include" "$source/tests/runtime/c_program.c" -o "$scratch/with_static" "$scratch"/alone/libbrisance_runtime.a -lstdc++ -lm &&
  "$scratch/with_static" "$scratch/cubes.impact" || fail "a C program with the static library"
cc -std=c99 -I "$source/include" "$source/tests/runtime/c_program.c" -o "$scratch/with_shared" -L "$scratch/alone" -lbrisance_impact -lm &&
  LD_LIBRARY_PATH=$scratch/alone "$scratch/with_shared" "$scratch/cubes.impact" || fail "a C program with the shared library"
