/// The faces that loads act on: checked in the whole mesh before a run, and stored as a field of the distributed mesh.
#include "brisance/core/error.hpp"
#include "brisance/dist/division.hpp"
#include "brisance/dist/mesh_fields.hpp"
#include "brisance/sim/loads/loads.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace brisance::sim {

namespace {

bool selects_face(const LoadParameters& load, const mesh::Groups& groups, std::int32_t source, const Vec3& middle) {
  if (source == mesh::kNoSourceTriangle) return false;
  if (load.shape == LoadShape::group) return mesh::has_name(groups, groups.group_of_source(source), load.group);
  return selects(load, middle);
}

bool any_face(const LoadParameters& load, const mesh::TetMesh& whole) {
  for (std::size_t t = 0; t < whole.face_source.size(); ++t)
    for (std::size_t f = 0; f < 4; ++f) {
      const auto& [a, b, c] = mesh::kFaceCorners[f];
      const auto& tet = whole.tets[t];
      const Vec3 middle = (whole.nodes[tet[a]] + whole.nodes[tet[b]] + whole.nodes[tet[c]]) / 3;
      if (selects_face(load, whole.groups, whole.face_source[t][f], middle)) return true;
    }
  return false;
}

[[noreturn]] void refuse_empty(const LoadParameters& load, const mesh::TetMesh& whole) {
  if (load.shape != LoadShape::group)
    throw core::BadInput(
        fmt::format("[[load]] \"{}\": its {} holds no {}. Places are those of the rest shape, after "
                    "placement; move it, or make it larger.",
                    load.name, load.shape == LoadShape::box ? "box" : "shape",
                    acts_on_faces(load) ? "middle of a face of the surface" : "node"));
  std::set<std::string> names;
  for (const std::int32_t group : whole.groups.of_source)
    if (group != mesh::kNoGroup)
      names.insert(whole.groups.names[static_cast<std::size_t>(group)].begin(),
                   whole.groups.names[static_cast<std::size_t>(group)].end());
  throw core::BadInput(fmt::format("[[load]] \"{}\": no face of the surface has the group \"{}\". Groups of faces: {}.",
                                   load.name, load.group,
                                   names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
}

bool is_inside(const Vec3& x, const std::array<std::int32_t, 4>& tet, const std::vector<Vec3>& nodes) {
  for (std::size_t f = 0; f < 4; ++f) {
    const auto& [a, b, c] = mesh::kFaceCorners[f];
    const Vec3 &p = nodes[tet[a]], &q = nodes[tet[b]], &r = nodes[tet[c]];
    if ((q - p).cross(r - p).dot(x - p) > 0) return false;
  }
  return true;
}

void refuse_blast_inside(const core::Comm& comm, const LoadParameters& load, const mesh::TetMesh& mesh) {
  if (comm.any(std::ranges::any_of(mesh.tets, [&](const auto& tet) { return is_inside(load.point, tet, mesh.nodes); })))
    throw core::BadInput(
        fmt::format("[[load]] \"{}\": the blast begins inside a body, where no face is exposed to it. Move "
                    "load.point_m outside or into a cavity, or use kind = \"impulse\".",
                    load.name));
}

}  // namespace

dist::FieldList load_fields(const Scene& scene) {
  dist::FieldList list;
  if (scene.loads.empty()) return list;
  list.add(kLoadWork).add(kLoadImpulse);
  if (std::ranges::any_of(scene.loads, acts_on_faces)) list.add(kLoadedFaces);
  return list;
}

void require_loads(const core::Comm& comm, const Scene& scene, const mesh::TetMesh& mesh) {
  for (const LoadParameters& load : scene.loads) {
    const bool acts = acts_on_faces(load)
                          ? any_face(load, mesh)
                          : std::ranges::any_of(mesh.nodes, [&](const Vec3& x) { return selects(load, x); });
    if (!comm.any(acts)) refuse_empty(load, mesh);
    if (load.kind == LoadKind::blast) refuse_blast_inside(comm, load, mesh);
  }
}

void note_loaded_faces(const Scene& scene, dist::Mesh& mesh) {
  if (std::ranges::none_of(scene.loads, acts_on_faces)) return;
  auto& loaded = mesh.field(kLoadedFaces);
  const auto& sources = mesh.field(dist::kFaceSource);
  for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i) {
    const LocalElement e(i);
    if (!mesh.is_held(e)) continue;
    const auto corners = mesh.corners(e);
    for (std::size_t f = 0; f < 4; ++f) {
      const auto& [a, b, c] = mesh::kFaceCorners[f];
      const Vec3 middle = (mesh.rest[corners[a]] + mesh.rest[corners[b]] + mesh.rest[corners[c]]) / 3;
      std::uint16_t bit = 1;
      for (const LoadParameters& load : scene.loads) {
        if (!acts_on_faces(load)) continue;
        if (selects_face(load, mesh.facts.groups, sources[e][f], middle)) loaded[e][f] |= bit;
        bit = static_cast<std::uint16_t>(bit << 1);
      }
    }
  }
}

void FaceLoads::gather(const dist::Mesh& mesh) {
  is_stale_ = false;
  faces_.clear();
  nodes_.clear();
  const auto& loaded = mesh.field(kLoadedFaces);
  for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i) {
    const LocalElement e(i);
    if (!mesh.is_held(e) || loaded[e] == kLoadedFaces.initial) continue;
    const auto corners = mesh.corners(e);
    for (std::size_t f = 0; f < 4; ++f) {
      if (loaded[e][f] == 0) continue;
      const auto& [a, b, c] = mesh::kFaceCorners[f];
      Face face{.nodes = {corners[a].value, corners[b].value, corners[c].value},
                .loads = loaded[e][f],
                .share = {},
                .is_divided = false};
      if (!set_shares(mesh, e, f, face)) continue;
      faces_.push_back(face);
      for (const std::int32_t n : faces_.back().nodes)
        if (mesh.is_owned(LocalNode(n))) nodes_.push_back(n);
    }
  }
  std::ranges::sort(nodes_);
  nodes_.erase(std::ranges::unique(nodes_).begin(), nodes_.end());
  force_.resize(mesh.node_id.size());
}

