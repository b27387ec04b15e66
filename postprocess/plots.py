#!/usr/bin/python3
"""Plots of a run: energies, cracks, sizes of pieces.

examples:
  plots.py runs/bowl --out plots                   energies.png, cracks.png, sizes.png
  plots.py runs/plate --thickness 0.002 --out plots   crack length and speed: area over the plate's thickness
  plots.py runs/bowl --out plots --format pdf --smallest 1e-9

sizes: how many pieces are larger than each volume, with the likeliest Weibull distribution and power law; the numbers are
printed, too. Without --thickness cracks.png has the crack area and its rate.
"""
import argparse
import pathlib

from brisance_post import crack_area, monitor, np, pieces, power_law, weibull
from failure import Failure, missing_package, run
from output_files import make_folder, write_complete


def axes(title, x, y):
    """An empty plot."""
    try:
        import matplotlib
    except ImportError:
        raise missing_package("matplotlib", "python3-matplotlib") from None
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, plot = pyplot.subplots(figsize=(7, 4.5), constrained_layout=True)
    plot.set(title=title, xlabel=x, ylabel=y)
    plot.grid(alpha=0.3)
    return figure, plot


def energies(table):
    figure, plot = axes("Energies", "time [ms]", "energy [J]")
    for name in table.dtype.names:
        if name.endswith("_j") and not name.startswith("total") and np.any(table[name]):
            plot.plot(1e3 * table["time_s"], table[name], label=name[:-2].replace("_", " "))
    if "total_energy_j" in table.dtype.names:
        plot.plot(1e3 * table["time_s"], table["total_energy_j"], "k--", label="total")
    plot.legend(fontsize=8)
    return figure


def cracks(times_s, areas, thickness):
    """Length and speed where the thickness is known, else area and rate."""
    name, unit, values = ("length", "m", areas / thickness) if thickness else ("area", "m²", areas)
    figure, plot = axes("Cracks", "time [ms]", f"crack {name} [{unit}]")
    plot.plot(1e3 * times_s, values, "o-", ms=3, label=name)
    beside = plot.twinx()
    if len(times_s) > 1:
        speed = np.diff(values) / np.diff(times_s)
        beside.step(1e3 * times_s, np.append(speed, speed[-1]), where="post", color="tab:red", alpha=0.6)
        print(f"cracks: {values[-1]:.4g} {unit}; fastest {speed.max():.4g} {unit}/s, all crack tips together")
    beside.set_ylabel(f"growth [{unit}/s]", color="tab:red")
    return figure


def sizes(volumes):
    """The number of pieces above each volume, and both laws; a law that does not apply is left out and said so."""
    volumes = np.sort(volumes)
    figure, plot = axes("Sizes of pieces", "volume [mm³]", "pieces larger than this")
    plot.loglog(1e9 * volumes, np.arange(len(volumes), 0, -1), ".", label=f"{len(volumes)} pieces")
    x = np.geomspace(volumes[0], volumes[-1], 200)
    try:
        k, scale = weibull(volumes)
        plot.loglog(1e9 * x, len(volumes) * np.exp(-(x / scale) ** k), label=f"Weibull, k = {k:.2f}")
        print(f"Weibull: shape {k:.3f}, scale {1e9 * scale:.4g} mm3")
        a, smallest, share = power_law(volumes)
        tail = x[x >= smallest]
        plot.loglog(1e9 * tail, share * len(volumes) * (tail / smallest) ** (1 - a), "--", label=f"power law, a = {a:.2f}")
        print(f"power law: exponent {a:.3f} above {1e9 * smallest:.4g} mm3, {100 * share:.0f} % of the pieces")
    except Failure as why:
        print(f"note: {why}")
    plot.set_ylim(bottom=0.5)
    plot.legend()
    return figure


def figures(arguments):
    """(name, figure) of each plot that the run has numbers for."""
    yield "energies", energies(monitor(arguments.run))
    times_s, areas = crack_area(arguments.run)
    if areas.any():
        yield "cracks", cracks(times_s, areas, arguments.thickness)
    else:
        print("note: there are no cracks to plot")
    volumes = pieces(arguments.run)["volume_m3"]
    volumes = volumes[volumes > max(0, arguments.smallest)]
    if len(volumes) > 1:
        yield "sizes", sizes(volumes)
    else:
        print("note: there are not two pieces to compare")


def draw(arguments):
    make_folder(arguments.out)
    for name, figure in figures(arguments):
        path = arguments.out / f"{name}.{arguments.format}"
        write_complete(path, lambda unfinished, figure=figure: figure.savefig(unfinished, dpi=150), arguments.overwrite)
        print(path)


def positive(text):
    value = float(text)
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} must be above 0.")
    return value


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", metavar="RUN", type=pathlib.Path, help="run folder")
    parser.add_argument("--out", required=True, type=pathlib.Path, metavar="DIR", help="folder for the plots")
    parser.add_argument("--thickness", type=positive, metavar="M", help="of a plate, to plot lengths and speeds [m]")
    parser.add_argument("--smallest", type=float, default=0.0, metavar="M3", help="leave out pieces below this volume (0)")
    parser.add_argument("--format", default="png", choices=["pdf", "png", "svg"])
    parser.add_argument("--overwrite", action="store_true", help="replace existing files")
    return parser.parse_args()


if __name__ == "__main__":
    run(lambda: draw(parse_arguments()))
