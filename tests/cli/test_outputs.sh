#!/usr/bin/env bash
# No command replaces an input, under any name and with any option, nor an existing file without
# --overwrite; no output is written over another. Arguments: program, source folder, scratch folder.
set -euo pipefail
program=$1 source_dir=$2 scratch=$3
export OMPI_MCA_ess_singleton_isolated=1
rm -rf "$scratch" && mkdir -p "$scratch" && cd "$scratch"
fail() { echo "FAILED: $*"; exit 1; }

# kept FILE TEXT ARGUMENTS...: exit code 2, the text in the message, the file as it was and nothing unfinished left.
kept() {
  local file=$1 text=$2 status=0; shift 2
  cp -a "$file" before
  "$program" "$@" > said.txt 2>&1 || status=$?
  [[ $status -eq 2 ]] || fail "exit code $status: brisance $*: $(cat said.txt)"
  grep -q -F -e "$text" said.txt || fail "no \"$text\": brisance $*: $(cat said.txt)"
  cmp -s "$file" before || fail "$file was replaced: brisance $*"
  rm before
  [[ -z $(find . -name '*.writing*') ]] || fail "unfinished files: brisance $*"
}
works() { "$program" "$@" > said.txt 2>&1 || fail "brisance $*: $(cat said.txt)"; }

works mesh --shape box --set 'size_m=[0.2,0.1,0.1]' --tets 200 --out box.vtu
works mesh --shape box --set 'size_m=[0.2,0.1,0.1]' --tets 200 --out box.hdf
echo "v 0 0 0" > box.obj  # refused before it is read
cat > scene.toml <<'EOF'
[[material]]
name = "foam"
density_kg_m3 = 1000.0
youngs_modulus_pa = 1.0e6
poissons_ratio = 0.2
damping_time_s = 2e-4
[[object]]
material = "foam"
[object.mesh]
file = "box.vtu"
[time]
duration_s = 0.002
[output]
frame_interval_s = 0.001
EOF
echo "notes" > notes.txt

# check: the scene, by its own name, through links and hard links; the mesh that it names; other files.
ln -s scene.toml link.toml && ln scene.toml hard.toml && mkdir below && ln -s .. below/up
for name in scene.toml ./scene.toml link.toml hard.toml below/up/scene.toml; do
  kept scene.toml "is an input" check scene.toml --json "$name"
  kept scene.toml "is an input" check scene.toml --json "$name" --overwrite
done
[[ -L link.toml ]] || fail "the link was replaced"
rm link.toml hard.toml
kept box.vtu "is an input" check scene.toml --json box.vtu --overwrite
kept notes.txt "exists" check scene.toml --json notes.txt
mkfifo pipe
for special in pipe below; do
  "$program" check scene.toml --json $special --overwrite > said.txt 2>&1 && fail "$special was replaced"
  grep -q "is not a regular file\|is a folder" said.txt || fail "$(cat said.txt)"
done
[[ -p pipe && -d below ]] || fail "a pipe or a folder was replaced"
cp notes.txt replaced.json
works check scene.toml --json replaced.json --overwrite
grep -q '"tets"' replaced.json || fail "--overwrite does not replace"

# mesh, evaluate: two outputs of one name as well.
kept box.vtu "exists" mesh --shape box --tets 200 --out box.vtu
kept box.vtu "is an input" mesh box.vtu --out box.vtu --overwrite
works mesh --shape box --set 'size_m=[0.2,0.1,0.1]' --tets 100 --out box.hdf  # a mesh of its own
kept box.vtu "is an input" evaluate box.vtu --scene scene.toml --out box.vtu --overwrite
kept scene.toml "is an input" evaluate box.vtu --scene scene.toml --out x.vtu --json scene.toml --overwrite
kept scene.toml "of another output" evaluate box.vtu --scene scene.toml --out x.vtu --json ./x.vtu
cp box.vtu other.vtu && ln other.vtu hard.vtu
kept other.vtu "of another output" evaluate box.vtu --scene scene.toml --out other.vtu --json hard.vtu --overwrite
kept other.vtu "exists" evaluate box.vtu --scene scene.toml --out other.vtu
[[ ! -e x.vtu ]] || fail "an output of a refused command"

