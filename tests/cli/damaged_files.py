"""Runs the scripts of postprocess/ on foreign or damaged files: each must succeed or end with status 1 and one
line that names the file. usage: damaged_files.py POSTPROCESS RUN MODES PIECES (good files; works in the current folder)

Scripts run in this process, so that hundreds of damaged files take seconds."""
import contextlib
import io
import pathlib
import runpy
import shutil
import sys
import warnings

import h5py
import numpy as np

warnings.simplefilter("ignore")


def outcome(script, arguments):
    """Status and stderr of a script."""
    sys.argv = [str(script), *map(str, arguments)]
    errors = io.StringIO()
    with contextlib.redirect_stderr(errors), contextlib.redirect_stdout(io.StringIO()):
        try:
            runpy.run_path(str(script), run_name="__main__")
        except SystemExit as end:
            if isinstance(end.code, str):
                return 1, errors.getvalue() + end.code + "\n"
            return end.code or 0, errors.getvalue()
    return 0, errors.getvalue()


def clear(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()


def damages(path):
    """(what was done, action on a copy of the file)."""
    size = path.stat().st_size
    for share in (0.0, 0.3, 0.99):
        yield f"cut off at {share:g}", lambda p, n=int(share * size): p.open("r+b").truncate(n)
    yield "text", lambda p: p.write_text("this is no HDF5 file\n" * 50)
    names = []
    with h5py.File(path) as file:
        file.visititems(lambda name, item: names.append(name))
    for name in names:
        for what, change in (("absent", lambda data: None), ("text", lambda data: np.array([b"words"] * 3)),
                             ("half", lambda data: data[:len(data) // 2]), ("huge", lambda data: np.full(data.shape, 10 ** 9)),
                             ("empty", lambda data: data[:0])):
            yield f"{name} {what}", lambda p, n=name, c=change: replace(p, n, c)
    yield "no attributes", strip_attributes
    yield "a link to another file", lambda p: replace_by_link(p, names[0], path)


def replace(path, name, change):
    with h5py.File(path, "r+") as file:
        data = file[name][:] if isinstance(file[name], h5py.Dataset) and file[name].shape else None
        del file[name]
        new = change(data) if data is not None and data.dtype.kind != "S" else None
        if new is not None:
            file[name] = new


def replace_by_link(path, name, other):
    with h5py.File(path, "r+") as file:
        del file[name]
        file[name] = h5py.ExternalLink(str(other.resolve()), name)


def strip_attributes(path):
    with h5py.File(path, "r+") as file:
        for group in list(file.values()):
            for name in list(group.attrs):
                del group.attrs[name]


def examine(script, arguments, must_name, must_fail, what):
    status, errors = outcome(script, arguments)
    if status == 0 and not must_fail:
        return 0
    assert status in (1, 2), f"{script.name}, {what}: status {status}, {errors}"
    assert errors.count("\n") == 1 and errors.startswith(f"{script.name}: "), f"{script.name}, {what}: {errors}"
    assert must_name in errors, f"{script.name}, {what}: {must_name} is not named in: {errors}"
    return 1


def main():
    scripts, run, modes, pieces = map(pathlib.Path, sys.argv[1:])
    sys.path.insert(0, str(scripts))
    sys.dont_write_bytecode = True
    out, bad = pathlib.Path("out"), pathlib.Path("bad")
    frame = sorted((run / "snapshots").glob("*.hdf"))[-1]
    mesh = ["--out", out / "made", "--overwrite"]
    cases = [(scripts / "to_mesh.py", frame, ["--format", "glb", *mesh]), (scripts / "to_mesh.py", frame, ["--format", "ply", *mesh]),
             (scripts / "animate.py", frame, ["--out", out / "made.glb", "--overwrite"]),
             (scripts / "pieces.py", pieces, ["--format", "glb", *mesh]),
             (scripts / "crack_path.py", frame, ["--start", "0,0,0", "--picture", out / "made.png", "--overwrite"]),
             (scripts / "mode_shapes.py", modes, ["--modes", "1", *mesh])]
    tried = refused = 0
    for script, good, options in cases:
        clear(out)
        assert outcome(script, [good, *options]) == (0, ""), f"{script.name} refuses a good file"
        for what, damage in damages(good):
            clear(out), clear(bad)
            copy = bad / good.name
            shutil.copy(good, copy)
            damage(copy)
            cut = "cut off" in what or what in ("text", "a link to another file")
            refused += examine(script, [copy, *options], copy.name, cut, what)
            tried += 1
            assert not list(out.rglob("*unfinished*")), f"{script.name}, {what}: half a file was left"
    for script in {script for script, _, _ in cases}:
        clear(out), clear(bad)
        options = next(o for s, _, o in cases if s == script)
        examine(script, ["absent.hdf", *options], "absent.hdf", True, "a missing file")
        examine(script, [bad, *options], "bad", True, "an empty folder")
        (bad / "000000.hdf").write_text("no snapshot")
        examine(script, [bad, *options], "bad", True, "a folder of text files")
        examine(script, [bad / "000000.hdf", *options], "000000.hdf", True, "a text file")
        assert not list(out.rglob("*.*")), f"{script.name} left {list(out.rglob('*.*'))}"
    print(f"{tried} damaged files, {refused} refused")
    assert refused > 100


if __name__ == "__main__":
    main()
