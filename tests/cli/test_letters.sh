#!/usr/bin/env bash
# Letters of a font as closed surfaces that can be meshed: volumes, holes, refusals.
# Arguments: program, source folder, scratch.
set -euo pipefail
program=$1 source_dir=$2 scratch=$3
python=/usr/bin/python3
$python -c 'import numpy, PIL, vtkmodules.vtkRenderingFreeType' 2>/dev/null || { echo "skipped: python3-numpy, python3-pil or python3-vtk9 is not installed"; exit 77; }
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
letters="$python $source_dir/postprocess/letters.py"
expect_failure "there is no such file, and no font of that name" $letters --text A --font NoSuchFontAtAll --out refused
echo "no font" > text.ttf
expect_failure "cannot be read as a font" $letters --text A --font text.ttf --out refused

# The outlines' own faults are found without a font: filling and its bridges by hand.
$python - "$source_dir/postprocess" <<'PYTHON'
import sys
sys.path.insert(0, sys.argv[1])
import letters
import numpy as np
def square(x, y, size):
    return np.array([[x, y], [x + size, y], [x + size, y + size], [x, y + size]], float)
def check(contours, area):
    contours = letters.turned(contours)
    points, triangles = letters.extruded(contours, 0.5)
    edges = {}
    for t in triangles:
        for k in range(3):
            edge = (t[k], t[(k + 1) % 3])
            assert edge not in edges, edge
            edges[edge] = True
    assert all((b, a) in edges for a, b in edges), "open"
    a, b, c = (points[triangles[:, k]] for k in range(3))
    volume = np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6
    assert abs(volume - 0.5 * area) < 1e-12, (volume, area)
    assert np.linalg.norm(np.cross(b - a, c - a), axis=1).min() > 1e-6, "corners in line"
check([square(0, 0, 3)], 9)
check([square(1, 1, 1), square(0, 0, 3)], 8)                                     # a hole, whichever comes first
check([square(0, 0, 5), square(1, 1, 1), square(3, 3, 1), square(1, 3, 1)], 22)  # three of them
check([square(0, 0, 5), square(1, 1, 3), square(2, 2, 1), square(7, 0, 1)], 18)  # an island in a hole, and one beside
comb = np.array([[0, 0], [3, 0], [3, 1], [1, 1], [1, 2], [3, 2], [3, 3], [1, 3], [1, 4], [3, 4], [3, 5], [0, 5]], float)
check([comb], 11)                                                                # corners in line, as of an E
try:
    letters.extruded([np.array([[0, 0], [2, 2], [2, 0], [0, 2]], float)], 1)
    sys.exit("a crossed outline was filled")
except letters.Failure as failure:
    assert "crosses itself" in str(failure), failure
PYTHON

font=$(find /usr/share/fonts -name 'DejaVuSans-Bold.ttf' -print -quit 2>/dev/null || true)
if [[ -z $font ]]; then echo "letters: passed, without a font"; exit 0; fi
$letters --text 'B8\nEé.' --font DejaVuSans-Bold --height 0.4 --depth 0.1 --out made > made.txt
grep -q "5 letters" made.txt || fail "$(cat made.txt)"
[[ -s made/B.obj && -s made/E.obj && -s made/U+00E9.obj && -s made/U+002E.obj ]] || fail "$(ls made)"
[[ $(grep -c '^\[\[object\]\]' made/objects.toml) -eq 5 ]] || fail "$(cat made/objects.toml)"
{ printf '[[material]]\nname = "stuff"\ndensity_kg_m3 = 1000.0\nyoungs_modulus_pa = 1.0e6\npoissons_ratio = 0.2\ntoughness_n = 1.0e9\n[time]\nduration_s = 0.001\n'
  sed 's/^target_tets = 2000/target_tets = 300/' made/objects.toml; } > made/scene.toml
"$program" check made/scene.toml > check.txt 2>&1 || fail "$(cat check.txt)"
grep -q "the scene is valid" check.txt || fail "$(cat check.txt)"
# The committed letters are what the tool makes (of DejaVu 2.37, its last version).
$letters --text THEND --font "$font" --out again > /dev/null
for letter in T H E N D; do cmp again/$letter.obj "$source_dir/configs/meshes/letters/$letter.obj" || fail "$letter.obj is another"; done

expect_failure "has no outline" $letters --text 'A中' --font "$font" --out refused
expect_failure "made exists" $letters --text A --font "$font" --out made
expect_failure "--depth" $letters --text A --font "$font" --depth 0 --out refused
expect_failure "no letters" $letters --text ' ' --font "$font" --out refused
expect_failure "There is DejaVuSans" $letters --text A --font DejaVuSansBold --out refused
[[ ! -e refused ]] || fail "refused was made"
echo "letters: passed"
