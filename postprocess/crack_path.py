#!/usr/bin/python3
"""Path of a crack: its tip over time, its speed, the angle of its path, and its branches.

examples:
  crack_path.py runs/kalthoff --start 0,-0.025,0
  crack_path.py runs/branching_plate --start 0,0,0 --picture path.png

All places are those at rest. --start is where the crack begins, as the tip of a notch; faces count that are connected
with what lies within --near of it. A table of the frames: time [us]; reach [mm], the distance of the farthest face
from the start; its place ahead and to the side [mm]; angle of its direction, 0 straight ahead, positive to the
side; its speed [m/s] over --window frames and as a share of the Rayleigh wave speed of the scene's material; length of
the crack [mm], its area over the thickness. Then of the last frame, by rings of --ring around the start: how many
branches, between which angles lie more than --gap of faceless ring, and the mean angle of each. --picture draws the body
at rest and the crack, from blue (earliest) to red.
"""
import argparse
import math
import pathlib
from dataclasses import dataclass

from failure import Failure, run
from output_files import write_complete
from snapshots import boundary_corners, need_packages, np, read_file, snapshot_files

try:
    import tomllib
except ImportError:
    tomllib = None


@dataclass
class Faces:
    """Crack faces of a frame that are connected with the start."""
    time_s: float
    middle: "np.ndarray"  # (n, 2) ahead and to the side of the start [m]
    corner: "np.ndarray"  # (m, 2) the same of their corners
    area: "np.ndarray"    # (n,) [m2]
    outline: "np.ndarray"  # (n, 3, 2) their triangles
    edge_m: float         # mean


@dataclass
class Frame:
    """The coordinates of a place: from the start, ahead and to the side."""
    start: "np.ndarray"
    ahead: "np.ndarray"
    side: "np.ndarray"

    def of(self, places):
        return np.stack([(places - self.start) @ self.ahead, (places - self.start) @ self.side], axis=1)


def read_faces(path, frame, near):
    return read_file(path, lambda file, _: faces_of(file, path, frame, near), "brisance snapshot")


def faces_of(file, path, frame, near):
    grid, boundary = file["VTKHDF"], file["brisance/boundary"]
    if "rest_position" not in grid["PointData"]:
        raise Failure(f"{path} has no rest_position. Name it in output.fields and run again.")
    corners = boundary_corners(file)
    rest = grid["PointData/rest_position"][:]
    triangles = corners[boundary["source_triangle"][:] < 0]
    # nodes that a crack has separated have the same place at rest
    places, of_row = np.unique(rest, axis=0, return_inverse=True)
    triangles = of_row.ravel()[triangles].reshape(-1, 3)
    a, b, c = (places[triangles[:, k]] for k in range(3))
    edge = float(np.linalg.norm(b - a, axis=1).mean()) if len(triangles) else 0.0
    seen = frame.of(places)
    chosen = hangs_together(triangles, np.linalg.norm(seen, axis=1) < (near if near else 3 * edge), len(places))
    area = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1)
    return Faces(float(file["brisance"].attrs["time_s"]), frame.of((a + b + c) / 3)[chosen],
                 seen[np.unique(triangles[chosen])], area[chosen], seen[triangles[chosen]], edge)


def hangs_together(triangles, seed, num_places):
    """Which triangles are joined by corners with one that has a corner at a place of the seed."""
    reached = seed.copy()
    count = -1
    while True:
        chosen = reached[triangles].any(axis=1)
        if chosen.sum() == count:
            return chosen
        count = chosen.sum()
        reached = np.zeros(num_places, bool)
        reached[triangles[chosen]] = True


