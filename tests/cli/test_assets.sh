#!/usr/bin/env bash
# Assets of a folder with one damaged file: complete, restarted without work, names that the C library gives too.
# usage: test_assets.sh PROGRAM SOURCE_DIR SCRATCH_DIR
set -u
program=$1 source=$2 scratch=$3
rm -rf "$scratch" && mkdir -p "$scratch"
cd "$scratch" || exit 1
failures=0
fail() { echo "FAILED: $1"; tail -n 5 log.txt 2> /dev/null; failures=$((failures + 1)); }
run() { "$program" "$@" > log.txt 2>&1; }

/usr/bin/python3 "$source/tests/cli/small_shapes.py" shapes
rm shapes/bars/plank.obj
options=(--tets 300 --count 12 --min-volume 0.02 --jobs 2 --triangles-per-piece 60)
run assets shapes --out made "${options[@]}"
[ $? -eq 2 ] || fail "a folder with a damaged file does not end with 2"
grep -q 'cut_short: refused: .*cut_short.obj' log.txt || fail "no reason for the damaged file"
grep -q '1 object was refused; assets.csv and index.html in made say why' log.txt || fail "no summary"
for key in bars/bar lens; do
  name=${key#*/}
  for ending in glb hulls.glb json impact pieces.h5 png; do [ -s "made/$key/$name.$ending" ] || fail "no $key/$name.$ending"; done
  [ -s "made/$key/record.json" ] || fail "no record of $key"
done
[ ! -e made/cut_short ] || fail "something was left of the refused object"
[ "$(wc -l < made/assets.csv)" -eq 4 ] && grep -q '^"cut_short",refused' made/assets.csv || fail "the table"
[ "$(grep -c '<article' made/index.html)" -eq 3 ] && grep -q 'src="bars/bar/bar.png"' made/index.html || fail "the page"
/usr/bin/python3 "$source/tests/cli/check_assets.py" "$(dirname "$program")/libbrisance_impact.so" made/bars/bar \
  made/lens > checks.txt 2>&1 || { cat checks.txt; fail "contents"; }
cat checks.txt
if [ -n "${BRISANCE_GLTF_VALIDATOR:-}" ]; then
  node "$source/tests/cli/validate_glb.js" "$BRISANCE_GLTF_VALIDATOR" made/lens/lens.glb made/lens/lens.hulls.glb || fail "a GLB is not valid"
fi

# Again: nothing is made again, the refused one is tried again; one that is gone is made with the same bytes.
sha256sum made/*/*/*.impact made/bars/bar/bar.glb > before.txt
stat -c %Y made/lens/lens.glb > time.txt
rm -r made/bars/bar
run assets shapes --out made "${options[@]}"
sha256sum made/*/*/*.impact made/bars/bar/bar.glb > after.txt
cmp before.txt after.txt || fail "other bytes when made again"
[ "$(stat -c %Y made/lens/lens.glb)" = "$(cat time.txt)" ] || fail "a finished asset was made again"
grep -q '^lens: kept, made' log.txt || fail "no word that it was kept"
run assets shapes --out made "${options[@]}" --hull-volume 1.5
grep -q 'made was begun with options = ' log.txt || fail "other options into the same folder"

# One file of modes; bad input.
run assets made/work/lens.modes.h5 --out one --rough || fail "one asset"
[ -s one/lens.glb ] || fail "one asset has the name of its modes"
# A second generation of modes; names of pieces, of a playback and of impacts in a page are those of the C library.
run assets made/work/lens.modes.h5 --out lens2 --name lens2 --own-modes 9 --own-volume 0.1 --min-volume 0.02 || fail "modes of its pieces"
library=$(dirname "$program")/libbrisance_impact.so
/usr/bin/python3 "$source/tests/cli/check_assets.py" "$library" lens2 > checks.txt 2>&1 && grep -q '2 generations' checks.txt ||
  { cat checks.txt; fail "an asset of two generations"; }
/usr/bin/python3 - "$program" <<'PYTHON' || fail "a piece struck alone"
import json, subprocess, sys
def strike(*more):
    command = [sys.argv[1], "impact", "lens2/lens2.impact", "--point", "0,0,0", "--sigma", "1e-6", "--json", *more]
    return json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
body = max(strike()["pieces"], key=lambda piece: len(piece["atoms"]))  # the object's modes do not divide it further
alone = strike("--atoms", ",".join(map(str, body["atoms"])))
assert alone["num_pieces"] > 1 and sorted(a for p in alone["pieces"] for a in p["atoms"]) == body["atoms"], alone
assert abs(sum(p["volume_m3"] for p in alone["pieces"]) / body["volume_m3"] - 1) < 1e-12, alone
PYTHON
run export lens2/lens2.pieces.h5 --to obj --out named || fail "export of pieces"
/usr/bin/python3 - <<'PYTHON' || fail "exported pieces have other names"
import json, pathlib
text, = (path.read_text() for path in pathlib.Path("named").glob("*.obj"))
pieces = json.loads(pathlib.Path("lens2/lens2.json").read_text())["pieces"]
assert {line[2:] for line in text.split("\n") if line.startswith("o ")} == {p["name"] for p in pieces if p["volume_m3"] > 0}
PYTHON
if [ -e /usr/share/javascript/three/three.min.js ] && command -v node > /dev/null; then
  run report made/work/lens.modes.h5 --out lens.html || fail "a page of modes"
  run runtime made/work/lens.modes.h5 --out lens.impact || fail "a runtime file"
  run play made/work/lens.modes.h5 --drop 0.5 --tilt 20,0,0 --break-speed 0.3 --duration 0.5 --fps 20 --out fall || fail "a playback"
  run export fall --to obj --out fall_obj || fail "export of a playback"
  node "$source/tests/cli/page_impacts.js" lens.html > cases.json || fail "the script of the page"
  /usr/bin/python3 "$source/tests/cli/check_names.py" "$library" lens.impact cases.json fall fall_obj > checks.txt 2>&1 ||
    fail "page, playback and library: $(cat checks.txt)"
  cat checks.txt
fi
refused() {
  local pattern=$1; shift
  run "$@"
  [ $? -eq 2 ] && [ "$(grep -c 'brisance: error: ' log.txt)" -eq 1 ] && grep -q -F -e "$pattern" log.txt || fail "$*: no \"$pattern\""
}
refused "lens2.impact has atoms 0 to" impact lens2/lens2.impact --point 0,0,0 --atoms 99999
refused "exists" assets made/work/lens.modes.h5 --out one
refused "no such folder" assets nowhere --out other
mkdir empty
refused "holds no object" assets empty --out other
mkdir -p twice && cp shapes/lens.stl twice/a.stl && cp shapes/bars/bar.obj twice/a.obj
refused "would have the same name" assets twice --out other
[ ! -e other ] || fail "something was written"

[ $failures -eq 0 ] && echo "all as expected"
exit $((failures > 0))
