/// Joins the parts of a frame by the ids of nodes and tets.
#include "brisance/exports/surface_frame.hpp"

#include "brisance/core/error.hpp"
#include "brisance/io/finite_frame.hpp"

#include <algorithm>
#include <limits>
#include <numbers>
#include <numeric>

#include <Eigen/Eigenvalues>
#include <spdlog/fmt/fmt.h>

namespace brisance::exports {

namespace {

struct ElementRow {
  std::int64_t id;
  std::int32_t piece, material;
};

/// The concatenated parts; triangles still name their corners and tets by id. A tet may be in another part than its
/// triangle.
struct JoinedParts {
  SurfaceFrame frame;
  std::vector<std::array<std::int64_t, 3>> corners;
  std::vector<std::int64_t> element;  ///< of each triangle
  std::vector<ElementRow> elements;
  std::vector<std::pair<std::int64_t, float>> stress;  ///< of nodes by id, in each part once
};

float largest_principal(const SymMat3& stress) {
  Eigen::SelfAdjointEigenSolver<Mat3> solver;
  solver.computeDirect(full_matrix(stress), Eigen::EigenvaluesOnly);
  return static_cast<float>(solver.eigenvalues()[2]);
}

/// Of each node of a part the largest stress of its tets (of a surface frame, of its triangles).
void add_stress(const io::SnapshotPart& part, JoinedParts& all) {
  if (part.stress.empty()) return;
  constexpr float kNone = std::numeric_limits<float>::lowest();
  std::vector<float> of_node(part.node_id.size(), kNone);
  for (std::size_t e = 0; e < part.stress.size(); ++e) {
    const float largest = largest_principal(part.stress[e]);
    const auto raise = [&](std::int64_t n) {
      of_node[static_cast<std::size_t>(n)] = std::max(of_node[static_cast<std::size_t>(n)], largest);
    };
    if (part.tets.empty())
      std::ranges::for_each(part.boundary[e], raise);
    else
      std::ranges::for_each(part.tets[e], raise);
  }
  for (std::size_t n = 0; n < of_node.size(); ++n)
    if (of_node[n] > kNone) all.stress.emplace_back(part.node_id[n], of_node[n]);
}

void add_part(const io::SnapshotPart& part, JoinedParts& all) {
  SurfaceFrame& f = all.frame;
  for (std::size_t n = 0; n < part.node_id.size(); ++n) {
    if (part.node_owned[n] == 0) continue;
    f.node_id.push_back(part.node_id[n]);
    f.position.push_back(part.position[n]);
    f.rest.push_back(part.rest_position.empty() ? part.position[n] : part.rest_position[n]);
    if (!part.velocity.empty()) f.velocity.push_back(part.velocity[n]);
  }
  for (std::size_t t = 0; t < part.boundary.size(); ++t) {
    std::array<std::int64_t, 3> ids{};
    for (int k = 0; k < 3; ++k) ids[k] = part.node_id[static_cast<std::size_t>(part.boundary[t][k])];
    all.corners.push_back(ids);
    f.source.push_back(part.source_triangle[t]);
  }
  all.element.insert(all.element.end(), part.boundary_element.begin(), part.boundary_element.end());
  for (std::size_t e = 0; e < part.element_id.size(); ++e)
    all.elements.push_back({part.element_id[e], static_cast<std::int32_t>(part.piece[e]), part.material[e]});
  add_stress(part, all);
}

/// Pieces and materials of the triangles.
void set_elements(JoinedParts& all, const std::filesystem::path& file) {
  std::ranges::sort(all.elements, {}, &ElementRow::id);
  for (const std::int64_t id : all.element) {
    const auto found = std::ranges::lower_bound(all.elements, id, {}, &ElementRow::id);
    if (found == all.elements.end() || found->id != id)
      throw core::Error(file.string() +
                        ": a boundary triangle is of a tet that is not there; the file is damaged. Write "
                        "or copy it again.");
    all.frame.piece.push_back(found->piece);
    all.frame.material.push_back(found->material);
  }
}

template <class T>
void reorder(std::vector<T>& values, const std::vector<std::int32_t>& order) {
  if (values.empty()) return;
  std::vector<T> moved;
  moved.reserve(values.size());
  for (const std::int32_t row : order) moved.push_back(values[static_cast<std::size_t>(row)]);
  values = std::move(moved);
}

void sort_nodes(SurfaceFrame& f) {
  std::vector<std::int32_t> order(f.node_id.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::int32_t n) { return f.node_id[static_cast<std::size_t>(n)]; });
  reorder(f.node_id, order);
  reorder(f.position, order);
  reorder(f.rest, order);
  reorder(f.velocity, order);
}

void set_corners(JoinedParts& all, const std::filesystem::path& file) {
  SurfaceFrame& f = all.frame;
  f.triangles.reserve(all.corners.size());
  for (const auto& ids : all.corners) {
    std::array<std::int32_t, 3> rows{};
    for (int k = 0; k < 3; ++k) {
      const std::int64_t row = f.row(ids[k]);
      if (row < 0)
        throw core::Error(file.string() +
                          ": a corner is a node that no part of it owns; the file is damaged. Write or copy it again.");
      rows[k] = static_cast<std::int32_t>(row);
    }
    f.triangles.push_back(rows);
  }
  if (all.stress.empty()) return;
  f.stress.assign(f.node_id.size(), std::numeric_limits<float>::lowest());
  for (const auto& of_node : all.stress)
    if (const std::int64_t row = f.row(of_node.first); row >= 0)
      f.stress[static_cast<std::size_t>(row)] = std::max(f.stress[static_cast<std::size_t>(row)], of_node.second);
  for (float& s : f.stress)
    if (s == std::numeric_limits<float>::lowest()) s = 0;
}

}  // namespace

