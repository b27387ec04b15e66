#!/usr/bin/env bash
# A soft box thrown at the ground as fast as sound runs in it: the run reports that tets are inverted, and stops unless
# it may continue. Arguments: program, source folder, scratch folder.
set -uo pipefail
program=$1 scratch=$3
rm -rf "$scratch" && mkdir -p "$scratch" && cd "$scratch"

fail() { echo "FAILED: $*"; exit 1; }

cat > soft.toml <<'TOML'
[[material]]
elastic_law = "stvk"  # turns inside out; a neo-Hookean one resists
density_kg_m3 = 1000.0
youngs_modulus_pa = 1.0e5
poissons_ratio = 0.3
damping_time_s = 1e-4

[[object]]
velocity_m_s = [0.0, 0.0, -10.0]
lowest_point_m = 0.001

[object.mesh]
shape = "box"
size_m = [0.2, 0.2, 0.2]
target_tets = 500

[[collider]]
shape = "plane"

[time]
duration_s = 0.04

[output]
frame_interval_s = 0.01
monitor_interval_s = 0.002
TOML

for ranks in 1 3; do
  mpirun -q -n "$ranks" "$program" run soft.toml --out "stopped_$ranks" > "stopped_$ranks.txt" 2>&1
  status=$?
  [[ $status -eq 3 ]] || fail "exit code $status on $ranks rank(s): $(tail -3 "stopped_$ranks.txt")"
  grep -q "tets are inverted, the first is tet .*more than time.max_inverted_share = 0.25 allows" "stopped_$ranks.txt" ||
    fail "$(tail -3 "stopped_$ranks.txt")"
  grep -q '"status": "failed"' "stopped_$ranks/run.json" || fail "$(cat "stopped_$ranks/run.json")"
done
[[ $(grep -o '[0-9]* of [0-9]* tets.*' stopped_1/run.json) == "$(grep -o '[0-9]* of [0-9]* tets.*' stopped_3/run.json)" ]] ||
  fail "one rank and three stop with different words"

"$program" run soft.toml --out told --set time.max_inverted_share=1 > told.txt 2>&1 || fail "$(tail -3 told.txt)"
[[ $(grep -c "tets are inverted, the first is tet" told/run.log) -eq 1 ]] || fail "warned more or less than once"
grep -q "inverted tets: [1-9][0-9]* at the worst moment" told/run.log || fail "the summary has no line on inverted tets"
column=$(head -1 told/monitor.csv | tr , '\n' | grep -n '^inverted_tets$' | cut -d: -f1)
[[ -n $column ]] || fail "monitor.csv has no column inverted_tets"
tail -n +2 told/monitor.csv | cut -d, -f"$column" | grep -q '^[1-9]' || fail "no row counts inverted tets"
echo "inverted tets: found, told, stopped"
