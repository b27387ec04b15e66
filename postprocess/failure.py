"""How the scripts end: well, or with one line that says which file, what is wrong with it, and what to do."""
import contextlib
import errno
import pathlib
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
    """Whatever goes wrong inside is the fault of this file, which should be a `kind` ("brisance snapshot")."""
    try:
        yield
    except (Failure, ImportError):
        raise
    except FileNotFoundError as failure:
        if failure.filename and pathlib.Path(failure.filename) != pathlib.Path(path):
            raise
        raise Failure(f"{path} does not exist. Check the name.") from None
    except OSError as failure:
        if failure.errno in OF_THE_SYSTEM:
            raise
        raise Failure(f"{path} cannot be read as a {kind}: {one_line(failure)}. Was it cut off while being copied?"
                      ) from None
    except Exception as failure:  # a damaged file can make any line fail
        raise Failure(f"{path} is not a {kind}, or damaged: {type(failure).__name__}: {one_line(failure)}. Copy or make "
                      "it again.") from None


def run(work):
    """Runs the script: ends it with 0, or with 1 and one line on stderr."""
    name = pathlib.Path(sys.argv[0]).name
    try:
        work()
    except Failure as failure:
        sys.exit(f"{name}: {one_line(failure)}")
    except OSError as failure:
        about = f"{failure.filename}: {failure.strerror}" if failure.filename else one_line(failure)
        sys.exit(f"{name}: {about}. Check the folder, its rights and the space on the disk.")
    except KeyboardInterrupt:
        sys.exit(f"{name}: stopped.")
