#!/usr/bin/python3
"""A run at a glance: its rendered pictures side by side.

examples:
  contact_sheet.py runs/bowl --out bowl.png
  contact_sheet.py runs/bowl --out strip.png --columns 8 --count 8 --width 240
"""
import argparse
import pathlib

from failure import Failure, blame, missing_package, run
from mesh_formats import write_complete


def picture_files(path):
    if not path.is_dir():
        raise Failure(f"{path} is not a folder. Name a run folder, or a folder of numbered pictures.")
    folder = path / "pictures" if (path / "pictures").is_dir() else path
    files = sorted(folder.glob("[0-9]*.png"))
    if not files:
        raise Failure(f"{folder} holds no pictures. Make them with: brisance render {path}")
    return files


def evenly_chosen(files, count):
    """At most `count` of the files, the first and the last among them."""
    if len(files) <= count:
        return files
    if count == 1:
        return files[-1:]
    return [files[round(i * (len(files) - 1) / (count - 1))] for i in range(count)]


def contact_sheet(files, columns, width, gap=6):
    try:
        from PIL import Image
    except ImportError:
        raise missing_package("PIL", "python3-pil") from None
    tiles = []
    for file in files:
        with blame(file, "picture"):
            tiles.append(Image.open(file).convert("RGB"))
    height = max(1, round(width * tiles[0].height / tiles[0].width))
    columns = min(columns, len(tiles))
    rows = -(-len(tiles) // columns)
    sheet = Image.new("RGB", (columns * (width + gap) + gap, rows * (height + gap) + gap), (243, 243, 243))
    for i, tile in enumerate(tiles):
        sheet.paste(tile.resize((width, height), Image.LANCZOS),
                    (gap + i % columns * (width + gap), gap + i // columns * (height + gap)))
    return sheet


def positive(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} must be 1 or more")
    return number


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", metavar="RUN", type=pathlib.Path, help="run folder, or a folder of numbered pictures")
    parser.add_argument("--out", required=True, type=pathlib.Path, metavar="PNG")
    parser.add_argument("--columns", type=positive, default=4)
    parser.add_argument("--count", type=positive, default=12, help="largest number of pictures, spread evenly (12)")
    parser.add_argument("--width", type=positive, default=480, help="of each picture [pixels] (480)")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    files = evenly_chosen(picture_files(arguments.run), arguments.count)
    sheet = contact_sheet(files, arguments.columns, arguments.width)
    write_complete(arguments.out, lambda path: sheet.save(path, format="PNG"), overwrite=True)
    print(f"{len(files)} pictures on {arguments.out}")


if __name__ == "__main__":
    run(main)
