/// The scene's objects: meshed, placed, set in motion and joined into one mesh, of which every rank may have a share.
#include "brisance/sim/setup/initial_mesh.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/exact_sum.hpp"
#include "brisance/io/layered_image.hpp"
#include "brisance/mesh/generate/generate.hpp"
#include "brisance/mesh/tets/connected_parts.hpp"
#include "brisance/mesh/tets/mesh_bounds.hpp"
#include "brisance/mesh/tets/name_cavities.hpp"
#include "brisance/mesh/tets/ordering.hpp"
#include "brisance/mesh/tets/quality.hpp"
#include "brisance/sim/loads/loads.hpp"
#include "brisance/sim/regions.hpp"
#include "brisance/sim/setup/constrained_objects.hpp"
#include "brisance/sim/setup/mesh_file.hpp"
#include "brisance/sim/setup/start_checks.hpp"

#include "assign_materials.hpp"
#include "box_of.hpp"
#include "factors.hpp"
#include "named_groups.hpp"
#include "object_size.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <limits>
#include <numbers>
#include <utility>

namespace brisance::sim {

namespace {

template <class... Arguments>
std::string format(const char* pattern, Arguments... arguments) {
  char text[600];
  std::snprintf(text, sizeof text, pattern, arguments...);
  return text;
}

bool holds_tets(const ObjectParameters& object) {
  return object.mesh.shape == mesh::ShapeKind::file && is_tet_mesh_file(object.mesh.file);
}

/// Reads another program's file, on one rank.
mesh::TetMesh read_foreign(const Scene& scene, const ObjectParameters& object) {
  mesh::TetMesh mesh = read_tets(object.mesh.file, fields_wanted(scene, object.name));
  if (mesh.tets.empty()) throw core::Error(object.mesh.file.string() + ": the file holds no tet. Mesh the body again.");
  mesh::name_cavities(mesh);
  mesh::order_for_locality(mesh);
  return mesh;
}

mesh::TetMesh generate(const ObjectParameters& object, std::vector<std::string>& report) {
  mesh::MeshReport r;
  mesh::TetMesh mesh = mesh::generate(object.mesh, r);
  report.push_back(
      format("%s: %lld tets, %lld nodes, mean edge %.4g m, volume %.4g m3 (error %.3f %%), smallest dihedral %.1f deg",
             object.name.c_str(), static_cast<long long>(r.num_tets), static_cast<long long>(r.num_nodes),
             r.quality.mean_edge_m, r.quality.volume_m3, 100 * r.volume_error,
             r.quality.smallest_dihedral_rad * 180 / std::numbers::pi));
  for (const std::string& note : r.notes) report.push_back(object.name + ": " + note);
  for (const std::string& warning : r.warnings) report.push_back("warning: object \"" + object.name + "\": " + warning);
  mesh::order_for_locality(mesh);
  return mesh;
}

/// Refuses or warns of tets in a file that are thinner than the scene allows. Collective.
void judge_tets(const core::Comm& comm, const ObjectParameters& object, const mesh::TetMesh& tets,
                std::vector<std::string>& report) {
  const mesh::Quality here = mesh::measure_quality(tets);
  const auto num_here = static_cast<std::int64_t>(tets.tets.size());
  core::ExactSum altitudes_m;
  altitudes_m.add(here.mean_altitude_m * static_cast<double>(num_here));
  altitudes_m.reduce(comm);
  const double smallest_m =
      comm.min(tets.tets.empty() ? std::numeric_limits<double>::infinity() : here.smallest_altitude_m);
  const double mean_m = altitudes_m.value() / static_cast<double>(comm.sum(num_here));
  core::agree_on_input(comm, [&] {
    const auto warning = mesh::judge_altitude(smallest_m, mean_m, object.mesh.least_altitude, object.mesh.file.string(),
                                              mesh::kTetFileRemedy);
    if (warning) report.push_back("warning: object \"" + object.name + "\": " + *warning);
  });
}

double largest_norm(const core::Comm& comm, std::span<const Vec3> vectors) {
  double largest = 0;
  for (const Vec3& x : vectors) largest = std::max(largest, x.norm());
  return comm.max(largest);
}

/// Scales displacements and velocities of the file, or drops them, with a warning if there are some. Collective; throws
/// core::BadInput on all ranks.
void choose_start(const core::Comm& comm, const ObjectParameters& object, mesh::TetMesh& mesh,
                  std::vector<std::string>& report) {
  const bool from_file = object.start == ObjectStart::file;
  if (from_file && !comm.any(!mesh.displacement.empty() || !mesh.velocity.empty()))
    throw core::BadInput("object \"" + object.name +
                         "\": start = \"file\" needs a tetrahedral mesh (VTU or snapshot) with a point array "
                         "displacement or velocity. Leave start out, or save the mesh with one.");
  const double scale = object.mesh.scale;
  for (auto* vectors : {&mesh.displacement, &mesh.velocity})
    for (Vec3& x : *vectors) x *= scale;
  if (from_file) return;
  const double displacement = largest_norm(comm, mesh.displacement), velocity = largest_norm(comm, mesh.velocity);
  if (displacement > 0 || velocity > 0)
    report.push_back(format(
        "warning: object \"%s\": its mesh file has displacements of up to %.3g m and velocities of up to %.3g m/s, "
        "which are not used: it starts in its rest shape. object.start = \"file\" starts with them.",
        object.name.c_str(), displacement, velocity));
  mesh.displacement.clear();
  mesh.velocity.clear();
}

/// Reports several bodies in one file: intended, or a body whose parts were never joined. Root.
void note_parts(const mesh::TetMesh& mesh, const ObjectParameters& object, std::vector<std::string>& report) {
  const auto num_parts = static_cast<long long>(mesh::num_connected_parts(mesh));
  if (num_parts > 1)
    report.push_back(format("%s: its mesh file holds %lld bodies (connected parts that share no node)",
                            object.name.c_str(), num_parts));
}

/// The object's tets, generated or read. Our own files are read by all ranks; they already have an order with good
/// locality and the names of cavities. Collective.
dist::MeshShare mesh_object(const core::Comm& comm, const Scene& scene, const ObjectParameters& object,
                            std::vector<std::string>& report) {
  dist::MeshShare share;
  if (holds_tets(object) && is_our_mesh_file(object.mesh.file)) {
    core::agree_on_input(comm, [&] { refuse_fields(object.mesh.file, fields_wanted(scene, object.name)); });
    share = read_mesh_share(comm, object.mesh.file);
  } else {
    mesh::TetMesh whole;
    core::agree_on_input(comm, [&] {
      if (!comm.is_root()) return;
      whole = holds_tets(object) ? read_foreign(scene, object) : generate(object, report);
      if (holds_tets(object)) note_parts(whole, object, report);
    });
    share = dist::share_on_root(comm, std::move(whole));
  }
  if (holds_tets(object)) {
    for (Vec3& x : share.mesh.nodes) x *= object.mesh.scale;
    judge_tets(comm, object, share.mesh, report);
  }
  choose_start(comm, object, share.mesh, report);
  return share;
}

/// The name of the object's mesh in messages.
std::string name_of_mesh(const ObjectParameters& object) {
  return holds_tets(object) ? object.mesh.file.string() : object.name;
}

Mat3 rotation_of(const Vec3& degrees) {
  const Vec3 angle = degrees * (std::numbers::pi / 180);
  return (Eigen::AngleAxisd(angle.z(), Vec3::UnitZ()) * Eigen::AngleAxisd(angle.y(), Vec3::UnitY()) *
          Eigen::AngleAxisd(angle.x(), Vec3::UnitX()))
      .toRotationMatrix();
}

/// Positions of the nodes at the start.
std::vector<Vec3> positions_of(const mesh::TetMesh& mesh) {
  std::vector<Vec3> positions = mesh.nodes;
  for (std::size_t i = 0; i < mesh.displacement.size(); ++i) positions[i] += mesh.displacement[i];
  return positions;
}

/// The map from an object before placement to the world.
struct Placement {
  Mat3 rotation;
  Vec3 shift;  ///< [m]
};

/// Rotates and translates the rest shape, without stress, and rotates initial displacements and velocities. Collective.
Placement place(const core::Comm& comm, mesh::TetMesh& mesh, const ObjectParameters& object) {
  const Eigen::AlignedBox3d box = box_of(comm, mesh.nodes);
  const Vec3 centre = 0.5 * (box.min() + box.max());
  const bool turned = object.rotation_deg != Vec3::Zero();
  const Mat3 rotation = rotation_of(object.rotation_deg);
  Placement placement{rotation, turned ? Vec3(centre - rotation * centre + object.translation) : object.translation};
  for (Vec3& x : mesh.nodes) {
    if (turned) x = centre + rotation * (x - centre);
    x += object.translation;
  }
  for (auto* vectors : {&mesh.displacement, &mesh.velocity})
    for (Vec3& x : *vectors)
      if (turned) x = rotation * x;
  for (mesh::Reference& reference : mesh.references) {
    reference.rotation = rotation;
    reference.shift = centre - rotation * centre + object.translation;
  }
  if (!std::isfinite(object.drop_to_height_m)) return placement;
  const double lowest = box_of(comm, positions_of(mesh)).min().z();
  for (Vec3& x : mesh.nodes) x.z() += object.drop_to_height_m - lowest;
  for (mesh::Reference& reference : mesh.references) reference.shift.z() += object.drop_to_height_m - lowest;
  placement.shift.z() += object.drop_to_height_m - lowest;
  return placement;
}

/// The same bits on any number of ranks. Collective.
Vec3 centre_of_mass(const core::Comm& comm, const mesh::TetMesh& mesh, std::span<const Vec3> positions) {
  std::array<core::ExactSum, 4> sums;  // moments, volume
  for (const auto& t : mesh.tets) {
    const double volume = mesh::tet_volume(mesh.nodes[t[0]], mesh.nodes[t[1]], mesh.nodes[t[2]], mesh.nodes[t[3]]);
    const Vec3 moment = volume / 4 * (positions[t[0]] + positions[t[1]] + positions[t[2]] + positions[t[3]]);
    for (int k = 0; k < 3; ++k) sums[static_cast<std::size_t>(k)].add(moment[k]);
    sums[3].add(volume);
  }
  core::ExactSum::reduce(comm, sums);
  return Vec3(sums[0].value(), sums[1].value(), sums[2].value()) / sums[3].value();
}

/// Collective.
void set_in_motion(const core::Comm& comm, mesh::TetMesh& mesh, const ObjectParameters& object) {
  const std::vector<Vec3> positions = positions_of(mesh);
  const Vec3 centre = object.angular_velocity.isZero(0) ? Vec3(Vec3::Zero()) : centre_of_mass(comm, mesh, positions);
  const std::vector<Vec3> of_file = std::exchange(mesh.velocity, {});
  for (const Vec3& x : positions) mesh.velocity.push_back(object.velocity + object.angular_velocity.cross(x - centre));
  for (std::size_t i = 0; i < of_file.size(); ++i) mesh.velocity[i] += of_file[i];
}

/// Appends an object's factors to those of the objects before, with 1 for missing ones; empty if both are.
void append_factors(std::vector<double>& whole, const std::vector<double>& part, std::size_t num_tets,
                    std::size_t num_of_part) {
  if (whole.empty() && part.empty()) return;
  whole.resize(num_tets - num_of_part, 1);
  whole.insert(whole.end(), part.begin(), part.end());
  whole.resize(num_tets, 1);
}

/// Appends an object's share to that of the objects before; its nodes, tets and source triangles are numbered after
/// theirs. Collective.
void append(const core::Comm& comm, dist::MeshShare& all, const dist::MeshShare& one) {
  mesh::TetMesh& whole = all.mesh;
  const mesh::TetMesh& part = one.mesh;
  const auto first = static_cast<std::int32_t>(whole.nodes.size());
  std::int32_t first_source = 0;
  for (const auto& faces : whole.face_source)
    for (std::int32_t source : faces) first_source = std::max(first_source, source + 1);
  first_source = comm.max(first_source);
  whole.nodes.insert(whole.nodes.end(), part.nodes.begin(), part.nodes.end());
  whole.velocity.insert(whole.velocity.end(), part.velocity.begin(), part.velocity.end());
  if (!whole.displacement.empty() || !part.displacement.empty()) {
    whole.displacement.resize(static_cast<std::size_t>(first), Vec3::Zero());
    whole.displacement.insert(whole.displacement.end(), part.displacement.begin(), part.displacement.end());
    whole.displacement.resize(whole.nodes.size(), Vec3::Zero());
  }
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
  for (mesh::Reference reference : part.references) {
    reference.first_tet += all.num_tets;
    whole.references.push_back(std::move(reference));
  }
  append_factors(whole.strength, part.strength, whole.tets.size(), part.tets.size());
  append_factors(whole.stiffness, part.stiffness, whole.tets.size(), part.tets.size());
  for (const std::int64_t node : one.node_id) all.node_id.push_back(all.num_nodes + node);
  for (const std::int64_t tet : one.tet_id) all.tet_id.push_back(all.num_tets + tet);
  all.num_nodes += one.num_nodes;
  all.num_tets += one.num_tets;
}

void warn_of_empty_regions(const core::Comm& comm, const Scene& scene, InitialMesh& initial) {
  std::uint32_t here = 0;
  for (const std::uint32_t mask : initial.regions) here |= mask;
  for (std::size_t r = 0; r < scene.regions.size(); ++r)
    if (!comm.any((here >> r & 1) != 0))
      initial.report.push_back("warning: region \"" + scene.regions[r].name + "\" holds no node");
}

}  // namespace

void require_programs(const core::Comm& comm, const Scene& scene) {
  core::agree_on_input(comm, [&] {
    if (!comm.is_root()) return;
    if (std::ranges::any_of(scene.factors, [](const auto& factor) { return !factor.image.empty(); }))
      io::require_picture_files();
    for (const ObjectParameters& object : scene.objects)
      if (!holds_tets(object)) mesh::require_programs(object.mesh);
  });
}

InitialMesh build_initial_mesh(const core::Comm& comm, const Scene& scene) {
  InitialMesh initial;
  core::agree_on_input(comm, [&] {
    initial.report = scene_warnings(scene);
    std::ranges::copy(flow_notes(scene), std::back_inserter(initial.report));
  });
  dist::MeshShare& share = initial.share;
  std::vector<std::int64_t> first_node;
  std::vector<std::size_t> first_tet;
  PartCounts picked;
  FactorCounts concerned;
  for (const ObjectParameters& object : scene.objects) {
    dist::MeshShare one = mesh_object(comm, scene, object, initial.report);
    const std::vector<Vec3> own = one.mesh.nodes;
    const Placement at = place(comm, one.mesh, object);
    if (object.mesh.shape == mesh::ShapeKind::file && !holds_tets(object))
      initial.objects.push_back(
          {object.name, std::filesystem::absolute(object.mesh.file), object.mesh.scale, at.rotation, at.shift});
    const PlacedObject placed{object, name_of_mesh(object), one.mesh, own};
    assign_materials(comm, scene, placed, picked);
    const ObjectSize size = object_size(comm, scene, object, one.mesh, own);
    initial.report.push_back(describe(size));
    if (const auto doubt = doubt_of_units(size)) initial.report.push_back("warning: " + *doubt);
    core::agree_on_input(comm, [&] { apply_factors(scene, placed, concerned, initial.report); });
    std::ranges::move(object_warnings(comm, scene, object, positions_of(one.mesh)), std::back_inserter(initial.report));
    set_in_motion(comm, one.mesh, object);
    first_node.push_back(share.num_nodes);
    first_tet.push_back(share.mesh.tets.size());
    append(comm, share, one);
  }
  for (const Vec3& x : share.mesh.nodes) initial.regions.push_back(regions_at(scene, x));
  require_parts(comm, scene, share.mesh, picked);
  scatter_strength(scene, first_tet, share, concerned);
  require_factors(comm, scene, concerned);
  grade_regions(comm, scene, share.mesh);
  add_group_regions(comm, scene, share, initial.regions);
  require_loads(comm, scene, share.mesh);
  warn_of_empty_regions(comm, scene, initial);
  if (scene.time.integrator == dynamics::Integrator::statics)
    require_held(comm, scene, share, initial.regions, first_node);
  return initial;
}

}  // namespace brisance::sim
