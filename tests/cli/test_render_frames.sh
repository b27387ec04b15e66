#!/usr/bin/env bash
# Frames of a run to pictures: chosen ones, killed and continued, on several ranks, with layers and motion blur; what is
# refused, with one error each. Arguments: program, source folder, scratch folder.
source "$(dirname "$0")/small_box.sh"
write_box scene.toml 0.05
cat >>scene.toml <<'TOML'

[output]
frame_interval_s = 0.0005

[camera]
width = 64
height = 48
TOML
"$program" run scene.toml --out run >run.log 2>&1 || fail "no run: $(tail -n 3 run.log)"
(($(ls run/snapshots | wc -l) >= 100)) || fail "only $(ls run/snapshots | wc -l) frames"

render() { "$program" render run "$@" >output 2>&1; }
sums() { (cd "$1" && md5sum ./*.png); }
# refused TEXT ARGUMENTS...: one error that says it, and no new file
refused() {
  local text=$1 before
  shift
  before=$(find . | sort)
  if render "$@"; then fail "should have failed: render run $*"; fi
  grep -qF -- "$text" output || fail "expected \"$text\" from render run $*, got: $(cat output)"
  (($(grep -c . output) <= 2)) || fail "more than one message: $(cat output)"
  [[ $(find . | sort) == "$before" ]] || fail "files were left by render run $*"
}

# Killed after some pictures, and continued: the same bytes, and no half picture under a final name.
render --samples 32 --out whole || fail "$(cat output)"
"$program" render run --samples 32 --out parts >killed.log 2>&1 &
child=$!
for _ in $(seq 600); do (($(ls parts 2>/dev/null | grep -c 'png$') >= 10)) && break; sleep 0.05; done
kill -KILL $child
wait $child 2>/dev/null
made=$(ls parts | grep -c 'png$')
((made >= 10 && made < 100)) || fail "$made pictures when it was killed"
for picture in parts/*.png; do cmp -s "$picture" "whole/${picture#*/}" || fail "$picture is not whole"; done
touch -d 2001-01-01 parts/*.png
render --samples 32 --out parts || fail "$(cat output)"
grep -qE "$made of 10[0-9] pictures are there already" output || fail "does not say what it kept: $(cat output)"
(($(find parts -name '*.png' ! -newermt 2001-01-02 | wc -l) == made)) || fail "made pictures again that were there"
[[ $(sums parts) == $(sums whole) ]] || fail "the bytes of an interrupted and a whole rendering differ"

# Chosen frames, on one and on three ranks, with everything that a camera has.
film=(--samples 32 --noise 0.05 --shutter 0.5 --aperture-m 0.01 --focus-m 0.3 --exr --frames 10:20:5)
render "${film[@]}" --out one || fail "$(cat output)"
[[ $(ls one | tr '\n' ' ') == "000010.exr 000010.png 000015.exr 000015.png " ]] || fail "not the chosen frames: $(ls one)"
grep -qE '; [0-9.]+ samples a pixel' output || fail "no line about samples: $(cat output)"
mpirun -q -n 3 "$program" render run "${film[@]}" --out three >output 2>&1 || fail "$(cat output)"
diff -r one three || fail "one and three ranks differ"
render --frames 3 --samples 1 --out single && [[ $(ls single) == 000003.png ]] || fail "one frame: $(ls single)"

refused "--frames 3-4: give one frame (12), or a range" --frames 3-4
refused "no frame is chosen: there are frames 0 to 10" --frames 900:
refused "noise must be 0" --noise 2
refused "shutter must be 0 to 1" --shutter 3
refused "aperture-m must be 0 or more" --aperture-m -1
refused "cannot make the folder /proc/pictures" --out /proc/pictures
if ((EUID != 0)); then mkdir -p closed && chmod a-w closed; refused "cannot write pictures into closed" --out closed; fi
if "$program" render run/snapshots/000003.hdf --shutter 0.5 --out alone >output 2>&1; then fail "blur without an interval"; fi
grep -qF "motion blur needs the time between frames" output || fail "$(cat output)"
rm -rf alone
# A full disk, as a limit on the size of files: an error, and the picture of before is kept.
cp single/000003.png before.png
if (ulimit -f 1; trap '' XFSZ; "$program" render run --frames 3 --samples 2 --out single) >output 2>&1; then fail "a full disk is no error"; fi
grep -qF "cannot write single/000003.png" output || fail "expected the file's name: $(cat output)"
cmp -s before.png single/000003.png && [[ $(ls single) == 000003.png ]] || fail "a full disk changed single: $(ls single)"
# A snapshot of another version.
mkdir -p other/snapshots && cp run/snapshots/00000[0-2].hdf other/snapshots
/usr/bin/python3 - <<'PYTHON' || fail "no file of another version"
import h5py
with h5py.File("other/snapshots/000001.hdf", "r+") as file:
    def change(name, item):
        for key in list(item.attrs):
            if key == "format_version":
                item.attrs[key] = 99
    file.visititems(change)
    change("/", file)
PYTHON
if "$program" render other --samples 1 >output 2>&1; then fail "a snapshot of another version was rendered"; fi
grep -qF "000001.hdf" output || fail "$(cat output)"
echo "frames to pictures: as described"
