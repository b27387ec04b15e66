#!/usr/bin/python3
"""A film of a run's pictures (brisance render): MP4 (H.264) or animated WebP, by ffmpeg.

examples:
  film.py runs/bowl --out bowl.mp4
  film.py runs/bowl --out bowl.mp4 --out bowl.webp --slow-down 20 --width 640
  film.py pictures --out pictures.webp --fps 12          a folder of numbered pictures, without a run

Each picture is shown once, --fps a second. With --slow-down N a second of the film is 1/N s of the run: then pictures
are repeated or left out, so that motion has that speed whatever the intervals of the frames.
"""
import argparse
import bisect
import json
import math
import pathlib
import shutil
import struct
import subprocess

from failure import Failure, blame, one_line, run
from output_files import make_folder, write_complete
from snapshots import chosen_frames

FORMATS = (".mp4", ".webp")
ROUNDED = "accurate_rnd+full_chroma_int"  # ffmpeg's quick conversion is a percent too dark


def find_pictures(path):
    """Numbered pictures of a run folder, or of the folder itself, in order, and the run folder if there is one."""
    if not path.is_dir():
        raise Failure(f"{path} is no folder. Name a run folder, or a folder of numbered pictures (PNG).")
    folder = path / "pictures" if (path / "pictures").is_dir() else path
    pictures = sorted(file for file in folder.glob("*.png") if file.stem.isdigit())
    if not pictures:
        raise Failure(f"{folder} holds no numbered pictures. Make them with: brisance render {path}")
    runs = [place for place in (path, folder.parent) if (place / "run.hdf.series").is_file()]
    return pictures, runs[0] if runs else None


def frame_times(run_folder):
    """Time of each frame [s], by the number in its name."""
    series = run_folder / "run.hdf.series"
    with blame(series, "series of frames"):
        return {int(pathlib.Path(frame["name"]).stem): float(frame["time"])
                for frame in json.loads(series.read_text(encoding="utf-8"))["files"]}


def times_of(pictures, run_folder):
    """Time of each picture [s], ascending; None where no run says so."""
    known = frame_times(run_folder) if run_folder else {}
    times_s = [known.get(int(picture.stem)) for picture in pictures]
    if None in times_s or any(later <= earlier for earlier, later in zip(times_s, times_s[1:])):
        return None
    return times_s


def picture_size(picture):
    """Width and height of a PNG file [pixels]."""
    with blame(picture, "picture"):
        with open(picture, "rb") as file:
            head = file.read(24)
            file.seek(-8, 2)
            is_whole = file.read(4) == b"IEND"
        if head[:8] != b"\x89PNG\r\n\x1a\n":
            raise Failure(f"{picture} is not a PNG file. Make it again with: brisance render")
        if not is_whole:
            raise Failure(f"{picture} is cut off. Make it again with: brisance render")
        return struct.unpack(">II", head[16:24])


def require_one_size(pictures):
    sizes = {picture: picture_size(picture) for picture in pictures}
    for picture, size in sizes.items():
        if size != sizes[pictures[0]]:
            raise Failure(f"{picture} has {size[0]} x {size[1]} pixels, {pictures[0].name} "
                          "{} x {}. Render all frames again in one size.".format(*sizes[pictures[0]]))


def shown_pictures(pictures, times_s, arguments):
    """The picture of each frame of the film."""
    if arguments.slow_down is None:
        return pictures
    if times_s is None:
        raise Failure(f"--slow-down needs the times of the frames, which {arguments.run} does not have "
                      "(run.hdf.series). Name a run folder, or choose --fps alone.")
    per_frame_s = 1 / (arguments.slow_down * arguments.fps)
    count = math.ceil((times_s[-1] - times_s[0]) / per_frame_s * (1 - 1e-9)) + 1
    wanted = (times_s[0] + i * per_frame_s * (1 + 1e-9) for i in range(count))
    return [pictures[bisect.bisect_right(times_s, time_s) - 1] for time_s in wanted]


def encoder(format_, arguments):
    """ffmpeg's arguments between its input and the file."""
    width = f"scale={arguments.width}:-2:flags=lanczos+{ROUNDED}," if arguments.width else ""
    if format_ == ".webp":
        return ["-vf", width + f"scale=flags={ROUNDED},format=yuv420p", "-c:v", "libwebp_anim", "-q:v", str(arguments.quality),
                "-compression_level", "6", "-loop", "0", "-f", "webp"]
    # H.264 in 4:2:0 has even sides. Players take a film without a matrix for one of television: it is named.
    rate_factor = round(38 - arguments.quality / 4)
    return ["-vf", f"{width}pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv:flags={ROUNDED},"
            "format=yuv420p", "-c:v", "libx264", "-preset", "slow", "-crf", str(rate_factor), "-colorspace", "bt709", "-color_primaries", "bt709",
            "-color_trc", "bt709", "-movflags", "+faststart", "-f", "mp4"]


