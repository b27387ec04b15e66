/// The scene's objects: meshed, placed, set in motion and joined into one mesh, on rank 0.
#include "brisance/core/error.hpp"
#include "brisance/mesh/generate.hpp"
#include "brisance/mesh/name_cavities.hpp"
#include "brisance/mesh/ordering.hpp"
#include "brisance/sim/evaluate.hpp"
#include "brisance/sim/held_objects.hpp"
#include "brisance/sim/mesh_file.hpp"
#include "brisance/sim/run.hpp"
#include "brisance/sim/simulation.hpp"
#include "brisance/sim/start_checks.hpp"

#include "assign_materials.hpp"
#include "factors.hpp"
#include "named_groups.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <numbers>

namespace brisance::sim {

namespace {

template <class... Arguments>
std::string format(const char* pattern, Arguments... arguments) {
  char text[400];
  std::snprintf(text, sizeof text, pattern, arguments...);
  return text;
}

bool holds_tets(const ObjectParameters& object) {
  return object.mesh.shape == mesh::ShapeKind::file && is_tet_mesh_file(object.mesh.file);
}

/// The tets of a tetrahedral mesh file, at rest.
mesh::TetMesh read_object(const Scene& scene, const ObjectParameters& object) {
  mesh::TetMesh mesh = read_tets(object.mesh.file, fields_wanted(scene, object.name));
  if (mesh.tets.empty()) throw core::Error(object.mesh.file.string() + ": the file holds no tet. Mesh the body again.");
  for (Vec3& x : mesh.nodes) x *= object.mesh.scale;
  mesh.displacement.clear();  // objects start at rest, placed as the scene says
  mesh.velocity.clear();
  mesh::name_cavities(mesh);
  return mesh;
}

/// The object's tets, made or read.
mesh::TetMesh mesh_object(const Scene& scene, const ObjectParameters& object, std::vector<std::string>& report) {
  if (holds_tets(object)) return read_object(scene, object);
  mesh::MeshReport r;
  mesh::TetMesh mesh = mesh::generate(object.mesh, r);
  report.push_back(
      format("%s: %lld tets, %lld nodes, mean edge %.4g m, volume %.4g m3 (error %.3f %%), smallest dihedral %.1f deg",
             object.name.c_str(), static_cast<long long>(r.num_tets), static_cast<long long>(r.num_nodes),
             r.quality.mean_edge_m, r.quality.volume_m3, 100 * r.volume_error,
             r.quality.smallest_dihedral_rad * 180 / std::numbers::pi));
  for (const std::string& note : r.notes) report.push_back(object.name + ": " + note);
  return mesh;
}

/// What the user calls the object's mesh.
std::string name_of_mesh(const ObjectParameters& object) {
  return holds_tets(object) ? object.mesh.file.string() : object.name;
}

Mat3 rotation_of(const Vec3& degrees) {
  const Vec3 angle = degrees * (std::numbers::pi / 180);
  return (Eigen::AngleAxisd(angle.z(), Vec3::UnitZ()) * Eigen::AngleAxisd(angle.y(), Vec3::UnitY()) *
          Eigen::AngleAxisd(angle.x(), Vec3::UnitX()))
      .toRotationMatrix();
}

/// Turns and shifts the rest shape: a placed object is free of stress.
void place(mesh::TetMesh& mesh, const ObjectParameters& object) {
  Vec3 low = mesh.nodes.front(), high = low;
  for (const Vec3& x : mesh.nodes) {
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  const Vec3 centre = 0.5 * (low + high);
  const bool turned = object.rotation_deg != Vec3::Zero();
  const Mat3 rotation = rotation_of(object.rotation_deg);
  for (Vec3& x : mesh.nodes) {
    if (turned) x = centre + rotation * (x - centre);
    x += object.translation;
  }
  if (!std::isfinite(object.drop_to_height_m)) return;
  double lowest = std::numeric_limits<double>::infinity();
  for (const Vec3& x : mesh.nodes) lowest = std::min(lowest, x.z());
  for (Vec3& x : mesh.nodes) x.z() += object.drop_to_height_m - lowest;
}

Vec3 centre_of_mass(const mesh::TetMesh& mesh) {
  Vec3 moment = Vec3::Zero();
  double volume = 0;
  for (const auto& t : mesh.tets) {
    const double v = mesh::tet_volume(mesh.nodes[t[0]], mesh.nodes[t[1]], mesh.nodes[t[2]], mesh.nodes[t[3]]);
    volume += v;
    moment += v / 4 * (mesh.nodes[t[0]] + mesh.nodes[t[1]] + mesh.nodes[t[2]] + mesh.nodes[t[3]]);
  }
  return moment / volume;
}

void set_in_motion(mesh::TetMesh& mesh, const ObjectParameters& object) {
  const Vec3 centre = centre_of_mass(mesh);
  mesh.velocity.clear();
  for (const Vec3& x : mesh.nodes) mesh.velocity.push_back(object.velocity + object.angular_velocity.cross(x - centre));
}

/// Factors of a whole's tets, of which the last are a part's; none where both have none.
void append_factors(std::vector<double>& whole, const std::vector<double>& part, std::size_t num_tets,
                    std::size_t num_of_part) {
  if (whole.empty() && part.empty()) return;
  whole.resize(num_tets - num_of_part, 1);
  whole.insert(whole.end(), part.begin(), part.end());
  whole.resize(num_tets, 1);
}

void append(mesh::TetMesh& whole, const mesh::TetMesh& part) {
  const auto first = static_cast<std::int32_t>(whole.nodes.size());
  std::int32_t first_source = 0;
  for (const auto& faces : whole.face_source)
    for (std::int32_t source : faces) first_source = std::max(first_source, source + 1);
  whole.nodes.insert(whole.nodes.end(), part.nodes.begin(), part.nodes.end());
  whole.velocity.insert(whole.velocity.end(), part.velocity.begin(), part.velocity.end());
  for (std::size_t e = 0; e < part.tets.size(); ++e) {
    auto tet = part.tets[e];
    for (auto& n : tet) n += first;
    whole.tets.push_back(tet);
    auto faces = part.face_source.empty() ? std::array<std::int32_t, 4>{-1, -1, -1, -1} : part.face_source[e];
    for (auto& source : faces)
      if (source >= 0) source += first_source;
    whole.face_source.push_back(faces);
    whole.region.push_back(part.region[e]);
  }
  const std::vector<std::int32_t> number = mesh::join(whole.groups, part.groups, first_source);
  whole.group.resize(whole.tets.size() - part.tets.size(), mesh::kNoGroup);
  for (const std::int32_t group : part.group) whole.group.push_back(group == mesh::kNoGroup ? group : number[group]);
  whole.group.resize(whole.tets.size(), mesh::kNoGroup);
  append_factors(whole.strength, part.strength, whole.tets.size(), part.tets.size());
  append_factors(whole.stiffness, part.stiffness, whole.tets.size(), part.tets.size());
}

}  // namespace

void require_programs(const core::Comm& comm, const Scene& scene) {
  core::agree_on_input(comm, [&] {
    if (!comm.is_root()) return;
    for (const ObjectParameters& object : scene.objects)
      if (!holds_tets(object)) mesh::require_programs(object.mesh);
  });
}

InitialMesh build_initial_mesh(const core::Comm& comm, const Scene& scene) {
  InitialMesh initial;
  core::agree_on_input(comm, [&] {
    if (!comm.is_root()) return;
    initial.report = scene_warnings(scene);
    std::ranges::copy(flow_notes(scene), std::back_inserter(initial.report));
    std::vector<std::size_t> first_node, first_tet;
    PartCounts picked;
    FactorCounts concerned;
    for (const ObjectParameters& object : scene.objects) {
      mesh::TetMesh part = mesh_object(scene, object, initial.report);
      const std::vector<Vec3> own = part.nodes;
      place(part, object);
      const PlacedObject placed{object, name_of_mesh(object), part, own};
      assign_materials(scene, placed, picked);
      apply_factors(scene, placed, concerned);
      for (std::string& warning : object_warnings(scene, object, part.nodes))
        initial.report.push_back(std::move(warning));
      set_in_motion(part, object);
      mesh::order_for_locality(part);
      first_node.push_back(initial.whole.nodes.size());
      first_tet.push_back(initial.whole.tets.size());
      append(initial.whole, part);
    }
    for (const Vec3& x : initial.whole.nodes) initial.regions.push_back(regions_at(scene, x));
    require_parts(scene, initial.whole, picked);
    scatter_strength(scene, first_tet, initial.whole, concerned);
    require_factors(scene, concerned);
    grade_regions(scene, initial.whole);
    add_group_regions(scene, initial.whole, initial.regions);
    require_loads(scene, initial.whole);
    for (std::size_t r = 0; r < scene.regions.size(); ++r)
      if (std::none_of(initial.regions.begin(), initial.regions.end(), [&](auto mask) { return mask >> r & 1; }))
        initial.report.push_back("warning: region \"" + scene.regions[r].name + "\" holds no node");
    if (scene.time.integrator == dynamics::Integrator::statics)
      require_held(scene, initial.whole, initial.regions, first_node);
  });
  return initial;
}

}  // namespace brisance::sim
