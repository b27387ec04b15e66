#!/usr/bin/env bash
# Colliders given as surfaces: a scene from start to pictures, on one rank and on two, over a checkpoint; and files that
# bound no solid. Arguments: program, source folder, scratch folder.
set -uo pipefail
program=$1 source_dir=$2 scratch=$3
rm -rf "$scratch" && mkdir -p "$scratch" && cd "$scratch"

fail() { echo "FAILED: $*"; exit 1; }

cp -r "$source_dir/configs/meshes" .
cat > scene.toml <<'SCENE'
title = "A plate on a step"
[[material]]
name = "plate"
density_kg_m3 = 1000.0
youngs_modulus_pa = 1.0e7
poissons_ratio = 0.2
damping_time_s = 2.0e-6
strength_pa = 1.0e5
[[object]]
name = "plate"
translation_m = [0.0, 0.0, 0.13]
rotation_deg = [20.0, 0.0, 0.0]
velocity_m_s = [0.0, 0.0, -5.0]
[object.mesh]
shape = "box"
size_m = [0.1, 0.4, 0.05]
edge_length_m = 0.04
[[collider]]
name = "steps"
shape = "mesh"
file = "meshes/steps.obj"
[[collider]]
name = "wedge"
shape = "mesh"
motion = "free"
file = "meshes/wedge.obj"
density_kg_m3 = 600.0
position_m = [0.0, -0.1, -0.0999]
[time]
duration_s = 0.03
[output]
frame_interval_s = 0.01
SCENE
run() { $( (($1 == 1)) || echo mpirun -q -n "$1") "$program" run scene.toml --out "${@:2}"; }
works() { run "$@" > said.txt 2>&1 || fail "$*: $(cat said.txt)"; }

works 1 one --checkpoint-every 1h
works 2 two
"$program" diff one two > diff.txt 2>&1 || fail "one rank and two: $(cat diff.txt)"
works 2 half --checkpoint-every 1h --set time.duration_s=0.02
works 1 half --resume --checkpoint-every 1h
"$program" diff one half > diff.txt 2>&1 || fail "over a checkpoint: $(cat diff.txt)"
grep -q 'collider "wedge": 8 triangles, volume 0.00018 m3' said.txt || fail "the log names no mesh: $(cat said.txt)"
/usr/bin/python3 - "$source_dir" <<'PYTHON' || fail "what the run says of its bodies"
import csv, sys
import h5py
sys.path.insert(0, sys.argv[1] + "/postprocess")
from obstacles import mesh_of
from snapshots import np, read_obstacles, snapshot_files
rows = list(csv.DictReader(open("one/monitor.csv")))
total = np.array([float(row["total_energy_j"]) for row in rows])
kinetic = np.array([float(row["kinetic_energy_j"]) for row in rows])
# A few hundred long steps: 1.3 %. The same floor of boxes has 2.2 %, a plane 1.2 %.
assert np.ptp(total) < 0.02 * kinetic.max(), (np.ptp(total), kinetic.max())
assert float(rows[-1]["cracks"]) > 0
assert abs(float(rows[-1]["collider_momentum_z_kg_m_s"])) + abs(float(rows[-1]["collider_momentum_y_kg_m_s"])) > 1e-3
first, last = (read_obstacles(snapshot_files("one")[i]) for i in (0, -1))
assert [(o.name, o.kind, len(o.triangles)) for o in last] == [("steps", "mesh", 28), ("wedge", "mesh", 8)]
assert np.array_equal(first[0].centre, last[0].centre) and not np.array_equal(first[1].centre, last[1].centre)
surface = mesh_of(last[1])
a, b, c = (surface.points[surface.triangles[:, k]] for k in range(3))
assert abs(np.einsum("ij,ij->", a, np.cross(b, c)) / 6 - 1.8e-4) < 1e-12
PYTHON
"$program" info one | grep -q 'collider "wedge": mesh at' || fail "info"
"$program" render one/snapshots/000003.hdf --width 160 --height 120 --samples 4 --out pictures > said.txt 2>&1 || fail "render: $(cat said.txt)"

# Playback of the pieces: they fall from step to step, also on steps with a prescribed path, and the wedge moves as a
# body.
played() { "$program" play "$1" --seconds 1.5 --out "$2" > said.txt 2>&1 || fail "play $1: $(cat said.txt)"; }
played one debris
played two debris_of_two
"$program" diff debris debris_of_two > diff.txt 2>&1 || fail "debris of one rank and two: $(cat diff.txt)"
led=(--set 'collider[0].motion=path' --set 'collider[0].path_time_s=[0.0, 10.0]'
  --set 'collider[0].path_position_m=[[0, 0, 0], [0.0, 0.0, 1.0]]' --set 'collider[0].path_rotation_deg=[[0, 0, 0], [0, 0, 90]]')
works 1 led "${led[@]}"
played led debris_led
/usr/bin/python3 - "$source_dir" <<'PYTHON' || fail "what becomes of the pieces"
import pathlib, sys
import h5py
sys.path[:0] = [sys.argv[1] + "/postprocess", sys.argv[1] + "/tests/cli"]
import check_animation
from snapshots import np, read_obstacles, snapshot_files
def points(file): return h5py.File(file)["VTKHDF/Points"][:]
def turned(obstacle):
    x, y, z, w = obstacle.orientation
    turn = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])
    return obstacle.points @ turn.T + obstacle.centre
