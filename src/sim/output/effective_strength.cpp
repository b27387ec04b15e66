#include "effective_strength.hpp"

#include "brisance/core/exact_sum.hpp"
#include "brisance/dist/mesh_fields.hpp"
#include "brisance/fracture/criteria/strength.hpp"
#include "brisance/fracture/fields.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace brisance::sim {

namespace {

/// Mean, minimum and maximum of a value over a material's nodes.
class NodeValues {
public:
  void add(double value) {
    sum_.add(value);
    least_ = std::min(least_, value);
    largest_ = std::max(largest_, value);
    ++count_;
  }
  /// "1e5 Pa (from 8e4 to 2e5)"; empty if there is no such node. Collective.
  [[nodiscard]] std::string text(const core::Comm& comm) {
    sum_.reduce(comm);
    count_ = comm.sum(count_);
    least_ = comm.min(least_);
    largest_ = comm.max(largest_);
    if (count_ == 0) return "";
    return fmt::format("{:.3g} Pa (from {:.3g} to {:.3g})", sum_.value() / static_cast<double>(count_), least_,
                       largest_);
  }

private:
  core::ExactSum sum_;
  double least_ = std::numeric_limits<double>::infinity(), largest_ = 0;
  std::int64_t count_ = 0;
};

bool is_at(const dist::Mesh& mesh, LocalNode n, std::size_t material) {
  return std::ranges::any_of(mesh.star(n),
                             [&](std::int32_t e) { return mesh.material_of[LocalElement(e)] == material; });
}

}  // namespace

std::vector<std::string> effective_strengths(const Simulation& simulation) {
  const dist::Mesh& mesh = simulation.mesh();
  const fracture::Parameters& parameters = simulation.scene().fracture;
  std::vector<std::string> lines;
  for (std::size_t k = 0; k < simulation.scene().materials.size(); ++k) {
    const material::Material& m = mesh.materials[k];
    if (!fracture::is_breakable(parameters, k, m)) continue;
    const double tough = fracture::tip_toughness(parameters, k, m);
    NodeValues by_force, at_fronts;
    for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
      const LocalNode n(i);
      if (!mesh.is_owned(n) || !is_at(mesh, n, k)) continue;
      by_force.add(m.toughness / mesh.field(fracture::kUncutArea)[n]);
      at_fronts.add(fracture::front_strength(tough, mesh.field(dist::kUncutEdgeLength)[n]));
    }
    const std::string force_text = by_force.text(mesh.comm()), front_text = at_fronts.text(mesh.comm());
    std::string line = fmt::format("strength of \"{}\" on this mesh: ", m.name);
    if (!(m.toughness > 0) || !std::isfinite(m.toughness))
      line += "none but at fronts of cracks";
    else if (m.toughness_mode == material::ToughnessMode::stress)
      line += fmt::format("{:.3g} Pa", m.toughness);
    else
      line += fmt::format("{}, for {:.3g} N", force_text, m.toughness);
    if (tough > 0) line += fmt::format("; at fronts of cracks {}, for K_Ic = {:.3g} Pa√m", front_text, tough);
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace brisance::sim
