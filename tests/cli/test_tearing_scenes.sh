#!/usr/bin/env bash
# Small variants, as their headers name them, of what the two papers pull apart or break to pieces: a cylinder flows and tears, a sheet
# tears along its perforation, a figure loses its limbs, a slab of glass is crushed where it is struck and falls apart, and a mesh that
# cracks as printed grows more than one that does not; the account closes, and two ranks give the bits of one.
# usage: test_tearing_scenes.sh PROGRAM SOURCE_DIR SCRATCH_DIR
/usr/bin/python3 -c 'import numpy, h5py' 2>/dev/null || { echo "skipped: python3-h5py is not installed"; exit 77; }
source "$(dirname "$0")/scene_runs.sh" "$@" || exit 1
# on_ranks NAME SCENE OPTIONS...: on one rank, results in $scratch/NAME, and on two
on_ranks() {
  run "$1" 1 "${@:2}"
  run "$1.2" 2 "${@:2}"
  same "$1" "$1.2"
}
cracks() { sed -n 's/^cracks \([0-9]*\) .*/\1/p' "$scratch/$1.txt"; }
flow() { sed -n 's/^energy: .* plastic \([0-9.e+-]*\) .*/\1/p' "$scratch/$1.txt"; }
# shape NAME: of the last frame pieces above 1 % of the mass; share of the largest; share of the crack area within 0.1 m of the axis z;
# that within 2.5 cm of the perforation of sheet_tear; tets, over those of the first frame
shape() {
  /usr/bin/python3 - "$source/postprocess" "$scratch/$1" << 'END'
import sys
sys.path.insert(0, sys.argv[1])
import h5py
import numpy as np
from snapshots import snapshot_files

frames = snapshot_files(sys.argv[2])
with h5py.File(frames[0]) as file:
    tets_before = file["VTKHDF/NumberOfCells"][:].sum()
with h5py.File(frames[-1]) as file:
    grid, boundary = file["VTKHDF"], file["brisance/boundary"]
    rest, tets = grid["PointData/rest_position"][:], grid["Connectivity"][:].reshape(-1, 4)
    a, b, c, d = (rest[tets[:, k]] for k in range(4))
    mass = np.bincount(grid["CellData/piece"][:], np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a))
    crack = boundary["corners"][:][boundary["source_triangle"][:] < 0]
    a, b, c = (rest[crack[:, k]] for k in range(3))
mass /= mass.sum()
area, middle = np.linalg.norm(np.cross(b - a, c - a), axis=1), (a + b + c) / 3
whole = area.sum() or 1
near_axis = area[np.hypot(middle[:, 0], middle[:, 1]) < 0.1].sum() / whole
on_line = area[np.abs(middle[:, 0] - 0.025 * np.sin(28 * (middle[:, 1] - 0.07))) < 0.025].sum() / whole
print((mass > 0.01).sum(), mass.max(), near_axis, on_line, len(tets) / tets_before)
END
}

on_ranks cylinder cylinder_pull_twist --set object.mesh.edge_length_m=0.02
read -r pieces largest _ <<< "$(shape cylinder)"
holds "cylinder: two halves" "$pieces == 2 && $largest < 0.7"
holds "cylinder: it flows first" "$(flow cylinder) > 10"
closes_to cylinder 1

on_ranks sheet sheet_tear --set object.mesh.edge_length_m=0.014 --set time.duration_s=0.1
read -r _ _ _ on_line _ <<< "$(shape sheet)"
holds "sheet: it tears along its perforation" "$(cracks sheet) > 10 && $on_line > 0.9"
holds "sheet: it flows" "$(flow sheet) > 0.1"
closes_to sheet 1

on_ranks figure figure_dismembered --set object.mesh.edge_length_m=0.016 --set time.duration_s=0.05
read -r pieces largest _ <<< "$(shape figure)"
holds "figure: limbs come off" "$pieces >= 4 && $largest < 0.9"
holds "figure: it flows" "$(flow figure) > 1"
closes_to figure 1

on_ranks slab glass_slab --set object.mesh.edge_length_m=0.05 --set time.duration_s=0.015
read -r pieces largest crushed _ <<< "$(shape slab)"
holds "slab: it falls apart" "$pieces >= 4 && $largest < 0.8"
# A disc of 0.1 m is 5 % of the slab.
holds "slab: crushed where it is struck" "$crushed > 0.2 && $crushed < 0.9"
closes_to slab 1

printed=(--set fracture.literal=true --set fracture.evaluate_interval_share=0 --set time.min_step_s=1e-12)
wall=(wall_heavy --set object.mesh.edge_length_m=0.195 --set time.duration_s=0.02)
on_ranks printed_wall "${wall[@]}" "${printed[@]}"
run wall 1 "${wall[@]}"
read -r _ _ _ _ printed_growth <<< "$(shape printed_wall)"
read -r _ _ _ _ growth <<< "$(shape wall)"
holds "wall: growth" "$printed_growth > 1.2 * $growth"

[ "$failures" -eq 0 ] && echo "all scenes of tearing as expected"
exit "$((failures > 0))"
