#!/usr/bin/env bash
# The scripts of postprocess/ on files that are damaged, of another kind, or absent: one line, no traceback.
# Arguments: program, source folder, scratch folder.
set -euo pipefail
program=$1 source_dir=$2 scratch=$3
python=/usr/bin/python3
$python -c 'import h5py, numpy, PIL' 2>/dev/null || { echo "skipped: python3-h5py, -numpy or -pil is not installed"; exit 77; }
export PYTHONDONTWRITEBYTECODE=1 OPENBLAS_NUM_THREADS=1 OMPI_MCA_ess_singleton_isolated=1
rm -rf "$scratch" && mkdir -p "$scratch" && cd "$scratch"
{
  "$program" modes --shape box --set 'size_m=[0.2,0.1,0.1]' --tets 300 --count 8 --out box.modes.h5
  "$program" prefracture box.modes.h5 --out box.pieces.h5
  "$program" play box.modes.h5 --duration 0.02 --out run
} >log.txt 2>&1 || { cat log.txt; exit 1; }
$python "$source_dir/tests/cli/damaged_files.py" "$source_dir/postprocess" run box.modes.h5 box.pieces.h5
