#include "brisance/contact/surface/rank_boxes.hpp"

#include "brisance/core/memory.hpp"

#include "contact/array_vec.hpp"
#include "contact/box_list.hpp"

#include <algorithm>
#include <limits>

namespace brisance::contact {

namespace {

/// Boxes of one rank. More boxes import fewer facets.
constexpr std::size_t kMostBoxes = 64;

/// Stands for the position of a node that is not in the exchanged boxes.
const Vec3 kUnknown = Vec3::Constant(std::numeric_limits<double>::infinity());
bool is_unknown(const Vec3& place) { return place.x() == kUnknown.x(); }

constexpr double kNone = -std::numeric_limits<double>::infinity();

Vec3 place_of(const dist::Mesh& mesh, LocalNode n) { return Vec3(mesh.motion[n].position); }

Box box_of(const dist::Mesh& mesh, LocalElement e) {
  Box box{place_of(mesh, mesh.corner(e, 0)), place_of(mesh, mesh.corner(e, 0))};
  for (const LocalNode n : mesh.corners(e)) {
    box.low = box.low.cwiseMin(place_of(mesh, n));
    box.high = box.high.cwiseMax(place_of(mesh, n));
  }
  return box;
}

/// Boxes around neighbouring elements, by halving along the longest side.
void add_boxes(std::span<Box> elements, std::size_t most, std::vector<Box>& boxes) {
  if (elements.empty()) return;
  Box all = elements.front();
  for (const Box& box : elements) {
    all.low = all.low.cwiseMin(box.low);
    all.high = all.high.cwiseMax(box.high);
  }
  if (most == 1 || elements.size() < 2) {
    boxes.push_back(all);
    return;
  }
  Eigen::Index axis = 0;
  (all.high - all.low).maxCoeff(&axis);
  const std::size_t half = elements.size() / 2;
  std::nth_element(elements.begin(), elements.begin() + static_cast<std::ptrdiff_t>(half), elements.end(),
                   [&](const Box& a, const Box& b) { return a.low[axis] < b.low[axis]; });
  add_boxes(elements.subspan(0, half), most / 2, boxes);
  add_boxes(elements.subspan(half), most / 2, boxes);
}

/// The mean displacement of nodes with a known place at the exchange [m].
Vec3 mean_displacement(const dist::Mesh& mesh, std::span<const Vec3> place_at_exchange) {
  Vec3 sum = Vec3::Zero();
  std::size_t count = 0;
  for (std::size_t slot = 1; slot < place_at_exchange.size(); ++slot)
    if (!is_unknown(place_at_exchange[slot])) {
      sum += place_of(mesh, LocalNode(static_cast<std::int32_t>(slot))) - place_at_exchange[slot];
      ++count;
    }
  return sum / static_cast<double>(std::max<std::size_t>(count, 1));
}

}  // namespace

void RankBoxes::exchange(const dist::Mesh& mesh, std::size_t num_slots) {
  std::vector<Box> elements, own;
  for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i)
    if (const LocalElement e(i); mesh.is_held(e)) elements.push_back(box_of(mesh, e));
  add_boxes(elements, kMostBoxes, own);
  std::vector<RankBox> of_this_rank;
  for (const Box& box : own) of_this_rank.push_back({mesh.comm().rank(), numbers(box.low), numbers(box.high)});
  boxes_ = mesh.comm().all_gather(std::span<const RankBox>(of_this_rank));
  std::erase_if(boxes_, [&](const RankBox& box) { return box.rank == mesh.comm().rank(); });
  place_at_exchange_.assign(num_slots, kUnknown);
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh.is_owned(n)) place_at_exchange_[static_cast<std::size_t>(i)] = place_of(mesh, n);
}

// A new node lies in elements of a box. Its position when boxes were exchanged is unknown: its displacement is taken as
// the mean of the others', from which that of its elements differs by at most the allowance.
void RankBoxes::take_in_cuts(const dist::Mesh& mesh, std::span<const std::int32_t> touched) {
  if (place_at_exchange_.empty()) return;
  std::vector<std::int32_t> fresh;
  for (const std::int32_t slot : touched) {
    Vec3& before = place_at_exchange_[static_cast<std::size_t>(slot)];
    const LocalNode n(slot);
    if (!mesh.is_used(n) || !mesh.is_owned(n))
      before = kUnknown;
    else if (is_unknown(before))
      fresh.push_back(slot);
  }
  if (fresh.empty()) return;
  const Vec3 displacement = mean_displacement(mesh, place_at_exchange_);
  for (const std::int32_t slot : fresh)
    place_at_exchange_[static_cast<std::size_t>(slot)] = place_of(mesh, LocalNode(slot)) - displacement;
}

RankBoxes::Displacements RankBoxes::largest_displacements(const dist::Mesh& mesh) const {
  Displacements largest;
  largest.fill(kNone);
  for (std::size_t slot = 1; slot < place_at_exchange_.size(); ++slot) {
    if (is_unknown(place_at_exchange_[slot])) continue;
    const Vec3 displacement = place_of(mesh, LocalNode(static_cast<std::int32_t>(slot))) - place_at_exchange_[slot];
    for (std::size_t k = 0; k < 3; ++k) {
      largest[k] = std::max(largest[k], displacement[static_cast<Eigen::Index>(k)]);
      largest[3 + k] = std::max(largest[3 + k], -displacement[static_cast<Eigen::Index>(k)]);
    }
  }
  return largest;
}

// The diagonal of the box around all displacements.
bool RankBoxes::are_outdated(const Displacements& of_all_ranks) const {
  Vec3 range = Vec3::Zero();
  for (std::size_t k = 0; k < 3; ++k)
    if (const double there = of_all_ranks[k]; there > kNone)
      range[static_cast<Eigen::Index>(k)] = there + of_all_ranks[3 + k];
  return !(range.norm() <= allowance_m_);
}

// Boxes and contents may each have moved by the allowance since the exchange, and may do so once more; a new node may
// differ by another allowance from the displacement that take_in_cuts() assumes.
std::vector<int> RankBoxes::ranks_near(const Vec3& low, const Vec3& high, double reach_m) const {
  std::vector<int> ranks;
  for (const RankBox& there : boxes_)  // boxes of a rank are consecutive
    if ((ranks.empty() || ranks.back() != there.rank) &&
        meet({low, high}, {vec(there.low), vec(there.high)}, reach_m + 4 * allowance_m_))
      ranks.push_back(there.rank);
  return ranks;
}

std::size_t RankBoxes::memory_bytes() const { return core::bytes_of(boxes_, place_at_exchange_); }

}  // namespace brisance::contact
