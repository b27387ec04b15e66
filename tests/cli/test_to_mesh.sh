#!/usr/bin/env bash
# postprocess/to_mesh.py on a run written by h5py alone. Arguments: program, source folder, scratch.
set -euo pipefail
source_dir=$2 scratch=$3
python=/usr/bin/python3
to_mesh="$python $source_dir/postprocess/to_mesh.py"
$python -c 'import h5py, numpy' 2>/dev/null || { echo "skipped: python3-h5py or python3-numpy is not installed"; exit 77; }
export PYTHONDONTWRITEBYTECODE=1
rm -rf "$scratch" && mkdir -p "$scratch" && cd "$scratch"

# expect_failure TEXT COMMAND…: it must fail, say TEXT on one line, and show no traceback
expect_failure() {
  local text=$1 output
  shift
  if output=$("$@" 2>&1); then echo "should have failed: $*"; exit 1; fi
  [[ $output == *"$text"* && $output != *Traceback* ]] || { echo "expected \"$text\" from $*, got: $output"; exit 1; }
}

$python "$source_dir/tests/cli/sample_snapshot.py" run
for format in ply stl obj glb; do $to_mesh run --format $format --out meshes/$format; done
for format in obj glb; do $to_mesh run --format $format --per-piece --out meshes/${format}_pieces; done
$to_mesh run --format ply --per-piece --frames 1 --out meshes/ply_pieces
if $python -c 'import vtkmodules.vtkIOXML' 2>/dev/null; then
  $to_mesh run --format vtp --out meshes/vtp
else
  echo "without vtp: python3-vtk9 is not installed"
fi
$python "$source_dir/tests/cli/check_meshes.py" meshes
[[ -z $(find meshes -name '*unfinished*') ]]

# The Khronos validator, where a folder with the npm package gltf-validator is named.
if [[ -n ${BRISANCE_GLTF_VALIDATOR:-} ]]; then
  node "$source_dir/tests/cli/validate_glb.js" "$BRISANCE_GLTF_VALIDATOR" meshes/glb/000000.glb meshes/glb_pieces/000001.glb
  echo "gltf-validator: no errors, no warnings"
fi

expect_failure "does not exist" $to_mesh nowhere --format ply --out meshes/x
expect_failure "holds no snapshots" $to_mesh meshes/ply --format ply --out meshes/x
expect_failure "exists" $to_mesh run --format ply --out meshes/ply
$to_mesh run --format ply --out meshes/ply --overwrite
expect_failure "frames 0 to 1" $to_mesh run --format ply --frames 7 --out meshes/x
expect_failure "give one frame" $to_mesh run --format ply --frames 1:2:3 --out meshes/x
cp -r run damaged && truncate -s 500 damaged/snapshots/000001.hdf
expect_failure "000001.hdf" $to_mesh damaged --format ply --out meshes/damaged
[[ -f meshes/damaged/000000.ply && ! -e meshes/damaged/000001.ply ]]

# A python without the packages names them.
for module in h5py numpy vtkmodules; do
  mkdir -p without_$module && echo 'raise ImportError("not installed")' > without_$module/$module.py
  expect_failure "python3-${module/vtkmodules/vtk9}" env PYTHONPATH=without_$module $to_mesh run --format vtp --out meshes/y
done

echo "to_mesh: passed"
