#include "modes/label_shares.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace brisance::modes {

namespace {

/// Below it a value is the solver's noise or does not show: labels add up to 1 at every point.
constexpr double kLeastValue = 1e-6;

struct NodeShare {
  std::int32_t label;
  double value;
};

/// Labels at each node, ascending.
std::vector<std::vector<NodeShare>> shares_by_node(const mesh::TetMesh& mesh, const LabelDiffusion& diffusion,
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

/// A label at the four corners of a tet.
struct Rival {
  std::int32_t label;
  std::array<double, 4> value;

  [[nodiscard]] bool is_everywhere_below(const Rival& other) const {
    for (int c = 0; c < 4; ++c)
      if (value[c] > 0 && value[c] >= other.value[c]) return false;
    return label != other.label;
  }
};

class TetRivals {
public:
  /// The labels at a tet that no other one beats at all of its corners.
  const std::vector<Rival>& find(const std::array<std::int32_t, 4>& tet,
                                 const std::vector<std::vector<NodeShare>>& shares) {
    collect(tet, shares);
    double bar = 0;  // some label is at least that everywhere
    for (const Rival& rival : all_) bar = std::max(bar, std::ranges::min(rival.value));
    std::erase_if(all_, [&](const Rival& rival) { return std::ranges::max(rival.value) < bar; });
    left_.clear();
    for (const Rival& rival : all_)
      if (std::ranges::none_of(all_, [&](const Rival& other) { return rival.is_everywhere_below(other); }))
        left_.push_back(rival);
    return left_;
  }

private:
  void collect(const std::array<std::int32_t, 4>& tet, const std::vector<std::vector<NodeShare>>& shares) {
    all_.clear();
    for (int corner = 0; corner < 4; ++corner)
      for (const NodeShare& share : shares[tet[corner]]) {
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
  std::vector<std::int32_t> place_;  ///< of a label in all_; −1 between calls
};

}  // namespace

std::vector<std::vector<LabelShare>> rival_shares(const mesh::TetMesh& mesh, const LabelDiffusion& diffusion,
                                                  std::int32_t num_labels) {
  const auto shares = shares_by_node(mesh, diffusion, num_labels);
  std::vector<std::vector<LabelShare>> rivals(num_labels);
  TetRivals in_tet;
  for (const auto& tet : mesh.tets)
    for (const Rival& rival : in_tet.find(tet, shares))
      for (int corner = 0; corner < 4; ++corner) rivals[rival.label].push_back({tet[corner], rival.value[corner]});
  for (auto& of_label : rivals) {
    std::ranges::sort(of_label, {}, &LabelShare::node);
    const auto repeated = std::ranges::unique(of_label, {}, &LabelShare::node);
    of_label.erase(repeated.begin(), repeated.end());
  }
  return rivals;
}

}  // namespace brisance::modes
