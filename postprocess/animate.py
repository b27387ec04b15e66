#!/usr/bin/python3
"""A playback (brisance play) as one animated GLB: a node a piece, with keyframes of its translation and rotation.

examples:
  animate.py runs/cup --out cup.glb
  animate.py runs/cup --frames :40 --out cup.glb

The pieces are those of the last frame, in one mesh each from the start: a body that breaks later is several nodes
that move together until then. A keyframe is the rigid motion that fits the piece best; a run whose pieces also bend or
stretch is refused (to_mesh.py makes a mesh a frame of it). Balls, boxes and meshes that they meet are nodes of their own, planes
are left out. Between frames, motion is linear, turning included. y is up.
"""
import argparse
import pathlib

from failure import Failure, blame, run
from mesh_formats import GltfScene, place_origin
from obstacles import mesh_of
from output_files import make_folder, write_complete
from snapshots import centroids, chosen_frames, np, read_nodes, read_obstacles, read_surface, snapshot_files


def best_rotation(rest, position):
    """Unit quaternion w x y z of the rotation that brings centred points `rest` closest to `position` by the sum of
    squares: the eigenvector of the largest eigenvalue of Horn's matrix (1987)."""
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = rest.T @ position
    _, vectors = np.linalg.eigh(np.array([
        [xx + yy + zz, yz - zy, zx - xz, xy - yx],
        [yz - zy, xx - yy - zz, xy + yx, zx + xz],
        [zx - xz, xy + yx, yy - xx - zz, yz + zy],
        [xy - yx, zx + xz, yz + zy, zz - xx - yy]]))
    return vectors[:, -1]


def rotation_matrix(quaternion):
    w, x, y, z = quaternion
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def fix_a_rotation(points):
    """Do these points lie on no common line?"""
    if len(points) < 3:
        return False
    spread = np.linalg.svd(points - points.mean(0), compute_uv=False)
    return spread[1] > 1e-6 * spread[0]


def rigid_motion(rest, position, origin):
    """Place of `origin` in the best-fitting rigid motion, its quaternion w x y z, and the largest distance left."""
    centre, current = rest.mean(0), position.mean(0)
    quaternion = best_rotation(rest - centre, position - current)
    turn = rotation_matrix(quaternion)
    error = np.linalg.norm((rest - centre) @ turn.T + current - position, axis=1).max()
    return current + turn @ (origin - centre), quaternion, error


class Keyframes:
    """Motion of every piece in every frame, in their order: its centre of mass, and its rotation."""

    def __init__(self, surface, rest, tolerance_m):
        self.pieces, self.origin = centroids(surface)
        corners = [np.unique(surface.triangles[surface.piece == piece]) for piece in self.pieces]
        self.node_id = [surface.node_id[nodes] for nodes in corners]
        self.rest = [rest[nodes] for nodes in corners]
        self.tolerance_m = tolerance_m
        self.times_s, self.largest_error_m = [], 0.0
        self.translations, self.rotations = [[] for _ in self.pieces], [[] for _ in self.pieces]

    def add(self, nodes, file):
        self.times_s.append(nodes.time_s)
        for i, piece in enumerate(self.pieces):
            row, known = nodes.rows(self.node_id[i])
            if not fix_a_rotation(self.rest[i][known]):
                raise Failure(f"{file} has too few nodes of what is piece {piece} in the last frame: cracks made them "
                              "later. Choose later --frames, or use to_mesh.py.")
            current = nodes.position[row[known]]
            place, quaternion, error = rigid_motion(self.rest[i][known], current, self.origin[i])
            if error > self.tolerance_m:
                raise Failure(f"piece {piece} is not rigid: in {file} a node is {error:.3g} m from where a rigid motion "
                              f"brings it, above {self.tolerance_m:.3g} m. Use to_mesh.py, or a larger --tolerance.")
            self.largest_error_m = max(self.largest_error_m, error)
            # q and -q are one rotation: the sign of the shorter rotation from the frame before
            if self.rotations[i] and np.dot(quaternion, self.rotations[i][-1]) < 0:
                quaternion = -quaternion
            self.translations[i].append(place)
            self.rotations[i].append(quaternion)


