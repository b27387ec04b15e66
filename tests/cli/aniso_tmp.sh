#!/usr/bin/env bash
# Small variants of the scenes of several materials, as their headers name them: bricks part at their mortar, the mug at
# its handle, by the share of crack area in either, and wood along its grain; the same bits on two ranks, with scatter and after a restart too;
# what cannot be is refused with one message.
# usage: test_material_scenes.sh PROGRAM SOURCE_DIR SCRATCH_DIR
/usr/bin/python3 -c 'import numpy, h5py' 2>/dev/null || { echo "skipped: python3-h5py is not installed"; exit 77; }
source "$(dirname "$0")/scene_runs.sh" "$@" || exit 1
same() { "$program" diff "$scratch/$1" "$scratch/$2" > "$scratch/diff.txt" 2>&1 || fail "$1, $2: $(head -3 "$scratch/diff.txt")"; }
# share NAME MATERIAL COLUMN: 1 of the crack area, 2 that in it or against it, 3 of the volume, 4 crack area [m2]
share() { /usr/bin/python3 "$source/postprocess/crack_area.py" "$scratch/$1" | awk -v m="$2" -v c="$3" '$5 == m { print $c }'; }

# Wood splits along its grain: normals of cracks are across it. Its isotropic twin breaks every way.
# lies NAME COLUMN: 1 of the crack area with its normal 60 degrees or more off the grain, 2 within 30 degrees, 3 the area [m2]
lies() { /usr/bin/python3 "$source/postprocess/crack_area.py" "$scratch/$1" --axis 1,0,0 | awk -v c="$2" '$4 == "axis" { print $c }'; }
board=(--set object.mesh.edge_length_m=0.012 --set time.duration_s=0.002)
run board1 1 wood_plank_impact "${board[@]}"
run board2 2 wood_plank_impact "${board[@]}"
same board1 board2
run twin 2 wood_plank_impact "${board[@]}" --set 'material[0].elastic_law=stvk' --set 'material[0].strength_ratio=[1, 1, 1]' \
  --set 'material[0].strength_pa=1e7'
holds "board: crack area" "$(lies board1 3) > 1e-3"
holds "board: cracks along the grain" "$(lies board1 1) > 0.85 && $(lies board1 2) < 0.05"
holds "twin: crack area" "$(lies twin 3) > 1e-3"
holds "twin: cracks every way" "$(lies twin 1) < 0.55 && $(lies twin 2) > 0.2"

[ "$failures" -eq 0 ] && echo "all scenes of several materials as expected"
exit "$((failures > 0))"