std::int64_t SurfaceFrame::row(std::int64_t id) const {
  const auto found = std::ranges::lower_bound(node_id, id);
  return found != node_id.end() && *found == id ? found - node_id.begin() : -1;
}

SurfaceFrame read_surface_frame(const std::filesystem::path& file, io::ReadColumns columns) {
  JoinedParts all;
  SurfaceFrame& f = all.frame;
  const std::int64_t parts = io::num_parts(file);
  for (std::int64_t p = 0; p < parts; ++p) {
    io::Snapshot read = io::read_snapshot(file, p, 1, columns);
    io::require_finite(file, read.part);
    if (p == 0) {
      f.time_s = read.header.time_s;
      f.frame = read.header.frame;
      f.num_pieces = static_cast<std::int32_t>(read.header.num_pieces);
      f.scene = std::move(read.header.scene);
      f.material_names = std::move(read.header.material_names);
      f.has_rest = read.header.form.has("rest_position");
      f.colliders = std::move(read.header.colliders);
      f.dust = std::move(read.part.dust);
    }
    add_part(read.part, all);
  }
  if (f.node_id.size() > std::numeric_limits<std::int32_t>::max())
    throw core::Error(file.string() + " has more than 2147483647 nodes, too many for one process.");
  if (all.corners.empty() && f.dust.size() == 0)
    throw core::Error(file.string() + " holds no surface: there is nothing to show.");
  sort_nodes(f);
  set_elements(all, file);
  set_corners(all, file);
  for (const std::int32_t piece : f.piece)
    if (piece < 0 || piece >= f.num_pieces)
      throw core::Error(fmt::format("{} names piece {} of {}; the file is damaged. Write or copy it again.",
                                    file.string(), piece, f.num_pieces));
  return std::move(all.frame);
}

std::vector<double> piece_volumes_m3(const SurfaceFrame& frame, std::span<const Vec3> positions) {
  std::vector<double> volumes(static_cast<std::size_t>(frame.num_pieces), 0.0);
  if (positions.empty()) return volumes;
  const Vec3 apex = positions.front();
  for (std::size_t t = 0; t < frame.triangles.size(); ++t) {
    const auto& corner = frame.triangles[t];
    const auto at = [&](int k) -> Vec3 { return positions[static_cast<std::size_t>(corner[k])] - apex; };
    volumes[static_cast<std::size_t>(frame.piece[t])] += at(0).dot(at(1).cross(at(2))) / 6;
  }
  return volumes;
}

double particle_share(const SurfaceFrame& frame) {
  double particles = 0, pieces = 0;
  for (const double r : frame.dust.radius) particles += 4.0 / 3 * std::numbers::pi * r * r * r;
  for (const double v : piece_volumes_m3(frame, frame.rest)) pieces += v;
  return particles > 0 ? particles / (particles + std::max(0.0, pieces)) : 0;
}

double crack_area_m2(const SurfaceFrame& frame) {
  double area = 0;
  for (std::size_t t = 0; t < frame.triangles.size(); ++t) {
    if (!frame.is_crack(t)) continue;
    const auto& corner = frame.triangles[t];
    const auto at = [&](int k) -> const Vec3& { return frame.rest[static_cast<std::size_t>(corner[k])]; };
    area += 0.5 * (at(1) - at(0)).cross(at(2) - at(0)).norm();
  }
  return 0.5 * area;
}

}  // namespace brisance::exports
