#include "reference_surfaces.hpp"

#include "brisance/core/exact_sum.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>

namespace brisance::sim {

namespace {

/// Broadcasts rank 0's array. Collective.
template <class T>
std::vector<T> from_root(const core::Comm& comm, const std::vector<T>& values) {
  return comm.all_gather(comm.is_root() ? std::span<const T>(values) : std::span<const T>());
}

std::vector<Vec3> from_root(const core::Comm& comm, const std::vector<Vec3>& points) {
  std::vector<std::array<double, 3>> numbers(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) numbers[i] = {points[i].x(), points[i].y(), points[i].z()};
  numbers = from_root(comm, numbers);
  std::vector<Vec3> all(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) all[i] = {numbers[i][0], numbers[i][1], numbers[i][2]};
  return all;
}

mesh::TurnedSurface from_root(const core::Comm& comm, const mesh::TurnedSurface& given) {
  std::vector<std::array<double, 9>> curves;
  for (const mesh::ProfileCurve& c : given.profile)
    curves.push_back(
        {c.from.x(), c.from.y(), c.to.x(), c.to.y(), c.centre.x(), c.centre.y(), c.radius_m, c.first_rad, c.last_rad});
  mesh::TurnedSurface turned{from_root(comm, std::vector{given.origin})[0], {}};
  for (const auto& c : from_root(comm, curves))
    turned.profile.push_back({{c[0], c[1]}, {c[2], c[3]}, {c[4], c[5]}, c[6], c[7], c[8]});
  return turned;
}

/// Broadcasts rank 0's reference. Collective.
mesh::Reference from_root(const core::Comm& comm, const mesh::Reference& given) {
  mesh::Reference reference;
  const auto tets = from_root(comm, std::vector{given.first_tet, given.num_tets});
  reference.first_tet = tets[0], reference.num_tets = tets[1];
  const auto numbers = from_root(comm, std::vector{given.volume_m3, given.crease_angle_deg});
  reference.volume_m3 = numbers[0], reference.crease_angle_deg = numbers[1];
  const auto frame = from_root(
      comm, std::vector<Vec3>{given.rotation.col(0), given.rotation.col(1), given.rotation.col(2), given.shift});
  for (int k = 0; k < 3; ++k) reference.rotation.col(k) = frame[k];
  reference.shift = frame[3];
  const auto num_turned = comm.max(static_cast<std::int64_t>(given.turned.size()));
  for (std::int64_t i = 0; i < num_turned; ++i)
    reference.turned.push_back(from_root(comm, comm.is_root() ? given.turned[i] : mesh::TurnedSurface{}));
  reference.vertices = from_root(comm, given.vertices);
  reference.triangles = from_root(comm, given.triangles);
  reference.creases = from_root(comm, given.creases);
  return reference;
}

/// Volume of this rank's tets that have a reference [m³].
double volume_of(const dist::MeshShare& share) {
  double volume = 0;
  const std::vector<Vec3>& x = share.mesh.nodes;
  for (const mesh::Reference& reference : share.mesh.references)
    for (std::size_t e = 0; e < share.tet_id.size(); ++e) {
      const std::int64_t beyond = share.tet_id[e] - reference.first_tet;
      if (beyond < 0 || beyond >= reference.num_tets) continue;
      const auto& [a, b, c, d] = share.mesh.tets[e];
      volume += mesh::tet_volume(x[a], x[b], x[c], x[d]);
    }
  return volume;
}

}  // namespace

ReferenceSurfaces::ReferenceSurfaces(const core::Comm& comm, const dist::MeshShare& share) {
  volume_before_m3_ = from_root(comm, std::vector{volume_of(share)})[0];
  const std::vector<mesh::Reference>& given = share.mesh.references;
  const auto count = comm.max(static_cast<std::int64_t>(comm.is_root() ? given.size() : 0));
  for (std::int64_t i = 0; i < count; ++i)
    shapes_.emplace_back(from_root(comm, comm.is_root() ? given[i] : mesh::Reference{}));
}

const mesh::ReferenceShape* ReferenceSurfaces::shape_of(std::int64_t tet) const {
  const auto after = std::ranges::upper_bound(
      shapes_, tet, {}, [](const mesh::ReferenceShape& shape) { return shape.reference().first_tet; });
  if (after == shapes_.begin()) return nullptr;
  const mesh::ReferenceShape& shape = *(after - 1);
  return tet < shape.reference().first_tet + shape.reference().num_tets ? &shape : nullptr;
}

dist::WayOfMiddle ReferenceSurfaces::way_of_middle() const {
  if (empty()) return {};
  return [this](GlobalElement tet, const mesh::SurfaceEdge& edge) -> std::optional<Vec3> {
    const mesh::ReferenceShape* shape = shape_of(tet.value);
    return shape == nullptr ? std::nullopt : shape->way_of_middle(edge);
  };
}

std::string ReferenceSurfaces::report(const dist::Mesh& mesh, int refinements,
                                      const dist::RefinementReport& middles) const {
  core::ExactSum volume;
  for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i) {
    const LocalElement e(i);
    if (mesh.is_held(e) && mesh.is_home(e) && shape_of(mesh.element_id[e].value >> (3 * refinements)) != nullptr)
      volume.add(mesh.volume(e));
  }
  volume.reduce(mesh.comm());
  double reference = 0;
  for (const mesh::ReferenceShape& shape : shapes_) reference += shape.reference().volume_m3;
  return fmt::format(
      "of {} middles of edges of the surface {} moved onto the reference surface, by up to {:.4g} m; to keep tets well "
      "shaped {} of them moved half of the distance and {} stayed; volume error {:+.3g} %, was {:+.3g} %",
      middles.boundary, middles.moved, middles.farthest_m, middles.half_way, middles.held,
      100 * (volume.value() / reference - 1), 100 * (volume_before_m3_ / reference - 1));
}

}  // namespace brisance::sim
