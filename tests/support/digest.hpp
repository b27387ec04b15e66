/// Digests and totals of a distributed mesh that do not depend on its distribution.
#pragma once

#include "brisance/core/exact_sum.hpp"
#include "brisance/core/random.hpp"
#include "brisance/dist/mesh.hpp"

#include <bit>
#include <cstdint>

namespace brisance::test {

/// Sum over owned nodes and elements counted here (home elements) of a hash of everything that must be equal to the
/// bit: ids, connectivity, rest and current position, velocity, mass, rest shape, all fields. Collective.
inline std::uint64_t digest(const dist::Mesh& mesh) {
  auto mix = [](std::uint64_t h, auto value) {
    if constexpr (std::is_same_v<decltype(value), double>)
      return core::hash_bits(h, std::bit_cast<std::uint64_t>(value), 7);
    else
      return core::hash_bits(h, static_cast<std::uint64_t>(value), 7);
  };
  std::uint64_t sum = 0;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    if (!mesh.is_owned(n)) continue;
    const auto r = mesh.node_record(n);
    std::uint64_t h = mix(1, r.id.value);
    for (int k = 0; k < 3; ++k) h = mix(mix(mix(h, r.rest[k]), r.position[k]), r.velocity[k]);
    h = mix(h, mesh.mass[n]);
    for (std::byte byte : mesh.field_row(n)) h = mix(h, static_cast<std::uint8_t>(byte));
    sum += h;
  }
  for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i) {
    const LocalElement e(i);
    if (!mesh.is_held(e) || !mesh.is_home(e)) continue;
    const auto r = mesh.element_record(e);
    std::uint64_t h = mix(2, r.id.value);
    for (int k = 0; k < 4; ++k) h = mix(h, r.corners[k].value);
    for (std::byte byte : mesh.field_row(e)) h = mix(h, static_cast<std::uint8_t>(byte));
    sum += mix(mix(h, mesh.volume(e)), r.material);
  }
  std::uint64_t total = 0;
  MPI_Allreduce(&sum, &total, 1, MPI_UINT64_T, MPI_SUM, mesh.comm().raw());
  return total;
}

/// The same of ids and connectivity alone: equal where the same cuts were made in the same order. Collective.
inline std::uint64_t topology_digest(const dist::Mesh& mesh) {
  std::uint64_t sum = 0, total = 0;
  for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i) {
    const LocalElement e(i);
    if (!mesh.is_held(e) || !mesh.is_home(e)) continue;
    const auto r = mesh.element_record(e);
    std::uint64_t h = core::hash_bits(2, static_cast<std::uint64_t>(r.id.value), 7);
    for (int k = 0; k < 4; ++k) h = core::hash_bits(h, static_cast<std::uint64_t>(r.corners[k].value), 7);
    sum += h;
  }
  MPI_Allreduce(&sum, &total, 1, MPI_UINT64_T, MPI_SUM, mesh.comm().raw());
  return total;
}

struct Totals {
  double volume, mass, kinetic_energy;
  Vec3 momentum, angular_momentum;
  std::int64_t nodes, elements;
};

/// Elastic energy of St.Venant–Kirchhoff elements, vol (½ λ tr(E)² + μ E:E), an independent implementation to judge
/// cuts [J]. Collective.
inline double elastic_energy(const dist::Mesh& mesh) {
  core::ExactSum sum;
  for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i) {
    const LocalElement e(i);
    if (!mesh.is_held(e) || !mesh.is_home(e)) continue;
    const auto c = mesh.corners(e);
    Mat3 rest, world;
    for (int k = 0; k < 3; ++k) {
      rest.col(k) = mesh.rest[c[k + 1]] - mesh.rest[c[0]];
      world.col(k) = Vec3(mesh.motion[c[k + 1]].position) - Vec3(mesh.motion[c[0]].position);
    }
    const Mat3 F = world * rest.inverse(), E = 0.5 * (F.transpose() * F - Mat3::Identity());
    const auto& m = mesh.material(e);
    sum.add(mesh.volume(e) * (0.5 * m.lame_lambda * E.trace() * E.trace() + m.lame_mu * E.squaredNorm()));
  }
  sum.reduce(mesh.comm());
  return sum.value();
}

/// Exact totals over the mesh. Collective.
inline Totals totals(const dist::Mesh& mesh) {
  core::ExactSum sums[9];
  std::int64_t nodes = 0, elements = 0;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    if (!mesh.is_owned(n)) continue;
    ++nodes;
    const Vec3 v(mesh.motion[n].velocity), p(mesh.motion[n].position), l = mesh.mass[n] * p.cross(v);
    sums[1].add(mesh.mass[n]);
    sums[2].add(0.5 * mesh.mass[n] * v.squaredNorm());
    for (int k = 0; k < 3; ++k) {
      sums[3 + k].add(mesh.mass[n] * v[k]);
      sums[6 + k].add(l[k]);
    }
  }
  for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i)
    if (const LocalElement e(i); mesh.is_held(e) && mesh.is_home(e)) {
      ++elements;
      sums[0].add(mesh.volume(e));
    }
  core::ExactSum::reduce(mesh.comm(), sums);
  return {sums[0].value(),
          sums[1].value(),
          sums[2].value(),
          Vec3(sums[3].value(), sums[4].value(), sums[5].value()),
          Vec3(sums[6].value(), sums[7].value(), sums[8].value()),
          mesh.comm().sum(nodes),
          mesh.comm().sum(elements)};
}

}  // namespace brisance::test
