#!/usr/bin/env bash
# Pieces that leave the mesh as particles: in frames, monitor, pictures, points for other programs and playback; the
# same on any number of ranks; and what is refused. Arguments: program, source folder, scratch folder.
set -euo pipefail
program=$1 source_dir=$2 scratch=$3
python=/usr/bin/python3
$python -c 'import h5py, numpy' 2>/dev/null || { echo "skipped: python3-h5py or python3-numpy is not installed"; exit 77; }
export PYTHONDONTWRITEBYTECODE=1
rm -rf "$scratch" && mkdir -p "$scratch" && cd "$scratch"

fail() { echo "FAILED: $*"; exit 1; }

# A plate that a ball goes through.
cat > scene.toml <<'TOML'
[[material]]
name = "clay"
density_kg_m3 = 1500.0
lame_lambda_pa = 2.0e6
lame_mu_pa = 2.0e6
damping_phi_pa_s = 100.0
damping_psi_pa_s = 100.0
toughness_n = 2.0
[[object]]
name = "plate"
[object.mesh]
shape = "box"
size_m = [0.3, 0.1, 0.02]
edge_length_m = 0.02
[[collider]]
name = "ground"
shape = "plane"
position_m = [0.0, 0.0, -0.03]
[[collider]]
name = "ball"
shape = "sphere"
motion = "free"
radius_m = 0.03
mass_kg = 1.0
position_m = [0.05, 0.0, 0.0405]
velocity_m_s = [0.0, 0.0, -12.0]
[contact]
enabled = "off"
[fracture]
dust = "particles"
dust_max_tets = 4.0
[time]
duration_s = 0.008
[output]
frame_interval_s = 0.002
TOML
"$program" run scene.toml --out one > one.txt
mpirun -q -n 3 "$program" run scene.toml --out three > three.txt
"$program" diff one three > diff.txt || fail "the runs differ: $(cat diff.txt)"
grep -q "dust: .* particles of .* kg left the mesh" one.txt || fail "the summary does not name the dust: $(cat one.txt)"

$python - <<'PY' || fail "the frames or the account are wrong"
import csv, h5py, numpy as np, pathlib
last = sorted(pathlib.Path("one/snapshots").glob("*.hdf"))[-1]
rows = list(csv.DictReader(open("one/monitor.csv")))
with h5py.File(last) as file:
    dust = file["brisance/dust"]
    ids, mass, radius = dust["id"][:], dust["mass"][:], dust["radius"][:]
    assert len(ids) == float(rows[-1]["dust_particles"]) > 3, len(ids)
    assert abs(mass.sum() - float(rows[-1]["dust_mass_kg"])) < 1e-12 * mass.sum()
    assert np.allclose(1500 * 4 / 3 * np.pi * radius ** 3, mass, rtol=1e-12)
    assert np.all((dust["birth_s"][:] > 0) & (dust["birth_s"][:] <= 0.008))
    assert not np.isin(ids, file["VTKHDF/PointData/global_id"][:]).any()
    points, corners = file["VTKHDF/PointData/rest_position"][:], file["VTKHDF/Connectivity"][:].reshape(-1, 4)
    a, b, c, d = (points[corners[:, k]] for k in range(4))
    tets = 1500 * np.abs(np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a)).sum() / 6
    assert abs(tets + mass.sum() - 1500 * 0.3 * 0.1 * 0.02) < 1e-9, (tets, mass.sum())
energies = np.array([float(row["total_energy_j"]) for row in rows])
assert np.ptp(energies) < 0.02 * float(rows[0]["kinetic_energy_j"]), energies
assert float(rows[-1]["dust_loss_j"]) > 0
PY

last=$(ls one/snapshots/*.hdf | tail -n 1)
"$program" info "$last" | grep -q "dust particles of" || fail "info does not name the dust"

# Dust passes through pieces, so it does not count as overlapping.
"$program" overlaps one > overlaps.txt || [[ $? -eq 1 ]] || fail "$(cat overlaps.txt)"
pieces=$("$program" info "$last" | sed -n 's/.* \([0-9]*\) pieces*,.*/\1/p')
[[ $(awk '$1 == "pieces" { print $2 }' overlaps.txt) == "$pieces" ]] || fail "$pieces pieces, but $(cat overlaps.txt)"

# A picture shows it: without its group the picture differs.
mkdir -p bare && cp "$last" bare/frame.hdf
$python -c 'import h5py; h5py.File("bare/frame.hdf", "r+")["brisance"].pop("dust")'
view="--width 160 --height 120 --samples 4"
"$program" render "$last" $view --out with > /dev/null
"$program" render bare/frame.hdf $view --out without > /dev/null
[[ -s $(ls with/*.png) && -s $(ls without/*.png) ]] || fail "no pictures"
! $python "$source_dir/tests/cli/same_pixels.py" with/*.png without/*.png || fail "the picture shows no dust"

# In a playback they are pieces with the mass of the dust; the momentum is handed over.
"$program" play one --seconds 0.2 --out debris > debris.txt
$python - <<'PY' || fail "play does not take the dust over"
import csv, re
last = list(csv.DictReader(open("one/monitor.csv")))[-1]
first = next(csv.DictReader(open("debris/monitor.csv")))
assert float(first["pieces"]) == float(last["pieces"]) + float(last["dust_particles"]), first["pieces"]
for axis in "xyz":
    assert abs(float(first[f"momentum_{axis}_kg_m_s"]) - float(last[f"momentum_{axis}_kg_m_s"])) < 1e-9, axis
PY

# Points for other programs.
"$source_dir/postprocess/dust.py" one --format csv --out points > points.txt
[[ $(wc -l < points/dust_000004.csv) -gt 4 ]] || fail "the table is empty"
"$source_dir/postprocess/dust.py" one --format ply --out points > /dev/null
if $python -c 'import vtkmodules.vtkIOXML' 2> /dev/null; then
  "$source_dir/postprocess/dust.py" one --out vtp > /dev/null
  $python - <<'PY' || fail "VTK does not read the points"
import csv, json
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
files = json.load(open("vtp/dust.vtp.series"))["files"]
reader = vtkXMLPolyDataReader()
reader.SetFileName("vtp/" + files[-1]["name"])
reader.Update()
rows = list(csv.DictReader(open("points/dust_000004.csv")))
mesh = reader.GetOutput()
assert mesh.GetNumberOfPoints() == mesh.GetNumberOfVerts() == len(rows)
assert abs(mesh.GetPointData().GetArray("radius").GetValue(0) - float(rows[0]["radius_m"])) < 1e-15
PY
fi

# More than there is.
status=0
sed 's/dust_max_tets = 4.0/dust_max_tets = 1e6/' scene.toml > all.toml
"$program" run all.toml --out refused > refused.txt 2>&1 || status=$?
[[ $status -eq 2 ]] || fail "exit code $status instead of 2: $(cat refused.txt)"
grep -q "nothing of it would be left" refused.txt || fail "no clear words: $(cat refused.txt)"
echo "dust: ok"
