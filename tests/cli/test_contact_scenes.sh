#!/usr/bin/env bash
# Small variants of the scenes in which deformable bodies hit each other, as their headers name them: they stop and break
# each other, the account closes, and two ranks, with a body each, give the bits of one.
# usage: test_contact_scenes.sh PROGRAM SOURCE_DIR SCRATCH_DIR
source "$(dirname "$0")/scene_runs.sh" "$@" || exit 1
# largest NAME COLUMN: of monitor.csv
largest() {
  awk -F, -v column="$2" 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == column) k = i; next }
    $k + 0 > most { most = $k + 0 } END { print most + 0 }' "$scratch/$1/monitor.csv"
}

coarse=(--set 'object[0].mesh.edge_length_m=0.03' --set 'object[1].mesh.edge_length_m=0.03' --set time.duration_s=0.01)
# By default points of one on facets of the other.
run one 1 vase_hits_vase "${coarse[@]}"
run two 2 vase_hits_vase "${coarse[@]}"
same one two
run surface 1 vase_hits_vase "${coarse[@]}" --set 'contact.criterion=surface'
same one surface
run through 1 vase_hits_vase "${coarse[@]}" --set 'contact.enabled=off'
holds "contacts across ranks" "$(largest two tet_contacts_across_ranks) > 5"
holds "contacts of one rank" "$(largest one tet_contacts) == $(largest two tet_contacts) && $(largest one tet_contacts_across_ranks) == 0"
grep -q '^cracks [1-9]' "$scratch/two.txt" || fail "the amphorae do not break each other: $(grep ^cracks "$scratch/two.txt")"
grep -q '^cracks 0 ' "$scratch/through.txt" || fail "without contact they break: $(grep ^cracks "$scratch/through.txt")"
closes_to two 1

# The same with the papers' criteria, whose results differ: bits, cracks, account; and steps for which they are refused.
for criterion in overlap_volume node_penetration; do
  run "$criterion"1 1 vase_hits_vase "${coarse[@]}" --set "contact.criterion=$criterion"
  run "$criterion"2 2 vase_hits_vase "${coarse[@]}" --set "contact.criterion=$criterion"
  same "$criterion"1 "$criterion"2
  holds "$criterion: contacts across ranks" "$(largest "$criterion"2 tet_contacts_across_ranks) > 20"
  grep -q '^cracks [1-9]' "$scratch/$criterion"1.txt || fail "$criterion: the amphorae do not break each other"
  closes_to "$criterion"1 1
done
holds "nodes are another criterion than volumes" \
  "$(largest node_penetration1 tet_contacts) != $(largest overlap_volume1 tet_contacts)"
holds "points on facets are another criterion than volumes" "$(largest one tet_contacts) != $(largest overlap_volume1 tet_contacts)"
for criterion in node_penetration surface; do
  "$program" check "$source/configs/soft_stack.toml" --set "contact.criterion=$criterion" > "$scratch/refused.txt" 2>&1 &&
    fail "$criterion under implicit steps is not refused"
  grep -q 'only contact.criterion = "overlap_volume" goes with implicit steps' "$scratch/refused.txt" ||
    fail "$(cat "$scratch/refused.txt")"
done

# A loose stack: the ball opens it, bricks stay whole, and no brick sinks into another.
bricks=(--set time.duration_s=0.02)
for i in {0..14}; do bricks+=(--set "object[$i].mesh.edge_length_m=0.05"); done
run stack1 1 brick_stack "${bricks[@]}"
run stack2 2 brick_stack "${bricks[@]}"
same stack1 stack2
holds "stack: contacts across ranks" "$(largest stack2 tet_contacts_across_ranks) > 20"
whole=$(sed -n 's/.* steps in .* s; \([0-9]*\) piece.*/\1/p' "$scratch/stack1.txt")
holds "stack: bricks" "${whole:-0} >= 15 && ${whole:-0} <= 30"
closes_to stack1 1

