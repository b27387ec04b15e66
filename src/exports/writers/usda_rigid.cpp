/// Universal Scene Description as text: rigid pieces, moving or as bodies with bonds.
#include "brisance/io/atomic_file.hpp"

#include "exports/writers/origin.hpp"
#include "exports/writers/single_files.hpp"
#include "exports/writers/up_axis.hpp"
#include "exports/writers/usda_text.hpp"

#include <algorithm>
#include <cmath>

namespace brisance::exports {

namespace {

/// Position and rotation of a piece in the first frame and, if it moves, time samples.
std::string motion_text(const RigidTracks& tracks, std::size_t p, const Vec3& origin, Up up, bool is_moving) {
  const Clock clock(tracks.times_s);
  const auto place = [&](std::size_t i) {
    const Vec3 x = turned(Vec3(tracks.motions[i][p].position - origin), up);
    return fmt::format("({:.12g}, {:.12g}, {:.12g})", x.x(), x.y(), x.z());
  };
  const auto turn = [&](std::size_t i) {
    const Eigen::Quaterniond q = turned(tracks.motions[i][p].rotation, up);
    return fmt::format("({:.8g}, {:.8g}, {:.8g}, {:.8g})", q.w(), q.x(), q.y(), q.z());
  };
  std::string text;
  const auto attribute = [&](const char* name, const auto& value) {
    text += fmt::format("        {} = {}\n", name, value(0));
    if (!is_moving) return;
    text += fmt::format("        {}.timeSamples = {{\n", name);
    for (std::size_t i = 0; i < tracks.times_s.size(); ++i)
      text += fmt::format("            {}: {},\n", clock.code(tracks.times_s[i]), value(i));
    text += "        }\n";
  };
  attribute("double3 xformOp:translate", place);
  attribute("quatf xformOp:orient", turn);
  return text + "        uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:orient\"]\n";
}

std::string piece_text(const Fragment& f, const RigidTracks& tracks, const Vec3& origin, Up up,
                       const std::vector<std::string>& materials, bool is_body) {
  const auto p = static_cast<std::size_t>(f.piece);
  std::string text = fmt::format("\n    def Xform \"{}\"", usd_name(f.name));
  if (is_body) text += " (\n        prepend apiSchemas = [\"PhysicsRigidBodyAPI\", \"PhysicsMassAPI\"]\n    )";
  text += fmt::format("\n    {{\n        custom int brisance:id = {}\n        custom int brisance:parent = {}\n", f.id,
                      f.parent);
  if (is_body) text += fmt::format("        float physics:mass = {:.9g}\n", f.mass_kg);
  text += motion_text(tracks, p, origin, up, !is_body);
  const Surface& s = f.surface;
  std::vector<Vec3> normals;
  for (const Vec3& n : s.normals) normals.push_back(tracks.motions.back()[p].rotation.conjugate() * n);
  text += "\n        def Mesh \"surface\"";
  if (is_body)
    text += " (\n            prepend apiSchemas = [\"PhysicsCollisionAPI\", \"PhysicsMeshCollisionAPI\"]\n        )";
  text += "\n        {\n";
  if (is_body) text += "            uniform token physics:approximation = \"convexDecomposition\"\n";
  text += fmt::format(
      "            int[] faceVertexCounts = {}\n            int[] faceVertexIndices = {}\n            point3f[] points "
      "= "
      "{}\n            normal3f[] normals = {} (\n                interpolation = \"vertex\"\n            )\n"
      "            uniform token subdivisionScheme = \"none\"\n",
      numbers_text(s.triangles, [](const auto&) { return 3; }), corners_text(s, 0),
      vectors_text(s.rest, up, tracks.centres[p]), vectors_text(normals, up, Vec3::Zero()));
  if (!s.texture.empty())
    text += fmt::format(
        "            texCoord2f[] primvars:st = {} (\n                interpolation = \"vertex\"\n            )\n",
        texture_text(s.texture));
  return text + subsets_text(s, materials) + "        }\n    }\n";
}

/// Bonds as joints that break, at the middle of their cracks.
std::string joints_text(const RigidScene& scene, Up up) {
  std::string text = "\n    def Scope \"bonds\"\n    {\n";
  for (std::size_t k = 0; k < scene.bonds.size(); ++k) {
    const Bond& bond = scene.bonds[k];
    const auto body = [&](std::size_t f) { return usd_name(scene.last.fragments[f].name); };
    const auto arm = [&](std::size_t f) {
      const Vec3 x = turned(Vec3(bond.place - scene.centre(f)), up);
      return fmt::format("({:.9g}, {:.9g}, {:.9g})", x.x(), x.y(), x.z());
    };
    // A crack of area A across a square section opens at the edge by a torque of strength · A^1.5 / 6.
    const double torque = scene.strength_n[k] * std::sqrt(bond.area_m2) / 6;
    text += fmt::format(
        "        def PhysicsFixedJoint \"{0}_{1}\"\n        {{\n            rel physics:body0 = </run/{0}>\n           "
        " "
        "rel physics:body1 = </run/{1}>\n            point3f physics:localPos0 = {2}\n            point3f "
        "physics:localPos1 = {3}\n            quatf physics:localRot0 = (1, 0, 0, 0)\n            quatf "
        "physics:localRot1 = (1, 0, 0, 0)\n            float physics:breakForce = {4:.9g}\n            float "
        "physics:breakTorque = {5:.9g}\n            bool physics:excludeFromArticulation = 1\n            custom float "
        "brisance:area_m2 = {6:.9g}\n        }}\n",
        body(bond.a), body(bond.b), arm(bond.a), arm(bond.b), scene.strength_n[k], torque, bond.area_m2);
  }
  return text + "    }\n";
}

/// Particles in all frames of rigid pieces.
std::string particles_text(const RigidTracks& tracks, const Vec3& origin, Up up) {
  const bool has_any = std::ranges::any_of(tracks.particles, [](const auto& frame) { return !frame.empty(); });
  if (!has_any) return {};
  const Clock clock(tracks.times_s);
  std::string text = "\n    def Points \"particles\"\n    {\n";
  const auto sampled = [&](const char* declaration, const auto& value, const char* more = "") {
    text += fmt::format("        {0} = {1}{2}\n        {0}.timeSamples = {{\n", declaration,
                        value(tracks.particles.front()), more);
    for (std::size_t i = 0; i < tracks.times_s.size(); ++i)
      text += fmt::format("            {}: {},\n", clock.code(tracks.times_s[i]), value(tracks.particles[i]));
    text += "        }\n";
  };
  using Particles = std::vector<Particle>;
  const auto vectors = [up](const Particles& all, const auto& of, const Vec3& about) {
    std::vector<Vec3> rows;
    for (const Particle& p : all) rows.push_back(of(p));
    return vectors_text(rows, up, about);
  };
  sampled("point3f[] points", [&](const Particles& all) {
    return vectors(
        all, [](const Particle& p) { return p.position; }, origin);
  });
  sampled("vector3f[] velocities", [&](const Particles& all) {
    return vectors(
        all, [](const Particle& p) { return p.velocity; }, Vec3::Zero());
  });
  sampled("float[] widths",
          [](const Particles& all) { return numbers_text(all, [](const Particle& p) { return 2 * p.radius_m; }); });
  sampled("int64[] ids",
          [](const Particles& all) { return numbers_text(all, [](const Particle& p) { return p.id; }); });
  sampled(
      "float[] primvars:born_s",
      [](const Particles& all) { return numbers_text(all, [](const Particle& p) { return p.born_s; }); },
      " (\n            interpolation = \"vertex\"\n        )");
  return text + "    }\n";
}

/// Near all pieces in the first frame and at rest.
Vec3 origin_of(const RigidTracks& tracks) {
  Eigen::AlignedBox3d box;
  for (const PieceMotion& motion : tracks.motions.front()) box.extend(motion.position);
  for (const Vec3& centre : tracks.centres) box.extend(centre);
  return chosen_origin(box);
}

}  // namespace

void write_rigid_usda(const std::filesystem::path& file, const FragmentFrame& last, const RigidTracks& tracks, Up up) {
  const Vec3 origin = origin_of(tracks);
  const std::vector<std::string> materials = usd_materials(last.materials);
  std::string text = stage_begin(tracks.times_s, up) + root_begin(origin, up, last.materials);
  for (const Fragment& f : last.fragments) text += piece_text(f, tracks, origin, up, materials, false);
  text += particles_text(tracks, origin, up);
  io::write_atomically(file, text + "}\n");
}

void write_bonded_usda(const std::filesystem::path& file, const RigidScene& scene, Up up) {
  const RigidTracks& tracks = scene.tracks;
  const Vec3 origin = origin_of(tracks);
  const std::vector<std::string> materials = usd_materials(scene.last.materials);
  std::string text = stage_begin({tracks.times_s.front()}, up) + root_begin(origin, up, scene.last.materials);
  for (const Fragment& f : scene.last.fragments) text += piece_text(f, tracks, origin, up, materials, true);
  io::write_atomically(file, text + joints_text(scene, up) + "}\n");
}

}  // namespace brisance::exports