# modes and files made from them.
cat > eta.csv <<'EOF'
x,y,z,eta
0,0,0,1
0.2,0,0,2
0,0.1,0,1
0,0,0.1,1
EOF
kept eta.csv "is an input" modes box.obj --tets 60 --count 6 --eta-field eta.csv --out eta.csv --overwrite
kept box.obj "is an input" modes box.obj --tets 60 --count 6 --out box.obj --overwrite
kept box.hdf "is an input" modes box.hdf --count 6 --out ./box.hdf --overwrite
kept box.hdf "is an input" modes box.hdf --kind vibration --count 8 --out box.hdf --overwrite
works modes box.hdf --count 6 --out box.h5
kept box.h5 "--resume continues" modes box.hdf --count 6 --out box.h5
mkdir many && cp box.h5 many/box.modes.h5
cp box.hdf bar.hdf
status=0; cp many/box.modes.h5 before; "$program" modes box.hdf bar.hdf --count 6 --out many > said.txt 2>&1 || status=$?
[[ $status -ne 0 ]] && grep -q "box.modes.h5 exists" said.txt && cmp -s before many/box.modes.h5 || fail "modes of many: $(cat said.txt)"
rm before
kept box.h5 "is an input" runtime box.h5 --out box.h5 --overwrite
kept notes.txt "exists" runtime box.h5 --out notes.txt
kept box.h5 "is an input" prefracture box.h5 --out box.h5 --overwrite
kept box.h5 "is an input" impact box.h5 --point 0,0,0 --out box.h5 --overwrite

# Runs and pictures of them: a run is made from nothing that lies among its files, and a sheet replaces a sheet alone.
works run scene.toml --out run
kept run/scene.toml "is an input" run run/scene.toml --out run --overwrite
kept run/snapshots/000001.hdf "is an input" run scene.toml --out run --overwrite \
  --set object.mesh.file=run/snapshots/000001.hdf
works run run/scene.toml --out run --resume
kept notes.txt "exists" overlaps run --json notes.txt
for file in scene.toml run.json snapshots/000000.hdf monitor.csv; do
  kept run/$file "is an input" overlaps run --json run/$file --overwrite
  kept run/$file "is an input" render run --samples 1 --width 16 --height 16 --sheet run/$file --overwrite
done
[[ ! -e run/pictures ]] || fail "pictures of a refused command"
works overlaps run --json run/overlaps.json
works overlaps run --json run/overlaps.json --overwrite
small=(--samples 1 --width 16 --height 16)
kept scene.toml "of another output" render run "${small[@]}" --sheet run/pictures/000000.png
works render run "${small[@]}" --sheet run/sheet.png
works render run "${small[@]}" --sheet run/sheet.png
works sheet run --out run/sheet.png --columns 1
works sheet run --out sheet.png
kept sheet.png "exists" sheet run --out sheet.png
kept sheet.png "exists" render run "${small[@]}" --sheet sheet.png
kept notes.txt "exists" sheet run --out notes.txt
kept run/pictures/000001.png "is an input" sheet run --out run/pictures/000001.png --overwrite
mkdir mine && echo mine > mine/000001.png
kept mine/000001.png "exists" render run "${small[@]}" --out mine

# Debris: its animation and its folder.
kept run/snapshots/000001.hdf "is an input" play run --seconds 0.02 --glb run/snapshots/000001.hdf --out debris --overwrite
kept notes.txt "exists" play run --seconds 0.02 --glb notes.txt --out debris
kept notes.txt "of another output" play run --seconds 0.02 --glb debris/monitor.csv --out debris
works play run --seconds 0.02 --out debris --glb debris/debris.glb
works play run --seconds 0.02 --out debris --glb debris/debris.glb --overwrite
cp box.h5 debris/snapshots/000000.hdf
kept debris/snapshots/000000.hdf "is an input" play debris/snapshots/000000.hdf --duration 0.02 --out debris --overwrite
echo "outputs: nothing was lost"