def rayleigh_speed(run_folder, name):
    """Rayleigh wave speed [m/s] of a material of the run's scene; None if unknown."""
    scene = pathlib.Path(run_folder) / "scene.toml"
    if tomllib is None or not scene.is_file():
        return None
    materials = tomllib.loads(scene.read_text(encoding="utf-8")).get("material", [])
    chosen = [m for m in materials if name is None or m.get("name") == name]
    if not chosen:
        raise Failure(f"{scene} has no material {name}.")
    material = chosen[0]
    if "youngs_modulus_pa" in material:
        young, poisson = material["youngs_modulus_pa"], material["poissons_ratio"]
        mu = young / (2 * (1 + poisson))
        lam = 2 * mu * poisson / (1 - 2 * poisson)
    elif "lame_mu_pa" in material:
        lam, mu = material["lame_lambda_pa"], material["lame_mu_pa"]
    else:
        return None  # anisotropic: another speed in every direction
    ratio = mu / (lam + 2 * mu)  # (shear over pressure wave speed) squared
    low, high = 0.3, 1.0
    for _ in range(60):  # Rayleigh's equation in x = (c/c_s)^2
        x = (low + high) / 2
        if (2 - x) ** 2 > 4 * math.sqrt((1 - x) * (1 - ratio * x)):
            high = x
        else:
            low = x
    return math.sqrt(low * mu / material["density_kg_m3"])


