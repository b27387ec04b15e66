"""Writers of a boundary surface for other tools. Each takes a path, for output_files.write_complete, and keeps what its
format can hold."""
import colorsys
import copy
import json
import struct
from dataclasses import dataclass

from failure import Failure, blame, missing_package
from output_files import open_text
from snapshots import centroids, np

ORIGINAL_COLOUR = (0.40, 0.15, 0.075)  # linear light, as the renderer paints them
CRACK_COLOUR = (0.70, 0.60, 0.45)
MATERIALS = (("original_surface", ORIGINAL_COLOUR, False), ("crack_surface", CRACK_COLOUR, True))


def has_room(surface):
    """Does single precision resolve the triangles at their place? Not if rounding, 2^-24 of the distance from the
    origin, is above 2^-12 of the median edge."""
    return single_rounding(surface) <= 2.0 ** -12 * _median_edge(surface)


def single_rounding(surface):
    """Positions in single precision, relative to the surface's origin [m]."""
    return 2.0 ** -24 * np.abs(surface.points - surface.origin).max(initial=0)


def _median_edge(surface):
    corners = surface.points[surface.triangles]
    edges = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2)
    return np.median(edges) if edges.size else np.inf


def place_origin(surface, before=None):
    """Chooses the surface's `origin`, from which formats with single precision count: that of the world, or of the file
    `before`, while they resolve the triangles; else a round point in the middle. Returns it."""
    for origin in (np.zeros(3), before):
        if origin is not None:
            surface.origin = origin
            if has_room(surface):
                return origin
    low, high = surface.points.min(0), surface.points.max(0)
    step = 2.0 ** np.ceil(np.log2(max((high - low).max(), 1e-300)))
    surface.origin = step * np.round((low + high) / 2 / step)
    return surface.origin


def far_note(surface, kind):
    """Warning for a file of this kind whose surface is far from the origin; None if it is not."""
    coordinates = ", ".join(f"{x:.17g}" for x in surface.origin)
    rounding_m = 2.0 ** -24 * np.abs(surface.points).max(initial=0)
    if not np.any(surface.origin):
        return None if has_room(surface) else (
            f"note: single precision rounds positions to {rounding_m:.2g} m. Take one mesh a piece, or fewer bodies.")
    if kind == "stl":
        return f"note: far from the origin, and STL has single precision: the meshes are moved by minus ({coordinates}) m."
    if kind == "glb":
        return (f"note: far from the origin: the meshes are about ({coordinates}) m, which is the translation of the root "
                "node (there with y up).")
    return (f"note: far from the origin: the file has all digits, but programs that read it in single precision round "
            f"positions to {rounding_m:.2g} m. stl and glb are moved to the origin.")


def _digits(surface):
    """Significant digits that give positions to a billionth of the surface's size, wherever it is."""
    size, farthest = np.ptp(surface.points, axis=0).max(initial=0), np.abs(surface.points).max(initial=0)
    return int(np.clip(np.ceil(9 + np.log10(farthest / size)), 9, 17)) if size > 0 else 17


def write_ply(surface, path):
    """Binary PLY: vertices with velocity (vx vy vz, where the frame has it), node id and colour, faces with crack (0/1)
    and piece. Positions are of double precision where they are far from the origin."""
    real, place = ("double", "<f8") if np.any(surface.origin) else ("float", "<f4")
    vectors = [("x", place, 3)] + ([("v", "<f4", 3)] if surface.velocity is not None else [])
    vertices = np.empty(len(surface.points), dtype=vectors + [("id", "<f8"), ("colour", "u1", 3)])
    vertices["x"] = surface.points
    if surface.velocity is not None:
        vertices["v"] = surface.velocity
    vertices["id"], vertices["colour"] = surface.node_id, _vertex_colours(surface)
    faces = np.empty(len(surface.triangles), dtype=[("n", "u1"), ("c", "<i4", 3), ("crack", "u1"), ("piece", "<i4")])
    faces["n"], faces["c"], faces["crack"], faces["piece"] = 3, surface.triangles, surface.is_crack, surface.piece
    header = ["ply", "format binary_little_endian 1.0", f"comment time_s {surface.time_s!r}",
              f"element vertex {len(vertices)}"]
    header += [f"property {real} {name}" for name in "xyz"]
    header += [f"property float {name}" for name in ("vx", "vy", "vz") if len(vectors) > 1]
    header += ["property double node_id"] + [f"property uchar {name}" for name in ("red", "green", "blue")]
    header += [f"element face {len(faces)}", "property list uchar int vertex_indices",
               "property uchar crack", "property int piece", "end_header"]
    with open(path, "wb") as file:
        file.write(("\n".join(header) + "\n").encode("ascii"))
        file.write(vertices.tobytes())
        file.write(faces.tobytes())


