#!/usr/bin/env bash
# The shared library links the C and C++ runtimes and nothing else, shows only its C functions, and serves a C program.
# usage: check_library.sh LIBRARY C_PROGRAM WRITE_SAMPLE SOURCE_DIR SCRATCH_DIR
set -eu
library=$1 c_program=$2 write_sample=$3 source=$4 scratch=$5
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
