#!/usr/bin/env bash
# A textured cube through its cage, modes and prefracture to meshes. Arguments: program, source folder, scratch folder.
set -euo pipefail
program=$1 source_dir=$2 scratch=$3
python=/usr/bin/python3
$python -c 'import h5py, numpy' 2>/dev/null || { echo "skipped: python3-h5py or python3-numpy is not installed"; exit 77; }
export PYTHONDONTWRITEBYTECODE=1
pieces="$python $source_dir/postprocess/pieces.py"
rm -rf "$scratch" && mkdir -p "$scratch" && cd "$scratch"

# expect_failure TEXT COMMAND…: it must fail, say TEXT, and show no traceback
expect_failure() {
  local text=$1 output
  shift
  if output=$("$@" 2>&1); then echo "should have failed: $*"; exit 1; fi
  [[ $output == *"$text"* && $output != *Traceback* ]] || { echo "expected \"$text\" from $*, got: $output"; exit 1; }
}

$python - > cube.obj <<'PYTHON'
corners = [(x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)]
for corner in corners: print("v %d %d %d" % corner)
for corner in corners: print("vt %d %d" % corner[:2])
for face in ((1, 3, 4, 2), (5, 6, 8, 7), (1, 2, 6, 5), (2, 4, 8, 6), (4, 3, 7, 8), (3, 1, 5, 7)):
    print("f", *("%d/%d" % (c, c) for c in face))