def write_stl(surface, path):
    """Binary STL: geometry only, about the surface's origin, which the header names."""
    corners = (surface.points - surface.origin)[surface.triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    facets = np.zeros(len(corners), dtype=[("n", "<f4", 3), ("x", "<f4", (3, 3)), ("attribute", "<u2")])
    facets["n"], facets["x"] = normals / np.where(lengths > 0, lengths, 1), corners
    with open(path, "wb") as file:
        file.write(_stl_header(surface.origin).ljust(80)[:80])
        file.write(struct.pack("<I", len(facets)))
        file.write(facets.tobytes())


def _stl_header(origin):
    if not np.any(origin):
        return b"boundary surface in metres"
    return ("boundary surface in metres about " + " ".join(f"{x:.12g}" for x in origin)).encode("ascii")


def write_svg(surface, path):
    """SVG of flat pieces: a path each, its outlines (holes too) closed, filled by the even-odd rule; y is up."""
    if np.ptp(surface.points[:, 2]) > 0:
        raise Failure("svg is for flat pieces: those that `brisance prefracture` makes of a flat body without --thickness.")
    drawing = 1000 * surface.points[:, :2] * (1, -1)  # millimetres
    low, size = drawing.min(0), np.ptp(drawing, axis=0)
    point = f"%.{_digits(surface)}g,%.{_digits(surface)}g"
    with open_text(path) as file:
        file.write('<svg xmlns="http://www.w3.org/2000/svg" width="%.9gmm" height="%.9gmm" viewBox="%.17g %.17g %.9g %.9g" '
                   'fill="#d8e4e8" stroke="black" stroke-width="%.3g" fill-rule="evenodd">\n'
                   % (*size, *low, *size, 1e-3 * size.max()))
        for piece in np.unique(surface.piece):
            rims = _rims(surface.triangles[surface.piece == piece])
            path_data = " ".join("M " + " L ".join(point % tuple(drawing[node]) for node in rim) + " Z"
                                 for rim in rims)
            file.write(f'<path id="piece_{piece}" d="{path_data}"/>\n')
        file.write("</svg>\n")


def _rims(triangles):
    """Closed curves of nodes around a flat piece, whose rim passes each node once."""
    edges = {(int(a), int(b)) for t in triangles for a, b in zip(t, np.roll(t, -1))}
    following = {a: b for a, b in edges if (b, a) not in edges}
    while following:
        first = min(following)
        rim, node = [first], following.pop(first)
        while node != first:
            rim.append(node)
            node = following.pop(node)
        yield rim


@dataclass
class Picture:
    """The picture on an object's outside."""
    name: str
    data: bytes
    mime_type: str


def read_picture(path):
    """Of a PNG or JPEG file, the formats that glTF knows."""
    with blame(path, "picture"):
        data = path.read_bytes()
    for start, kind in ((b"\x89PNG\r\n\x1a\n", "image/png"), (b"\xff\xd8\xff", "image/jpeg")):
        if data.startswith(start):
            return Picture(path.name, data, kind)
    raise Failure(f"{path} is no PNG and no JPEG file. Convert it.")


def write_obj(surface, path, per_piece, picture=None):
    """OBJ and MTL: a group for each piece and a material for each kind of surface; per piece also an object each, with
    vertices of its own. Texture coordinates, where there are any, one a corner; the picture, where there is one, beside
    them."""
    library = path.with_suffix(".mtl")
    with open_text(library) as file:
        for name, colour, _ in MATERIALS:
            if picture and name == MATERIALS[0][0]:
                file.write(f"newmtl {name}\nKd 1 1 1\nmap_Kd {picture.name}\n")
            else:
                file.write(f"newmtl {name}\nKd {colour[0]} {colour[1]} {colour[2]}\n")
    if picture:
        path.with_name(picture.name).write_bytes(picture.data)
    vertex = "v" + f" %.{_digits(surface)}g" * 3 + "\n"
    with open_text(path) as file:
        file.write(f"# time_s {surface.time_s!r}\nmtllib {library.name}\n")
        if not per_piece:
            _obj_vertices(file, surface, vertex)
        first_vertex, first_texture = 1, 1
        for piece in np.unique(surface.piece):
            chosen = surface.part(surface.piece == piece)
            if per_piece:
                file.write(f"o piece_{piece}\n")
                _obj_vertices(file, chosen, vertex)
            else:
                chosen = _same_nodes(surface, surface.piece == piece)
            file.write(f"g piece_{piece}\n")
            first_texture = _obj_faces(file, chosen, first_vertex, first_texture)
            first_vertex += len(chosen.points) if per_piece else 0


def _same_nodes(surface, chosen):
    """The triangles where `chosen` is true, numbering nodes as the whole surface does."""
    part = copy.copy(surface)
    part.triangles, part.source_triangle = surface.triangles[chosen], surface.source_triangle[chosen]
    part.texture = None if surface.texture is None else surface.texture[chosen]
    return part


def _obj_vertices(file, surface, line):
    file.writelines(line % tuple(point) for point in surface.points)


def _obj_faces(file, surface, first_vertex, first_texture):
    for name, _, crack in MATERIALS:
        chosen = surface.is_crack == crack
        triangles = surface.triangles[chosen] + first_vertex
        if not len(triangles):
            continue
        file.write(f"usemtl {name}\n")
        if surface.texture is None or crack:
            file.writelines("f %d %d %d\n" % tuple(triangle) for triangle in triangles)
            continue
        coords, place = np.unique(surface.texture[chosen].reshape(-1, 2), axis=0, return_inverse=True)
        file.writelines("vt %.9g %.9g\n" % tuple(uv) for uv in coords)
        for triangle, corners in zip(triangles, place.reshape(-1, 3) + first_texture):
            file.write("f %d/%d %d/%d %d/%d\n" % (triangle[0], corners[0], triangle[1], corners[1], triangle[2],
                                                  corners[2]))
        first_texture += len(coords)
    return first_texture


def write_vtp(surface, path):
    """VTK XML: point arrays velocity and global_id, cell arrays piece, crack and source_triangle, field TimeValue."""
    try:
        from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray
        from vtkmodules.vtkCommonCore import vtkPoints
        from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData
        from vtkmodules.vtkIOXML import vtkXMLPolyDataWriter
    except ImportError:
        raise missing_package("vtkmodules", "python3-vtk9") from None

    def named(name, values):
        array = numpy_to_vtk(np.ascontiguousarray(values), deep=True)
        array.SetName(name)
        return array

    points, cells, mesh = vtkPoints(), vtkCellArray(), vtkPolyData()
    points.SetData(named("points", surface.points))
    offsets = np.arange(0, 3 * len(surface.triangles) + 1, 3, dtype=np.int64)
    cells.SetData(numpy_to_vtkIdTypeArray(offsets, deep=True),
                  numpy_to_vtkIdTypeArray(np.ascontiguousarray(surface.triangles.ravel(), dtype=np.int64), deep=True))
    mesh.SetPoints(points)
    mesh.SetPolys(cells)
    if surface.velocity is not None:
        mesh.GetPointData().AddArray(named("velocity", surface.velocity))
    mesh.GetPointData().AddArray(named("global_id", surface.node_id))
    mesh.GetCellData().AddArray(named("piece", surface.piece))
    mesh.GetCellData().AddArray(named("crack", surface.is_crack.astype(np.uint8)))
    mesh.GetCellData().AddArray(named("source_triangle", surface.source_triangle))
    if surface.group is not None:
        mesh.GetCellData().AddArray(named("group", surface.group))
    mesh.GetFieldData().AddArray(named("TimeValue", np.array([surface.time_s])))
    # To a string: VTK does not report a full disk when it closes a file.
    writer = vtkXMLPolyDataWriter()
    writer.WriteToOutputStringOn()
    writer.SetDataModeToBinary()
    writer.SetInputData(mesh)
    if not writer.Write():
        raise ValueError("VTK made no file of the surface")
    with open(path, "w", encoding="latin-1", newline="") as file:
        file.write(writer.GetOutputString())


def write_glb(surface, path, per_piece, picture=None):
    """Binary glTF 2.0: below a root that turns z up into y up and stands at the surface's origin, one node (per piece: one
    for each piece, whose own origin is its centre of mass) with a primitive and a material for each kind of surface;
    attributes POSITION, COLOR_0 (a slight tint by piece), _PIECE, and _VELOCITY where there is one. The picture, if one is
    given, is the colour of the original surface."""
    scene = GltfScene({"time_s": surface.time_s, "frame": surface.frame}, surface.origin)
    if picture:
        scene.paint(picture)
    if per_piece:
        for piece, centre in zip(*centroids(surface)):
            part = surface.part(surface.piece == piece)
            part.points = part.points - centre
            scene.add_mesh(f"piece_{piece}", part, centre - surface.origin)
    else:
        here = copy.copy(surface)
        here.points = surface.points - surface.origin
        scene.add_mesh("surface", here)
    scene.write(path)


class GltfScene:
    """A glTF document and its one buffer, growing mesh by mesh."""

    FLOAT, UNSIGNED_INT, UNSIGNED_BYTE = 5126, 5125, 5121
    VERTICES, INDICES = 34962, 34963

    def __init__(self, extras, origin=(0, 0, 0)):
        """`origin` [m], z up: what translations of nodes count from."""
        half = 0.5 ** 0.5
        self.binary = bytearray()
        self.document = {
            "asset": {"version": "2.0", "generator": "brisance", "extras": extras},
            "scene": 0, "scenes": [{"nodes": [0]}],
            "nodes": [{"name": "z_up", "rotation": [-half, 0, 0, half], "children": []}
                      | _translation(origin[0], origin[2], -origin[1])],
            "materials": [{"name": name, "pbrMetallicRoughness": {
                "baseColorFactor": [*colour, 1], "metallicFactor": 0, "roughnessFactor": 0.7}}
                for name, colour, _ in MATERIALS],
            "meshes": [], "accessors": [], "bufferViews": []}

    def paint(self, picture):
        """Makes it the colour of the original surface, for meshes with texture coordinates."""
        self.document["bufferViews"].append({"buffer": 0, "byteOffset": len(self.binary), "byteLength": len(picture.data)})
        self.document["images"] = [{"bufferView": len(self.document["bufferViews"]) - 1, "mimeType": picture.mime_type}]
        self.document["textures"] = [{"source": 0}]
        self.document["materials"][0]["pbrMetallicRoughness"] |= {"baseColorFactor": [1, 1, 1, 1],
                                                                  "baseColorTexture": {"index": 0}}
        self.binary += picture.data + bytes(-len(picture.data) % 4)

    def add_mesh(self, name, surface, place=(0, 0, 0)):
        """A mesh, and its node at a place below the root; returns the node's number."""
        primitives = []
        for material, (_, _, crack) in enumerate(MATERIALS):
            if np.any(surface.is_crack == crack):
                primitives.append(self._primitive(surface.part(surface.is_crack == crack), material))
        self.document["nodes"][0]["children"].append(len(self.document["nodes"]))
        self.document["nodes"].append({"name": name, "mesh": len(self.document["meshes"])} | _translation(*place))
        self.document["meshes"].append({"name": name, "primitives": primitives})
        return len(self.document["nodes"]) - 1

    def animate(self, nodes, times_s, translations, rotations):
        """One animation that moves the nodes: of each its translations (frame, 3) and unit quaternions x y z w
        (frame, 4), linear in between. Without a player, a node is placed as in the first frame."""
        times = np.asarray(times_s, "<f4")
        clock = self._accessor(times, "SCALAR", self.FLOAT, None,
                               {"min": [times.min().item()], "max": [times.max().item()]})
        samplers, channels = [], []
        for node, *paths in zip(nodes, translations, rotations):
            for name, kind, values in zip(("translation", "rotation"), ("VEC3", "VEC4"), paths):
                values = values.astype("<f4")
                self.document["nodes"][node][name] = values[0].tolist()
                channels.append({"sampler": len(samplers), "target": {"node": node, "path": name}})
                samplers.append({"input": clock, "interpolation": "LINEAR",
                                 "output": self._accessor(values, kind, self.FLOAT, None)})
        self.document["animations"] = [{"name": "playback", "samplers": samplers, "channels": channels}]

    def _primitive(self, surface, material):
        has_texture = surface.texture is not None and not MATERIALS[material][2]
        if has_texture:
            surface = surface.with_own_corners()
        piece = _vertex_pieces(surface)
        positions = surface.points.astype("<f4")
        attributes = {
            "POSITION": self._accessor(positions, "VEC3", self.FLOAT, self.VERTICES,
                                       {"min": positions.min(0).tolist(), "max": positions.max(0).tolist()}),
            "COLOR_0": self._accessor(_piece_tints(piece), "VEC4", self.UNSIGNED_BYTE, self.VERTICES,
                                      {"normalized": True}),
            "_PIECE": self._accessor(piece.astype("<f4"), "SCALAR", self.FLOAT, self.VERTICES)}
        if surface.velocity is not None:
            attributes["_VELOCITY"] = self._accessor(surface.velocity.astype("<f4"), "VEC3", self.FLOAT, self.VERTICES)
        if has_texture:
            uv = surface.texture.reshape(-1, 2) * (1, -1) + (0, 1)  # glTF's v runs down
            attributes["TEXCOORD_0"] = self._accessor(uv.astype("<f4"), "VEC2", self.FLOAT, self.VERTICES)
        indices = self._accessor(surface.triangles.astype("<u4").ravel(), "SCALAR", self.UNSIGNED_INT, self.INDICES)
        return {"material": material, "attributes": attributes, "indices": indices}

    def _accessor(self, values, kind, component, target, more=None):
        data = values.tobytes()  # every kind used here is a multiple of four bytes, as glTF asks
        view = {"buffer": 0, "byteOffset": len(self.binary), "byteLength": len(data)}
        self.document["bufferViews"].append(view if target is None else {**view, "target": target})
        self.binary += data
        self.document["accessors"].append({"bufferView": len(self.document["bufferViews"]) - 1, "type": kind,
                                           "componentType": component, "count": len(values), **(more or {})})
        return len(self.document["accessors"]) - 1

    def write(self, path):
        self.document["buffers"] = [{"byteLength": len(self.binary)}]
        text = json.dumps(self.document, separators=(",", ":")).encode("ascii")
        text += b" " * (-len(text) % 4)
        total = 12 + 8 + len(text) + 8 + len(self.binary)
        with open(path, "wb") as file:
            file.write(struct.pack("<4sIIII", b"glTF", 2, total, len(text), 0x4E4F534A) + text)
            file.write(struct.pack("<II", len(self.binary), 0x004E4942) + self.binary)


def _translation(*place):
    """Translation of a node that is not at its parent's origin."""
    return {"translation": [float(x) for x in place]} if any(place) else {}


def _vertex_pieces(surface):
    piece = np.empty(len(surface.points), dtype=np.int64)  # a node belongs to one piece
    piece[surface.triangles] = surface.piece[:, None]
    return piece


def _piece_colours(piece, saturation, value):
    """A different hue for each piece, as red, green, blue from 0 to 255."""
    numbers, place = np.unique(piece, return_inverse=True)
    golden = 0.6180339887498949
    colours = [[round(255 * c) for c in colorsys.hsv_to_rgb(int(number) * golden % 1, saturation, value)]
               for number in numbers]
    return np.array(colours, dtype=np.uint8)[place]


def _piece_tints(piece):
    """Nearly white, with an opaque fourth channel: neighbours can be told apart and the material still shows."""
    return np.column_stack([_piece_colours(piece, 0.18, 1), np.full(len(piece), 255, dtype=np.uint8)])


def _vertex_colours(surface):
    """The hue of the piece; darker on the original surface, lighter on the crack surface, between them by the share of
    the vertex's triangles that are crack surface."""
    corners = surface.triangles.ravel()
    crack = np.bincount(corners, np.repeat(surface.is_crack, 3), len(surface.points))
    share = (crack / np.bincount(corners, minlength=len(surface.points)))[:, None]
    piece = _vertex_pieces(surface)
    dark, light = _piece_colours(piece, 0.75, 0.6), _piece_colours(piece, 0.35, 1)
    return np.rint((1 - share) * dark + share * light).astype(np.uint8)
