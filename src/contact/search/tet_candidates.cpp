#include "brisance/contact/search/tet_candidates.hpp"

#include "brisance/core/memory.hpp"

#include "contact/box_list.hpp"
#include "contact/box_tree.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace brisance::contact {

TetCandidates::TetCandidates(std::span<const ContactTet> tets, std::span<const Vec3> position, double skin_m, bool self)
    : skin_m_(skin_m) {
  std::vector<Box> boxes;
  std::vector<std::int32_t> nodes;
  for (const ContactTet& tet : tets) {
    std::array<Vec3, 4> corner;
    for (std::size_t k = 0; k < 4; ++k) corner[k] = position[static_cast<std::size_t>(tet.number[k])];
    boxes.push_back(box_around(corner));
    nodes.insert(nodes.end(), tet.number.begin(), tet.number.end());
  }
  std::ranges::sort(nodes);
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  for (const std::int32_t n : nodes) built_at_.emplace_back(n, position[static_cast<std::size_t>(n)]);

  const BoxTree tree(boxes);
  for (std::size_t i = 0; i < tets.size(); ++i) {
    const ContactTet& tet = tets[i];
    if (tet.is_ghost()) continue;
    const auto here = static_cast<std::int32_t>(i);
    const auto is_near = [&](const Box& box) { return meet(box, boxes[i], skin_m); };
    tree.for_each(is_near, [&](std::int32_t there) {
      const ContactTet& other = tets[static_cast<std::size_t>(there)];
      if (!is_near(boxes[static_cast<std::size_t>(there)])) return;
      if (there == here || (!other.is_ghost() && there < here)) return;  // the other tet finds that pair
      if ((!self && other.body == tet.body) || share_a_node(tet, other)) return;
      pairs_.push_back({.low = std::min(here, there), .high = std::max(here, there)});
    });
  }
  std::ranges::sort(pairs_, {}, [](const CandidatePair& pair) { return std::pair(pair.low, pair.high); });
}

bool TetCandidates::is_outdated(const core::Comm& comm, std::span<const Vec3> position) const {
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  std::array<double, 6> most{kNone, kNone, kNone, kNone, kNone, kNone};  // displacement along and against each axis
  for (const auto& [number, then] : built_at_) {
    const Vec3 way = position[static_cast<std::size_t>(number)] - then;
    for (std::size_t k = 0; k < 3; ++k) {
      most[k] = std::max(most[k], way[static_cast<Eigen::Index>(k)]);
      most[3 + k] = std::max(most[3 + k], -way[static_cast<Eigen::Index>(k)]);
    }
  }
  most = comm.max(most);
  for (std::size_t k = 0; k < 3; ++k)
    if (most[k] > kNone && !(most[k] + most[3 + k] <= skin_m_)) return true;
  return false;
}

std::size_t TetCandidates::memory_bytes() const { return core::bytes_of(pairs_, built_at_); }

}  // namespace brisance::contact