PYTHON
"$program" modes cube.obj --set cage=true --tets 1500 --count 9 --out cube.modes.h5
"$program" prefracture cube.modes.h5 --exact cube.obj --smooth 0.01 --out cube.h5
$pieces cube.h5 --format obj --split --out obj
[[ $(ls obj/*.obj | wc -l) -ge 2 ]]
$python "$source_dir/tests/cli/check_pieces.py" obj/*.obj
for format in obj ply stl glb; do $pieces cube.h5 --format $format --explode 0.5 --out meshes; done
[[ -z $(find . -name '*unfinished*' -o -name '*.writing') ]]

# The Khronos validator, where a folder with the npm package gltf-validator is named.
if [[ -n ${BRISANCE_GLTF_VALIDATOR:-} ]]; then
  $pieces cube.h5 --format glb --split --out split
  node "$source_dir/tests/cli/validate_glb.js" "$BRISANCE_GLTF_VALIDATOR" meshes/cube.glb split/*.glb
  echo "gltf-validator: no errors, no warnings"
fi

"$program" render cube.h5 --explode 0.4 --colour piece --width 64 --height 48 --samples 1 --out pictures
[[ -s pictures/cube.png ]]

# the cage of the paper
"$program" modes cube.obj --set cage=true --set cage_method=offset --edge 0.3 --count 6 --out offset.modes.h5 > log.txt
grep -q "level set" log.txt
"$program" prefracture offset.modes.h5 --exact cube.obj --out offset.h5 | tail -1

# the cage's own pieces, following the tets' faces
"$program" prefracture cube.modes.h5 --out cage.h5 > log.txt
grep -q "pieces of" log.txt

expect_failure "exists" "$program" prefracture cube.modes.h5 --out cage.h5
expect_failure "is an input" "$program" prefracture cube.modes.h5 --out cube.modes.h5 --overwrite
expect_failure "must end in" "$program" prefracture cube.modes.h5 --out cage.obj
expect_failure "no such file" "$program" prefracture none.h5 --out x.h5
expect_failure "none.obj" "$program" prefracture cube.modes.h5 --exact none.obj --out x.h5
expect_failure "smallest piece" "$program" prefracture cube.modes.h5 --min-volume 1.5 --out x.h5
expect_failure "gluing" "$program" prefracture cube.modes.h5 --gluing 0 --out x.h5
sed 's/^v 0 0 0/v -3 0 0/' cube.obj > large.obj
expect_failure "sticks out" "$program" prefracture cube.modes.h5 --exact large.obj --out x.h5
grep -v "f 1/1 3/3" cube.obj > open.obj
grep -e "^v" -e "f 1/1 3/3" cube.obj > sheet.obj
expect_failure "no inside" "$program" prefracture cube.modes.h5 --exact sheet.obj --out x.h5
[[ ! -e x.h5 ]]
"$program" prefracture cube.modes.h5 --exact open.obj --out open.h5 > log.txt 2>&1
grep -q "patches over holes" log.txt
$python -c '
import h5py
cells = h5py.File("open.h5")["VTKHDF/CellData"]
patches = (cells["neighbour"][:] < 0) & (cells["source_triangle"][:] < 0)
assert 0 < patches.sum() < patches.size / 2'

# Modes of the body's own tets, whose facets lie within a ball and beyond its cavity: the pieces are exactly the body.
$python - > hollow.obj <<'PYTHON'
from math import cos, pi, sin
number = 0
for radius, turned in ((1, False), (0.5, True)):
    first, rows, columns = number + 1, 8, 16
    for i in range(rows + 1):
        for j in range(columns):
            polar, turn = pi * i / rows, 2 * pi * j / columns
            print("v", *(radius * x for x in (sin(polar) * cos(turn), sin(polar) * sin(turn), cos(polar))))
            number += 1
    for i in range(rows):
        for j in range(columns):
            a, b = first + i * columns + j, first + i * columns + (j + 1) % columns
            face = [a, a + columns, b + columns, b]
            print("f", *(reversed(face) if turned else face))
PYTHON
"$program" modes hollow.obj --tets 1500 --count 4 --set allowed_volume_error=0.2 --out hollow.modes.h5 > log.txt
"$program" prefracture hollow.modes.h5 --exact hollow.obj --out hollow.h5 > log.txt
$python - <<'PYTHON'
from math import cos, pi, sin
# of a ball of facets: rings of trapezoids, seen from the middle
def facets(radius, rows=8, columns=16):
    total = 0
    for i in range(rows):
        (s, z), (t, y) = ((radius * sin(pi * k / rows), radius * cos(pi * k / rows)) for k in (i, i + 1))
        total += columns * sin(2 * pi / columns) * (z - y) * (s * s + s * t + t * t) / 6
    return total
wanted = facets(1) - facets(0.5)
said = float(open("log.txt").read().split(" pieces of ")[1].split()[0])
assert abs(said / wanted - 1) < 1e-5, (said, wanted)
PYTHON

# Open parts that overlap, nearly touch and lie on each other, as models of vehicles from the web: pieces, or one sentence.
$python - > truck.obj <<'PYTHON'
import random
from math import cos, pi, sin
random.seed(3)
faces = ((1, 3, 4, 2), (5, 6, 8, 7), (1, 2, 6, 5), (2, 4, 8, 6), (4, 3, 7, 8), (3, 1, 5, 7))
number = 0
def box(low, high, some=faces):
    global number
    for z in (low[2], high[2]):
        for y in (low[1], high[1]):
            for x in (low[0], high[0]): print("v", x, y, z)
    for face in some: print("f", *(number + c for c in face))
    number += 8
def wheel(x, z, sides, radius, n, cap):
    global number
    for y in sides:
        for i in range(n): print(f"v {x + radius * cos(2 * pi * i / n):.6f} {y} {z + radius * sin(2 * pi * i / n):.6f}")
    for i in range(n):
        a, b = number + 1 + i, number + 1 + (i + 1) % n
        print("f", a, b, b + n, a + n)
    if cap: print("f", *(number + n + 1 + i for i in range(n)))
    number += 2 * n
box((0, 0, 0.5), (6, 2, 1), faces[1:])
box((0, 0, 1), (2, 2, 2.5), faces[1:])
box((2, 0, 1), (6, 0.05, 1.6), faces[1:])
box((0.3, -0.01, 1.5), (1.7, 0.02, 2.2), faces[:4])
for x in (1, 4, 5):
    for side in (-0.1, 1.7):
        wheel(x, 0.4, (side, side + 0.4), 0.4, 16, side > 0)
        wheel(x, 0.4, (side - 0.02, side + 0.3), 0.2, 12, True)
for _ in range(12):
    low = [random.uniform(0, s) for s in (6, 2, 2)]
    high = [x + random.uniform(0.01, s) for x, s in zip(low, (1, 0.5, 0.5))]
    box(low, high, random.sample(faces, random.randint(3, 6)))
PYTHON
"$program" modes truck.obj --set cage=true --tets 1000 --count 3 --out truck.modes.h5 > log.txt
"$program" prefracture truck.modes.h5 --exact truck.obj --out truck.h5 > log.txt 2>&1
grep -q "bounds no solid as it stands" log.txt
grep -q "pieces of" log.txt

expect_failure "exists" $pieces cube.h5 --format ply --out meshes
expect_failure "not a brisance file of pieces" $pieces cube.modes.h5 --format ply --out x
head -c 3000 cube.h5 > cut.h5
expect_failure "cut.h5" $pieces cut.h5 --format ply --out x
echo "pieces: passed"
