#!/usr/bin/env bash
# postprocess/film.py: films of numbered pictures, read back frame by frame; bad input. Arguments: program, source folder,
# scratch folder.
set -euo pipefail
source_dir=$2 scratch=$3
export PYTHONDONTWRITEBYTECODE=1
command -v ffmpeg >/dev/null || { echo "skipped: ffmpeg is not installed"; exit 77; }
/usr/bin/python3 -c 'import numpy, PIL' 2>/dev/null || { echo "skipped: python3-numpy or python3-pil is not installed"; exit 77; }
rm -rf "$scratch"
mkdir -p "$scratch/run/pictures"
cd "$scratch"
film=$source_dir/postprocess/film.py
failed() { echo "FAILED: $*"; cat output; exit 1; }
says() { grep -qF -- "$1" output || failed "expected the text: $1"; }
# expect CODE ARGUMENTS...: of the script
expect() {
  local code=$1 got=0
  shift
  /usr/bin/python3 "$film" "$@" >output 2>&1 || got=$?
  ((got == code)) || failed "exit code $got, not $code: film.py $*"
}

# Five pictures from dark to light, of odd height, at uneven times.
/usr/bin/python3 - <<'PY'
import json
from PIL import Image
for i in range(5):
    Image.new("RGB", (64, 47), (40 * i + 20,) * 3).save(f"run/pictures/00000{i}.png")
times = [0, 0.01, 0.02, 0.03, 0.06]
json.dump({"file-series-version": "1.0", "files": [{"name": f"snapshots/00000{i}.hdf", "time": t} for i, t in enumerate(times)]},
          open("run/run.hdf.series", "w"))
PY

# greys FILE: the picture each frame shows, as ffmpeg and Pillow decode them
greys() {
  rm -rf decoded && mkdir decoded
  case $1 in
    *.mp4) ffmpeg -nostdin -loglevel error -i "$1" decoded/%03d.png ;;
    *) /usr/bin/python3 -c 'import sys
from PIL import Image, ImageSequence
for i, frame in enumerate(ImageSequence.Iterator(Image.open(sys.argv[1]))): frame.convert("RGB").save(f"decoded/{i:03}.png")' "$1" ;;
  esac
  /usr/bin/python3 -c 'import pathlib
from PIL import Image
print(*(round((Image.open(f).convert("L").getpixel((30, 20)) - 20) / 40) for f in sorted(pathlib.Path("decoded").iterdir())))'
}

expect 0 run --out a.mp4 --out a.webp --fps 10
says "a.mp4: 5 pictures, 0.5 s at 10 frames a second, 6.67 times slower than the run"
[[ $(greys a.mp4) == "0 1 2 3 4" ]] || failed "a.mp4 shows $(greys a.mp4)"
[[ $(greys a.webp) == "0 1 2 3 4" ]] || failed "a.webp shows $(greys a.webp)"
ffprobe -loglevel error -show_entries stream=codec_name,pix_fmt,width,height,color_space -of csv=p=0 a.mp4 >output
says "h264,64,48,yuv420p,bt709"
# By the run's times: its last interval is three times as long.
expect 0 run --out b.mp4 --fps 10 --slow-down 10
[[ $(greys b.mp4) == "0 1 2 3 3 3 4" ]] || failed "b.mp4 shows $(greys b.mp4)"
expect 0 run --out c.mp4 --fps 5 --slow-down 10 --frames 1:4 --width 32
[[ $(greys c.mp4) == "1 3" ]] || failed "c.mp4 shows $(greys c.mp4)"
expect 0 run/pictures --out d.webp  # finds the run above
says "times slower than the run"

# Bad input: one line, and nothing left.
ls >before
expect 1 run --out a.mp4
says "a.mp4 exists"
expect 1 run --out e.gif
says "must end in .mp4 or .webp"
expect 1 nowhere --out e.mp4
says "nowhere is no folder"
expect 1 run --out e.mp4 --frames 9:
says "chooses nothing"
expect 1 run --out e.mp4 --fps 0
says "--fps 0 must be above 0"
expect 1 run --out e.mp4 --ffmpeg /nowhere/ffmpeg
says "Install the Debian package ffmpeg"
expect 1 run --out e.mp4 --ffmpeg /bin/false
says "ffmpeg could not make e.mp4: it ended with code 1"
mkdir alone && cp run/pictures/* alone
expect 1 alone --out e.mp4 --slow-down 3
says "--slow-down needs the times of the frames"
head -c 60 run/pictures/000002.png >alone/000002.png
expect 1 alone --out e.mp4
says "alone/000002.png is cut off"
/usr/bin/python3 -c 'from PIL import Image; Image.new("RGB", (20, 20)).save("alone/000002.png")'
expect 1 alone --out e.mp4
says "alone/000002.png has 20 x 20 pixels, 000000.png 64 x 47"
rm -r alone
ls | diff before - >output || failed "files were left"
expect 0 --help
says "examples:"
echo "films: as described"
