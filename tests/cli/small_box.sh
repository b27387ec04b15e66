# Sourced by tests that start runs of one small box: empties the scratch folder, goes there, and has `fail` and
# `write_box FILE SECONDS`, the scene. Arguments: PROGRAM SOURCE_DIR SCRATCH_DIR; sets program, source_dir and scratch.
set -uo pipefail
program=$1 source_dir=$2 scratch=$3
rm -rf "$scratch" && mkdir -p "$scratch" && cd "$scratch"

fail() { echo "FAILED: $*"; exit 1; }
write_box() {
  cat >"$1" <<TOML
[[material]]
name = "soft"
density_kg_m3 = 1000.0
lame_lambda_pa = 2e6
lame_mu_pa = 2e6

[[object]]
name = "box"

[object.mesh]
shape = "box"
size_m = [0.1, 0.1, 0.1]
edge_length_m = 0.1

[time]
duration_s = $2
TOML
}
