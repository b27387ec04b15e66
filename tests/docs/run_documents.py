#!/usr/bin/python3
"""Runs the shell commands of README.md and docs/*.md as they are printed there, and fails for any that fails.

usage: run_documents.py PROGRAM SOURCE SCRATCH [DOCUMENT[:LINE] ...]

Commands are the ```sh blocks, and in the README's tables what stands in backticks and begins with a program of ours. They run in
order, in a copy of what a clone has; each section (## heading) begins afresh, so what it needs of others comes from
NEEDS. CHEAPER makes long ones short; what cannot run here is in SKIPPED, each with its reason. Whatever is in none of these
tables runs word for word."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass

# Parts of commands and their replacements: sizes and times, nothing else.
PICTURES = " --set camera.width=64 --set camera.height=48"
SMALL_BOWL = " --set object.mesh.target_tets=400 --set time.duration_s=0.012 --set output.frame_interval_s=0.002" + PICTURES
TINY_GLASS = " --set object.mesh.target_tets=400 --set time.duration_s=2e-4 --set output.frame_interval_s=1e-4" + PICTURES
CHEAPER = [
    (r"(brisance run configs/bowl\.toml .*--branch .*)time\.duration_s=0\.06",
     r"\1time.duration_s=0.014 --set object.mesh.target_tets=400 --set output.frame_interval_s=0.002"),
    (r"(brisance run (configs/)?bowl(\.toml)? (?!.*--branch).*|scripts/run\.sh configs/bowl\.toml)", r"\1" + SMALL_BOWL),
    (r"(brisance run configs/bowl_film\.toml .*)",
     r"\1 --set object.mesh.edge_length_m=0.03 --set time.duration_s=0.002 --set output.frame_interval_s=0.001"),
    (r"(brisance run configs/bowl_quick\.toml --out runs/quick .*)time\.duration_s=0\.036",
     r"\1time.duration_s=0.004 --set object.mesh.target_tets=400"),
    (r"(brisance run configs/(?:wall_light|wall_heavy|brick_wall|torus_drop|the_end|bowl_on_steps|own_model|hollow_ball|"
     r"brick_stack|vase_hits_vase|column|wall_500k|weak_handle_mug)\.toml --out runs/.*)",
     r"\1 --set time.duration_s=0.002 --set output.frame_interval_s=0.001"),
    (r"(brisance run configs/bowl_500k\.toml --out runs/coarse .*)edge_length_m=0\.0075", r"\1edge_length_m=0.03"),
    (r"(brisance run configs/(?:sheet_tear|figure_dismembered|clay_slab|bowl_500k|vase_500k)\.toml --out runs/.*)",
     r"\1 --set time.duration_s=0.001 --set output.frame_interval_s=0.0005"),
    (r"(brisance run configs/wood_plank_impact\.toml --out runs/.*)",
     r"\1 --set time.duration_s=2e-5 --set output.frame_interval_s=1e-5"),
    (r"(brisance run configs/soft_stack\.toml --out runs/rubber)", r"\1 --set time.duration_s=0.1"),
    (r"(brisance run configs/statue_and_ball\.toml --out runs/statue.*)",
     r"\1 --set object[0].mesh.target_tets=600 --set object[1].mesh.target_tets=200 --set time.duration_s=0.002"),
    (r"(brisance run configs/wine_glass\.toml --out runs/wine_glass .*)", r"\1" + TINY_GLASS),
    (r"(brisance run configs/ring_fragmentation\.toml --out runs/alumina .*)", r"\1 --set time.duration_s=2e-6"),
    (r"(brisance run configs/head_explosion\.toml --out runs/head .*)time\.duration_s=0\.004",
     r"\1time.duration_s=0.001 --set object.mesh.target_tets=500"),
    (r"(brisance run configs/head_explosion\.toml --out runs/burst .*)target_tets=6000(.*)time\.duration_s=0\.008",
     r"\1target_tets=500\2time.duration_s=0.002"),
    (r"(brisance run configs/head_explosion_preview\.toml --out runs/preview)",
     r"\1 --set time.duration_s=0.0004 --set output.frame_interval_s=0.0002"),
    (r"(brisance run configs/shot_window\.toml .*)", r"\1 --set object.mesh.edge_length_m=0.025 --set time.duration_s=2e-4"),
    (r"(brisance run configs/glass_slab_implicit\.toml --out runs/pane .*)", r"\1 --set object.mesh.target_tets=400"),
    (r"brisance-run (configs/bowl\.toml)", r"scripts/run.sh \1" + SMALL_BOWL),
    (r"(scripts/run\.sh my_scene\.toml .*)", r"\1 --set object.mesh.target_tets=500 --set time.duration_s=0.004" + PICTURES),
    (r"(brisance check .*)target_tets=\d+", r"\1target_tets=1000"),
    (r"(brisance check my_scene\.toml)", r"\1 --set object.mesh.target_tets=500 --set time.duration_s=0.001"),
    (r"(scripts/break\.sh configs/modes/mug\.conf)",
     r"echo 'render=(--width 64 --height 48 --samples 1)' >> configs/modes/mug.conf; \1 --tets 600 --count 6"),
    (r"(brisance run configs/notched_block_mode2\.toml.*)target_tets=4000", r"\1target_tets=600"),
    (r"(brisance render runs/film) --frames 0:75:2", r"\1 --frames 0:2"),
    (r"(brisance render runs/(?:glazed|quick|wall|light|ball_d|stack|own|amphorae|alumina|column|volumes|statue|bricks|ring|end|"
     r"steps|pane|wine_glass|head|preview|window|mug|debris|rubber|sheet|figure|clay|board|coarse|vase|burst) .*)--frames [\d:]+",
     r"\1--frames 1"),
    (r"(brisance render .*)--samples \d+", r"\1"),
    (r"(brisance render .*)--width \d+ --height \d+", r"\1"),
    (r"(brisance render .*)", r"\1 --width 64 --height 48 --samples 1"),
    (r"(brisance (?:modes|mesh) .*)--tets \d+", r"\1--tets 800"),
    (r"(brisance modes .*)--triangles \d+", r"\1--triangles 600"),
    (r"(brisance modes .*)--count \d+", r"\1--count 6"),
    (r"(brisance (?:assets models|dataset shapes) .*)", r"\1 --tets 300"),
    (r"(brisance (?:assets models|dataset shapes --impacts 20) .*)", r"\1 --count 6"),
    (r"(brisance dataset shapes) --impacts \d+(.*)", r"\1 --impacts 1\2 --pieces 2:200"),
    (r"(brisance play .*)", r"\1 --duration 0.2"),
    (r"(brisance play .*)--seconds [\d.]+(.*) --duration 0\.2", r"\1--seconds 0.2\2"),
    (r"(scripts/submit\.sh .*)", r"\1 --set object.mesh.target_tets=1000 --dry-run"),
]

SKIPPED = [
    (r"scripts/package\.sh", "builds everything with another preset and packs it; takes minutes and is tried by hand"),
    (r"scripts/test\.sh", "runs all tests, of which this is one"),
    (r"apt-get install", "installs on the machine"),
    (r"sbatch ", "needs a cluster: tests/slurm starts one and runs these jobs"),
    (r"scripts/bench\.sh", "measures for minutes: tests/cli/test_bench.sh runs its quick form"),
]

# Files and runs that a document assumes as the user's own: commands that make them, in the folder of the document.
VASE = "awk '/^v / { $2 /= 1000; $3 /= 1000; $4 /= 1000 } { print }' configs/meshes/vase.obj > "
MODES_OF_CUP = "brisance modes configs/meshes/vase.obj --set scale=0.001 --tets 800 --count 6 --out "
NEEDS = {
    "my_scene.toml": "test -f bust.obj && sed 's|^shape = \"torus\"|file = \"bust.obj\"|; /radius_m = 0/d' configs/own_model.toml "
                     "> my_scene.toml",
    "cup.obj": VASE + "cup.obj",
    "bust.obj": "printf 'v %s\\n' '0 0 0' '.2 0 0' '.2 .2 0' '0 .2 0' '0 0 .3' '.2 0 .3' '.2 .2 .3' '0 .2 .3' > bust.obj && "
                "printf 'f %s\\n' '1 4 3 2' '5 6 7 8' '1 2 6 5' '2 3 7 6' '3 4 8 7' '4 1 5 8' >> bust.obj",
    "models": "mkdir models && " + VASE + "models/cup.obj",
    "shapes": "mkdir shapes && " + VASE + "shapes/cup.obj",
    "shot.toml": "sed 's/^strength_pa.*/strength_pa = 2e4/' configs/bowl.toml > shot.toml",  # weak, so that a coarse cup breaks however it falls
    "vase.obj": VASE + "vase.obj",
    "teapot.obj": VASE + "teapot.obj",
    "cup.stl": "python3 tests/docs/obj_to_stl.py configs/meshes/vase.obj cup.stl",
    "window.obj": "printf 'v 0 0 0\\nv 0.9 0 0\\nv 0.9 0.6 0\\nv 0 0.6 0\\nf 1 2 3 4\\n' > window.obj",
    "bent.vtu": "mkdir -p deformed && python3 tests/cli/deformed_mesh.py write deformed && cp deformed/affine.vtu bent.vtu",
    "cup.modes.h5": MODES_OF_CUP + "cup.modes.h5",
    "mug.modes.h5": "brisance modes --shape mug --set radius_m=0.042 --set thickness_m=0.005 --set length_m=0.1 --set "
                    "tube_radius_m=0.006 --tets 800 --count 6 --out mug.modes.h5",
    "cup.pieces.h5": "brisance prefracture cup.modes.h5 --out cup.pieces.h5",
    "runs/bowl": "brisance run configs/bowl.toml --out runs/bowl --checkpoint-every 0.2s" + SMALL_BOWL,
    "runs/cup": "brisance play cup.modes.h5 --tilt 20,0,0 --break-speed 2 --duration 0.2 --out runs/cup",
    "runs/one_rank": "brisance run configs/bowl.toml --out runs/one_rank" + SMALL_BOWL,
    "runs/four_ranks": "mpirun -n 4 brisance run configs/bowl.toml --out runs/four_ranks" + SMALL_BOWL,
    "runs/vases": "brisance run configs/vase_hits_vase.toml --out runs/vases --set 'object[0].mesh.target_tets=500' "
                  "--set 'object[1].mesh.target_tets=500' --set time.duration_s=0.001",
    "runs/block": "brisance run configs/notched_block_mode2.toml --out runs/block --set object.mesh.target_tets=600 --set "
                  "output.front_fields=true",
    "runs/wine_glass": "brisance run configs/wine_glass.toml --out runs/wine_glass" + TINY_GLASS,
    "runs/pane": "brisance run configs/wine_glass.toml --out runs/pane" + TINY_GLASS,
    "glass.toml": "sed -n '/^.render.$/,$p' configs/wine_glass.toml > glass.toml",
    "runs/kalthoff": "brisance run configs/kalthoff.toml --out runs/kalthoff --set object.mesh.target_tets=1000 --set "
                     "time.duration_s=4e-5",
}

PROGRAMS = r"(brisance|mpirun|scripts/\S+\.sh|postprocess/\S+\.py)"


@dataclass
class Command:
    document: str
    line: int
    section: str
    text: str


def commands_of(document, text):
    """All commands of a document, in order."""
    section, block, start = "", None, 0
    for number, line in enumerate(text.split("\n"), 1):
        if block is None and line.startswith("## "):
            section = line[3:]
        if block is None and line == "```sh":
            block, start = [], number + 1
        elif block is not None and line.startswith("```"):
            yield from commands_of_block(document, section, start, block)
            block = None
        elif block is not None:
            block.append(line)
        elif document == "README.md" and line.startswith("|"):
            for span in re.findall(r"`([^`]+)`", line):
                if re.match(PROGRAMS + " ", span):
                    yield Command(document, number, section, span)


def commands_of_block(document, section, first, lines):
    """A command a line, with the lines that belong to it: after a backslash, and up to the end of a here-document."""
    held, start, end = [], first, None
    for number, line in enumerate(lines, first):
        if not held:
            start = number
        held.append(line)
        opening = re.search(r"<<\s*'?(\w+)'?", line) if end is None else None
        end = opening.group(1) if opening else end
        if end is not None and (opening or line != end) or line.endswith("\\"):
            continue
        end, text = None, "\n".join(held)
        held = []
        if text.strip() and not text.lstrip().startswith("#"):
            yield Command(document, start, section, text)
    assert not held, f"{document}:{start}: a command that does not end"


def without_comment(text):
    """A command without the comment at its end, which other words could not be put behind."""
    words = re.split(r"\s#\s", text, maxsplit=1)
    return words[0].rstrip() if "\n" not in text or text.rstrip().count("\\\n") else text


def shortened(text):
    if "<<" not in text:
        text = re.sub(r"\s*\\\n\s*", " ", text)
    for pattern, replacement in CHEAPER:
        found = re.search(pattern, text)
        if found:
            text = text[:found.start()] + found.expand(replacement) + text[found.end():]
    return text


def reason_to_skip(text):
    return next((reason for pattern, reason in SKIPPED if re.match(pattern, text)), None)


class Clone:
    """The folder of a user after cloning and building: scripts and scenes, and the programs on the path."""

    def __init__(self, program, source, folder):
        self.folder = folder
        folder.mkdir(parents=True)
        for name in ("configs", "scripts"):  # scripts write into the folder that they are in
            shutil.copytree(source / name, folder / name)
        for name in ("postprocess", "tests"):
            os.symlink(source / name, folder / name)
        (folder / "build").mkdir()
        os.symlink(program.parent, folder / "build" / "release")
        path = os.pathsep.join([str(program.parent), "/usr/bin", os.environ["PATH"]])
        self.environment = {**os.environ, "PATH": path, "BRISANCE": str(program), "PYTHONDONTWRITEBYTECODE": "1"}

    def run(self, text):
        """Exit code and output."""
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", text], cwd=self.folder, env=self.environment, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return done.returncode, done.stdout

    def provide(self, text, under_way=()):
        """Makes missing files that a command names, unless the command makes them itself."""
        made = list(under_way) + re.findall(r"(?:--out|--sheet|--json|>)\s+(\S+)", text)
        for name, recipe in NEEDS.items():
            if re.search(rf"(^|[\s=]){re.escape(name)}(/|\s|$)", text) and name not in made and not (self.folder / name).exists():
                self.provide(recipe, [*under_way, name])
                code, output = self.run(recipe)
                assert code == 0, f"cannot make {name}: {recipe}\n{output}"


def run_all(program, source, scratch, chosen):
    documents = [source / "README.md", *sorted((source / "docs").glob("*.md"))]
    clone, section, count, skipped, failures = None, None, 0, [], []
    for document in documents:
        name = str(document.relative_to(source))
        if name == "docs/TUTORIAL.md":  # word for word in a test of its own
            continue
        for command in commands_of(name, document.read_text(encoding="utf-8")):
            if chosen and not any(f"{name}:{command.line}".startswith(wanted) for wanted in chosen):
                continue
            where = f"{name}:{command.line}"
            if reason := reason_to_skip(command.text):
                skipped.append(f"{where}: {command.text.splitlines()[0]}: {reason}")
                continue
            if section != (name, command.section):
                section = (name, command.section)
                clone = Clone(program, source, scratch / f"section_{count}")
            text = shortened(without_comment(command.text))
            start = time.time()
            clone.provide(text)
            code, output = clone.run(text)
            count += 1
            print(f"{where}: {time.time() - start:.1f} s{'' if code == 0 else ', FAILED'}: {text}", flush=True)
            if code != 0:
                failures.append(f"{where}: exit code {code}: {text}\n{output}")
    print("\n".join(["", "not run:", *skipped]))
    assert not failures, "\n\n".join(["", *failures])
    return count


if __name__ == "__main__":
    the_program, the_source, the_scratch = (pathlib.Path(word).absolute() for word in sys.argv[1:4])
    shutil.rmtree(the_scratch, ignore_errors=True)
    number = run_all(the_program, the_source, the_scratch, sys.argv[4:])
    print(f"documents: {number} commands run")
