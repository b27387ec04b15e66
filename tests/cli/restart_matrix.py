"""Stopped at random steps on n ranks and resumed on m, for all n and m of 1 to 4: no bit differs from a run that never
stopped. Arguments: program, scene, scratch folder, steps for each n and m (0: a sample for every day), seed."""
import collections
import csv
import glob
import itertools
import os
import random
import shutil
import subprocess
import sys

program, scene, scratch, steps, seed = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
RANKS = (1, 2, 3, 4)
# A free ball is in all of them.
KINDS = {
    "as it is": [],
    "plastic": ["material[0].yield_strain=0.001", "material[0].plastic_limit=0.2"],
    "sub-cycling": ["time.step_classes=10", "fracture.altitude_floor=0.2"],
    "energy watched": ["time.watch_energy=true"],
}
SETTINGS = ["object.mesh.edge_length_m=0.3", "time.duration_s=0.05", "output.frame_interval_s=0.01",
            "output.checkpoints_kept=1000"]


def fail(what):
    sys.exit(f"FAILED: {what}")


def run(ranks, folder, kind, *options):
    settings = [word for setting in SETTINGS + KINDS[kind] for word in ("--set", setting)]
    launch = ["mpirun", "-q", "-n", str(ranks)] if ranks > 1 else []
    done = subprocess.run([*launch, program, "run", scene, "--out", folder, *settings, *options], capture_output=True, text=True)
    if done.returncode != 0:
        fail(f"{folder}, {kind}, {ranks} ranks: {done.stdout}{done.stderr}")


def require_same(kind, a, b, what):
    for one, other in ((a, b), (newest(a), newest(b))):
        done = subprocess.run([program, "diff", one, other], capture_output=True, text=True)
        if done.returncode != 0:
            fail(f"{kind}: {what}: {done.stdout}{done.stderr}")


def checkpoints(folder):
    return sorted(glob.glob(f"{folder}/checkpoints/*.h5"))


def newest(folder):
    return checkpoints(folder)[-1]


def step_of(file):
    return int(os.path.basename(file).split(".")[0])


def rows_of(folder):
    with open(f"{folder}/monitor.csv") as file:
        return [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]


def in_a_burst(rows, step):
    """Between two rows of the monitor among which nodes crack."""
    later = next((i for i, row in enumerate(rows) if row["step"] > step), None)
    return later is not None and later > 0 and rows[later]["cracks"] > rows[later - 1]["cracks"]


def require_kind(kind, rows):
    shows = {
        "as it is": lambda row: row["cracks"] > 50,
        "plastic": lambda row: row["plastic_loss_j"] > 0 and row["cracks"] > 0,
        "sub-cycling": lambda row: row["finest_step_s"] < 0.6 * row["dt_s"],
        "energy watched": lambda row: row["cracks"] > 50,
    }
    if not any(map(shows[kind], rows)):
        fail(f"the scene does not show what it is for: {kind}")


def stopped_at(folder, file, copy):
    """The folder of a run that was killed after this checkpoint."""
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(folder, copy)
    for later in checkpoints(copy):
        if step_of(later) > step_of(file):
            os.remove(later)
            os.remove(later + ".sums")
    with open(f"{copy}/run.json") as marker:
        text = marker.read()
    with open(f"{copy}/run.json", "w") as marker:
        marker.write(text.replace('"finished"', '"running"'))


def chosen(dice, folder, rows, count):
    """Half of them from bursts of cracks, where there are so many; the last one is the run's end."""
    files = checkpoints(folder)[:-1]
    bursts = [file for file in files if in_a_burst(rows, step_of(file))]
    some = dice.sample(bursts, min(len(bursts), (count + 1) // 2))
    rest = [file for file in files if file not in some]
    return some + dice.sample(rest, min(len(rest), count - len(some)))


def check_kind(kind, pairs, count, dice, tally):
    run(1, "straight", kind, "--checkpoint-every", "1h", "--overwrite")
    rows = rows_of("straight")
    require_kind(kind, rows)
    for n in sorted({n for n, _ in pairs}):
        run(n, "stopped", kind, "--checkpoint-every", "0.1s", "--overwrite")
        require_same(kind, "straight", "stopped", f"{n} ranks without a stop")
        for m in [m for before, m in pairs if before == n]:
            for file in chosen(dice, "stopped", rows, count):
                stopped_at("stopped", file, "resumed")
                run(m, "resumed", kind, "--resume", "--checkpoint-every", "1h")
                with open("resumed/run.log") as log:
                    if f"resumed at step {step_of(file)}," not in log.read():
                        fail(f"{kind}: not resumed at step {step_of(file)}")
                require_same(kind, "straight", "resumed", f"{n} ranks to step {step_of(file)}, then {m}")
                tally["resumed"] += 1
                tally["in a burst"] += in_a_burst(rows, step_of(file))
                tally[kind] += 1


os.makedirs(scratch, exist_ok=True)
os.chdir(scratch)
every_pair = list(itertools.product(RANKS, RANKS))
dice, tally = random.Random(seed), collections.Counter()
daily = {"as it is": [(4, 1), (1, 3)], "plastic": [(3, 2)], "sub-cycling": [(2, 4)], "energy watched": [(3, 4)]}
for kind in KINDS:
    check_kind(kind, every_pair if steps else daily[kind], max(1, steps // len(KINDS)), dice, tally)
if tally["in a burst"] * 4 < tally["resumed"]:
    fail(f"too few stops in bursts of cracks: {dict(tally)}")
print(f"restart matrix: passed, seed {seed}: {dict(tally)}")
