#include "piece_motions.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace brisance::exports {

namespace {

constexpr std::size_t kFewestNodes = 4, kMostNodes = 400, kAnchorNodes = 24;

/// Every k-th entry, so that at most `most` remain.
template <class T>
void thin_out(std::vector<T>& values, std::size_t most) {
  const std::size_t stride = (values.size() + most - 1) / most;
  if (stride < 2) return;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < values.size(); i += stride) values[kept++] = values[i];
  values.resize(kept);
}

}  // namespace

PieceMotions::PieceMotions(const SurfaceFrame& reference, const SurfaceFrame& first)
    : nodes_(static_cast<std::size_t>(reference.num_pieces)),
      anchors_(nodes_.size()),
      centres_(nodes_.size(), Vec3::Zero()),
      last_(nodes_.size(), Eigen::Quaterniond::Identity()) {
  std::vector<std::int32_t> piece_of_node(reference.node_id.size(), -1);
  for (std::size_t t = 0; t < reference.triangles.size(); ++t)
    for (const std::int32_t n : reference.triangles[t]) piece_of_node[static_cast<std::size_t>(n)] = reference.piece[t];
  Eigen::AlignedBox3d box;
  for (std::size_t n = 0; n < piece_of_node.size(); ++n) {
    if (piece_of_node[n] < 0) continue;
    const auto p = static_cast<std::size_t>(piece_of_node[n]);
    nodes_[p].push_back({reference.node_id[n], reference.rest[n]});
    centres_[p] += reference.rest[n];
    box.extend(reference.rest[n]);
  }
  for (std::size_t p = 0; p < nodes_.size(); ++p)
    if (!nodes_[p].empty()) centres_[p] /= static_cast<double>(nodes_[p].size());
  if (!box.isEmpty() && box.diagonal().norm() > 0) diagonal_ = box.diagonal().norm();
  find_anchors(first);
  // Old nodes have the lowest ids and come first: a share of each age is kept.
  for (auto& nodes : nodes_) thin_out(nodes, kMostNodes);
}

void PieceMotions::find_anchors(const SurfaceFrame& first) {
  std::vector<Node> old;
  std::vector<std::size_t> few;
  for (std::size_t p = 0; p < nodes_.size(); ++p) {
    std::size_t count = 0;
    for (const Node& node : nodes_[p])
      if (first.row(node.id) >= 0) {
        old.push_back(node);
        ++count;
      }
    if (count < kFewestNodes && !nodes_[p].empty()) few.push_back(p);
  }
  const std::size_t count = std::min(kAnchorNodes, old.size());
  for (const std::size_t p : few) {
    std::partial_sort(old.begin(), old.begin() + static_cast<std::ptrdiff_t>(count), old.end(),
                      [&](const Node& a, const Node& b) {
                        const double da = (a.rest - centres_[p]).squaredNorm();
                        const double db = (b.rest - centres_[p]).squaredNorm();
                        return da != db ? da < db : a.id < b.id;
                      });
    anchors_[p].assign(old.begin(), old.begin() + static_cast<std::ptrdiff_t>(count));
  }
}

const std::vector<PieceMotions::Node>& PieceMotions::followed(std::size_t piece, const SurfaceFrame& frame) const {
  if (anchors_[piece].empty()) return nodes_[piece];
  const auto found = std::ranges::count_if(nodes_[piece], [&](const Node& node) { return frame.row(node.id) >= 0; });
  return found >= static_cast<std::ptrdiff_t>(kFewestNodes) ? nodes_[piece] : anchors_[piece];
}

PieceMotion PieceMotions::fit(std::size_t piece, const SurfaceFrame& frame) {
  const std::vector<Node>& nodes = followed(piece, frame);
  const bool has_own = &nodes == &nodes_[piece];
  std::vector<std::pair<Vec3, Vec3>> pairs;  // at rest, in the frame
  for (const Node& node : nodes)
    if (const std::int64_t row = frame.row(node.id); row >= 0)
      pairs.emplace_back(node.rest, frame.position[static_cast<std::size_t>(row)]);
  PieceMotion motion{centres_[piece], last_[piece]};
  if (pairs.size() < 3) return motion;
  Eigen::Matrix3Xd from(3, pairs.size()), to(3, pairs.size());
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    from.col(static_cast<Eigen::Index>(k)) = pairs[k].first;
    to.col(static_cast<Eigen::Index>(k)) = pairs[k].second;
  }
  const Eigen::Matrix4d found = Eigen::umeyama(from, to, false);
  const Mat3 turn = found.topLeftCorner<3, 3>();
  const Vec3 shift = found.topRightCorner<3, 1>();
  if (has_own)
    largest_deviation_ =
        std::max(largest_deviation_, ((turn * from).colwise() + shift - to).colwise().norm().maxCoeff());
  motion.position = turn * centres_[piece] + shift;
  motion.rotation = Eigen::Quaterniond(turn).normalized();
  if (motion.rotation.dot(last_[piece]) < 0) motion.rotation.coeffs() *= -1;
  last_[piece] = motion.rotation;
  return motion;
}

PieceStates PieceMotions::in(const SurfaceFrame& frame) {
  PieceStates states;
  for (std::size_t p = 0; p < nodes_.size(); ++p) {
    states.motion.push_back(fit(p, frame));
    const std::vector<Node>& nodes = followed(p, frame);
    double squares = 0, stress = 0;
    std::size_t count = 0;
    for (const Node& node : nodes) {
      const std::int64_t row = frame.row(node.id);
      if (row < 0) continue;
      ++count;
      if (!frame.velocity.empty()) squares += frame.velocity[static_cast<std::size_t>(row)].squaredNorm();
      if (!frame.stress.empty()) stress += frame.stress[static_cast<std::size_t>(row)];
    }
    const double number = std::max<double>(1, static_cast<double>(count));
    if (!frame.velocity.empty()) states.speed.push_back(static_cast<float>(std::sqrt(squares / number)));
    if (!frame.stress.empty()) states.stress.push_back(static_cast<float>(stress / number));
  }
  return states;
}

}  // namespace brisance::exports
