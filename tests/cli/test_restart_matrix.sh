#!/usr/bin/env bash
# A small heavy wall, stopped at random steps on n ranks and resumed on m (restart_matrix.py). Arguments: program, source
# folder, scratch folder, and at how many steps for each n and m (a sample; 20 for a night).
set -uo pipefail
program=$1 source_dir=$2 scratch=$3 steps=${4:-0}
rm -rf "$scratch"
exec /usr/bin/python3 "$source_dir/tests/cli/restart_matrix.py" "$program" "$source_dir/configs/wall_heavy.toml" "$scratch" "$steps" "${SEED:-$RANDOM}"
