#!/usr/bin/python3
"""Prints private words of this project in comments, messages and documents, where the field has words of its own; exit
code 1 if any. What to say instead is in INSTEAD.

  scripts/check_words.py
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
INSTEAD = {
    r"fine[ -]steps?": "sub-steps, sub-cycling",
    r"several clocks": "sub-cycling, local time stepping",
    r"splinters?": "remainder step; sliver element",
    r"large steps?": "implicit steps",
    r"burdens?": "added stiffness over mass",
    r"grip(?:s|ped)?": "Dirichlet condition, constrained",
    r"powder": "crushed material",
    r"(?:crack )?lips?": "crack faces",
    r"winners?|beaten|shaken": "independent set, its complement, re-evaluated",
    r"forgiven": "contact offset",
    r"leeway|slack|calm": "bound, tolerance",
    r"looks?": "contact detection, search, evaluation, check",
    r"led step|lead on|led on": "half-step shift",
    r"guest": "ghost",
}
# Where a word is meant as everybody means it, or is a name that files and scenes have.
ALLOWED = [
    (r"", r"Russian"),
    (r"docs/notes/", r""),
    (r"src/render/", r"\blook\b"),  # of a plane in a picture
    (r"scripts/check_words\.py", r""),
    (r"tests/", r"test::grip|grip\(|grip_|shake"),
    (r"profiles\.cpp|make_vase|MESHES", r"lip"),  # of a vase
    (r"configs/|tests/cases/|test_tearing|test_benchmark", r"grip|splinters"),  # of a testing machine; of wood
    (r"", r"name = \"grip\"|\"lower grip\"|\"upper grip\"|between (?:the )?grips"),
]
KINDS = (".cpp", ".hpp", ".inl", ".md", ".toml", ".py", ".sh")


def is_allowed(name, line):
    return any(re.search(where, name) and (not what or re.search(what, line)) for where, what in ALLOWED if where or what)


def main():
    pattern = re.compile(r"\b(?:" + "|".join(f"(?:{word})" for word in INSTEAD) + r")\b", re.IGNORECASE)
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    found = 0
    for name in files:
        path = ROOT / name
        if path.suffix not in KINDS or not path.is_file():
            continue
        for number, line in enumerate(path.read_text(errors="replace").split("\n"), 1):
            match = pattern.search(line)
            if match is None or is_allowed(name, line):
                continue
            say = next(what for word, what in INSTEAD.items() if re.fullmatch(word, match[0], re.IGNORECASE))
            print(f"{name}:{number}: \"{match[0]}\": say {say}")
            found += 1
    print(f"words: {found} to be changed" if found else "words: those of the field")
    return 1 if found else 0


sys.exit(main())