def collect(files, tolerance):
    """The pieces of the last file at rest, and their keyframes."""
    with blame(files[-1], "brisance snapshot"):
        surface, last = read_surface(files[-1]), read_nodes(files[-1])
        origin = place_origin(surface)  # where it is seen; at rest it may be anywhere
        surface.points, surface.velocity = last.rest_position[last.rows(surface.node_id)[0]], None
        size_m = np.linalg.norm(np.ptp(surface.points, axis=0))
        surface.origin = origin
        keyframes = Keyframes(surface, surface.points, tolerance * size_m)
    for file in files:
        with blame(file, "brisance snapshot"):
            keyframes.add(read_nodes(file), file)
    if np.any(np.diff(np.array(keyframes.times_s, "f4")) <= 0):
        raise Failure("the times of the frames do not ascend. Is this one run?")
    return surface, keyframes


def same_way_round(rotations):
    """Each quaternion with the sign of the shorter rotation from the one before."""
    signs = np.sign(np.einsum("ij,ij->i", rotations[1:], rotations[:-1]))
    return rotations * np.concatenate(([1.0], np.cumprod(np.where(signs < 0, -1.0, 1.0))))[:, None]


def write_animation(surface, keyframes, obstacles, path):
    scene = GltfScene({"num_frames": len(keyframes.times_s), "first_time_s": keyframes.times_s[0]}, surface.origin)
    nodes = []
    for piece, origin in zip(keyframes.pieces, keyframes.origin):
        part = surface.part(surface.piece == piece)
        part.points = part.points - origin
        nodes.append(scene.add_mesh(f"piece_{piece}", part))
    places = [np.array(of_piece) - surface.origin for of_piece in keyframes.translations]
    xyzw = [np.roll(rotations, -1, axis=1) for rotations in keyframes.rotations]
    for in_frames in zip(*obstacles):
        nodes.append(scene.add_mesh(in_frames[0].name, mesh_of(in_frames[0])))
        places.append(np.array([obstacle.centre for obstacle in in_frames]) - surface.origin)
        xyzw.append(same_way_round(np.array([obstacle.orientation for obstacle in in_frames])))
    scene.animate(nodes, np.array(keyframes.times_s) - keyframes.times_s[0], places, xyzw)
    scene.write(path)


def convert(arguments):
    if arguments.out.suffix != ".glb":
        raise Failure(f"--out {arguments.out} must end in .glb.")
    if not arguments.tolerance > 0:
        raise Failure(f"--tolerance {arguments.tolerance} must be above 0.")
    files = chosen_frames(snapshot_files(arguments.run), arguments.frames)
    surface, keyframes = collect(files, arguments.tolerance)
    obstacles = [read_obstacles(file) for file in files]
    make_folder(arguments.out.parent)
    write_complete(arguments.out, lambda path: write_animation(surface, keyframes, obstacles, path),
                   arguments.overwrite)
    print(f"{len(keyframes.pieces)} pieces, {len(keyframes.times_s)} frames, {keyframes.times_s[-1]:g} s in "
          f"{arguments.out}; nodes are within {keyframes.largest_error_m:.2g} m of rigid motion")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", metavar="RUN", help="run folder")
    parser.add_argument("--out", required=True, type=pathlib.Path, metavar="FILE", help="the .glb file")
    parser.add_argument("--frames", metavar="A:B", help="frames A to B-1, or one frame; all by default")
    parser.add_argument("--tolerance", type=float, default=1e-5, metavar="SHARE",
                        help="largest distance from rigid motion, as a share of the object's size (1e-5)")
    parser.add_argument("--overwrite", action="store_true", help="replace an existing file")
    return parser.parse_args()


if __name__ == "__main__":
    run(lambda: convert(parse_arguments()))
