#include "brisance/sim/setup/constrained_objects.hpp"

#include "brisance/core/error.hpp"

#include "box_of.hpp"
#include "mobility.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <numeric>
#include <vector>

#include <fmt/format.h>

namespace brisance::sim {

namespace {

/// For each node of the share, the index of the lowest node connected with it through tets of this rank.
std::vector<std::int32_t> parts_here(const mesh::TetMesh& mesh) {
  std::vector<std::int32_t> above(mesh.nodes.size());
  std::iota(above.begin(), above.end(), 0);
  const auto root = [&](std::int32_t n) {
    while (above[static_cast<std::size_t>(n)] != n)
      n = above[static_cast<std::size_t>(n)] = above[static_cast<std::size_t>(above[static_cast<std::size_t>(n)])];
    return n;
  };
  for (const auto& tet : mesh.tets)
    for (const std::int32_t corner : tet) {
      const std::int32_t a = root(tet[0]), b = root(corner);
      above[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    }
  std::vector<std::int32_t> part;
  for (std::size_t n = 0; n < above.size(); ++n) part.push_back(root(static_cast<std::int32_t>(n)));
  return part;
}

/// For each node of the share, the number of the lowest node connected with it, over all ranks. Collective.
std::vector<std::int64_t> parts_of(const core::Comm& comm, const dist::MeshShare& share) {
  const std::vector<std::int32_t> here = parts_here(share.mesh);
  std::vector<std::int64_t> part = share.node_id;
  bool changed = true;
  while (changed) {
    std::vector<std::int64_t> lowest = part;
    const auto take_lower = [&](std::size_t to, std::size_t from) { lowest[to] = std::min(lowest[to], lowest[from]); };
    for (std::size_t n = 0; n < here.size(); ++n) take_lower(static_cast<std::size_t>(here[n]), n);
    for (std::size_t n = 0; n < here.size(); ++n) take_lower(n, static_cast<std::size_t>(here[n]));
    dist::join_copies(comm, share, lowest, [](std::int64_t a, std::int64_t b) { return std::min(a, b); });
    changed = comm.any(lowest != part);
    part = std::move(lowest);
  }
  return part;
}

dynamics::ConstrainedAxes constrained_axes(const Scene& scene, std::uint32_t regions) {
  dynamics::ConstrainedAxes held = 0;
  for (std::size_t r = 0; r < scene.regions.size(); ++r)
    for (int k = 0; k < 3; ++k)
      if ((regions >> r & 1) != 0 && scene.regions[r].until_s > 0 && scene.regions[r].axes[static_cast<std::size_t>(k)])
        held = static_cast<dynamics::ConstrainedAxes>(held | 1U << k);
  return held;
}

/// The constraints of a connected part, on one rank or all.
struct ConstrainedPart {
  std::int64_t part;  ///< its lowest node
  Mobility mobility;
  std::array<double, 3> place;  ///< position of that node [m]; infinite on ranks without it
};

/// All parts by their lowest nodes. A node on several ranks counts on each, which does not change the result.
/// Collective.
std::map<std::int64_t, ConstrainedPart> constrained_parts(const core::Comm& comm, const Scene& scene,
                                                          const dist::MeshShare& share,
                                                          std::span<const std::uint32_t> regions) {
  constexpr double kNowhere = std::numeric_limits<double>::infinity();
  const Eigen::AlignedBox3d box = box_of(comm, share.mesh.nodes);
  const std::vector<std::int64_t> part = parts_of(comm, share);
  std::map<std::int64_t, ConstrainedPart> here;
  for (std::size_t n = 0; n < part.size(); ++n) {
    const Vec3& at = share.mesh.nodes[n];
    ConstrainedPart& held =
        here.try_emplace(part[n], ConstrainedPart{part[n], Mobility(), {kNowhere, kNowhere, kNowhere}}).first->second;
    held.mobility.hold((at - box.center()) / box.diagonal().norm(),
                       constrained_axes(scene, regions.empty() ? 0 : regions[n]));
    if (share.node_id[n] == part[n]) held.place = {at.x(), at.y(), at.z()};
  }
  std::vector<double> numbers;
  for (const auto& [lowest, held] : here) {
    numbers.push_back(static_cast<double>(lowest));
    numbers.insert(numbers.end(), held.place.begin(), held.place.end());
    numbers.insert(numbers.end(), held.mobility.held.data(), held.mobility.held.data() + held.mobility.held.size());
  }
  numbers = comm.all_gather(std::span<const double>(numbers));
  std::map<std::int64_t, ConstrainedPart> all;
  for (auto at = numbers.cbegin(); at != numbers.cend();) {
    const auto lowest = static_cast<std::int64_t>(*at++);
    ConstrainedPart& held =
        all.try_emplace(lowest, ConstrainedPart{lowest, Mobility(), {kNowhere, kNowhere, kNowhere}}).first->second;
    for (double& x : held.place) x = std::min(x, *at++);
    for (double& entry : held.mobility.held.reshaped()) entry += *at++;
  }
  return all;
}

}  // namespace

void require_held(const core::Comm& comm, const Scene& scene, const dist::MeshShare& share,
                  std::span<const std::uint32_t> regions, std::span<const std::int64_t> first_node) {
  for (const auto& [node, held] : constrained_parts(comm, scene, share, regions)) {
    if (!held.mobility.is_loose()) continue;
    const auto after = std::ranges::upper_bound(first_node, node);
    const ObjectParameters& object = scene.objects[static_cast<std::size_t>(after - first_node.begin()) - 1];
    throw core::BadInput(fmt::format(
        "object \"{}\" is not fully constrained: the part of it around ({:.4g}, {:.4g}, {:.4g}) m can still move or "
        "turn as a whole, so that forces cannot balance. With time.integrator = \"static\" each part needs [[region]] "
        "tables that constrain it, for example all axes of three nodes not in a line; or choose \"implicit_euler\".",
        object.name, held.place[0], held.place[1], held.place[2]));
  }
}

}  // namespace brisance::sim