def speeds(times, reach, window):
    """Slope of the line through `window` frames around each."""
    result = np.zeros(len(times))
    for i in range(len(times)):
        low = max(0, min(i - window // 2, len(times) - window))
        t, r = times[low:low + window], reach[low:low + window]
        if len(t) > 1 and t[-1] > t[0]:
            result[i] = np.polyfit(t - t.mean(), r, 1)[0]
    return result


def branches(faces, low, high, gap):
    """Mean angles [deg] of the faces between two distances from the start, one for each branch."""
    distance = np.linalg.norm(faces.middle, axis=1)
    inside = (distance >= low) & (distance < high)
    if not inside.any():
        return []
    angle, weight = np.arctan2(faces.middle[inside, 1], faces.middle[inside, 0]), faces.area[inside]
    order = np.argsort(angle)
    angle, weight = angle[order], weight[order]
    # Around from the widest gap, so that no branch straddles the cut at ±180 degrees.
    seam = 1 + int(np.argmax(np.diff(angle, append=angle[0] + 2 * math.pi)))
    angle = np.concatenate([angle[seam:], angle[:seam] + 2 * math.pi])
    weight = np.roll(weight, -seam)
    parts = np.split(np.arange(len(angle)), 1 + np.flatnonzero(np.diff(angle) > gap / ((low + high) / 2)))
    means = [math.degrees(np.average(angle[part], weights=weight[part])) for part in parts]
    return sorted((mean + 180) % 360 - 180 for mean in means)


def thickness(path, frame):
    """Thickness of the body, across the plane of the crack's path [m]."""
    across = np.cross(frame.ahead, frame.side)

    def read(file, _):
        extent = float(np.ptp(file["VTKHDF/PointData/rest_position"][:] @ across))
        if not extent > 0:
            raise ValueError("the body has no extent")
        return extent
    return read_file(path, read, "brisance snapshot")


def say(arguments):
    need_packages()
    frame = Frame(np.array(arguments.start), unit(arguments.ahead, "ahead"), unit(arguments.side, "side"))
    files = snapshot_files(arguments.run)
    found = [read_faces(path, frame, arguments.near) for path in files]
    thick = thickness(files[0], frame)
    reach = np.array([np.linalg.norm(f.corner, axis=1).max(initial=0) for f in found])
    times = np.array([f.time_s for f in found])
    speed = speeds(times, reach, arguments.window)
    rayleigh = rayleigh_speed(arguments.run, arguments.material)
    print("time_us reach_mm ahead_mm side_mm angle_deg speed_m_s share_of_rayleigh length_mm")
    for f, r, v in zip(found, reach, speed):
        tip = f.corner[np.linalg.norm(f.corner, axis=1).argmax()] if len(f.corner) else np.zeros(2)
        share = f"{v / rayleigh:.3f}" if rayleigh else "-"
        print(f"{1e6 * f.time_s:.3f} {1e3 * r:.3f} {1e3 * tip[0]:.3f} {1e3 * tip[1]:.3f} "
              f"{math.degrees(math.atan2(tip[1], tip[0])):.1f} {v:.1f} {share} {1e3 * f.area.sum() / 2 / thick:.3f}")
    last = found[-1]
    gap = arguments.gap or 3 * last.edge_m
    ring = arguments.ring or max(reach[-1] / 12, 1e-12)
    print("ring_mm branches angles_deg")
    for low in np.arange(0, reach[-1], ring):
        angles = branches(last, low, low + ring, gap)
        print(f"{1e3 * low:.2f}-{1e3 * (low + ring):.2f} {len(angles)} {' '.join(f'{a:.1f}' for a in angles)}")
    if arguments.picture:
        draw(found, outer_triangles(files[0], frame), arguments.picture, arguments.width, arguments.overwrite)


def draw(found, surface, path, width, overwrite):
    """The body's outer triangles in grey, and the crack's as they came, the oldest on top."""
    from PIL import Image, ImageDraw
    low, high = surface.reshape(-1, 2).min(0), surface.reshape(-1, 2).max(0)
    scale = 0.96 * width / (high[0] - low[0])
    picture = Image.new("RGB", (width, math.ceil(scale * (high[1] - low[1]) + 0.04 * width)), "white")
    pen = ImageDraw.Draw(picture)

    def place(x):
        return picture.width / 2 + scale * (x[0] - (low[0] + high[0]) / 2), picture.height / 2 - scale * (
            x[1] - (low[1] + high[1]) / 2)

    for triangle in surface:
        pen.polygon([place(x) for x in triangle], fill=(232, 232, 232))
    cracked = [f for f in found if len(f.area)]
    for number in reversed(range(len(cracked))):
        share = number / max(len(cracked) - 1, 1)
        colour = (round(30 + 200 * share), 40, round(230 - 200 * share))
        for triangle in cracked[number].outline:
            pen.polygon([place(x) for x in triangle], fill=colour, outline=colour)
    write_complete(path, lambda to: picture.save(to, format="PNG"), overwrite)


def outer_triangles(path, frame):
    """Outer triangles of the body at rest, projected [(n, 3, 2) m]."""
    def read(file, _):
        grid, boundary = file["VTKHDF"], file["brisance/boundary"]
        seen = frame.of(grid["PointData/rest_position"][:])[boundary_corners(file)[boundary["source_triangle"][:] >= 0]]
        if not len(seen) or not np.all(np.ptp(seen.reshape(-1, 2), axis=0) > 0):
            raise ValueError("the body has no extent")
        return seen
    return read_file(path, read, "brisance snapshot")


def unit(vector, name):
    length = np.linalg.norm(vector)
    if not length > 0:
        raise Failure(f"--{name} is zero. Give a direction.")
    return np.array(vector) / length


def vector(text):
    numbers = [float(number) for number in text.split(",")]
    if len(numbers) != 3:
        raise argparse.ArgumentTypeError(f"{text}: give three numbers, as 0,-1,0")
    return numbers


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", metavar="RUN", help="run folder or snapshot (.hdf)")
    parser.add_argument("--start", type=vector, required=True, metavar="X,Y,Z", help="where the crack begins, at rest [m]")
    parser.add_argument("--ahead", type=vector, default=[1, 0, 0], metavar="X,Y,Z",
                        help="the direction of angle 0 (1,0,0)")
    parser.add_argument("--side", type=vector, default=[0, 1, 0], metavar="X,Y,Z",
                        help="the direction of 90 degrees (0,1,0)")
    parser.add_argument("--near", type=float, default=0, metavar="M",
                        help="faces this near to the start are the crack's beginning [m] (three mean edges)")
    parser.add_argument("--window", type=int, default=5, help="frames that a speed is fitted to (5)")
    parser.add_argument("--ring", type=float, default=0, metavar="M", help="width of the rings [m] (a twelfth of the reach)")
    parser.add_argument("--gap", type=float, default=0, metavar="M", help="branches are this far apart [m] (three mean edges)")
    parser.add_argument("--picture", type=pathlib.Path, metavar="FILE", help="a drawing (.png)")
    parser.add_argument("--width", type=int, default=640, help="of the drawing, in pixels (640)")
    parser.add_argument("--overwrite", action="store_true", help="replace an existing drawing")
    parser.add_argument("--material", metavar="NAME", help="whose Rayleigh wave speed (the scene's first)")
    return parser.parse_args()


if __name__ == "__main__":
    run(lambda: say(parse_arguments()))