# overlaps NAME: by the last frame no piece lies inside another
overlaps() {
  "$program" overlaps "$scratch/$1" > "$scratch/overlaps.txt" || fail "$1: $(cat "$scratch/overlaps.txt")"
  holds "$1: candidate pairs" "$(awk '$1 == "pieces" { print $3 }' "$scratch/overlaps.txt") > 5"
}

# Six letters in two rows, as files: those above break and stop on those below.
letters=(--set time.duration_s=0.025)
for i in {0..5}; do letters+=(--set "object[$i].mesh.target_tets=500"); done
run end1 1 the_end "${letters[@]}"
run end2 2 the_end "${letters[@]}"
same end1 end2
# said_depths NAME: the depths of overlaps at the end of its log
said_depths() { grep -o '^contact of bodies.*' "$scratch/$1.txt"; }
[ -n "$(said_depths end1)" ] && [ "$(said_depths end1)" = "$(said_depths end2)" ] || fail "the end: $(said_depths end1) / $(said_depths end2)"
deepest=$(said_depths end1 | sed -n 's/.*deepest overlap \([0-9.]*\) of.*/\1/p')
holds "the end: deepest pair" "${deepest:-9} - $(largest end1 deepest_tet_contact) < 0.01 && ${deepest:-0} - $(largest end1 deepest_tet_contact) > -0.01"
holds "the end: contacts across ranks" "$(largest end2 tet_contacts_across_ranks) > 20"
grep -q '^cracks [1-9]' "$scratch/end2.txt" || fail "the letters do not break: $(grep ^cracks "$scratch/end2.txt")"
closes_to end1 1
overlaps end1

# A head and a ball that meet in the air: the head breaks, the ball does not; then its pieces are played.
statue=(--set object[0].mesh.target_tets=1500 --set object[1].mesh.target_tets=200 --set time.duration_s=0.008)
run statue1 1 statue_and_ball "${statue[@]}"
run statue2 2 statue_and_ball "${statue[@]}"
same statue1 statue2
holds "statue: contacts" "$(largest statue1 tet_contacts) > 20"
grep -q '^cracks [1-9]' "$scratch/statue1.txt" || fail "the head does not break: $(grep ^cracks "$scratch/statue1.txt")"
closes_to statue1 1
# A blow at 8 % of the wave speed crushes the material: only small pieces may end inside others.
"$program" overlaps "$scratch/statue1" --list 1000 > "$scratch/crumbs.txt" || [ $? -eq 1 ] || fail "statue1: $(cat "$scratch/crumbs.txt")"
holds "statue: near pairs of pieces" "$(awk '$1 == "pieces" { print $3 }' "$scratch/crumbs.txt") > 0"
inside=$(awk '$1 == "piece" { listed = 1; next } listed && $5 > 0.5 && $4 > most { most = $4 } END { print most + 0 }' "$scratch/crumbs.txt")
holds "statue: the largest piece inside another, of 3.8e-3 m3" "$inside < 2e-6"
"$program" play "$scratch/statue1" --seconds 0.2 --no-glb --out "$scratch/statue_debris" > "$scratch/play.txt" 2>&1 ||
  fail "debris of the statue: $(tail -n 3 "$scratch/play.txt")"

# A pile of soft bodies in implicit steps: it lands, with contact across ranks.
soft=(--set time.duration_s=0.2 --set time.solver=lattice)
for i in {0..3}; do soft+=(--set "object[$i].mesh.edge_length_m=0.06"); done
run soft1 1 soft_stack "${soft[@]}"
run soft2 2 soft_stack "${soft[@]}"
same soft1 soft2
holds "soft: contacts across ranks" "$(largest soft2 tet_contacts_across_ranks) > 20"
holds "soft: depth" "$(largest soft1 deepest_tet_contact) < 0.4"

[ "$failures" -eq 0 ] && echo "all scenes of bodies in contact as expected"
exit "$((failures > 0))"
