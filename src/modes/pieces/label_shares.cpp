#include "modes/pieces/label_shares.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace brisance::modes {

namespace {

/// Smaller values are solver noise or invisible: labels add up to 1 at every point.
constexpr double kLeastValue = 1e-6;

struct NodeShare {
  std::int32_t label;
  double value;
};

/// Labels at each node, ascending.
std::vector<std::vector<NodeShare>> shares_by_node(const Simplices& mesh, const LabelDiffusion& diffusion,
                                                   std::int32_t num_labels) {
  std::vector<std::vector<NodeShare>> shares(mesh.nodes.size());
  for (std::int32_t label = 0; label < num_labels; ++label) {
    const Eigen::VectorXd values = diffusion.diffused(label);
    for (std::size_t node = 0; node < shares.size(); ++node)
      if (const double value = values[static_cast<Eigen::Index>(node)]; value > kLeastValue)
        shares[node].push_back({label, value});
  }
  return shares;
}

/// A label at the corners of a cell; the fourth value of a triangle stays 0.
struct Rival {
  std::int32_t label;
  std::array<double, 4> value;

  [[nodiscard]] bool is_everywhere_below(const Rival& other) const {
    for (int c = 0; c < 4; ++c)
      if (value[c] > 0 && value[c] >= other.value[c]) return false;
    return label != other.label;
  }
};

class CellRivals {
public:
  /// The labels at a cell that no other label exceeds at all of its corners.
  const std::vector<Rival>& find(std::span<const std::int32_t> cell,
                                 const std::vector<std::vector<NodeShare>>& shares) {
    collect(cell, shares);
    double bar = 0;  // some label is at least this large everywhere
    for (const Rival& rival : all_) bar = std::max(bar, std::ranges::min(std::span(rival.value).first(cell.size())));
    std::erase_if(all_, [&](const Rival& rival) { return std::ranges::max(rival.value) < bar; });
    left_.clear();
    for (const Rival& rival : all_)
      if (std::ranges::none_of(all_, [&](const Rival& other) { return rival.is_everywhere_below(other); }))
        left_.push_back(rival);
    return left_;
  }

private:
  void collect(std::span<const std::int32_t> cell, const std::vector<std::vector<NodeShare>>& shares) {
    all_.clear();
    for (std::size_t corner = 0; corner < cell.size(); ++corner)
      for (const NodeShare& share : shares[cell[corner]]) {
        if (static_cast<std::size_t>(share.label) >= place_.size()) place_.resize(share.label + 1, -1);
        std::int32_t& place = place_[share.label];
        if (place < 0) {
          place = static_cast<std::int32_t>(all_.size());
          all_.push_back({share.label, {}});
        }
        all_[place].value[corner] = share.value;
      }
    for (const Rival& rival : all_) place_[rival.label] = -1;
  }

  std::vector<Rival> all_, left_;
  std::vector<std::int32_t> place_;  ///< index of a label in all_; −1 between calls
};

}  // namespace

std::vector<std::vector<LabelShare>> rival_shares(const Simplices& mesh, const LabelDiffusion& diffusion,
                                                  std::int32_t num_labels) {
  const auto shares = shares_by_node(mesh, diffusion, num_labels);
  std::vector<std::vector<LabelShare>> rivals(num_labels);
  CellRivals in_cell;
  for (std::int32_t c = 0; c < mesh.num_cells(); ++c)
    for (const Rival& rival : in_cell.find(mesh.cell(c), shares))
      for (int k = 0; k < mesh.corners_per_cell; ++k) rivals[rival.label].push_back({mesh.cell(c)[k], rival.value[k]});
  for (auto& of_label : rivals) {
    std::ranges::sort(of_label, {}, &LabelShare::node);
    const auto repeated = std::ranges::unique(of_label, {}, &LabelShare::node);
    of_label.erase(repeated.begin(), repeated.end());
  }
  return rivals;
}

}  // namespace brisance::modes
