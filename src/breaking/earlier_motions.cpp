#include "earlier_motions.hpp"

#include <algorithm>
#include <utility>

#include <Eigen/Geometry>

namespace brisance::breaking {

namespace {

constexpr std::size_t kFewest = 4;  ///< points needed to determine a motion

}  // namespace

EarlierMotions::EarlierMotions(const Debris& debris, const NodePositions& first)
    : debris_(debris), nodes_(debris.pieces().size()), anchors_(debris.pieces().size()) {
  const Debris::Surface& s = debris.surface();
  std::vector<std::int32_t> old;  // nodes present in every frame
  std::vector<std::size_t> num_old(nodes_.size(), 0);
  std::vector<Vec3> centre(nodes_.size(), Vec3::Zero());
  for (std::size_t n = 0; n < s.node_id.size(); ++n) {
    const std::int32_t p = s.piece_of_node[n];
    nodes_[p].push_back(static_cast<std::int32_t>(n));
    centre[p] += s.rest_points[n];
    if (first.row(s.node_id[n]) < 0) continue;
    old.push_back(static_cast<std::int32_t>(n));
    ++num_old[p];
  }
  for (std::size_t p = 0; p < nodes_.size(); ++p) {
    if (num_old[p] >= kFewest || old.empty()) continue;
    centre[p] /= static_cast<double>(nodes_[p].size());
    const std::size_t count = std::min(kAnchors, old.size());
    std::vector<std::pair<double, std::int32_t>> near;
    near.reserve(old.size());
    for (const std::int32_t n : old) near.emplace_back((s.rest_points[n] - centre[p]).squaredNorm(), n);
    std::partial_sort(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(count), near.end());
    for (std::size_t k = 0; k < count; ++k) anchors_[p].push_back(near[k].second);
  }
}

std::vector<rigid::Motion> EarlierMotions::in(const NodePositions& frame) {
  const Debris::Surface& s = debris_.surface();
  std::vector<rigid::Motion> motions(nodes_.size());
  for (std::size_t p = 0; p < nodes_.size(); ++p) {
    std::vector<std::pair<Vec3, Vec3>> pairs;  // positions at the hand-over and in the frame
    const auto take = [&](const std::vector<std::int32_t>& nodes) {
      pairs.clear();
      for (const std::int32_t n : nodes)
        if (const std::int64_t row = frame.row(s.node_id[n]); row >= 0)
          pairs.emplace_back(s.points[n], frame.position[static_cast<std::size_t>(row)]);
    };
    take(nodes_[p]);
    const bool has_own = pairs.size() >= kFewest;
    if (!has_own) take(anchors_[p]);
    const Vec3& centre = debris_.pieces()[p].shape.centre;
    motions[p].position = centre;
    if (pairs.size() < 3) continue;
    Eigen::Matrix3Xd from(3, pairs.size()), to(3, pairs.size());
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      from.col(static_cast<Eigen::Index>(k)) = pairs[k].first;
      to.col(static_cast<Eigen::Index>(k)) = pairs[k].second;
    }
    const Eigen::Matrix4d fit = Eigen::umeyama(from, to, false);
    const Mat3 turn = fit.topLeftCorner<3, 3>();
    const Vec3 shift = fit.topRightCorner<3, 1>();
    motions[p].position = turn * centre + shift;
    motions[p].orientation = Eigen::Quaterniond(turn).normalized();
    if (has_own)
      largest_error_ = std::max(largest_error_, ((turn * from).colwise() + shift - to).colwise().norm().maxCoeff());
  }
  return motions;
}

}  // namespace brisance::breaking
