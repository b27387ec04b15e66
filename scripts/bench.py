"""Measures what scripts/bench.sh lists, and compares two such measurements. Called by bench.sh, which builds first."""
import argparse
import csv
import datetime
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

FORMAT = "brisance benchmarks 1"
ROOT = pathlib.Path(__file__).resolve().parent.parent
SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}

# (group, program, part of it with --quick; otherwise all of it except for parts of minutes)
BENCHMARKS = [
    ("kernels", "bench_internal_forces", "force_pass/(plain|bound_viscous|neo_hookean)/|full_step/plain/"),
    ("kernels", "bench_contact", "add_forces/(0|100)"),
    ("kernels", "bench_impact", "impact/least_squares:0/piece:0/"),
    ("steps", "bench_explicit_step", "no_fracture|checked"),
]
CRACKS = ("cracks", "bench_crack_event", "crack_event/20/", "crack_event/(20|43)/")

# A block that vibrates and does not break, for reading and writing: its mesh comes from a file.
BLOCK = """title = "A block that shakes"
[[material]]
name = "rubber"
density_kg_m3 = 1000.0
youngs_modulus_pa = 1.0e6
poissons_ratio = 0.3
[[object]]
name = "block"
angular_velocity_rad_s = [0.0, 0.0, 10.0]
[object.mesh]
file = "block.hdf"
[time]
duration_s = 0.01
[fracture]
enabled = false
[output]
frame_interval_s = 4.0e-4
"""


def fail(message):
    print(f"bench.sh: {message}", file=sys.stderr)
    sys.exit(2)


class Failed(Exception):
    """A measured program failed."""


def run(command, folder, environment=None):
    """(wall seconds, processor seconds of all processes, output); a failure is an error with its last output."""
    log = folder / "said"
    with open(log, "w") as out:
        begin, before = time.perf_counter(), os.times()
        code = subprocess.run(command, stdout=out, stderr=subprocess.STDOUT, cwd=folder, stdin=subprocess.DEVNULL,
                              env={**os.environ, **(environment or {})}, check=False).returncode
        wall_s, after = time.perf_counter() - begin, os.times()
    said = log.read_text(errors="replace")
    if code:
        raise Failed(f"`{' '.join(map(str, command))}` ended with {code}: {' '.join(said.split()[-60:])}")
    return (wall_s, after.children_user + after.children_system - before.children_user - before.children_system, said)


