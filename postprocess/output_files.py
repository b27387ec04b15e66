"""Files that a script writes: complete under their names, or not there at all."""
import contextlib
import os
import shutil
import tempfile

from failure import Failure, one_line


@contextlib.contextmanager
def written(path):
    """Reports any error inside as one of writing `path`, not of a file that was read."""
    try:
        yield
    except (Failure, ImportError):
        raise
    except OSError as failure:
        raise Failure(f"{path} could not be written: {failure.strerror or one_line(failure)}. Check the folder, its rights "
                      "and the space on the disk.") from None
    except Exception as failure:
        raise Failure(f"{path} could not be written: {type(failure).__name__}: {one_line(failure)}. This is a fault of "
                      "the script, please report it.") from None


def make_folder(path):
    with written(path):
        path.mkdir(parents=True, exist_ok=True)


def write_complete(path, action, overwrite):
    """Lets `action` write a file of this name, and others that belong to it beside it, in a folder of its own; they move
    to their place together when all are whole. Fails where one exists and may not be replaced."""
    with written(path):
        refuse_existing(path, overwrite)
        folder = type(path)(tempfile.mkdtemp(prefix=f".{path.stem}.", suffix=".writing", dir=path.parent))
        try:
            action(folder / path.name)
            # The file itself comes last, so that the files it names exist when it does.
            finished = sorted(folder.iterdir(), key=lambda file: file.name == path.name)
            for file in finished:
                if not same_content(file, path.with_name(file.name)):
                    refuse_existing(path.with_name(file.name), overwrite)
            for file in finished:
                os.replace(file, path.with_name(file.name))
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def same_content(file, other):
    return other.is_file() and file.read_bytes() == other.read_bytes()


def refuse_existing(path, overwrite):
    if path.exists() and not overwrite:
        raise Failure(f"{path} exists. Choose another --out, or allow replacing it with --overwrite.")


def open_text(path):
    """A text file to write, in UTF-8; bytes of names that are not UTF-8 stay as they are."""
    return open(path, "w", encoding="utf-8", errors="surrogateescape")