def feed(pictures, pipe):
    """Hands on the files one after the other: only one is in memory, and one is decoded at a time."""
    try:
        for picture in pictures:
            with blame(picture, "picture"):
                data = picture.read_bytes()
            pipe.write(data)
        pipe.close()
    except BrokenPipeError:
        pass  # ffmpeg has ended; its own words say why


def write_film(pictures, arguments, path):
    command = [arguments.ffmpeg, "-hide_banner", "-loglevel", "error", "-xerror", "-y", "-threads", "1", "-f", "image2pipe",
               "-framerate", str(arguments.fps), "-c:v", "png", "-i", "-", *encoder(path.suffix, arguments), f"file:{path}"]
    log = path.with_name("ffmpeg.log")
    with open(log, "wb") as errors, subprocess.Popen(command, stdin=subprocess.PIPE, stdout=errors, stderr=errors) as child:
        feed(pictures, child.stdin)
        code = child.wait()
    said = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    log.unlink()
    if code != 0:
        raise Failure(f"ffmpeg could not make {path.name}: {one_line(said[-1]) if said else f'it ended with code {code}'}. "
                      "Check the pictures and the space on the disk; Debian's ffmpeg has both encoders.")


def check(arguments):
    for out in arguments.out:
        if out.suffix not in FORMATS:
            raise Failure(f"--out {out} must end in .mp4 or .webp.")
    if not 0 < arguments.fps <= 240:
        raise Failure(f"--fps {arguments.fps:g} must be above 0 and at most 240.")
    if arguments.slow_down is not None and not arguments.slow_down > 0:
        raise Failure(f"--slow-down {arguments.slow_down:g} must be above 0.")
    if not 0 <= arguments.quality <= 100:
        raise Failure(f"--quality {arguments.quality} must be 0 to 100.")
    if arguments.width is not None and not 2 <= arguments.width <= 16384:
        raise Failure(f"--width {arguments.width} must be 2 to 16384 pixels.")
    if shutil.which(arguments.ffmpeg) is None:
        raise Failure(f"the program {arguments.ffmpeg} is missing. Install the Debian package ffmpeg (apt-get install "
                      "ffmpeg), or name another with --ffmpeg.")


def speed_of(shown, times_s, arguments):
    """How the film's time relates to the run's, for the message."""
    if arguments.slow_down is not None:
        return f"{arguments.slow_down:g} times slower than the run"
    if times_s is None or len(times_s) < 2:
        return "times of the run not known"
    per_frame_s = (times_s[-1] - times_s[0]) / (len(shown) - 1)
    return f"{1 / (per_frame_s * arguments.fps):.3g} times slower than the run"


def make_films(arguments):
    check(arguments)
    pictures, run_folder = find_pictures(arguments.run)
    pictures = chosen_frames(pictures, arguments.frames)
    require_one_size(pictures)
    times_s = times_of(pictures, run_folder)
    shown = shown_pictures(pictures, times_s, arguments)
    for out in arguments.out:
        make_folder(out.parent)
        write_complete(out, lambda path: write_film(shown, arguments, path), arguments.overwrite)
        print(f"{out}: {len(set(shown))} pictures, {len(shown) / arguments.fps:.3g} s at {arguments.fps:g} frames a second, "
              f"{speed_of(shown, times_s, arguments)}, {out.stat().st_size / 1e6:.2g} MB")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", metavar="RUN", type=pathlib.Path, help="run folder, or folder of numbered pictures (PNG)")
    parser.add_argument("--out", required=True, action="append", type=pathlib.Path, metavar="FILE",
                        help="the film, .mp4 or .webp; several are made one after the other")
    parser.add_argument("--fps", type=float, default=25, help="frames of the film a second (25)")
    parser.add_argument("--slow-down", type=float, metavar="N", help="times slower than the run; every picture once by default")
    parser.add_argument("--frames", metavar="A:B", help="pictures A to B-1, or one; all by default")
    parser.add_argument("--width", type=int, help="pixels; that of the pictures by default")
    parser.add_argument("--quality", type=int, default=80, help="0 small to 100 good (80)")
    parser.add_argument("--ffmpeg", default="ffmpeg", metavar="PROGRAM", help="where it is not on the PATH")
    parser.add_argument("--overwrite", action="store_true", help="replace existing films")
    return parser.parse_args()


if __name__ == "__main__":
    run(lambda: make_films(parse_arguments()))
