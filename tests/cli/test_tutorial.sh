#!/usr/bin/env bash
# docs/TUTORIAL.md word for word, in one shell, in the files of a clone; then a test of its promised results.
# Arguments: program, source folder, scratch folder.
set -euo pipefail
program=$1 source_dir=$2 scratch=$3
python=/usr/bin/python3
$python -c 'import h5py, numpy' 2>/dev/null || { echo "skipped: python3-h5py or python3-numpy is not installed"; exit 77; }
export PYTHONDONTWRITEBYTECODE=1
rm -rf "$scratch" && mkdir -p "$scratch/build" && cd "$scratch"
fail() { echo "FAILED: $*"; exit 1; }
ln -s "$source_dir"/{configs,docs,postprocess,scripts} .
ln -s "$(dirname "$program")" build/release

awk '/^```sh$/ { inside = 1; next } /^```$/ { inside = 0 } inside' docs/TUTORIAL.md > commands.sh
(($(wc -l < commands.sh) > 40)) || fail "commands.sh: $(cat commands.sh)"
start=$SECONDS
bash -euo pipefail commands.sh > said.txt 2>&1 || fail "$(tail -n 30 said.txt)"
echo "tutorial: $((SECONDS - start)) s"

grep -q "volume 0.000274682 m³" said.txt || fail "$(cat said.txt)"
pieces() { "$program" info "$1" | awk 'NF == 5 && $1 ~ /^[0-9]+$/ { n = $4 } END { print n }'; }
(($(pieces tutorial/run) > 25 && $(pieces tutorial/run) < 120)) || fail "$(pieces tutorial/run) pieces"
(($(pieces tutorial/stronger) < $(pieces tutorial/run) / 10)) || fail "$(pieces tutorial/stronger) pieces"
[[ $(ls tutorial/run/snapshots | wc -l) == 11 ]] || fail "$(ls tutorial/run/snapshots)"
for file in vase.png debris.png debris/debris.glb meshes/000010.glb meshes/000000.ply; do
  [[ -s tutorial/$file ]] || fail "there is no $file"
done
$python "$source_dir/tests/cli/check_exports.py" painted tutorial/meshes/vase.pieces.glb
echo "tutorial: passed"
