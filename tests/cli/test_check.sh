#!/usr/bin/env bash
# The --json output of `brisance check` agrees with its text and with the run; and the shares of a run's
# pictures (`brisance render --share`) are the pictures. Arguments: program, source folder, scratch folder.
set -uo pipefail
program=$1 source_dir=$2 scratch=$3
rm -rf "$scratch" && mkdir -p "$scratch" && cd "$scratch"

fail() { echo "FAILED: $*"; exit 1; }
refused() {  # SENTENCE COMMAND ...
  "${@:2}" > refused.txt 2>&1
  [[ $? -eq 2 ]] || fail "taken: $(cat refused.txt)"
  grep -qF -e "$1" refused.txt || fail "wanted '$1': $(cat refused.txt)"
}
sed 's/^edge_length_m = .*/edge_length_m = 0.3/; s/^duration_s = .*/duration_s = 0.02/' "$source_dir/tests/cases/wall/scene.toml" > scene.toml
"$program" run scene.toml --out run --set output.frame_interval_s=0.005 > run.txt 2>&1 || fail "$(cat run.txt)"

for ranks in 1 2; do
  mpirun -q -n $ranks "$program" check scene.toml --json check_$ranks.json > check_$ranks.txt 2>&1 || fail "$(cat check_$ranks.txt)"
  "$program" info run/snapshots/000000.hdf > first.txt
  /usr/bin/python3 - $ranks <<'EOF' || fail "check --json on $ranks rank(s): $(cat check_$ranks.json check_$ranks.txt)"
import csv, json, math, re, sys
ranks = int(sys.argv[1])
said = json.load(open(f"check_{ranks}.json"))
text = open(f"check_{ranks}.txt").read()
assert list(said) == ["tets", "bytes", "step_s", "steps", "ranks", "uncut_seconds", "seconds",
                      "materials"], said
assert said.pop("materials") == [{"name": "adobe (table 1)", "volume_share": 1.0}], said
assert said["ranks"] == ranks and all(value > 0 for value in said.values()), said
assert said["tets"] == int(re.search(r"(\d+) tets", open("first.txt").read())[1]), said
assert said["steps"] == math.ceil(0.02 / said["step_s"]), said
first = next(row for row in csv.DictReader(open("run/monitor.csv")) if int(float(row["step"])) > 0)
assert 0.5 < float(first["dt_s"]) / said["step_s"] < 1.001, (said, first["dt_s"])  # contact may shorten it
printed = re.search(r"about (\S+) tets, (\S+) MB of mesh, steps of (\S+) s", text)
for value, words in zip((said["tets"], 1e-6 * said["bytes"], said["step_s"]), printed.groups()):
    assert abs(float(words) / value - 1) < 0.06, (value, words)
assert abs(float(re.search(r"about (\S+) s with its cracks", text)[1]) / said["seconds"] - 1) < 0.06, text
share = re.search(r"by (\S+) % of the run of a copy of (\d+) tets", text)
assert 0 < float(share[1]) <= 100 and int(share[2]) < said["tets"], text
EOF
done
# Contacts alone are rehearsed, too; without fracture and contact there is nothing to rehearse.
"$program" check scene.toml --set fracture.enabled=false > whole.txt 2>&1 || fail "$(cat whole.txt)"
grep -q "s with its contacts, by" whole.txt || fail "no rehearsal of contacts: $(cat whole.txt)"
"$program" check "$source_dir/configs/cantilever_implicit.toml" --set fracture.enabled=false --json whole.json > whole.txt 2>&1 || fail "$(cat whole.txt)"
grep -q "s with its" whole.txt && fail "a rehearsal of a scene in which nothing happens: $(cat whole.txt)"
/usr/bin/python3 -c 'import json; said = json.load(open("whole.json")); assert said["seconds"] == said["uncut_seconds"], said' || fail "$(cat whole.json)"
"$program" check scene.toml --json absent/check.json > absent.txt 2>&1 && fail "a file in no folder was written"
grep -q "brisance: error: .*absent/check.json" absent.txt || fail "$(cat absent.txt)"

