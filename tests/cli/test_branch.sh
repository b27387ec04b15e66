#!/usr/bin/env bash
# A run branches off from a checkpoint of another into a folder of its own, under a scene that differs. Arguments:
# program, source folder, scratch folder.
set -uo pipefail
program=$1 source_dir=$2 scratch=$3
rm -rf "$scratch" && mkdir -p "$scratch" && cd "$scratch"

fail() { echo "FAILED: $*"; exit 1; }
cp "$source_dir/tests/cases/wall/scene.toml" scene.toml
run() { $( (($1 == 1)) || echo mpirun -q -n "$1") "$program" run scene.toml --set object.mesh.edge_length_m=0.25 --out "${@:2}"; }
works() { run "$@" > said.txt 2>&1 || fail "$*: $(cat said.txt)"; }
refused() {
  run "${@:2}" > refused.txt 2>&1
  [[ $? -eq 2 ]] || fail "taken: $(cat refused.txt)"
  [[ $(grep -c "brisance: error:" refused.txt) -eq 1 ]] || fail "$(cat refused.txt)"
  grep -qF "$1" refused.txt || fail "wanted '$1': $(cat refused.txt)"
}
newest() { ls "$1"/checkpoints/*.h5 | tail -n 1; }

works 2 old --set time.duration_s=0.03 --checkpoint-every 1h  # one checkpoint, at its end
works 1 straight --checkpoint-every 1h
before=$(find old -type f | sort | xargs md5sum)

# The same scene: the same bits, in frames and rows of its own, and names of pieces of its own.
works 3 same --branch old --checkpoint-every 1h
"$program" diff "$(newest straight)" "$(newest same)" > diff.txt 2>&1
grep -v "/reports/\|/fields/piece_\(id\|parent\):" diff.txt | grep "rows differ" && fail "a branch under the same scene: $(cat diff.txt)"
grep -q "branched off at step" same/run.log || fail "$(cat same/run.log)"
grep -q "\"branched_from\": \"$PWD/old/checkpoints/" same/run.json || fail "$(cat same/run.json)"
"$program" info same > info.txt && grep -q "branched off from $PWD/old" info.txt || fail "$(cat info.txt)"
[[ $(sed -n 2p same/monitor.csv | cut -d, -f1) == 0.03* ]] || fail "the branch's rows begin elsewhere: $(sed -n 2p same/monitor.csv)"

# The ball stops, turns back, and nothing breaks any more; from the file of a checkpoint.
works 2 other --branch "$(newest old)" --set fracture.enabled=false --set "collider[0].velocity_m_s=[0, -4, 0]" \
  --set "material[0].lame_mu_pa=1e8"
grep -q "under another scene (there: lame_mu_pa = 181000000.0; now: lame_mu_pa = 100000000.0)" other/run.log || fail "$(cat other/run.log)"
/usr/bin/python3 - <<'EOF' || fail "what the scene changes does not come to pass"
import csv
momentum = "collider_momentum_y_kg_m_s"
rows = list(csv.DictReader(open("other/monitor.csv")))
first, last = rows[0], rows[-1]
assert abs(float(first[momentum]) + 4 * 5000) < 1e-6, first[momentum]
assert first["cracks"] == last["cracks"] and float(last["time_s"]) >= 0.08, last
total = [float(row["total_energy_j"]) for row in rows]
assert max(total) - min(total) < 1e-3 * abs(total[0]), (min(total), max(total))
EOF
# On one rank and on three: the same bits.
works 3 three --branch old --set fracture.enabled=false --set "collider[0].velocity_m_s=[0, -4, 0]" --set "material[0].lame_mu_pa=1e8"
"$program" diff other three > diff.txt 2>&1 || fail "a branch on 2 and on 3 ranks: $(cat diff.txt)"

# A run without fracture had no contact of pieces; the branch has it from its start.
works 2 sound --set contact.enabled=auto --set fracture.enabled=false --set time.duration_s=0.01 --checkpoint-every 1h
works 1 meet --branch sound --set contact.enabled=auto --set time.duration_s=0.045
works 3 meet_on_three --branch sound --set contact.enabled=auto --set time.duration_s=0.045
"$program" diff meet meet_on_three > diff.txt 2>&1 || fail "pieces that begin to meet, on 1 and on 3 ranks: $(cat diff.txt)"
/usr/bin/python3 - <<'EOF' || fail "no pieces meet, or they did before"
import csv
rows = list(csv.DictReader(open("meet/monitor.csv")))
assert max(int(row["tet_contacts"]) for row in rows) > 0
assert not any(int(row["tet_contacts"]) for row in csv.DictReader(open("sound/monitor.csv")))
total = [float(row["total_energy_j"]) for row in rows]
assert max(total) - min(total) < 1e-2 * abs(total[0]), (min(total), max(total))  # 1.2e-3 some steps apart
EOF
# Not where they overlap already: the direction to separate them is undefined.
refused "in another body at the start" 1 through --branch old --set contact.enabled=auto
refused "tets overlap others at the start" 1 volumes --branch old --set contact.enabled=auto --set contact.criterion=overlap_volume
[[ $before == "$(find old -type f | sort | xargs md5sum)" ]] || fail "the other run was touched"

# A branch has a checkpoint from its first moment on and is resumed without the run that it came from; the same command
# starts and continues it.
(exec "$program" run scene.toml --set object.mesh.edge_length_m=0.25 --set collider[0].mass_kg=4000 --out own --branch old --resume --wall-limit 0.01s) > said.txt 2>&1
[[ $? -eq 75 ]] || fail "$(cat said.txt)"
mv old elsewhere
works 2 own --resume --branch old --set collider[0].mass_kg=4000
grep -q "resumed at step" own/run.log || fail "$(cat own/run.log)"
grep -q "branched_from" own/run.json || fail "$(cat own/run.json)"
works 1 straight_own --branch elsewhere --set collider[0].mass_kg=4000
"$program" diff own/snapshots/"$(ls own/snapshots | tail -n 1)" straight_own/snapshots/"$(ls straight_own/snapshots | tail -n 1)" > diff.txt 2>&1 ||
  fail "a branch that was resumed: $(cat diff.txt)"
mv elsewhere old

# Where --resume refuses, it names the remedy; settings that cannot change are named.
refused "go on from there under this one into a new folder: --out NEW --branch own" 2 own --resume --set collider[0].mass_kg=1 --set time.duration_s=1
refused "holds a finished run of another scene (there: mass_kg = 4000.0; now: mass_kg = 1.0)" 2 own --resume --set collider[0].mass_kg=1
refused "(there: edge_length_m = 0.25; now: edge_length_m = 0.3)" 2 new --branch old --set object.mesh.edge_length_m=0.3
refused "(there: name = \"ball\"; now: name = \"bat\")" 1 new --branch old --set collider[0].name=bat
refused "now: centre_m = [0.0, 0.0, 0.1])" 1 new --branch old --set "region[0].centre_m=[0,0,0.1]"
refused "(there: plastic_limit = 0.0; now: plastic_limit = 1.0)" 1 new --branch old --set material[0].yield_strain=0.01 --set material[0].plastic_limit=0.01
refused "the scene ends at time.duration_s = 0.01" 3 new --branch old --set time.duration_s=0.01
refused "nowhere: no such run folder or checkpoint" 1 new --branch nowhere
refused "scene.toml" 1 new --branch scene.toml
refused "is in the folder of --out itself" 2 old --overwrite --branch old
rm -r other/checkpoints
refused "other has no checkpoint" 1 new --branch other
cp -r old damaged
for file in damaged/checkpoints/*.h5; do printf '\x55' | dd of="$file" bs=1 seek=5000 conv=notrunc status=none; done
refused "Of 1 checkpoint in damaged none is whole" 1 new --branch damaged
[[ ! -e new ]] || fail "a refused branch left a folder"

# Stopped between its folder and its first checkpoint, it does not start from the beginning.
mkdir -p begun && printf '{"format": "brisance-run", "version": 1, "status": "running", "message": "", "branched_from": "old"}' > begun/run.json
cp scene.toml begun/scene.toml
refused "a run that was to branch off from old" 2 begun --resume

echo "branch: passed"
