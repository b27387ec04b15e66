#!/usr/bin/env bash
# Small variants of the scenes of several materials, as their headers name them: bricks separate at their mortar, the
# mug at its handle, by the share of crack area in either, and wood along its grain; a run on three ranks that continues
# on two has the bits of one rank, with scatter too;
# invalid scenes are refused with one message.
# usage: test_material_scenes.sh PROGRAM SOURCE_DIR SCRATCH_DIR
/usr/bin/python3 -c 'import numpy, h5py' 2>/dev/null || { echo "skipped: python3-h5py is not installed"; exit 77; }
source "$(dirname "$0")/scene_runs.sh" "$@" || exit 1
# share NAME MATERIAL COLUMN: 1 of the crack area, 2 that in it or against it, 3 of the volume, 4 crack area [m2]
share() { /usr/bin/python3 "$source/postprocess/crack_area.py" "$scratch/$1" | awk -v m="$2" -v c="$3" '$5 == m { print $c }'; }

# Cracks are several times as dense in the weak material as elsewhere; not so where everything is as weak.
wall=(--set object.mesh.edge_length_m=0.09 --set time.duration_s=0.05)
run wall 2 brick_wall "${wall[@]}"
run weak_wall 2 brick_wall "${wall[@]}" --set 'material[0].strength_pa=1e5' --set contact.enabled=off
holds "wall: crack area" "$(share wall mortar 4) > 5"
holds "wall: cracks in mortar" "$(share wall mortar 3) < 0.3 && $(share wall mortar 1) > 0.5 && $(share wall mortar 2) > 0.6"
holds "weak wall: cracks in mortar" "$(share weak_wall mortar 1) < 0.3"

mug=(--set object.mesh.target_tets=4000 --set time.duration_s=0.004)
run mug 2 weak_handle_mug "${mug[@]}"
run weak_mug 2 weak_handle_mug "${mug[@]}" --set 'material[0].strength_pa=2e6' --set 'material[1].strength_pa=2e6'
holds "mug: crack area" "$(share mug handle 4) > 1e-3"
holds "mug: cracks in handle" "$(share mug handle 3) < 0.06 && $(share mug handle 1) > 0.8"
holds "weak mug: cracks in handle" "$(share weak_mug handle 1) < 0.4"

# Wood splits along its grain: normals of cracks are across it. Its isotropic twin breaks every way.
# lies NAME COLUMN: 1 of the crack area with its normal 60 degrees or more off the grain, 2 within 30 degrees, 3 the area [m2]
lies() { /usr/bin/python3 "$source/postprocess/crack_area.py" "$scratch/$1" --axis 1,0,0 | awk -v c="$2" '$4 == "axis" { print $c }'; }
board=(--set object.mesh.edge_length_m=0.012 --set time.duration_s=0.002 --set contact.enabled=off)
once_and_again board wood_plank_impact "${board[@]}"
run twin 2 wood_plank_impact "${board[@]}" --set 'material[0].elastic_law=stvk' --set 'material[0].strength_ratio=[1, 1, 1]' \
  --set 'material[0].strength_pa=1e7'
holds "board: crack area" "$(lies board 3) > 1e-3"
holds "board: cracks along the grain" "$(lies board 1) > 0.85 && $(lies board 2) < 0.05"
holds "twin: crack area" "$(lies twin 3) > 1e-3"
# Directions at random would be 0.5 and 1 - cos 30 degrees = 0.134.
holds "twin: cracks every way" "$(lies twin 1) < 0.55 && $(lies twin 2) > 0.13"

# Scatter and a formula, stopped on two ranks and continued on one: the bits of a run that never stopped.
cp "$source/configs/weak_handle_mug.toml" "$scratch/scatter.toml"
cat >> "$scratch/scatter.toml" << 'END'
[[factor]]
weibull_modulus = 6
reference_volume_m3 = 1e-8
[[factor]]
of = "stiffness"
formula = "1 + 3 * z"
END
short=("${mug[@]}" --set time.duration_s=0.002)
go() { timeout 600 mpirun -q -n "$1" "$program" run "$scratch/scatter.toml" "${@:2}" "${short[@]}" > "$scratch/go.txt" 2>&1; }
go 1 --out "$scratch/whole" || fail "scatter: $(tail -n 3 "$scratch/go.txt")"
go 2 --out "$scratch/parts" --wall-limit 3s --checkpoint-every 1s
for try in 1 2 3 4 5 6 7 8; do
  grep -q '"finished"' "$scratch/parts/run.json" && break
  go 1 --out "$scratch/parts" --resume
done
same whole parts
"$program" check "$scratch/scatter.toml" "${mug[@]}" > "$scratch/check.txt" 2>&1 || fail "check: $(tail -n 3 "$scratch/check.txt")"
grep -q '^material handle: [0-9.]* % of the volume, [0-9]* tets, strength times 0\..*, stiffness times ' "$scratch/check.txt" ||
  fail "check says nothing of the handle: $(grep ^material "$scratch/check.txt")"