# The size of an object, and whether its file is in metres.
cat > crate.obj <<'EOF'
v 0 0 0
v 60 0 0
v 60 40 0
v 0 40 0
v 0 0 30
v 60 0 30
v 60 40 30
v 0 40 30
f 1 4 3 2
f 5 6 7 8
f 1 2 6 5
f 2 3 7 6
f 3 4 8 7
f 4 1 5 8
EOF
cat > crate.toml <<'EOF'
[[material]]
density_kg_m3 = 500
youngs_modulus_pa = 1e9
poissons_ratio = 0.3
[[object]]
name = "crate"
[object.mesh]
file = "crate.obj"
target_tets = 300
[fracture]
enabled = false
[time]
duration_s = 1e-4
EOF
"$program" check crate.toml > crate.txt 2>&1 || fail "$(cat crate.txt)"
grep -qF 'object "crate": 60 x 40 x 30 m, 7.2e+04 m³, 3.6e+07 kg' crate.txt || fail "no size: $(cat crate.txt)"
grep -q '^warning: .*60 m long.*centimetres (0.01)' crate.txt || fail "no doubt of units: $(cat crate.txt)"
"$program" check crate.toml --set object.mesh.scale=0.01 > crate.txt 2>&1 || fail "$(cat crate.txt)"
grep -qF '0.6 x 0.4 x 0.3 m, 0.072 m³, 36 kg' crate.txt || fail "no size: $(cat crate.txt)"
grep -q '^warning' crate.txt && fail "warned of a crate: $(cat crate.txt)"
"$program" check crate.toml --set object.mesh.scale=1e-6 > crate.txt 2>&1 || fail "$(cat crate.txt)"
grep -q '^warning: .*6e-05 m long.*in metres already' crate.txt || fail "no doubt of units: $(cat crate.txt)"

# A tet that would need an absurdly short step is refused; there is a warning if it is allowed, and no test if that is
# off.
printf '5 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n4 0.3 0.3 -1e-8\n' > flat.node
printf '2 4 0\n0 0 1 2 3\n1 0 2 1 4\n' > flat.ele
flat=(check crate.toml --set object.mesh.file=flat.node --set object.mesh.target_tets=0 --set time.duration_s=1e-13)
refused "thinnest tet is 1e-08 m high" "$program" "${flat[@]}"
"$program" "${flat[@]}" --set object.mesh.least_altitude=1e-9 > flat.txt 2>&1 || fail "$(cat flat.txt)"
grep -q '^warning: .*thinnest tet' flat.txt || fail "no warning: $(cat flat.txt)"
"$program" "${flat[@]}" --set object.mesh.least_altitude=0 > flat.txt 2>&1 || fail "$(cat flat.txt)"
grep -q 'thinnest' flat.txt && fail "warned: $(cat flat.txt)"

# All shares together are the pictures, each once.
small=(--width 48 --height 36 --samples 1)
render() { "$program" render run "${small[@]}" "$@"; }
frames=$(ls run/snapshots/*.hdf | wc -l)
render --out all > said.txt 2>&1 || fail "$(cat said.txt)"
[[ $(ls all | wc -l) -eq $frames ]] || fail "$frames frames, pictures: $(ls all)"
made=0
for i in 1 2 3; do
  render --out "third_$i" --share $i/3 > said.txt 2>&1 || fail "$(cat said.txt)"
  made=$((made + $(ls "third_$i" | wc -l)))
  [[ $(ls "third_$i") == "$(ls all | awk "NR % 3 == $i % 3")" ]] || fail "share $i/3: $(ls "third_$i")"
  for picture in "third_$i"/*; do cmp "$picture" all/"$(basename "$picture")" || fail "share $i/3: another $picture"; done
done
[[ $made -eq $frames ]] || fail "$made pictures of $frames frames"
mpirun -q -n 2 "$program" render run "${small[@]}" --out ranks --share 1/3 > said.txt 2>&1 || fail "$(cat said.txt)"
diff -r ranks third_1 || fail "share 1/3 on two ranks"
render --out none --share 99/99 > said.txt 2>&1 || fail "$(cat said.txt)"
grep -q "no picture: the run has fewer frames than shares" said.txt || fail "$(cat said.txt)"
for share in 0/3 4/3 -1/3 1 1/ /3 1/0 1/3x a/b 1.5/3; do refused "is not of the form I/N" render --out none --share=$share; done
refused "--share excludes --sheet" render --out none --share 1/3 --sheet sheet.png
[[ ! -e none || -z $(ls none) ]] || fail "refused shares left pictures"

echo "check and shares: passed"
