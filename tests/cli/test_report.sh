#!/usr/bin/env bash
# brisance report and brisance export: pages and files that other readers open, the same on any number of ranks; wrong
# input. Arguments: program, source folder, scratch folder.
source "$(dirname "$0")/small_box.sh"
python=/usr/bin/python3
$python -c 'import h5py, numpy' 2>/dev/null || { echo "skipped: python3-h5py or python3-numpy is not installed"; exit 77; }
export PYTHONDONTWRITEBYTECODE=1
check="$python $source_dir/tests/cli/check_report.py"

# refused TEXT COMMAND…: exit code 2 or 3 and that text on one line
refused() {
  local text=$1 output status=0
  shift
  output=$("$program" "$@" 2>&1) || status=$?
  [[ ($status == 2 || $status == 3) && $output == *"$text"* && $(wc -l <<<"$output") == 1 ]] ||
    fail "expected \"$text\" from $*, got $status and: $output"
}
works() { "$program" "$@" > said.txt 2>&1 || fail "$*: $(cat said.txt)"; }

cat >scene.toml <<'TOML'
title = "A plate </script> falls"
[[material]]
name = "glass & co"
density_kg_m3 = 1000.0
youngs_modulus_pa = 1.0e7
poissons_ratio = 0.2
damping_time_s = 1e-5
strength_pa = 2e4
[[object]]
name = "plate"
material = "glass & co"
translation_m = [0.0, 0.0, 0.06]
velocity_m_s = [0.0, 0.0, -4.0]
[object.mesh]
shape = "box"
size_m = [0.3, 0.3, 0.1]
target_tets = 300
[[collider]]
name = "ground"
shape = "plane"
[time]
duration_s = 0.012
[output]
frame_interval_s = 0.003
TOML
"$program" run scene.toml --out plate > run.txt 2>&1 || fail "$(cat run.txt)"

# --- files for other programs: read back, and compared with the frames ---------------------------------------------------
for format in obj ply vtp blender; do works export plate --to $format --out $format; done
for motion in rigid deforming; do
  for format in glb usda; do works export plate --to $format --motion $motion --out $motion.$format; done
done
works export plate --to ply --up y --frames 2 --out up_y
works export plate --to usda --up y --motion rigid --out up_y.usda
works export plate --to paraview --out state.py
$python -c 'import ast; ast.parse(open("state.py").read()); ast.parse(open("blender/import_into_blender.py").read())'
grep -q "$PWD/plate/run.hdf.series" state.py || fail "state.py does not name the run"
$check files plate || fail "see above"
for format in houdini vat; do works export plate --to $format --out $format; done
works export plate --to unreal --out unreal.geo
works export plate --to usda --bonds --out bonds.usda
works export plate --to usda --motion rigid --crumbs 0.02 --out crumbs.usda
works export plate --to glb --motion rigid --crumbs 0.02 --out crumbs.glb
$python "$source_dir/tests/cli/check_rigid_exports.py" plate || fail "see above"
if [[ -n ${BRISANCE_GLTF_VALIDATOR:-} ]]; then  # a folder with the npm package gltf-validator
  node "$source_dir/tests/cli/validate_glb.js" "$BRISANCE_GLTF_VALIDATOR" rigid.glb deforming.glb crumbs.glb vat/mesh.glb
fi

# Ranks share the frames and write the same bytes.
mpirun -q -n 3 "$program" export plate --to vtp --out shared > said.txt 2>&1 || fail "$(cat said.txt)"
diff -r vtp shared || fail "other bytes on three ranks"

# Numbers for plots, from the same frames.
$check numbers plate || fail "see above"
if $python -c 'import matplotlib' 2>/dev/null; then
  "$source_dir/postprocess/plots.py" plate --out plots --thickness 0.1 > said.txt || fail "$(cat said.txt)"
  [[ $(ls plots) == *cracks.png*energies.png* ]] || fail "plots: $(ls plots)"
fi

touch plate.glb
# --- wrong input, and what is left alone --------------------------------------------------------------------------------
refused "should end in .glb" export plate/snapshots/000001.hdf --to glb --out plate/snapshots/000001.hdf --overwrite
refused "is an input" export plate --to glb --surface plate.glb --out plate.glb --overwrite
refused "should end in .usda" export plate --to usda --out plate.glb
refused "exists" export plate --to glb --out rigid.glb
refused "exists" export plate --to ply --out ply
refused "should end in .geo" export plate --to unreal --out unreal
refused "is for --to usda" export plate --to glb --bonds --out bonds.glb
refused "is a file" export plate --to ply --out rigid.glb
refused "chooses nothing" export plate --to ply --frames 99 --out none
refused "no snapshots" export vtp --to glb --out none.glb
refused "is not an HDF5 file" export scene.toml --to glb --out none.glb
refused "is no folder" report rigid.glb
refused "Install libjs-three" report plate --javascript /nonexistent --out none.html
# A frame that is damaged in the middle: nothing has a final name but whole frames.
cp -r plate damaged
head -c 5000 plate/snapshots/000002.hdf > damaged/snapshots/000002.hdf
refused "000002.hdf" export damaged --to usda --motion deforming --out none.usda
refused "000002.hdf" export damaged --to glb --motion deforming --out none.glb
refused "000002.hdf" report damaged --motion deforming --out none.html
refused "000002.hdf" export damaged --to ply --out none_ply
[[ -z $(ls -d none* 2>/dev/null) ]] || fail "left over: $(ls -d none*)"
# A disk that is full.
output=$(bash -c "ulimit -f 1; exec '$program' export plate --to usda --motion deforming --out full.usda" 2>&1) && fail "no error: $output"
[[ -z $(ls -d full* 2>/dev/null) ]] || fail "left over: $(ls -d full*)"

# --- the page -----------------------------------------------------------------------------------------------------------
if [[ -e /usr/share/javascript/three/three.min.js && -e /usr/share/javascript/chart.js/chart.min.js ]]; then
  works report plate
  [[ -s plate/report.html ]] || fail "there is no page"
  works report plate  # its own page is replaced
  works report plate --motion deforming --out deforming.html
  works report plate --motion deforming --max-mb 0.03 --out small.html
  grep -q "frames are left out" said.txt || fail "$(cat said.txt)"
  refused "exists" report plate --out small.html
  $check pages plate || fail "see above"
else
  echo "note: libjs-three or libjs-chart.js is not installed, pages are not tested"
fi
echo "report and export: passed"
