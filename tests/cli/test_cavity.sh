#!/usr/bin/env bash
# A cavity by the thickness of the wall: its size, meshing of a body with it, refusals.
# Arguments: program, source folder, scratch.
set -euo pipefail
program=$1 source_dir=$2 scratch=$3
python=/usr/bin/python3
$python -c 'import numpy, vtkmodules.vtkFiltersCore' 2>/dev/null || { echo "skipped: python3-numpy or python3-vtk9 is not installed"; exit 77; }
export PYTHONDONTWRITEBYTECODE=1
rm -rf "$scratch" && mkdir -p "$scratch" && cd "$scratch"
fail() { echo "FAILED: $*"; exit 1; }
# expect_failure TEXT COMMAND…: it must fail, say TEXT, and show no traceback
expect_failure() {
  local text=$1 output
  shift
  if output=$("$@" 2>&1); then fail "should have failed: $*"; fi
  [[ $output == *"$text"* && $output != *Traceback* ]] || fail "expected \"$text\" from $*, got: $output"
}
cavity="$python $source_dir/postprocess/cavity.py"

# An L of two bars, 3 by 3 by 1 with 2 by 2 cut out: its centroid is near the inner corner, so that no copy shrunk about
# it lies inside. A wall of 0.25 leaves 0.5 of the bars' cross section of 1.
cat > ell.obj <<'OBJ'
v 0 0 0
v 3 0 0
v 3 1 0
v 1 1 0
v 1 3 0
v 0 3 0
v 0 0 1
v 3 0 1
v 3 1 1
v 1 1 1
v 1 3 1
v 0 3 1
f 1 4 2
f 2 4 3
f 1 6 4
f 6 5 4
f 7 8 10
f 8 9 10
f 7 10 12
f 12 10 11
f 1 2 7
f 7 2 8
f 2 3 8
f 8 3 9
f 3 4 9
f 9 4 10
f 4 5 10
f 10 5 11
f 5 6 11
f 11 6 12
f 6 1 12
f 12 1 7
OBJ
expect_failure "cross each other" "$program" mesh ell.obj --set cavity_scale=0.5 --tets 1500 --out none.hdf
$cavity ell.obj --wall 0.25 --out hollow.obj > made.txt
# Corners and edges are rounded off, so somewhat less than 0.5 · 0.5 · (2.5 + 2) = 1.125 of 5: 22.5 %.
awk '{ for (i = 1; i <= NF; ++i) if ($i == "%") share = $(i - 1) } END { exit !(share > 19 && share < 22.6) }' made.txt || fail "$(cat made.txt)"
grep -q "the deepest place is 0.5" made.txt || fail "$(cat made.txt)"
"$program" mesh ell.obj --set cavity_file=hollow.obj --tets 3000 --out ell.hdf > mesh.txt 2>&1 || fail "$(cat mesh.txt)"
"$program" info ell.hdf > info.txt 2>&1 || fail "$(cat info.txt)"

sed '$d' ell.obj > open.obj
expect_failure "the surface is not closed" $cavity open.obj --wall 0.2 --out refused.obj
expect_failure "Take a thinner --wall" $cavity ell.obj --wall 0.6 --out refused.obj
expect_failure "--wall" $cavity ell.obj --wall 0 --out refused.obj
expect_failure "does not exist" $cavity absent.obj --wall 0.2 --out refused.obj
expect_failure "give an OBJ, STL or PLY file" $cavity ell.hdf --wall 0.2 --out refused.obj
expect_failure "hollow.obj exists" $cavity ell.obj --wall 0.2 --out hollow.obj
# Damaged surfaces: missing corners, coordinates that are no numbers, no faces, truncated files. Each ends
# in one sentence that names the file; VTK by itself ends by a signal for some.
refused_as_damaged() {  # FILE TEXT
  local code=0
  timeout 60 $cavity "$1" --wall 0.2 --out refused.obj > said.txt 2>&1 || code=$?
  [[ $code -eq 1 || $code -eq 2 ]] || fail "$1: exit code $code, $(cat said.txt)"
  grep -qF -- "$1" said.txt && grep -qF -- "$2" said.txt || fail "$1: wanted \"$2\", got $(cat said.txt)"
  ! grep -qE "Traceback|Segmentation|core dumped" said.txt || fail "$1: $(cat said.txt)"
}
sed 's/^f 12 1 7$/f 12 1 4000000000/' ell.obj > far_corner.obj
sed 's/^f 12 1 7$/f 12 1 13/' ell.obj > next_corner.obj
sed 's/^f 12 1 7$/f 12 1 -99/' ell.obj > behind.obj
sed 's/^v 3 0 0$/v nan 0 0/' ell.obj > nan.obj
grep '^v' ell.obj > points.obj
: > empty.obj
cat > corner.ply <<'PLY'
ply
format ascii 1.0
element vertex 4
property float x
property float y
property float z
element face 4
property list uchar int vertex_indices
end_header
0 0 0
1 0 0
0 1 0
0 0 1
3 0 2 1
3 0 1 3
3 1 2 99999999
3 0 3 2
PLY
head -c 100 corner.ply > cut.ply
head -c 200 /dev/zero > zeros.stl
for file in far_corner.obj next_corner.obj behind.obj nan.obj points.obj empty.obj corner.ply cut.ply zeros.stl; do
  refused_as_damaged $file "surface"
done
refused_as_damaged next_corner.obj "a face names a vertex that the file does not have"
refused_as_damaged nan.obj "line 2: a coordinate of the vertex is not finite"
[[ ! -e refused.obj ]] || fail "refused.obj was made"
echo "cavity: passed"
