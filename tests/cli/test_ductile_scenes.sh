#!/usr/bin/env bash
# Small variants of the scenes of ductile fracture, as their headers name them: a brittle wall goes to pieces where one that
# flows stays whole and absorbs more of the blow, a ball stays flat or splits, a ball goes through clay; pieces meet
# each other, the account closes, and a run on three ranks that continues on two has the bits of one rank.
# usage: test_ductile_scenes.sh PROGRAM SOURCE_DIR SCRATCH_DIR
/usr/bin/python3 -c 'import numpy, h5py' 2>/dev/null || { echo "skipped: python3-h5py is not installed"; exit 77; }
source "$(dirname "$0")/scene_runs.sh" "$@" || exit 1
# task SWEEP NAME: what the sweep sets there, as options
task() { awk -v name="$2" '$1 == name { for (i = 2; i <= NF; ++i) print "--set", $i }' "$source/configs/sweeps/$1.sweep"; }
pieces() { sed -n 's/.* steps in .* s; \([0-9]*\) piece.*/\1/p' "$scratch/$1.txt"; }
largest() { sed -n 's/.* the largest \([0-9.]*\) % of the mass.*/\1/p' "$scratch/$1.txt"; }
flow() { sed -n 's/^energy: .* plastic \([0-9.e+-]*\) .*/\1/p' "$scratch/$1.txt"; }
cracked() { /usr/bin/python3 "$source/postprocess/crack_area.py" "$scratch/$1" | awk '{ print $4 }'; }

wall=(--set object.mesh.edge_length_m=0.12 --set time.duration_s=0.012)
once_and_again brittle thin_wall "${wall[@]}" $(task thin_walls thin_wall_1)
run little 1 thin_wall "${wall[@]}" $(task thin_walls thin_wall_5)
once_and_again far thin_wall "${wall[@]}" $(task thin_walls thin_wall_8)
holds "walls: pieces" "$(pieces brittle) > 3 * $(pieces far) && $(pieces little) > $(pieces far)"
holds "walls: crack area" "$(cracked brittle) > 3 * $(cracked far) && $(cracked little) > 3 * $(cracked far)"
holds "walls: plastic work" "$(flow brittle) == 0 && $(flow little) > 0 && $(flow far) > 1.5 * $(flow little)"
closes_to brittle 1
closes_to far 1  # 2 % if elements of short steps flow in the long ones only
closes_to little 1

ball=(--set object.mesh.edge_length_m=0.035 --set time.duration_s=0.02)
once_and_again flat hollow_ball "${ball[@]}" $(task hollow_balls hollow_ball_a)
once_and_again split hollow_ball "${ball[@]}" $(task hollow_balls hollow_ball_d)
holds "ball a: whole" "$(largest flat) > 99"
holds "ball d: pieces" "$(pieces split) > $(pieces flat)"  # by then it is torn, but what has come off are chips: 1 to 3
closes_to flat 1
closes_to split 2
holds "balls: crack area" "$(cracked split) > 3 * $(cracked flat)"
holds "balls: plastic work" "$(flow flat) > 20 * $(flow split)"

clay=(--set object.mesh.edge_length_m=0.03 --set object.mesh.layers=1 --set time.duration_s=0.015)
once_and_again clay clay_slab "${clay[@]}"
holds "clay: it tears and flows" "$(cracked clay) > 0.01 && $(flow clay) > 1 && $(largest clay) > 90"
closes_to clay 3
run divided 1 clay_slab "${clay[@]}" --set fracture.cutter=virtual_nodes --set time.step_safety=0.5
holds "clay, virtual nodes: it tears and flows" "$(cracked divided) > 0.01 && $(flow divided) > 1 && $(largest divided) > 90"
closes_to divided 1  # 1.0, 0.7 and 0.4 % at shares of 0.8, 0.5 and 0.25 of the stable step

# A plate that is pulled apart: the areas of its nodes are those of the material in divided tets, or bridges hold it.
plate=../tests/cases/ductile_plate/scene
run plate 1 $plate --set fracture.cutter=virtual_nodes
holds "plate, virtual nodes: in two" "$(largest plate) < 60"
closes_to plate 1

/usr/bin/python3 - "$source/postprocess" "$scratch" << 'END' || fail "shapes"
import sys
sys.path.insert(0, sys.argv[1])
import h5py
import numpy as np
from snapshots import snapshot_files

def points(name, at):
    with h5py.File(snapshot_files(f"{sys.argv[2]}/{name}")[at]) as file:
        return file["VTKHDF/Points"][:]

bad = 0
def holds(what, is_true):
    global bad
    if not is_true:
        print("FAILED:", what)
        bad += 1

first, last = points("flat", 0), points("flat", -1)
height = np.ptp(last[:, 2]) / np.ptp(first[:, 2])
width = np.ptp(last[:, 0]) / np.ptp(first[:, 0])
print(f"ball a: {height:.2f} times as high, {width:.2f} times as wide")
holds("ball a is not flat", height < 0.6 and width > 1.1)
with h5py.File(snapshot_files(f"{sys.argv[2]}/clay")[-1]) as file:
    height, speed = file["brisance/colliders/centre"][0, 2], -file["brisance/colliders/velocity"][0, 2]
print(f"clay: the ball is {-height * 1000:.0f} mm below the middle of the slab, at {speed:.1f} m/s")
holds("the ball does not go through the clay", height < -0.03 and 3 < speed < 7.5)
sys.exit(bad > 0)
END

[ "$failures" -eq 0 ] && echo "all scenes of ductile fracture as expected"
exit "$((failures > 0))"
