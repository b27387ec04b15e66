/// Frames for Blender, and the script that imports them there.
#include "brisance/io/json_text.hpp"

#include "exports/writers/byte_rows.hpp"
#include "exports/writers/material_colours.hpp"
#include "exports/writers/single_files.hpp"

#include <cstdint>

namespace brisance::exports {

namespace {

/// Arrays of one object, and where they are in the file.
struct FrameArrays {
  std::string bytes;

  void begin(nlohmann::json& object, const char* name, const char* type, std::size_t width) {
    object[name] = {{"type", type}, {"width", width}, {"at", bytes.size()}};
  }
  void end(nlohmann::json& object, const char* name) {
    object[name]["size"] = bytes.size() - object[name]["at"].get<std::size_t>();
  }
  void add(nlohmann::json& object, const char* name, const std::vector<Vec3>& rows) {
    begin(object, name, "<f4", 3);
    for (const Vec3& row : rows)
      for (int k = 0; k < 3; ++k) append<float>(bytes, row[k]);
    end(object, name);
  }
};

nlohmann::json object_of(const Fragment& f, FrameArrays& arrays) {
  const Surface& s = f.surface;
  nlohmann::json object{{"name", f.name}, {"id", f.id}, {"parent", f.parent}, {"mass_kg", f.mass_kg}};
  arrays.add(object, "points", s.points);
  arrays.add(object, "normals", s.normals);
  if (!s.velocities.empty()) arrays.add(object, "velocity", s.velocities);
  if (!s.texture.empty()) {
    arrays.begin(object, "texture", "<f4", 2);
    for (const auto& uv : s.texture)
      for (const double c : uv) append<float>(arrays.bytes, c);
    arrays.end(object, "texture");
  }
  arrays.begin(object, "triangles", "<i4", 3);
  for (const auto& triangle : s.triangles)
    for (const std::int32_t n : triangle) append<std::int32_t>(arrays.bytes, n);
  arrays.end(object, "triangles");
  arrays.begin(object, "material", "<i4", 1);
  for (const std::int32_t m : s.material) append<std::int32_t>(arrays.bytes, m);
  arrays.end(object, "material");
  return object;
}

}  // namespace

std::string blender_frame(const FragmentFrame& frame) {
  FrameArrays arrays;
  nlohmann::json header{{"time_s", frame.time_s},
                        {"frame", frame.frame},
                        {"objects", nlohmann::json::array()},
                        {"materials", nlohmann::json::array()}};
  for (std::size_t m = 0; m < frame.materials.size(); ++m) {
    const Vec3 colour = material_colour(m, frame.materials.size());
    header["materials"].push_back({{"name", frame.materials[m]}, {"colour", {colour.x(), colour.y(), colour.z()}}});
  }
  for (const Fragment& f : frame.fragments) header["objects"].push_back(object_of(f, arrays));
  header["particles"] = nlohmann::json::array();
  for (const Particle& p : frame.particles)
    header["particles"].push_back({{"id", p.id},
                                   {"place", {p.position.x(), p.position.y(), p.position.z()}},
                                   {"radius_m", p.radius_m},
                                   {"velocity", {p.velocity.x(), p.velocity.y(), p.velocity.z()}},
                                   {"born_s", p.born_s}});
  return io::json_text(header) + "\n" + arrays.bytes;
}

std::string blender_script() {
  return R"python("""Imports the frames beside this file into Blender (2.93 or later): a collection for each frame, of which one is
visible at a time, with the pieces as objects.

  blender --python import_into_blender.py                     one frame of Blender for each frame of the run
  blender --python import_into_blender.py -- --save run.blend
"""
import json
import pathlib
import sys

import bpy
import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parent / "frames"


def read_frame(path):
    data = path.read_bytes()
    end = data.index(b"\n")
    header = json.loads(data[:end])

    def array(entry):
        values = np.frombuffer(data, entry["type"], entry["size"] // 4, end + 1 + entry["at"])
        return values.reshape(-1, entry["width"])

    for item in header["objects"]:
        for name, entry in list(item.items()):
            if isinstance(entry, dict):
                item[name] = array(entry)
    return header


def material(name, colour):
    """The material of this name, made when first asked for, so that changes in Blender apply to all frames."""
    found = bpy.data.materials.get(name)
    if found is None:
        found = bpy.data.materials.new(name)
        found.use_nodes = True
        shader = found.node_tree.nodes["Principled BSDF"]
        shader.inputs["Base Color"].default_value = (*colour, 1)
        shader.inputs["Roughness"].default_value = 0.7
        found.diffuse_color = (*colour, 1)
    return found


def mesh_of(item, name, materials):
    mesh = bpy.data.meshes.new(name)
    points, triangles = item["points"], item["triangles"]
    mesh.vertices.add(len(points))
    mesh.vertices.foreach_set("co", points.ravel())
    mesh.loops.add(triangles.size)
    mesh.loops.foreach_set("vertex_index", triangles.ravel())
    mesh.polygons.add(len(triangles))
    mesh.polygons.foreach_set("loop_start", np.arange(0, triangles.size, 3, dtype=np.int32))
    mesh.polygons.foreach_set("loop_total", np.full(len(triangles), 3, dtype=np.int32))
    mesh.polygons.foreach_set("use_smooth", np.ones(len(triangles), dtype=bool))
    for each in materials:
        mesh.materials.append(each)
    mesh.polygons.foreach_set("material_index", item["material"].ravel())
    if "texture" in item:
        layer = mesh.uv_layers.new(name="UVMap")
        layer.data.foreach_set("uv", item["texture"][triangles.ravel()].ravel())
    if "velocity" in item:
        attribute = mesh.attributes.new("velocity", "FLOAT_VECTOR", "POINT")
        attribute.data.foreach_set("vector", item["velocity"].ravel())
    mesh.update(calc_edges=True)
    if hasattr(mesh, "use_auto_smooth"):  # before Blender 4.1
        mesh.use_auto_smooth = True
    mesh.normals_split_custom_set_from_vertices(item["normals"].tolist())
    return mesh


def show_only_at(thing, number, last):
    """Keyframes that hide an object in all frames but one."""
    for frame, hidden in ((number - 1, True), (number, False), (number + 1, True)):
        if frame < 1 or (frame > last and not hidden):
            continue
        for path in ("hide_viewport", "hide_render"):
            setattr(thing, path, hidden)
            thing.keyframe_insert(path, frame=frame)


def particles_of(header, name, collection, crack):
    if not header["particles"]:
        return []
    mesh = bpy.data.meshes.get("brisance_particle")
    if mesh is None:
        bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=1, radius=1)
        ball = bpy.context.object
        mesh = ball.data
        mesh.name = "brisance_particle"
        mesh.materials.append(crack)
        bpy.data.objects.remove(ball)
    things = []
    for particle in header["particles"]:
        thing = bpy.data.objects.new(f"{name}_particle_{particle['id']}", mesh)
        thing.location, thing.scale = particle["place"], [particle["radius_m"]] * 3
        thing["velocity"], thing["born_s"] = particle["velocity"], particle["born_s"]
        collection.objects.link(thing)
        things.append(thing)
    return things


def main():
    files = sorted(FOLDER.glob("*.brf"))
    if not files:
        sys.exit(f"{FOLDER} holds no frames. Keep this script in the folder that brisance export has written.")
    times = []
    for number, path in enumerate(files, 1):
        header = read_frame(path)
        times.append(header["time_s"])
        materials = [material(m["name"], m["colour"]) for m in header["materials"]]
        collection = bpy.data.collections.new(f"frame_{header['frame']:06d}")
        bpy.context.scene.collection.children.link(collection)
        things = particles_of(header, collection.name, collection, materials[-1])
        for item in header["objects"]:
            name = f"{collection.name}_{item['name']}"
            thing = bpy.data.objects.new(name, mesh_of(item, name, materials))
            thing["piece"], thing["parent_piece"], thing["mass_kg"] = item["id"], item["parent"], item["mass_kg"]
            collection.objects.link(thing)
            things.append(thing)
        for thing in things:
            show_only_at(thing, number, len(files))
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, len(files)
    scene.frame_set(1)
    scene["brisance_times_s"] = times
    print(f"{len(files)} frames, {times[0]:g} to {times[-1]:g} s")
    arguments = sys.argv[sys.argv.index("--") + 1:] if "--" in sys.argv else []
    if arguments[:1] == ["--save"]:
        bpy.ops.wm.save_as_mainfile(filepath=str(pathlib.Path(arguments[1]).resolve()))


main()
)python";
}

}  // namespace brisance::exports
