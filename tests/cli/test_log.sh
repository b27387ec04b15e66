#!/usr/bin/env bash
# The log in two levels: for the user on the terminal, for developers with --verbose, both in run.log; `check`
# tries three strengths and leaves no files; a picture of the whole run comes before its pictures. Arguments: program,
# source folder, scratch folder.
set -uo pipefail
program=$1 source=$2 scratch=$3
rm -rf "$scratch" && mkdir -p "$scratch" && cd "$scratch"

fail() { echo "FAILED: $*"; exit 1; }
small=(--set object.mesh.target_tets=600 --set time.duration_s=0.008)
brief=(--set object.mesh.target_tets=300 --set time.duration_s=0.004)
details=("element kernels on" "element updates" "seconds: forces" "memory: the largest rank" "mesh checked at the end" "rounds")
results=("pieces\{0,1\}, the largest" "cracks [0-9]* over" "energy: kinetic" "3 frames, [0-9]* rows of monitor.csv" "100%")

cp "$source/configs/own_model.toml" .
"$program" run own_model.toml "${brief[@]}" --out short > short.txt 2>&1 || fail "$(cat short.txt)"
for line in "${details[@]}"; do ! grep -q "$line" short.txt || fail "for developers, on the terminal: $(grep "$line" short.txt)"; done
for line in "${results[@]}"; do grep -q "$line" short.txt || fail "nothing of '$line': $(cat short.txt)"; done
for line in "${details[@]}" "${results[@]}"; do grep -q "$line" short/run.log || fail "run.log has nothing of '$line'"; done
"$program" run own_model.toml "${brief[@]}" --out long --verbose > long.txt 2>&1 || fail "$(cat long.txt)"
for line in "${details[@]}" "${results[@]}"; do grep -q "$line" long.txt || fail "--verbose: nothing of '$line'"; done
"$program" diff short long > diff.txt 2>&1 || fail "--verbose changes the run: $(cat diff.txt)"

# A warning is marked as such, on the terminal and in run.log.
"$program" run own_model.toml "${brief[@]}" --set time.duration_s=1e-5 --set 'object.velocity_m_s=[0,0,-2000]' --out fast > fast.txt 2>&1 ||
  fail "$(cat fast.txt)"
grep -q '^warning: object "model" moves at 2e+03 m/s' fast.txt || fail "no warning: $(cat fast.txt)"
grep -q ' warning object "model" moves at 2e+03 m/s' fast/run.log || fail "no warning in run.log"

# Three strengths: weaker, and more pieces; nothing is written.
ls > before.txt
"$program" check own_model.toml "${small[@]}" --try-strengths > strengths.txt 2>&1 || fail "$(cat strengths.txt)"
grep '^strength ×' strengths.txt > rows.txt
[[ $(wc -l < rows.txt) -eq 3 ]] || fail "not three strengths: $(cat strengths.txt)"
grep -q " 33000 Pa" rows.txt && grep -q " 300000 Pa" rows.txt || fail "$(cat rows.txt)"
grep -q "tried on the scene's mesh of [0-9]* tets, contact as in the scene" strengths.txt || fail "nothing of the mesh: $(cat strengths.txt)"
[[ $(ls | grep -vxF -e strengths.txt -e rows.txt) == "$(cat before.txt)" ]] || fail "check left files: $(ls)"
mapfile -t pieces < <(sed -n 's/.*: \([0-9]*\) pieces\{0,1\}, .*/\1/p' rows.txt)
((pieces[0] >= pieces[1] && pieces[1] >= pieces[2] && pieces[0] > 1)) || fail "stronger, and more pieces: ${pieces[*]}"
"$program" check own_model.toml "${small[@]}" --try-strengths --json strengths.json > strengths.txt 2>&1 || fail "$(cat strengths.txt)"
/usr/bin/python3 - "${pieces[@]}" <<'END' || fail "$(cat strengths.json)"
import json, sys
said = json.load(open("strengths.json"))["strengths"]
assert [row["pieces"] for row in said] == [int(word) for word in sys.argv[1:]], said
assert [round(row["factor"], 3) for row in said] == [0.333, 1, 3], said
END
"$program" check own_model.toml "${small[@]}" --set material.strength_pa=0 --try-strengths > strong.txt 2>&1
[[ $? -eq 2 ]] && grep -q "nothing in the scene can break" strong.txt || fail "$(cat strong.txt)"

# The sheet exists before the pictures, and its pictures are those of the finished run.
touch blocked
"$program" render short --width 96 --height 72 --samples 4 --sheet early.png --out blocked > early.txt 2>&1 && fail "pictures in a file"
[[ -s early.png ]] || fail "no sheet before the pictures: $(cat early.txt)"
"$program" render short --width 96 --height 72 --samples 4 --sheet sheet.png > render.txt 2>&1 || fail "$(cat render.txt)"
"$program" sheet short --out again.png > again.txt 2>&1 && cmp sheet.png again.png || fail "the sheet is not of the pictures"

echo "log: passed"