class Bench:
    def __init__(self, arguments, folder):
        self.arguments, self.folder = arguments, folder
        self.program = arguments.build / "brisance"
        self.results = []

    def wanted(self, name):
        return re.search(self.arguments.only, name) is not None

    def add(self, name, clock, samples, counts, wall_s=None, cpu_s=None):
        """A result: the median of its samples by the clock that is compared, and the others' for the reader."""
        middle = statistics.median(samples)
        self.results.append({
            "name": name, "clock": clock, "seconds": middle, "repetitions": len(samples),
            "spread": (max(samples) - min(samples)) / middle if middle > 0 else 0.0,
            "wall_s": wall_s if wall_s is not None else middle, "cpu_s": cpu_s, "counts": counts})
        print(f"{name:46} {middle:12.6g} s  {', '.join(f'{k} {v:.6g}' for k, v in counts.items())}", file=sys.stderr)

    # -- Google benchmarks ----------------------------------------------------------------------------------------------

    def google(self, group, program, chosen, ranks=1):
        launch = ["mpirun", "-q", "-n", str(ranks)] if ranks > 1 else []
        executable = self.arguments.build / "tests" / "benchmarks" / program
        listed = run([*launch, executable, "--benchmark_list_tests"], self.folder)[2].split("\n")
        suffix = f" on {ranks} ranks" if ranks > 1 else ""
        names = {full: self.name(group, full) + suffix for full in listed if full.strip()}
        full_names = [full for full, name in names.items() if re.search(chosen, full + "/") and self.wanted(name)]
        if not full_names:
            return
        report = self.folder / "report.json"
        run([*launch, executable, "--benchmark_filter=^(" + "|".join(map(re.escape, full_names)) + ")$",
             f"--benchmark_repetitions={self.arguments.repeat}", f"--benchmark_out={report}",
             "--benchmark_out_format=json", *(["--benchmark_min_time=0.05"] if self.arguments.quick else [])], self.folder)
        groups = {}
        for entry in json.loads(report.read_text())["benchmarks"]:
            groups.setdefault(entry["run_name"], []).append(entry)
        for full, entries in groups.items():
            self.add_google(self.name(group, full) + suffix, entries, ranks)

    @staticmethod
    def name(group, full):
        """The name without its number of repetitions."""
        return group + "/" + re.sub(r"/(min_time|repeats|iterations):[^/]*|/(real|manual)_time", "", full)

    def add_google(self, name, entries, ranks):
        """Medians as the program made them, or as they follow from its repetitions."""
        unit = SECONDS[entries[0]["time_unit"]]
        # Manual timings, and those of several ranks, are wall-clock times; the rest is compared by processor time.
        clock = "wall" if ranks > 1 or re.search("/(real|manual)_time", entries[0]["run_name"]) else "cpu"
        key = "real_time" if clock == "wall" else "cpu_time"
        middle = [e for e in entries if e.get("aggregate_name") == "median"]
        single = [e for e in entries if e.get("run_type") == "iteration"]
        known = set("name run_name run_type repetitions repetition_index threads iterations real_time cpu_time time_unit "
                    "family_index per_family_instance_index aggregate_name aggregate_unit".split())
        chosen = (middle or single)[0]
        counts = {k: v for k, v in chosen.items() if k not in known and isinstance(v, (int, float))}
        if "median_ms" in counts:  # of a thousand, each timed on its own: no outlier moves it
            samples = [e["median_ms"] * 1e-3 for e in single]
        else:
            samples = [e[key] * unit for e in single] or [middle[0][key] * unit]
        self.add(name, clock, samples, counts, (middle or single)[0]["real_time"] * unit, (middle or single)[0]["cpu_time"] * unit)
        if middle and not single:
            spread = next((e[key] for e in entries if e.get("aggregate_name") == "stddev"), 0.0) * unit
            self.results[-1].update(repetitions=entries[0]["repetitions"], spread=2 * spread / samples[0])

    # -- whole programs -------------------------------------------------------------------------------------------------

    def repeated(self, name, clock, command, counts):
        """Repeats the command; `counts` reads its results. Collects wall-clock and processor time."""
        times = [run(command, self.folder)[:2] for _ in range(self.arguments.repeat)]
        wall, cpu = zip(*times)
        self.add(name, clock, cpu if clock == "cpu" else wall, counts(), statistics.median(wall), statistics.median(cpu))

    def whole_run(self, ranks):
        name = f"run/bowl_quick on {ranks} rank{'s' if ranks > 1 else ''}"
        if not self.wanted(name):
            return
        launch = ["mpirun", "-q", "-n", str(ranks)] if ranks > 1 else []
        command = [*launch, self.program, "run", ROOT / "configs" / "bowl_quick.toml", "--out", "run", "--overwrite"]

        def counts():  # messages are counted in a run of their own: counting takes time
            messages = messages_of(run([*command, "-log_view"], self.folder)[2]) if ranks > 1 else {}
            return {**work_of(self.folder / "run"), **messages}
        self.repeated(name, "wall" if ranks > 1 else "cpu", command, counts)

    def modes(self):
        name = "modes/bowl"
        if self.wanted(name):
            command = [self.program, "modes", "--shape", "bowl", "--edge", "0.012", "--count", "15", "--out", "bowl.h5", "--overwrite"]
            self.repeated(name, "cpu", command, lambda: {"bytes": (self.folder / "bowl.h5").stat().st_size})

    def input_output(self):
        """Writing: a run of few steps and many frames. Reading: all of them, twice, by diff. By the wall clock: disks wait."""
        names = ("io/write_frames", "io/read_frames")
        if not any(map(self.wanted, names)):
            return
        run([self.program, "mesh", "--shape", "box", "--tets", "60000", "--out", "block.hdf", "--overwrite"], self.folder)
        (self.folder / "block.toml").write_text(BLOCK)
        write = [self.program, "run", "block.toml", "--out", "frames", "--overwrite"]

        def frames():
            files = list((self.folder / "frames" / "snapshots").glob("*.hdf"))
            return {"frames": len(files), "bytes": sum(f.stat().st_size for f in files)}
        if self.wanted(names[0]):
            self.repeated(names[0], "wall", write, lambda: {**frames(), **work_of(self.folder / "frames")})
        else:
            run(write, self.folder)
        if self.wanted(names[1]):
            twice = {k: 2 * v for k, v in frames().items()}
            self.repeated(names[1], "wall", [self.program, "diff", "frames", "frames"], lambda: twice)

    def everything(self):
        quick = self.arguments.quick
        for group, program, few in BENCHMARKS:
            self.google(group, program, few if quick else "")
        group, program, few, most = CRACKS
        for ranks in (1, 2):
            self.google(group, program, few if quick else most, ranks)
        for ranks in (1, 2):
            self.whole_run(ranks)
        self.modes()
        self.input_output()


