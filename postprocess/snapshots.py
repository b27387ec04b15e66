"""Snapshots of a run, read as docs/FORMAT.md describes them, with h5py and numpy only."""
import os
import pathlib
from dataclasses import dataclass, replace

from failure import Failure, blame, missing_package

SUPPORTED_FORMAT_VERSIONS = (1, 2)


try:
    import numpy as np
except ImportError:
    np = None
# HDF5 cannot open files on file systems without locks; files with their final names are complete and need none.
os.environ.setdefault("HDF5_USE_FILE_LOCKING", "FALSE")
try:
    import h5py
except ImportError:
    h5py = None


@dataclass
class Surface:
    """Boundary triangles of one frame. A node occurs once; two crack faces have nodes of their own."""
    time_s: float
    frame: int
    node_id: "np.ndarray"          # (n,) int64
    points: "np.ndarray"           # (n, 3) [m]
    velocity: "np.ndarray"         # (n, 3) [m/s]; None where the frame has none
    triangles: "np.ndarray"        # (t, 3) indices into points, outward
    piece: "np.ndarray"            # (t,) number of the connected part
    source_triangle: "np.ndarray"  # (t,) triangle of the input surface; -1 on a crack surface
    texture: "np.ndarray" = None   # (t, 3, 2) texture coordinates of the corners, where the input had any
    group: "np.ndarray" = None     # (t,) group of the input, -1 for none; None where its file names nothing
    origin: "np.ndarray" = (0.0, 0.0, 0.0)  # [m] what single precision should count from (mesh_formats.place_origin)

    @property
    def is_crack(self):
        return self.source_triangle < 0

    def part(self, chosen):
        """The triangles where `chosen` is true, with only the nodes they use."""
        used, triangles = np.unique(self.triangles[chosen], return_inverse=True)
        return replace(self, node_id=self.node_id[used], points=self.points[used], velocity=self._velocity_of(used),
                       triangles=triangles.reshape(-1, 3), piece=self.piece[chosen],
                       source_triangle=self.source_triangle[chosen],
                       texture=None if self.texture is None else self.texture[chosen],
                       group=None if self.group is None else self.group[chosen])

    def with_own_corners(self):
        """Each triangle with three nodes of its own: corners of one node may differ in texture coordinates."""
        corners = self.triangles.ravel()
        return replace(self, node_id=self.node_id[corners], points=self.points[corners],
                       velocity=self._velocity_of(corners), triangles=np.arange(len(corners)).reshape(-1, 3))

    def check(self):
        """Raises ValueError where the columns do not fit together, so that later operations cannot fail."""
        self.points = self.points.astype(float)
        for numbers in (self.node_id, self.triangles, self.piece, self.source_triangle):
            if numbers.dtype.kind not in "iu":
                raise ValueError("an id, a corner or a piece is no whole number")
        for reals in (self.velocity, self.texture):
            if reals is not None and reals.dtype.kind not in "iuf":
                raise ValueError("a velocity or texture coordinate is no number")
        if any(len(column) != len(self.triangles) for column in (self.piece, self.source_triangle)):
            raise ValueError("the triangles do not have as many pieces or sources")
        if self.texture is not None and len(self.texture) != len(self.triangles):
            raise ValueError("the triangles do not have as many texture coordinates")
        if not len(self.triangles):
            raise ValueError("it has no surface")
        if self.triangles.min() < 0 or self.triangles.max() >= len(self.points):
            raise ValueError("a triangle names a node that is not in the file")
        if self.points.shape != (len(self.node_id), 3) or not np.all(np.isfinite(self.points)):
            raise ValueError("positions are missing or not finite")
        if self.velocity is not None and self.velocity.shape != self.points.shape:
            raise ValueError("the nodes do not have as many velocities")
        if max(np.abs(self.piece).max(), np.abs(self.source_triangle).max()) > 2 ** 31:
            raise ValueError("there are not so many pieces or triangles")
        return self

    def _velocity_of(self, nodes):
        return None if self.velocity is None else self.velocity[nodes]


