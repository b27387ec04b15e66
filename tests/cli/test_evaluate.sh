#!/usr/bin/env bash
# brisance evaluate on meshes with closed-form answers, alone and on three ranks. Arguments: program, source, scratch.
set -euo pipefail
program=$1 source_dir=$2 scratch=$3
python=/usr/bin/python3
$python -c 'import numpy' 2>/dev/null || { echo "skipped: python3-numpy is not installed"; exit 77; }
export PYTHONDONTWRITEBYTECODE=1
rm -rf "$scratch" && mkdir -p "$scratch" && cd "$scratch"
cases=$source_dir/tests/cli/deformed_mesh.py
$python "$cases" write .

evaluate() { mpirun -q -n "$1" "$program" evaluate "${@:2}"; }

# expect CODE TEXT COMMAND…: that exit code, and that text on one line
expect() {
  local code=$1 text=$2 output status=0
  shift 2
  output=$("$@" 2>&1) || status=$?
  [[ $status -eq $code && $(grep -c -F -e "$text" <<<"$output") -eq 1 ]] ||
    { echo "expected exit code $code and \"$text\" from $*, got $status and: $output"; exit 1; }
}

for name in affine uniaxial; do
  evaluate 1 $name.vtu --scene scene.toml --out $name.out.vtu --json $name.json
  for ranks in 2 3 4; do
    evaluate $ranks $name.vtu --scene scene.toml --out $name.$ranks.vtu --json $name.$ranks.json >/dev/null
    cmp $name.out.vtu $name.$ranks.vtu
    cmp $name.json $name.$ranks.json
  done
done
evaluate 1 regions.vtu --scene two_materials.toml --out regions.out.vtu --json regions.json >/dev/null
for name in rest elastic flowing limit; do
  evaluate 1 plastic_$name.vtu --scene plastic_$name.toml --out plastic_$name.out.vtu --json plastic_$name.json >/dev/null
done
for name in regions plastic_flowing; do
  scene=$name.toml; [[ $name == regions ]] && scene=two_materials.toml
  evaluate 3 $name.vtu --scene $scene --out $name.3.vtu --json $name.3.json >/dev/null
  cmp $name.out.vtu $name.3.vtu
  cmp $name.json $name.3.json
done
$python "$cases" check .

# By the scene's criterion: uniform tension beyond the strength fails all 64 nodes by principal stress. A run that
# starts from the file's state cracks them; one that starts at rest reports the state that it ignores, and cracks
# nothing.
{ cat scene.toml; echo '[fracture]'; echo 'criterion = "principal_stress"'; } >principal.toml
expect 0 "64 nodes fail by the largest principal stress" \
  evaluate 1 uniaxial.vtu --scene principal.toml --out principal.vtu --json principal.json
evaluate 3 uniaxial.vtu --scene principal.toml --out principal.3.vtu --json principal.3.json >/dev/null
cmp principal.vtu principal.3.vtu
cmp principal.json principal.3.json
sed -e 's|shape = "box"|shape = "file"\nfile = "uniaxial.vtu"|' -e 's|duration_s = 1|duration_s = 1e-5|' \
  -e '/^\[\[collider\]\]/,/^shape = "plane"/d' principal.toml >as_read.toml
sed 's|^material = "test"|&\nstart = "file"|' as_read.toml >from_state.toml
expect 0 "has displacements of up to" "$program" run as_read.toml --out left_out
grep -q 'cracks 0 ' left_out/run.log
"$program" run from_state.toml --out state >/dev/null
grep -q 'cracks [1-9]' state/run.log

# A mesh in our own format, made by `brisance mesh` and then deformed.
if $python -c 'import h5py' 2>/dev/null; then
  "$program" mesh --shape box --set 'size_m=[0.2, 0.3, 0.4]' --tets 500 --out snapshot.hdf >/dev/null
  $python "$cases" deform snapshot.hdf
  evaluate 1 snapshot.hdf --scene scene.toml --out snapshot.out.vtu --json snapshot.json >/dev/null
  evaluate 3 snapshot.hdf --scene scene.toml --out snapshot.3.vtu --json snapshot.3.json >/dev/null
  cmp snapshot.out.vtu snapshot.3.vtu
  cmp snapshot.json snapshot.3.json
  $python "$cases" check_snapshot .
else
  echo "without .hdf: python3-h5py is not installed"
fi

# The written file reads back, with the same result.
evaluate 1 affine.out.vtu --scene scene.toml --out again.vtu >/dev/null
cmp affine.out.vtu again.vtu

for ranks in 1 3; do
  expect 0 "162 tets are inverted by the displacement, the first is tet 0" \
    evaluate $ranks inverted_now.vtu --scene scene.toml --out inverted_$ranks.vtu
  expect 2 "2 of 162 tets are inverted at the start (negative volume): tet 4, 9, counted from 0" \
    evaluate $ranks inverted_at_rest.vtu --scene scene.toml --out none.vtu
  expect 2 "the mesh has regions 0 to 2, but the scene has materials 0 to 1" \
    evaluate $ranks one_region_too_many.vtu --scene two_materials.toml --out none.vtu
  for huge in move speed; do
    expect 2 "none beyond 1e+15 is taken" \
      evaluate $ranks huge_$huge.vtu --scene scene.toml --out none.vtu --json none.json
  done
  expect 2 "absent.vtu" evaluate $ranks absent.vtu --scene scene.toml --out none.vtu
  expect 2 "must end in .vtu" evaluate $ranks affine.vtu --scene scene.toml --out none.txt
  expect 2 "is an input" evaluate $ranks affine.vtu --scene scene.toml --out ./affine.vtu
  expect 2 "cannot write nowhere/out.vtu: No such file or directory" evaluate $ranks affine.vtu --scene scene.toml --out nowhere/out.vtu
done

# A run starts in the same state if the scene asks for it, on any number of ranks, and otherwise reports that it ignores
# it. Energies of the first line of the monitor are those of evaluate.
placed=(--set object.mesh.file=affine.vtu --set 'object.translation_m=[0,0,5]' --set material.strength_pa=1e12
  --set material.damping_phi_pa_s=0 --set material.damping_psi_pa_s=0 --set time.duration_s=1e-4)
for ranks in 1 3; do
  mpirun -q -n $ranks "$program" run scene.toml --out start$ranks "${placed[@]}" --set object.start=file > start.log 2>&1
  ! grep -q "not used" start.log
done
"$program" diff start1 start3 > /dev/null
$python - <<'CHECK'
import csv, json
first = next(csv.DictReader(open("start1/monitor.csv")))
evaluated = json.load(open("affine.json"))
for name, tolerance in (("elastic_energy_j", 1e-12), ("kinetic_energy_j", 1e-2)):
    found, wanted = float(first[name]), evaluated[name]
    assert wanted > 0 and abs(found / wanted - 1) < tolerance, (name, found, wanted)
CHECK
expect 0 "which are not used: it starts in its rest shape" "$program" run scene.toml --out rest "${placed[@]}"
expect 0 "which are not used: it starts in its rest shape" "$program" check scene.toml "${placed[@]}"
expect 2 "start = \"file\" needs a tetrahedral mesh" \
  "$program" run scene.toml --out without_state --set object.start=file --set object.mesh.target_tets=100
[[ ! -e none.vtu && ! -e none && ! -e none.json && -z $(find . -name '*.writing') ]]
echo "evaluate: passed"