for run, play in ("one", "debris"), ("led", "debris_led"):
    frames = snapshot_files(play)
    handed, first, last = (read_obstacles(f) for f in (snapshot_files(run)[-1], frames[0], frames[-1]))
    for before, after in zip(handed, first):
        assert after.kind == "mesh" and np.array_equal(before.points, after.points), (before, after)
        assert np.array_equal(before.triangles, after.triangles)
        assert np.abs(turned(before) - turned(after)).max() < 1e-12
    moved = turned(last[0]) - turned(first[0])
    if play == "debris":
        assert np.abs(moved).max() == 0
    else:  # the file's origin goes up and the steps turn about it
        assert np.abs(moved[:, 2] - 0.15).max() < 1e-9, moved
        angle = np.radians(13.5)
        c, s = np.cos(angle), np.sin(angle)
        there = turned(first[0]) @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])
        assert np.abs(there[:, :2] - turned(last[0])[:, :2]).max() < 1e-9
    assert np.abs(turned(last[1]) - turned(first[1])).max() > 0.005, "the wedge lies still"
    if play == "debris_led":
        continue
    # Nothing is inside the steps, and a piece lies on a lower one, which is inside their hull.
    x, y, z = points(frames[-1]).T
    for low, high, tread in (0, 0.5, 0), (-0.25, 0, -0.1), (-0.6, -0.25, -0.2):
        above = (abs(x) < 0.5) & (y > low + 0.01) & (y < high - 0.01)
        assert not above.any() or z[above].min() > tread - 0.006, (tread, z[above].min())
    assert ((y < -0.02) & (y > -0.6) & (z < -0.07)).any(), "nothing is on a lower step"
glb = check_animation.Glb(pathlib.Path("debris/debris.glb"))
names = [node.get("name") for node in glb.document["nodes"]]
assert "steps" in names and "wedge" in names, names
PYTHON
/usr/bin/python3 "$source_dir/tests/cli/check_animation.py" debris/debris.glb debris || fail "the animation"
works 1 hollow --set 'collider[1].file=meshes/steps.obj' --set 'collider[1].scale=0.2' --set 'collider[1].position_m=[0.0, -0.1, 0.2]' \
  --set time.duration_s=0.001
"$program" play hollow --out nothing > said.txt 2>&1 && fail "a free mesh with hollows was played as its hull"
grep -q 'collider "wedge" is a mesh that moves freely' said.txt || fail "$(cat said.txt)"

# Another file under the same name: a run that was begun with the first does not continue.
cp -r half other
sed -i 's/^v -0.03 0.06 0.05/v -0.03 0.06 0.06/' meshes/wedge.obj
run 1 half --resume --set time.duration_s=0.04 > said.txt 2>&1 && fail "another mesh was taken"
grep -q "the file of a mesh collider has changed" said.txt || fail "$(cat said.txt)"
cp "$source_dir/configs/meshes/wedge.obj" meshes/

# refused PATTERN OPTIONS...: before there is a folder, with one message, on two ranks.
refused() {
  mpirun -q -n 2 "$program" run scene.toml --out nothing "${@:2}" > refused.txt 2>&1
  local code=$?
  [[ $code -eq 2 ]] || fail "exit code $code: $* $(cat refused.txt)"
  [[ $(grep -c "brisance: error:" refused.txt) -eq 1 ]] || fail "$(cat refused.txt)"
  grep -qF -e "$1" refused.txt || fail "wanted '$1': $(cat refused.txt)"
  [[ ! -e nothing ]] || fail "there is a folder"
}
refused 'file = "'"$PWD"'/missing.obj" does not exist' --set 'collider[1].file=missing.obj'
: > empty.obj
refused "empty.obj" --set 'collider[1].file=empty.obj'
grep -v "^f 2 3 1" meshes/wedge.obj > open.obj
refused 'the surface of collider "wedge" does not bound a solid: it is open: 3 edges have a triangle on one side only' --set 'collider[1].file=open.obj'
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 3 2\n' > sheet.obj
refused 'does not bound a solid' --set 'collider[1].file=sheet.obj'
{ cat meshes/wedge.obj; grep "^v" meshes/wedge.obj | awk '{ print "v", $2 + 0.01, $3 + 0.02, $4 + 0.01 }'
  grep "^f" meshes/wedge.obj | awk '{ printf "f"; for (i = 2; i <= NF; ++i) printf " %d", $i + 6; print "" }'; } > crossing.obj
refused 'it intersects itself' --set 'collider[1].file=crossing.obj'
refused 'a free collider needs collider.mass_kg or collider.density_kg_m3' --set 'collider[1].density_kg_m3=0'
refused 'density_kg_m3 and collider.mass_kg are both given' --set 'collider[1].mass_kg=1'
refused 'a mesh needs collider.file' --set 'collider[1].file=""'
refused 'collider.file goes with shape = "mesh"' --set 'collider[0].shape=plane'
run 1 inside --set 'collider[1].position_m=[0.0, -0.1, -0.15]' > said.txt 2>&1 && fail "a body inside another was taken"
grep -q 'starts 0.05 m inside collider "steps"' said.txt || fail "$(cat said.txt)"

# A surface that faces inwards is reversed, with a message, and gives the same body.
awk '/^f/ { printf "f"; for (i = NF; i > 1; --i) printf " %s", $i; print ""; next } { print }' meshes/wedge.obj > inward.obj
run 1 turned --set 'collider[1].file=inward.obj' --set time.duration_s=0.001 > said.txt 2>&1 || fail "$(cat said.txt)"
grep -q '8 turned to face outwards' said.txt || fail "$(cat said.txt)"
"$program" check scene.toml > said.txt 2>&1 || fail "check: $(cat said.txt)"
echo "meshes as colliders: ok"
