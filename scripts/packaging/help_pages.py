#!/usr/bin/python3
"""Manual pages and bash completion from what the program says about itself (--help-all), so that neither drifts.

  help_pages.py PROGRAM --version 0.1.0 --scenes DIR --out DIR

writes DIR/man1/brisance.1, DIR/man1/brisance-COMMAND.1 for every command, and DIR/completion/brisance. The build does
this; `cmake --install` puts them where they belong.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys

COLUMN = 30  # where CLI11 begins the description of an option


class Help:
    """One help text, taken apart: description, usage, sections of (term, text), closing paragraphs."""

    def __init__(self, text):
        lines = text.rstrip("\n").split("\n")
        self.description, self.usage = lines[0], lines[1].removeprefix("Usage: ")
        self.sections, self.closing = [], []
        rest = lines[2:]
        begin = next((i for i in range(len(rest)) if self._begins_footer(rest, i)), len(rest))
        self._read_sections(rest[:begin])
        self.closing = rest[begin:]

    @staticmethod
    def _begins_footer(lines, i):
        """A line of prose at the margin after an empty one: no title of a section ends it."""
        after_gap = i > 0 and not lines[i - 1].strip()
        line = lines[i]
        return after_gap and bool(line.strip()) and not line.startswith((" ", "[")) and not re.fullmatch(r".*:", line)

    def _read_sections(self, lines):
        for line in lines:
            if not line.strip():
                continue
            bare = line.strip()
            if not line.startswith("  ") or re.fullmatch(r"  [A-Z][a-z]+:", line):  # a title
                title = re.sub(r"^\[Option Group: (.*)\]$", r"\1", bare).rstrip(":")
                self.sections.append((title, []))
            elif bare.startswith("[") and bare.endswith("]"):  # "[Exactly 1 of the following options is required]"
                self.sections[-1][1].append(("", bare[1:-1] + ":"))
            else:
                self._add_entry(line.strip(), len(line) - len(line.lstrip()))

    def _add_entry(self, bare, indent):
        entries = self.sections[-1][1]
        if indent >= COLUMN - 2 and entries:  # a description on a line of its own
            term, text = entries[-1]
            entries[-1] = (term, (text + " " + bare).strip())
            return
        term, _, text = bare.partition("  ")
        entries.append((term.strip(), text.strip()))

    def terms(self, section):
        return [term for title, entries in self.sections if title == section for term, _ in entries if term]

    def options(self):
        return sorted({word for _, entries in self.sections for term, _ in entries
                       for word in re.findall(r"--[a-z][a-z0-9-]*", re.split(r" (?:Excludes|Needs):", term)[0])})


def escaped(text):
    # Signs that a terminal's fonts of troff lack.
    text = text.replace("ᵀ", "^T").replace("‖", "||")
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("`", "\\(ga")
    return "\\&" + text if text.startswith((".", "'")) else text


def page(name, help_text, version, commands=()):
    """The manual page: name, synopsis, options as tagged paragraphs, the rest as it was printed."""
    out = [f'.TH {name.upper()} 1 "" "brisance {version}" "brisance"', ".SH NAME",
           f"{escaped(name)} \\- {escaped(help_text.description.removeprefix('brisance: '))}",
           ".SH SYNOPSIS", f".B {escaped(help_text.usage)}"]
    for title, entries in help_text.sections:
        if not entries:
            continue
        out.append(f".SH {escaped(title.upper())}")
        for term, text in entries:
            out += [".TP", f".B {escaped(term)}", escaped(text)] if term else [".PP", escaped(text)]
    if help_text.closing:
        out += [".SH NOTES", ".nf"] + [escaped(line) for line in help_text.closing] + [".fi"]
    others = [f"brisance-{c}" for c in commands] if commands else ["brisance"]
    out += [".SH SEE ALSO", ",\n".join(f".BR {escaped(other)} (1)" for other in others)]
    return "\n".join(out) + "\n"


def completion(top, helps, scenes):
    """Commands, each one's options, and for those that take a scene the names of the scenes that came along."""
    cases = "\n".join(f"    {command}) words='{' '.join(text.options())}' ;;" for command, text in helps.items())
    takes_scene = "|".join(c for c, text in helps.items() if "SCENE" in " ".join(text.terms("Positionals")))
    return f"""# bash completion of brisance, made from its help texts.
_brisance() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} command='' words='' i
  for ((i = 1; i < COMP_CWORD; ++i)); do
    if [[ ${{COMP_WORDS[i]}} != -* ]]; then command=${{COMP_WORDS[i]}}; break; fi
  done
  case $command in
    '') words='{' '.join(list(helps) + top.options())}' ;;
{cases}
  esac
  if [[ -n $command && $word != -* ]]; then
    words=''
    case $command in {takes_scene}) words='{' '.join(scenes)}' ;; esac
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word"; [[ -z $command || $word == -* ]] || compgen -f -- "$word")
}}
complete -o filenames -F _brisance brisance
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--version", required=True)
    parser.add_argument("--scenes", required=True, type=pathlib.Path)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    arguments = parser.parse_args()
    environment = dict(os.environ, OMPI_MCA_ess_singleton_isolated="1", OMP_NUM_THREADS="1")

    command = [arguments.program, "--help-all"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if done.returncode:
        sys.exit(f"help_pages.py: `{' '.join(command)}` ended with {done.returncode}: {done.stderr.strip()[-400:]}")
    top, *others = map(Help, done.stdout.split("\f"))
    helps = {text.usage.split()[1]: text for text in others}
    commands = [term.split()[0] for term in top.terms("Subcommands")]
    if not commands or commands != list(helps):
        sys.exit(f"help_pages.py: {' '.join(command)} lists the commands {commands} and has texts of {list(helps)}. "
                 "Has CLI11's layout changed?")
    pages, completions = arguments.out / "man1", arguments.out / "completion"
    for folder in (pages, completions):
        folder.mkdir(parents=True, exist_ok=True)
    for old in pages.glob("*.1"):
        old.unlink()
    (pages / "brisance.1").write_text(page("brisance", top, arguments.version, commands))
    for command, text in helps.items():
        (pages / f"brisance-{command}.1").write_text(page(f"brisance-{command}", text, arguments.version))
    scenes = sorted(file.stem for file in arguments.scenes.glob("*.toml"))
    (completions / "brisance").write_text(completion(top, helps, scenes))


if __name__ == "__main__":
    main()