def work_of(folder):
    """Counts of the run, from the last row of its monitor."""
    with open(folder / "monitor.csv", newline="") as file:
        last = list(csv.DictReader(file))[-1]
    wanted = {"step": "steps", "element_updates": "element updates", "cracks": "cracks", "rounds": "rounds", "tets": "tets"}
    return {name: float(last[column]) for column, name in wanted.items()}


def messages_of(said):
    """Sums over the ranks, as PETSc prints them: its star forests' messages, which are nearly all there are."""
    counts = {}
    for label, name in (("MPI Msg Count:", "messages"), ("MPI Msg Len (bytes):", "message bytes")):
        found = re.search(re.escape(label) + r"\s+.*\s([0-9.e+]+)\s*$", said, re.MULTILINE)
        if found:
            counts[name] = float(found.group(1))
    return counts


# -- the machine ----------------------------------------------------------------------------------------------------------


def first_line(command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\n")[0].strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def machine(build):
    cpu = pathlib.Path("/proc/cpuinfo").read_text() if os.path.exists("/proc/cpuinfo") else ""
    model = re.search(r"^model name\s*: (.*)$", cpu, re.MULTILINE)
    flags = set(re.search(r"^flags\s*: (.*)$|\Z", cpu, re.MULTILINE).group(0).split())
    widest = "avx512" if {"avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512cd"} <= flags else "avx2" if "avx2" in flags else "other"
    cache = dict(re.findall(r"^(\w+):\w+=(.*)$", (build / "CMakeCache.txt").read_text(), re.MULTILINE))
    return {
        "cpu": model.group(1) if model else os.uname().machine,
        "cores": len(os.sched_getaffinity(0)),
        "vector_unit": os.environ.get("BRISANCE_VECTOR_UNITS") or widest,
        "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        "load_at_start": round(os.getloadavg()[0], 2),
        "compiler": first_line([cache.get("CMAKE_CXX_COMPILER", "c++"), "--version"]),
        "build": f"{cache.get('CMAKE_BUILD_TYPE', '')} {cache.get('BRISANCE_ARCH', '')}".strip(),
        "commit": first_line(["git", "-C", str(ROOT), "describe", "--always", "--dirty", "--abbrev=12"]),
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
    }


# -- comparison -----------------------------------------------------------------------------------------------------------


def read(path):
    try:
        report = json.loads(path.read_text())
        if report["format"] != FORMAT:
            raise KeyError("format")
        return report, {r["name"]: r for r in report["results"] if r["seconds"] > 0}
    except OSError as e:
        fail(f"{path} cannot be read: {e.strerror}. Name a file that bench.sh --out has written.")
    except (ValueError, KeyError, TypeError):
        fail(f"{path} is no measurement of bench.sh ({FORMAT}). Name a file that bench.sh --out has written.")


def work_ratio(now, before):
    """Ratio of work, by the first count that both have and that differs; empty if there is none."""
    for count in ("element updates", "cracks", "bytes"):
        a, b = before["counts"].get(count), now["counts"].get(count)
        if a and b and a != b:
            return f"{b / a:.3f} {count}"
    return ""


def compare(report, before_file, tolerance):
    """Prints the table; True if nothing is slower than the tolerance allows, and everything that was compared is there."""
    before, old = read(before_file)
    new = {r["name"]: r for r in report["results"] if r["seconds"] > 0}
    for key in ("cpu", "cores", "vector_unit", "compiler", "build"):
        if before["machine"].get(key) != report["machine"].get(key):
            print(f"note: {key} is {report['machine'].get(key)} here and {before['machine'].get(key)} in {before_file}: "
                  "ratios compare that, too")
    both = [name for name in new if name in old]
    if not both:
        fail(f"{before_file} has none of what was measured now: nothing to compare. Measure more, without --only.")
    width = max(len(name) for name in both)
    print(f"{'':{width}}  {'before [s]':>12}  {'now [s]':>12}  ratio  spread  work")
    slower = []
    for name in both:
        ratio = new[name]["seconds"] / old[name]["seconds"]
        mark = "SLOWER" if ratio > tolerance else "faster" if ratio < 1 / tolerance else ""
        slower += [name] * (mark == "SLOWER")
        spread = max(new[name]["spread"], old[name]["spread"])
        print(f"{name:{width}}  {old[name]['seconds']:12.6g}  {new[name]['seconds']:12.6g}  {ratio:5.2f}  {spread:5.0%}  "
              f"{work_ratio(new[name], old[name])}  {mark}".rstrip())
    missing = len(old) - len(both)
    print(f"{len(both)} compared, {missing} only before, {len(new) - len(both)} only now; "
          f"{len(slower)} slower than {tolerance:g} times")
    return not slower


def main():
    parser = argparse.ArgumentParser(prog="bench.sh", add_help=False)
    parser.error = lambda message: fail(message + ". See bench.sh --help.")
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--repeat", type=int)
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--from", dest="stored", type=pathlib.Path)
    parser.add_argument("--compare", type=pathlib.Path)
    parser.add_argument("--tolerance", type=float, default=1.25)
    arguments = parser.parse_args()
    if arguments.repeat is None:
        arguments.repeat = 1 if arguments.quick else 3
    if arguments.repeat < 1:
        fail(f"--repeat {arguments.repeat} must be 1 or more.")
    if not arguments.tolerance > 1:
        fail(f"--tolerance {arguments.tolerance:g} must be above 1: 1.25 allows a quarter more time.")
    try:
        re.compile(arguments.only)
    except re.error as e:
        fail(f"--only {arguments.only}: {e}. Write a regular expression, as ^kernels/.")
    if arguments.compare:
        read(arguments.compare)  # before the measurement of minutes
    if arguments.stored:
        report, _ = read(arguments.stored)
    else:
        arguments.build = arguments.build.resolve()
        if not (arguments.build / "CMakeCache.txt").is_file():
            fail(f"{arguments.build} is no build folder.")
        facts = machine(arguments.build)
        folder = pathlib.Path(tempfile.mkdtemp(prefix="brisance_bench_"))
        try:
            bench = Bench(arguments, folder)
            bench.everything()
        except Failed as e:
            fail(str(e))
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        if not bench.results:
            fail(f"--only {arguments.only} leaves nothing to measure. Names begin with kernels/, steps/, cracks/, run/, modes/, io/.")
        report = {"format": FORMAT, "machine": facts,
                  "settings": {"quick": arguments.quick, "repeat": arguments.repeat}, "results": bench.results}
        text = json.dumps(report, indent=1) + "\n"
        if arguments.out:
            arguments.out.write_text(text)
        elif not arguments.compare:
            print(text, end="")
    if arguments.compare and not compare(report, arguments.compare, arguments.tolerance):
        sys.exit(1)


if __name__ == "__main__":
    main()