# Paint: a plate of which an image has one half black, with a colour across: tets take the factors of the nearest point of
# the surface, on one rank and on three; refined ones those of the tet they are in.
/usr/bin/python3 - "$scratch" << 'END'
import sys
with open(sys.argv[1] + "/plate.obj", "w") as out:  # 0.2 by 0.1 by 0.02 m: red grows with y, u with x
    for x, y, z in [(x, y, z) for z in (0, 20) for y in (0, 100) for x in (0, 200)]:
        out.write(f"v {x} {y} {z} {y / 100} 0 0\nvt {x / 200} {y / 100}\n")
    for face in ((1, 3, 4, 2), (5, 6, 8, 7), (1, 2, 6, 5), (2, 4, 8, 6), (4, 3, 7, 8), (3, 1, 5, 7)):
        out.write("f " + " ".join(f"{c}/{c}" for c in face) + "\n")
with open(sys.argv[1] + "/half.pgm", "w") as out:
    out.write("P2\n40 1\n255\n" + "0 " * 20 + "255 " * 20 + "\n")
END
cat > "$scratch/painted.toml" << 'END'
gravity_m_s2 = [0, 0, 0]
[time]
duration_s = 2e-6
[[material]]
name = "glass"
preset = "glass"
[[object]]
name = "plate"
mesh = { file = "plate.obj", scale = 0.001, target_tets = 600 }
rotation_deg = [0, 90, 0]
translation_m = [1, 2, 3]
[[factor]]
image = "half.pgm"
black = 0.25
[[factor]]
colour = "red"
black = 0.5
white = 2
[output]
state_fields = true
END
paint() { timeout 120 mpirun -q -n "$1" "$program" run "$scratch/painted.toml" --out "$scratch/$2" "${@:3}" > "$scratch/$2.txt" 2>&1 ||
  fail "$2: $(tail -n 3 "$scratch/$2.txt")"; }
paint 1 painted && paint 3 painted_again && same painted painted_again
paint 2 painted_fine --set object.mesh.refine=1
/usr/bin/python3 - "$scratch/painted" "$scratch/painted_fine" << 'END' || fail "strengths are not as painted"
import glob, h5py, numpy, sys
def first_frame(folder):
    with h5py.File(sorted(glob.glob(folder + "/**/*0000*.hdf", recursive=True))[0]) as f:
        data = f["VTKHDF"]
        points, tets = data["PointData/rest_position"][:], data["Connectivity"][:].reshape(-1, 4)
        return points[tets].mean(axis=1), data["CellData/strength_factor"][:]
middle, strength = first_frame(sys.argv[1])
at = numpy.stack([3.11 - middle[:, 2], middle[:, 1] - 2, middle[:, 0] - 1.09], axis=1)  # before placement
size = numpy.array([0.2, 0.1, 0.02])
gaps = numpy.concatenate([at, size - at], axis=1)
axis, row = gaps.argmin(axis=1) % 3, numpy.arange(len(at))  # onto the nearest face
at[row, axis] = numpy.where(gaps.argmin(axis=1) < 3, 0, size[axis])
expected = numpy.where(at[:, 0] < 0.1, 0.25, 1.0) * (0.5 + 1.5 * at[:, 1] / 0.1)
inside = numpy.sort(gaps, axis=1)
clear = (numpy.abs(at[:, 0] - 0.1) > 0.003) & (inside[:, 1] - inside[:, 0] > 1e-6)  # no tie of faces
assert clear.sum() > 300 and numpy.abs(strength / expected - 1)[clear].max() < 1e-6, numpy.abs(strength / expected - 1)[clear].max()
_, fine = first_frame(sys.argv[2])
assert len(fine) == 8 * len(strength) and (numpy.sort(fine)[::8] == numpy.sort(strength)).all()  # of the tet they are in
END

# refused WHAT PATTERN OPTIONS...
refused() {
  local what=$1 pattern=$2; shift 2
  rm -rf "$scratch/refused"  # a run that failed stays where it is
  mpirun -q -n 2 "$program" run "$scratch/scatter.toml" --out "$scratch/refused" "${mug[@]}" "$@" > "$scratch/refused.txt" 2>&1 &&
    fail "$what was taken"
  [ "$(grep -c 'brisance: error: ' "$scratch/refused.txt")" -eq 1 ] || fail "$what: not exactly one message"
  grep -q "$pattern" "$scratch/refused.txt" || fail "$what: $(tail -n 2 "$scratch/refused.txt")"
}
refused "an unknown material" 'there is no material "hanle". Did you mean "handle"' --set 'part[0].material=hanle'
refused "a part of nothing" 'half_space holds the middle of no tet' --set 'part[0].centre_m=[1, 0, 0]'
refused "a formula that does not parse" 'the formula "1 + \* z" is not understood' --set 'factor[1].formula="1 + * z"'
refused "a formula without a value" 'the formula "sqrt(x)" is -\?nan at x = -' --set 'factor[1].formula="sqrt(x)"'
refused "two sources" 'a \[\[factor\]\] needs one of formula, field, colour, image and weibull_modulus' --set 'factor[1].field=softness'
refused "paint on a shape" 'object "mug" is not made of a surface file' --set 'factor[1].colour=red' --set 'factor[1].formula=""'
refused "a field of a shape" 'mug has no field "softness"' --set 'factor[1].field=softness' --set 'factor[1].formula=""'

[ "$failures" -eq 0 ] && echo "all scenes of several materials as expected"
exit "$((failures > 0))"
