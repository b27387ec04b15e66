#!/usr/bin/env bash
# Every shell command of README.md and docs/*.md runs as it is printed: tests/docs/run_documents.py has the tables of what is
# made shorter or left out, and why. Arguments: program, source folder, scratch folder.
set -euo pipefail
program=$1 source_dir=$2 scratch=$3
python=/usr/bin/python3
$python -c 'import h5py, numpy, PIL, vtkmodules.vtkCommonCore' 2>/dev/null || { echo "skipped: Python packages are missing"; exit 77; }
export PYTHONDONTWRITEBYTECODE=1
exec $python "$source_dir/tests/docs/run_documents.py" "$program" "$source_dir" "$scratch"
