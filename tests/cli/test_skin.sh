#!/usr/bin/env bash
# The input's skin in exports of a run: a textured crate of two materials falls and breaks. Arguments: program, source
# folder, scratch folder.
set -euo pipefail
program=$1 source_dir=$2 scratch=$3
rm -rf "$scratch" && mkdir -p "$scratch" && cd "$scratch"
fail() { echo "FAILED: $*"; exit 1; }

/usr/bin/python3 - > crate.obj <<'PYTHON'
n, size = 6, 0.1
number, faces, count = {}, [], 0
for axis in range(3):
    for side in (0, n):
        faces.append("usemtl " + ("lid" if axis == 2 and side else "wood"))
        for i in range(n):
            for j in range(n):
                square = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)]
                words = []
                for a, b in square if side else square[::-1]:
                    at = [0, 0, 0]
                    at[axis], at[(axis + 1) % 3], at[(axis + 2) % 3] = side, a, b
                    if tuple(at) not in number:
                        number[tuple(at)] = len(number) + 1
                        print("v", *(size * x / n for x in at))
                    count += 1
                    print("vt", (axis + a / n) / 3, (bool(side) + b / n) / 2)
                    words.append(f"{number[tuple(at)]}/{count}")
                faces.append("f " + " ".join(words))
print("\n".join(faces))
PYTHON
cat > crate.toml <<'TOML'
[[material]]
name = "clay"
density_kg_m3 = 1500.0
youngs_modulus_pa = 1.0e6
poissons_ratio = 0.2
damping_phi_pa_s = 50.0
damping_psi_pa_s = 100.0
strength_pa = 2.0e3
[[object]]
name = "crate"
rotation_deg = [35.0, 20.0, 0.0]
lowest_point_m = 0.0005
velocity_m_s = [0.0, 0.0, -4.0]
[object.mesh]
file = "crate.obj"
edge_length_m = 0.017
[[collider]]
name = "ground"
shape = "plane"
normal = [0.0, 0.0, 1.0]
[time]
duration_s = 0.012
[output]
frame_interval_s = 0.003
TOML
mpirun -q -n 2 "$program" run crate.toml --out run > run.txt 2>&1 || fail "$(cat run.txt)"
grep -q '"crate"' run/objects.json || fail "no objects.json"
"$program" export run --to obj --out meshes > export.txt 2>&1 || fail "$(cat export.txt)"
/usr/bin/python3 "$source_dir/tests/cli/check_skin.py" crate.obj meshes run || fail "the exported meshes"

# The input has moved: the outside of the tets, with a note; or it is named.
mv crate.obj elsewhere.obj
"$program" export run --to obj --out bare --frames 0 > bare.txt 2>&1 || fail "$(cat bare.txt)"
grep -q "is not there any more" bare.txt || fail "no note: $(cat bare.txt)"
grep -q "usemtl lid" bare/000000.obj && fail "a material without its file"
"$program" export run --to obj --out named --frames 0 --surface elsewhere.obj > named.txt 2>&1 || fail "$(cat named.txt)"
cmp -s named/000000.obj meshes/000000.obj || fail "another skin by --surface"
# Crumbs become particles.
"$program" export run --to ply --out crumbs --frames 4 --crumbs 0.9 > crumbs.txt 2>&1 || fail "$(cat crumbs.txt)"
# Damaged: one line that says what.
echo '{"format": "brisance-objects", "version": 1, "objects": [{"name": 3}]}' > run/objects.json
if "$program" export run --to obj --out damaged > damaged.txt 2>&1; then fail "a damaged objects.json"; fi
grep -q "objects.json is damaged" damaged.txt || fail "$(cat damaged.txt)"
[[ ! -e damaged/000000.obj ]] || fail "something was written"
echo "passed"