@dataclass
class Nodes:
    """All nodes of one frame, ascending by id."""
    time_s: float
    node_id: "np.ndarray"        # (n,) int64
    rest_position: "np.ndarray"  # (n, 3) [m]
    position: "np.ndarray"       # (n, 3) [m]

    def rows(self, node_id):
        """Rows of the nodes with these ids, and which of them the frame has."""
        row = np.minimum(np.searchsorted(self.node_id, node_id), len(self.node_id) - 1)
        return row, self.node_id[row] == node_id


@dataclass
class Obstacle:
    """A collider in its pose of a frame."""
    name: str
    kind: str                  # sphere, box, or one with points
    size: "np.ndarray"         # (3,) radius, 0, 0, or edge lengths [m]; with points those of the box around it
    centre: "np.ndarray"       # (3,) [m]
    orientation: "np.ndarray"  # (4,) unit quaternion x y z w, body to world
    points: "np.ndarray" = None     # (n, 3) about its centre [m]; none or empty for spheres and boxes
    triangles: "np.ndarray" = None  # (m, 3), outward


@dataclass
class Dust:
    """Pieces that became round particles, ascending by id."""
    time_s: float
    id: "np.ndarray"                # (n,) int64, the lowest node of the piece that it was
    material: "np.ndarray"          # (n,) int32
    birth_s: "np.ndarray"           # (n,) [s]
    position: "np.ndarray"          # (n, 3) [m]
    velocity: "np.ndarray"          # (n, 3) [m/s]
    angular_momentum: "np.ndarray"  # (n, 3) [kg m2/s]
    radius: "np.ndarray"            # (n,) [m]
    mass: "np.ndarray"              # (n,) [kg]

    def __len__(self):
        return len(self.id)


def snapshot_files(path):
    """Snapshots below a run folder (or its snapshots folder, or one file), in order of time."""
    path = pathlib.Path(path)
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise Failure(f"{path} does not exist. Name a run folder or a snapshot (.hdf).")
    folder = path / "snapshots" if (path / "snapshots").is_dir() else path
    files = sorted(folder.glob("*.hdf"))
    if not files:
        raise Failure(f"{folder} holds no snapshots (.hdf). Has the run written a frame yet?")
    return files


def chosen_frames(files, text):
    """The files a --frames text asks for: N, a:b (without b), a: or :b, counted from 0."""
    if text is None:
        return files
    try:
        limits = [int(number) if number else None for number in text.split(":")]
    except ValueError:
        limits = []
    if len(limits) == 1 and limits[0] is not None and limits[0] >= 0:
        limits.append(limits[0] + 1)
    if len(limits) != 2:
        raise Failure(f"--frames {text}: give one frame (12) or a range without its end (10:20, 10:, :20).")
    chosen = files[limits[0]:limits[1]]
    if not chosen:
        raise Failure(f"--frames {text} chooses nothing: there are frames 0 to {len(files) - 1}.")
    return chosen


def read_surface(path):
    """The boundary surface of a snapshot, parts joined by global node id."""
    return read_file(path, _surface, "brisance snapshot")


def read_nodes(path):
    """Nodes of a snapshot, each once."""
    return read_file(path, _nodes, "brisance snapshot")


def read_obstacles(path):
    """The balls and boxes of a snapshot, in the order of the file."""
    return read_file(path, _obstacles, "brisance snapshot")


def read_dust(path):
    """The dust of a snapshot; none where it has no such group."""
    return read_file(path, _dust, "brisance snapshot")


def read_pieces(path):
    """The surfaces of a file of pieces (brisance prefracture), one after the other; each piece has nodes of its own."""
    return read_file(path, _pieces_surface, "brisance file of pieces")


def need_packages():
    """Fails with a message where numpy or h5py is not installed."""
    if np is None:
        raise missing_package("numpy", "python3-numpy")
    if h5py is None:
        raise missing_package("h5py", "python3-h5py")


