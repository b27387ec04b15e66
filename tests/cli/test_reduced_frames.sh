#!/usr/bin/env bash
# Frames of the surface alone, of fewer fields, of single precision and compressed: each reader reads them, or reports
# the reason in one line. Arguments: program, source folder, scratch folder.
set -uo pipefail
program=$1 source_dir=$2 scratch=$3
python=/usr/bin/python3
export PYTHONDONTWRITEBYTECODE=1
rm -rf "$scratch" && mkdir -p "$scratch" && cd "$scratch"

fail() { echo "FAILED: $*"; exit 1; }
expect_failure() {  # TEXT COMMAND…: it fails, says TEXT, and shows no traceback
  local text=$1 output
  shift
  output=$("$@" 2>&1) && fail "should have failed: $*"
  [[ $output == *"$text"* && $output != *Traceback* && $output != *"at: "* ]] || fail "expected \"$text\" from $*: $output"
}

scene=$source_dir/tests/cases/hard_landing/scene.toml
run() {  # NAME RANKS SETTINGS…
  local name=$1 ranks=$2
  shift 2
  mpirun -q -n "$ranks" "$program" run "$scene" --out "$name" --set time.duration_s=0.0042 --set output.frame_interval_s=14e-4 \
    --set object.mesh.edge_length_m=0.03 "$@" > "$name.txt" 2>&1 || fail "$name: $(cat "$name.txt")"
}
run whole 1
run at_once 2 --set output.background=false
run mixed 2 --set output.surface_interval_s=2e-4
run surface 3 --set output.surface_only=true --set output.surface_interval_s=2e-4
run small 2 --set output.surface_only=true --set output.precision=single --set 'output.fields=["stress"]'
run thin 2 --set 'output.fields=[]'
run lean 2 --set output.precision=single --set 'output.fields=["rest_position"]'
run packed 3 --set output.compression=4
run small_packed 2 --set output.compression=1 --set output.surface_only=true --set output.precision=single --set 'output.fields=["stress"]'

"$program" diff whole at_once || fail "written at once or while the run goes on"
"$program" diff whole packed && "$program" diff small small_packed || fail "compressed frames hold something else"
"$program" diff mixed/snapshots/000007.hdf whole/snapshots/000001.hdf > diff.txt && fail "frame numbers are the same?"
[[ $(grep -c '^  ' diff.txt) == 1 && $(grep '^  ' diff.txt) == "  frame: "* ]] || fail "whole among surfaces: $(cat diff.txt)"
[[ $(ls mixed/snapshots | wc -l) == 22 && $(ls surface/snapshots | wc -l) == 22 ]] || fail "number of frames"
"$program" diff mixed/snapshots/000020.hdf surface/snapshots/000020.hdf || fail "surfaces of 2 and 3 ranks"
"$program" diff whole surface > diff.txt && fail "a surface is no body"
grep -q 'form: a has body, double precision, b has surface, double precision' diff.txt || fail "$(cat diff.txt)"

"$program" info small > info.txt || fail "$(cat info.txt)"
grep -q "the surface alone, no tets" info.txt && grep -q "single precision" info.txt &&
  grep -q "without rest_position, velocity, plastic_strain" info.txt || fail "$(cat info.txt)"
grep -q "(0 of cracks)" info.txt && fail "nothing broke: $(cat info.txt)"
bytes() { stat -c %s "$1/snapshots/$2.hdf"; }
(($(bytes small 000003) < $(bytes surface 000021) && $(bytes lean 000003) < $(bytes whole 000003))) || fail "nothing saved"
((10 * $(bytes packed 000003) < 7 * $(bytes whole 000003) && $(bytes small_packed 000003) < $(bytes small 000003))) || fail "not compressed"

# Pictures: of the surface as of the body, bit for bit; by a missing field: an error.
for name in whole surface; do
  frame=000003 && [[ $name == surface ]] && frame=000021
  "$program" render $name/snapshots/$frame.hdf --out $name.pictures --samples 4 --width 80 --height 60 --dust 0 \
    > render.txt 2>&1 || fail "$(cat render.txt)"
done
/usr/bin/python3 "$source_dir/tests/cli/same_pixels.py" whole.pictures/000003.png surface.pictures/000021.png || fail "pictures differ"
"$program" render small --colour max_principal_stress --explode 0.3 --samples 1 --width 40 --height 30 > render.txt 2>&1 ||
  fail "$(cat render.txt)"
expect_failure "holds no velocity" "$program" render small --colour speed --samples 1 --width 40 --height 30
expect_failure "holds no stress" "$program" render lean --colour von_mises_stress --samples 1 --width 40 --height 30

# As a mesh to start from.
from_frame() { sed "/^\[object.mesh\]/,/^\[\[/{/^\[/!d};s|^\[object.mesh\]|&\nfile = \"$scratch/$1\"|" "$scene" > from.toml; }
from_frame surface/snapshots/000021.hdf
expect_failure "surface alone holds no tets" "$program" run from.toml --out no
from_frame thin/snapshots/000003.hdf
expect_failure "without rest_position" "$program" run from.toml --out no_rest
from_frame lean/snapshots/000003.hdf
"$program" run from.toml --out again --set time.duration_s=1e-6 > again.txt 2>&1 || fail "$(cat again.txt)"
expect_failure 'Did you mean "stress"' "$program" check "$scene" --set 'output.fields=["stres"]'
expect_failure "a list of some of" "$program" check "$scene" --set 'output.fields="stress"'

# Scripts.
if $python -c 'import h5py, numpy' 2>/dev/null; then
  for format in ply obj stl glb; do
    for name in mixed small lean packed small_packed; do
      $python "$source_dir/postprocess/to_mesh.py" $name --format $format --out meshes/$name-$format > mesh.txt 2>&1 ||
        fail "$name $format: $(cat mesh.txt)"
    done
  done
  for frame in whole/snapshots/000003 surface/snapshots/000021; do
    $python "$source_dir/postprocess/to_mesh.py" $frame.hdf --format stl --out stl-${frame%%/*} > mesh.txt 2>&1 || fail "$(cat mesh.txt)"
  done
  [[ $(stat -c %s stl-whole/000003.stl) == $(stat -c %s stl-surface/000021.stl) ]] || fail "meshes differ"
  expect_failure "without rest_position" $python "$source_dir/postprocess/animate.py" small --out small.glb
fi
if $python -c 'import vtkmodules.vtkIOHDF' 2>/dev/null; then
  $python - <<'EOF' || fail "VTK"
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOHDF import vtkHDFReader
for name, kind, arrays in [("surface/snapshots/000021.hdf", 5, ("stress", "piece", "source_triangle")),
                           ("small/snapshots/000003.hdf", 5, ("stress", "piece", "source_triangle")),
                           ("packed/snapshots/000003.hdf", 10, ("stress", "piece", "material")),
                           ("lean/snapshots/000003.hdf", 10, ("piece", "material"))]:
    reader = vtkHDFReader()
    reader.SetFileName(name)
    reader.Update()
    grid = reader.GetOutput()
    assert grid.GetNumberOfCells() > 100, name
    assert (vtk_to_numpy(grid.GetCellTypesArray()) == kind).all(), name
    for array in arrays:
        assert grid.GetCellData().GetArray(array) is not None, (name, array)
EOF
fi
echo "reduced frames: passed"
