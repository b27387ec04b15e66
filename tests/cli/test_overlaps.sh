#!/usr/bin/env bash
# brisance overlaps: two cubes with an overlap known in closed form, two without, pieces of a body
# that broke, and invalid input. Arguments: program, source folder, scratch.
set -euo pipefail
program=$1 scratch=$3
python=/usr/bin/python3
rm -rf "$scratch" && mkdir -p "$scratch" && cd "$scratch"
fail() { echo "FAILED: $*"; exit 1; }
# expect CODE TEXT COMMAND…: that exit code, and that text
expect() {
  local code=$1 text=$2 output status=0
  shift 2
  output=$("$@" 2>&1) || status=$?
  [[ $status -eq $code && $output == *"$text"* ]] || fail "expected exit code $code and \"$text\" from $*, got $status and: $output"
}

cat > scene.toml <<'TOML'
[[material]]
name = "stuff"
density_kg_m3 = 1000.0
youngs_modulus_pa = 1.0e5
poissons_ratio = 0.2
toughness_n = 1.0e9
[[object]]
name = "left"
[object.mesh]
shape = "box"
size_m = [1.0, 1.0, 1.0]
edge_length_m = 0.3
[[object]]
name = "right"
translation_m = [3.0, 0.0, 0.0]
[object.mesh]
shape = "box"
size_m = [1.0, 1.0, 1.0]
edge_length_m = 0.4
[contact]
enabled = "off"
[time]
duration_s = 1.0e-4
TOML
# Without contact and gravity the right one flies into the left: 0.25 by 0.5 by 0.88 of both.
place=(--set 'object[1].translation_m=[0.75,0.5,-0.12]' --set 'gravity_m_s2=[0,0,0]')
"$program" run scene.toml --out apart > /dev/null
mpirun -q -n 2 "$program" run scene.toml --out through "${place[@]}" > /dev/null
expect 0 "pieces       2           0        0" "$program" overlaps apart
expect 0 "pieces       2           1        1" "$program" overlaps through --json through.json
$python - <<'PYTHON'
import json
said = json.load(open("through.json"))
for of in ("pieces", "bodies"):
    pair, = said[of]["pairs"]
    assert abs(pair["volume_m3"] - 0.11) < 1e-12 and abs(pair["share_of_smaller"] - 0.11) < 1e-12, pair
    assert said[of]["number"] == 2 and said[of]["near_pairs"] == 1, said[of]
assert said["body_of_piece"] == [0, 1], said
PYTHON
expect 1 "pieces       2           1        1        1        1        0" "$program" overlaps through --tolerance 0.09
expect 0 "through/snapshots/000000.hdf" "$program" overlaps through --frame 0
expect 0 "through/snapshots/000000.hdf" "$program" overlaps through/snapshots/000000.hdf
expect 1 "wholly" "$program" overlaps through --tolerance 0

expect 2 "PATH" "$program" overlaps nowhere
expect 2 "there is no such frame" "$program" overlaps through --frame 99
expect 2 "is one frame" "$program" overlaps through/snapshots/000000.hdf --frame 1
expect 2 "tolerance" "$program" overlaps through --tolerance 2
"$program" run scene.toml --out thin --set output.surface_only=true > /dev/null
expect 2 "all frames are of the surface alone" "$program" overlaps thin
expect 2 "has no tets" "$program" overlaps thin/snapshots/000000.hdf
echo "overlaps: passed"