def refuse_values_elsewhere(file, path):
    """Fails if something in an HDF5 file lies in another one: links and storage that lead out of it are not followed."""
    inside = (h5py.h5l.TYPE_HARD, h5py.h5l.TYPE_SOFT)

    def link_out(name, info):
        return None if info.type in inside else name.decode()

    def values_out(name, item):
        return name if isinstance(item, h5py.Dataset) and (item.external or item.is_virtual) else None

    name = file.id.links.visit(link_out, info=True) or file.visititems(values_out)
    if name:
        raise Failure(f"{path}: /{name} lies in another file. Links and storage that lead out of a file are not followed: "
                      "copy the data into it (h5repack, or write it again).")


def read_file(path, reader, kind):
    """The result of `reader(file, path)` for an HDF5 file, which should be a `kind`."""
    need_packages()
    with blame(path, kind), h5py.File(path, "r") as file:
        refuse_values_elsewhere(file, path)
        return reader(file, path)


def _check_version(file, path, attribute):
    version = int(file["brisance"].attrs[attribute])
    newest = SUPPORTED_FORMAT_VERSIONS[-1] if attribute == "format_version" else 1
    if not 1 <= version <= newest:
        raise Failure(f"{path} has format version {version}; this script reads {newest}. "
                      "Use the script of the release that wrote it.")


def _pieces_surface(file, path):
    _check_version(file, path, "pieces_version")
    vtk = file["VTKHDF"]
    triangles = with_global_rows(vtk["Connectivity"][:].reshape(-1, 3), vtk["NumberOfCells"][:],
                                  vtk["NumberOfPoints"][:])
    points, cells = vtk["Points"][:], vtk["CellData"]
    texture = cells["texture"][:].reshape(-1, 3, 2) if "texture" in cells else None
    return Surface(0.0, 0, np.arange(len(points)), points, None, triangles, cells["piece"][:],
                   cells["source_triangle"][:], texture).check()


def _surface(file, path):
    ours, boundary, vtk = file["brisance"], file["brisance/boundary"], file["VTKHDF"]
    _check_version(file, path, "format_version")
    corners = boundary_corners(file)
    used, triangles = np.unique(corners, return_inverse=True)
    # a node on a rank boundary has a row in each part: keep one row an id
    node_id, first, merged = np.unique(vtk["PointData/global_id"][:][used], return_index=True, return_inverse=True)
    rows = used[first]
    source = boundary["source_triangle"][:]
    return Surface(float(ours.attrs["time_s"]), int(ours.attrs["frame"]), node_id, vtk["Points"][:][rows],
                   vtk["PointData/velocity"][:][rows] if "velocity" in vtk["PointData"] else None, merged[triangles].reshape(-1, 3),
                   _pieces(boundary["element"][:], vtk["CellData"]), source, group=_groups(ours, source)).check()


def centroids(surface):
    """Numbers of the pieces and the centre of mass of each (n, 3)."""
    pieces = np.unique(surface.piece)
    corners = surface.points[surface.triangles]
    return pieces, np.array([centroid(corners[surface.piece == piece]) for piece in pieces]).reshape(-1, 3)


def centroid(corners):
    """Centre of the solid that outward triangles bound: mean of the cones to the first corner, by their volumes. Of a
    flat piece the mean of its triangles, by their areas; of one without a volume the middle of its box."""
    apex = corners[0, 0]
    a, b, c = (corners[:, i] - apex for i in range(3))
    if np.ptp(corners[..., 2]) == 0:
        weights, share = np.cross(b - a, c - a)[:, 2], 3
    else:
        weights, share = np.einsum("ij,ij->i", np.cross(a, b), c), 4
    with np.errstate(divide="ignore", invalid="ignore"):
        centre = apex + (weights[:, None] * (a + b + c)).sum(0) / (share * weights.sum())
    low, high = corners.min((0, 1)), corners.max((0, 1))
    return centre if np.all((centre >= low) & (centre <= high)) else (low + high) / 2


