"""How the scripts end: well, or with one line that says which file, what is wrong with it, and what to do."""
import contextlib
import errno
import os
import pathlib
import signal
import sys

# The disk or the user's rights are to blame, not the file that was being read.
OF_THE_SYSTEM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR,
                 errno.EISDIR, errno.EMFILE, errno.EPIPE}


class Failure(Exception):
    """What went wrong and what to do, for the user."""


def missing_package(module, package):
    """The error for a Python module that is not installed."""
    return Failure(f"the Python module {module} is missing for {sys.executable}. Install the Debian package {package} "
                   f"(apt-get install {package}) and run the script with /usr/bin/python3.")


def one_line(text):
    return " ".join(str(text).split())


@contextlib.contextmanager
def blame(path, kind):
    """Reports any error inside as one of this file, which should be a `kind` ("brisance snapshot"). For reading
    only: output_files.written reports errors of written files."""
    try:
        refuse_special(path)
        yield
    except (Failure, ImportError):
        raise
    except FileNotFoundError as failure:
        if failure.filename and pathlib.Path(failure.filename) != pathlib.Path(path):
            raise
        raise Failure(f"{path} does not exist. Check the name.") from None
    except OSError as failure:
        if failure.errno in OF_THE_SYSTEM:
            raise Failure(f"{failure.filename or path}: {os.strerror(failure.errno)}. Check the folder, its rights and the "
                          "space on the disk.") from None
        raise Failure(f"{path} cannot be read as a {kind}: {one_line(failure)}. Was it cut off while being copied?"
                      ) from None
    except Exception as failure:  # a damaged file can make any line fail
        raise Failure(f"{path} is not a {kind}, or damaged: {type(failure).__name__}: {one_line(failure)}. Copy or make "
                      "it again.") from None


def refuse_special(path):
    """Fails for pipes and devices, from which reading may never end."""
    path = pathlib.Path(path)
    if path.exists() and not path.is_file() and not path.is_dir():
        raise Failure(f"{path} is not a regular file (it is a pipe, socket or device). Copy what it holds to a file.")


def run(work):
    """Runs the script: ends it with 0, or with 1 and one line on stderr. All output is flushed by then."""
    name = pathlib.Path(sys.argv[0]).name
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # incomplete files are removed
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # names of files may hold any bytes
    try:
        try:
            work()
        finally:
            if sys.stdout:  # none where it was closed from the start
                sys.stdout.flush()
    except Failure as failure:
        sys.exit(f"{name}: {one_line(failure)}")
    except OSError as failure:
        if failure.filename:
            sys.exit(f"{name}: {failure.filename}: {failure.strerror}. Check the folder, its rights and the space on the "
                     "disk.")
        give_up_output()  # errors of files have their names
        if isinstance(failure, BrokenPipeError):
            sys.exit(1)  # the reader has ended, as `head` does: no message
        sys.exit(f"{name}: standard output: {failure.strerror}. What was said is not complete.")
    except KeyboardInterrupt:
        sys.exit(f"{name}: stopped.")


def give_up_output():
    """Discards output that could not be printed: Python would try again at exit, with an error of its own."""
    with open(os.devnull, "w", encoding="utf-8") as nothing:
        os.dup2(nothing.fileno(), sys.stdout.fileno())
