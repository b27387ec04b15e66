#!/usr/bin/env bash
# Small variants of the scenes with loads, real glass and falls, as their headers name them, cut short: they run, crack
# where that comes early, and their ledgers close. The head gives the same bits on two ranks; loads without faces
# are refused with one message on every rank.
# usage: test_load_scenes.sh PROGRAM SOURCE_DIR SCRATCH_DIR
source "$(dirname "$0")/scene_runs.sh" "$@" || exit 1

# monitor NAME COLUMN [ROW]: its value in the last row, or that many rows after the header
monitor() {
  awk -F, -v column="$2" -v row="${3:-0}" 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == column) c = i }
    NR == row + 1 || row == 0 { value = $c } END { print value }' "$scratch/$1/monitor.csv"
}
# closes NAME SHARE: the total energy stays within that share of the energy from loads and falls
closes() {
  holds "$1: ledger" "($(monitor "$1" total_energy_j) - $(monitor "$1" total_energy_j 1)) ^ 2 < \
    ($2 * ($(monitor "$1" load_work_j) + $(monitor "$1" kinetic_energy_j 1))) ^ 2"
}

run ring 2 torus_drop --set object.mesh.target_tets=4000 --set time.duration_s=0.01
holds "ring: pieces" "$(monitor ring pieces) >= 3"
closes ring 0.02

for ranks in 1 2; do
  run "head$ranks" $ranks head_explosion --set object.mesh.target_tets=4000 --set time.duration_s=0.0008
done
same head1 head2
holds "head: cracks" "$(monitor head1 cracks) > 20"
holds "head: load work" "$(monitor head1 load_work_j) > 0.5"
closes head1 0.03

# Small pieces rotate far within such a step; without the energy watch, the run ends with energy from no source.
run watched 2 head_explosion --set object.mesh.target_tets=8000 --set time.integrator=implicit_euler \
  --set time.step_s=0.00025 --set time.duration_s=0.0015 --set time.watch_energy=true
grep -q 'it would gain .* J out of nothing' "$scratch/watched.txt" || fail "watched: no step was taken again"
holds "watched: energy" "$(monitor watched kinetic_energy_j) + $(monitor watched elastic_energy_j) < $(monitor watched load_work_j)"

run pane 2 glass_slab_implicit --set time.step_s=0.0005 --set time.duration_s=0.003
holds "pane: load work" "$(monitor pane load_work_j) > 5"
closes pane 0.01

run glass 1 wine_glass --set object.mesh.target_tets=3000 --set object.mesh.thickness_m=0.004 --set time.duration_s=0.0003
holds "glass: cracks" "$(monitor glass cracks) >= 1"
closes glass 0.01

mpirun -q -n 2 "$program" run "$source/configs/head_explosion.toml" --out "$scratch/refused" \
  --set object.mesh.target_tets=4000 --set 'load[0].group=lid' > "$scratch/refused.txt" 2>&1 &&
  fail "a load on a group that is not there was taken"
[ "$(grep -c 'brisance: error: ' "$scratch/refused.txt")" -eq 1 ] || fail "refused: not exactly one message"
grep -q 'no face of the surface has the group "lid". Groups of faces: cavity' "$scratch/refused.txt" ||
  fail "refused: $(tail -n 2 "$scratch/refused.txt")"

[ "$failures" -eq 0 ] && echo "all load scenes as expected"
exit "$((failures > 0))"