def _groups(ours, source_triangle):
    """Group of each triangle by the input face it comes from; None where the input names nothing."""
    if "group_of_source" not in ours:
        return None
    of_source = np.append(ours["group_of_source"][:], -1)  # the last row: no source, or one past the end
    row = np.where((source_triangle >= 0) & (source_triangle < len(of_source)), source_triangle, len(of_source) - 1)
    return of_source[row]


def _nodes(file, path):
    _check_version(file, path, "format_version")
    data = file["VTKHDF/PointData"]
    if "rest_position" not in data:
        raise Failure(f"{path} was written without rest_position, which is needed here. Name it in output.fields and "
                      "run again.")
    node_id, first = np.unique(data["global_id"][:], return_index=True)
    return Nodes(float(file["brisance"].attrs["time_s"]), node_id, data["rest_position"][:][first],
                 file["VTKHDF/Points"][:][first])


def _dust(file, path):
    _check_version(file, path, "format_version")
    shapes = {"id": (), "material": (), "birth_s": (), "position": (3,), "velocity": (3,), "angular_momentum": (3,),
              "radius": (), "mass": ()}
    group = file["brisance"].get("dust", {name: np.zeros((0, *shape)) for name, shape in shapes.items()})
    order = np.argsort(group["id"][:], kind="stable")
    columns = {name: group[name][:][order] for name in shapes}
    for name, shape in shapes.items():
        if columns[name].shape != (len(order), *shape) or not np.all(np.isfinite(columns[name])):
            raise ValueError(f"the dust's {name} is missing or not finite")
    return Dust(float(file["brisance"].attrs["time_s"]), **columns)


def _obstacles(file, path):
    _check_version(file, path, "format_version")
    if "colliders" not in file["brisance"]:
        return []
    columns = [file["brisance/colliders"][name][:] for name in ("name", "kind", "size", "centre", "orientation")]
    obstacles = [Obstacle(name.decode(), kind.decode(), size, centre, np.roll(wxyz, -1))
                 for name, kind, size, centre, wxyz in zip(*columns)]
    if "vertices" in file["brisance/colliders"]:
        _add_meshes(file["brisance/colliders"], obstacles)
    return [obstacle for obstacle in obstacles if obstacle.kind != "plane"]


def _add_meshes(colliders, obstacles):
    """All meshes' vertices lie one after the other, and so do their triangles."""
    vertex_ends, triangle_ends = np.cumsum(colliders["num_vertices"][:]), np.cumsum(colliders["num_triangles"][:])
    vertices = np.split(colliders["vertices"][:], vertex_ends[:-1])
    triangles = np.split(colliders["triangles"][:], triangle_ends[:-1])
    for obstacle, obstacle.points, obstacle.triangles in zip(obstacles, vertices, triangles):
        if np.any(obstacle.triangles < 0) or np.any(obstacle.triangles >= max(len(obstacle.points), 1)):
            raise ValueError("a triangle of a mesh collider names a vertex that is not in the file")


def with_global_rows(corners, cells_of_part, points_of_part):
    """Corners count from the first point of their own part; here from the first of the file."""
    if cells_of_part.sum() != len(corners) or np.any(cells_of_part < 0):
        raise ValueError("the parts do not have as many cells as the file")
    first_point = np.concatenate(([0], np.cumsum(points_of_part)[:-1]))
    return corners + np.repeat(first_point, cells_of_part)[:, None]


def boundary_corners(file):
    """Rows of the corners of a snapshot's boundary triangles, (t, 3)."""
    boundary = file["brisance/boundary"]
    return with_global_rows(boundary["corners"][:], boundary["num_triangles"][:], file["VTKHDF/NumberOfPoints"][:])


def _pieces(element, cell_data):
    """Piece of each triangle: that of the element it belongs to."""
    element_id = cell_data["global_id"][:]
    order = np.argsort(element_id)
    place = np.searchsorted(element_id, element, sorter=order)
    if np.any(place >= len(order)) or np.any(element_id[order[place]] != element):
        raise ValueError("a boundary triangle names an element that is not in the file")
    return cell_data["piece"][:][order[place]]