bool FaceLoads::set_shares(const dist::Mesh& mesh, LocalElement e, std::size_t opposite, Face& face) {
  const auto* divisions = mesh.find_field(dist::kDivision);
  if (divisions == nullptr || (*divisions)[e].partition.is_whole()) return true;
  const dist::Division& division = (*divisions)[e];
  std::vector<elements::NumberedTriangle> parts;
  elements::append_surface(division.partition, static_cast<int>(division.block),
                           static_cast<std::uint8_t>(1U << opposite), parts);
  std::erase_if(parts, [](const elements::NumberedTriangle& part) { return part.number >= elements::kFirstInside; });
  const auto& order = mesh::kFaceCorners[opposite];
  const auto weights = [&](const elements::Barycentric& point) {
    return Vec3(point[static_cast<std::size_t>(order[0])], point[static_cast<std::size_t>(order[1])],
                point[static_cast<std::size_t>(order[2])]);
  };
  Vec3 sum = Vec3::Zero();
  for (const elements::NumberedTriangle& part : parts) {
    const Vec3 a = weights(part.corners[0]), b = weights(part.corners[1]), c = weights(part.corners[2]);
    sum += a.dot(b.cross(c)) * (a + b + c) / 3;  // the part's area over the face's, times the mean weights
  }
  for (std::size_t k = 0; k < 3; ++k) face.share[k] = sum[static_cast<Eigen::Index>(k)];
  face.is_divided = true;
  return !parts.empty();
}

void FaceLoads::find(std::span<const LoadParameters> all, const dist::Mesh& mesh,
                     std::span<const dist::NodeMotion> motion, double from_s, double dt_s,
                     std::vector<LoadedNode>& nodes) {
  nodes.clear();
  std::vector<const LoadParameters*> loads;
  for (const LoadParameters& load : all)
    if (acts_on_faces(load)) loads.push_back(&load);
  if (loads.empty()) return;
  std::vector<double> everywhere;  // of pressures; a blast differs from face to face
  for (const LoadParameters* load : loads)
    everywhere.push_back(load->kind == LoadKind::pressure ? mean_pressure(*load, 0, from_s, dt_s) : 0);
  const auto is_silent = [&](std::size_t l) {
    return loads[l]->kind == LoadKind::pressure ? everywhere[l] == 0 : from_s + dt_s <= loads[l]->start_s;
  };
  std::uint16_t acting = 0;
  for (std::size_t l = 0; l < loads.size(); ++l)
    if (!is_silent(l)) acting = static_cast<std::uint16_t>(acting | 1U << l);
  if (acting == 0) return;

  if (is_stale_) gather(mesh);
  for (const std::int32_t n : nodes_) force_[static_cast<std::size_t>(n)] = Vec3::Zero();
  for (const Face& face : faces_) {
    const unsigned on_it = face.loads & acting;
    if (on_it == 0) continue;
    const Vec3 a(motion[face.nodes[0]].position), b(motion[face.nodes[1]].position), c(motion[face.nodes[2]].position);
    const Vec3 area = 0.5 * (b - a).cross(c - a), middle = (a + b + c) / 3;
    double pressure = 0, dead_pressure = 0;
    for (std::size_t l = 0; l < loads.size(); ++l) {
      if ((on_it >> l & 1) == 0) continue;
      if (loads[l]->kind == LoadKind::pressure) {
        (loads[l]->follows ? pressure : dead_pressure) += everywhere[l];
      } else if (const Vec3 away = middle - loads[l]->point; area.dot(away) < 0) {
        pressure += mean_pressure(*loads[l], away.norm(), from_s, dt_s);
      }
    }
    for (std::size_t k = 0; k < 3; ++k)
      force_[static_cast<std::size_t>(face.nodes[k])] -=
          (face.is_divided ? pressure * face.share[k] : pressure / 3) * area;
    if (dead_pressure == 0) continue;
    const Vec3 &u = mesh.rest[LocalNode(face.nodes[0])], &v = mesh.rest[LocalNode(face.nodes[1])],
               &w = mesh.rest[LocalNode(face.nodes[2])];
    const Vec3 dead = dead_pressure / 6 * (v - u).cross(w - u);
    for (std::size_t k = 0; k < 3; ++k)
      force_[static_cast<std::size_t>(face.nodes[k])] -= face.is_divided ? Vec3(3 * face.share[k] * dead) : dead;
  }
  for (const std::int32_t n : nodes_)
    nodes.push_back({n, force_[static_cast<std::size_t>(n)], Vec3(mesh.motion[LocalNode(n)].velocity), 0, {}});
}

}  // namespace brisance::sim
