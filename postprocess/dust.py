#!/usr/bin/python3
"""Dust of a run (fracture.dust = "particles") as points for other tools.

examples:
  dust.py runs/wall --out dust                    one VTP a frame and dust.vtp.series, which ParaView opens as it is
  dust.py runs/wall --format ply --out dust       points with radius, for Blender
  dust.py runs/wall/snapshots/000010.hdf --format csv --out dust

what each format keeps:
  vtp  velocity, angular momentum, radius, mass, birth and id at points; in ParaView choose Point Gaussian or Glyph
       (sphere, scaled by radius)
  ply  velocity, radius, mass, birth and id at vertices
  csv  everything, a line a particle
"""
import argparse
import json
import pathlib

from failure import missing_package, run
from output_files import make_folder, open_text, write_complete
from snapshots import chosen_frames, np, read_dust, snapshot_files


def write_vtp(dust, path):
    """VTK XML: a vertex a particle."""
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
    points.SetData(named("points", dust.position))
    cells.SetData(numpy_to_vtkIdTypeArray(np.arange(len(dust) + 1, dtype=np.int64), deep=True),
                  numpy_to_vtkIdTypeArray(np.arange(len(dust), dtype=np.int64), deep=True))
    mesh.SetPoints(points)
    mesh.SetVerts(cells)
    for name in ("velocity", "angular_momentum", "radius", "mass", "birth_s", "material", "id"):
        mesh.GetPointData().AddArray(named(name, getattr(dust, name)))
    mesh.GetFieldData().AddArray(named("TimeValue", np.array([dust.time_s])))
    # To a string: VTK does not report a full disk when it closes a file.
    writer = vtkXMLPolyDataWriter()
    writer.WriteToOutputStringOn()
    writer.SetDataModeToBinary()
    writer.SetInputData(mesh)
    if not writer.Write():
        raise ValueError("VTK made no file of the dust")
    with open(path, "w", encoding="latin-1", newline="") as file:
        file.write(writer.GetOutputString())


def write_ply(dust, path):
    """Binary PLY: vertices alone."""
    columns = [("x", "<f8", 3), ("v", "<f4", 3), ("radius", "<f8"), ("mass", "<f8"), ("birth_s", "<f8"), ("id", "<f8")]
    vertices = np.empty(len(dust), dtype=columns)
    vertices["x"], vertices["v"] = dust.position, dust.velocity
    for name in ("radius", "mass", "birth_s", "id"):
        vertices[name] = getattr(dust, name)
    header = ["ply", "format binary_little_endian 1.0", f"comment time_s {dust.time_s!r}",
              f"element vertex {len(vertices)}"]
    header += [f"property double {name}" for name in "xyz"] + [f"property float {name}" for name in ("vx", "vy", "vz")]
    header += [f"property double {name}" for name in ("radius", "mass", "birth_s", "id")] + ["end_header"]
    with open(path, "wb") as file:
        file.write(("\n".join(header) + "\n").encode("ascii"))
        file.write(vertices.tobytes())


def write_csv(dust, path):
    names = ["id", "material", "birth_s", "x_m", "y_m", "z_m", "vx_m_s", "vy_m_s", "vz_m_s", "lx_kg_m2_s", "ly_kg_m2_s",
             "lz_kg_m2_s", "radius_m", "mass_kg"]
    rows = np.column_stack([dust.birth_s, dust.position, dust.velocity, dust.angular_momentum, dust.radius, dust.mass])
    with open_text(path) as file:
        file.write(",".join(names) + "\n")
        for which, material, row in zip(dust.id, dust.material, rows):
            file.write(",".join([str(int(which)), str(int(material)), *(repr(float(x)) for x in row)]) + "\n")


WRITERS = {"vtp": write_vtp, "ply": write_ply, "csv": write_csv}


def write_series(frames, path):
    listed = [{"name": name, "time": time_s} for name, time_s in frames]
    with open_text(path) as file:
        json.dump({"file-series-version": "1.0", "files": listed}, file, indent=1)


def convert(arguments):
    files = chosen_frames(snapshot_files(arguments.run), arguments.frames)
    make_folder(arguments.out)
    frames, most = [], 0
    for file in files:
        dust = read_dust(file)
        most = max(most, len(dust))
        path = arguments.out / f"dust_{file.stem}.{arguments.format}"
        write_complete(path, lambda to, dust=dust: WRITERS[arguments.format](dust, to), arguments.overwrite)
        frames.append((path.name, dust.time_s))
    if arguments.format == "vtp":
        write_complete(arguments.out / "dust.vtp.series", lambda to: write_series(frames, to), arguments.overwrite)
    print(f"{len(files)} {arguments.format} file{'s' if len(files) != 1 else ''} in {arguments.out}, "
          f"up to {most} particle{'s' if most != 1 else ''}")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", metavar="RUN", help="run folder or snapshot (.hdf)")
    parser.add_argument("--format", default="vtp", choices=sorted(WRITERS), help="default vtp")
    parser.add_argument("--out", required=True, type=pathlib.Path, metavar="DIR", help="folder for the files")
    parser.add_argument("--frames", metavar="A:B", help="frames A to B-1, or one frame; all by default")
    parser.add_argument("--overwrite", action="store_true", help="replace existing files")
    return parser.parse_args()


if __name__ == "__main__":
    run(lambda: convert(parse_arguments()))
