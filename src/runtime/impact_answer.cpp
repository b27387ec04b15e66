// SPDX-License-Identifier: MIT
/// Finds the nearest vertex and its shares, projects them, and determines the faces between atoms that break.
#include "brisance/runtime/impact_answer.hpp"

#include "brisance/runtime/error.hpp"
#include "brisance/runtime/projection.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <nanoflann.hpp>

namespace brisance::runtime {

namespace {

/// The view of the vertices that nanoflann requires.
struct VertexCloud {
  Span<const std::array<double, 3>> vertices;
  [[nodiscard]] std::size_t kdtree_get_point_count() const { return vertices.size(); }
  [[nodiscard]] double kdtree_get_pt(std::size_t vertex, std::size_t axis) const { return vertices[vertex][axis]; }
  template <class Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }
};

using Tree =
    nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, VertexCloud>, VertexCloud, 3, std::size_t>;

bool finite(const std::array<double, 3>& v) {
  return std::isfinite(v[0]) && std::isfinite(v[1]) && std::isfinite(v[2]);
}

std::array<double, 3> unit_vector(const std::array<double, 3>& v) {
  const double length = std::hypot(v[0], v[1], v[2]);
  if (!finite(v) || !(length > 0)) throw Error("The direction of an impact must be finite and not zero.");
  return {v[0] / length, v[1] / length, v[2] / length};
}

void check(const Impact& impact) {
  if (!finite(impact.point)) throw Error("The point of an impact must be finite.");
  if (!std::isfinite(impact.strength) || impact.strength < 0)
    throw Error("The strength of an impact must be finite and not negative.");
  if (!std::isfinite(impact.threshold) || impact.threshold < 0)
    throw Error("The threshold of an impact must be finite and not negative.");
}

const SmearTable& table(const ImpactSet& set, Smear smear) {
  const auto& found = smear == Smear::elastic ? set.elastic : set.gaussian;
  if (!found)
    throw Error(std::string("The runtime file holds no ") + (smear == Smear::elastic ? "elastic" : "gaussian") +
                " smear. Ask for the other one, or write the file again with both.");
  return *found;
}

/// Mean displacement of each atom along the blow for unit strength: the smeared blow, constant on each atom.
std::vector<double> mean_displacement(Span<const float> share, Span<const double> weight) {
  double received = 0, volume = 0;
  for (std::size_t a = 0; a < weight.size(); ++a) {
    volume += weight[a];
    if (weight[a] > 0) received += share[a];
  }
  std::vector<double> mean(weight.size(), 0);
  if (!(received > 0)) return mean;
  for (std::size_t a = 0; a < weight.size(); ++a)
    if (weight[a] > 0) mean[a] = volume / received * share[a] / weight[a];
  return mean;
}

/// num_atoms × components from a number for each atom; one component means "along the blow".
std::vector<double> along(const std::vector<double>& amount, Span<const double> direction) {
  std::vector<double> vectors;
  vectors.reserve(amount.size() * direction.size());
  for (const double x : amount)
    for (const double d : direction) vectors.push_back(x * d);
  return vectors;
}

double distance(Span<const double> w, int components, std::int32_t a, std::int32_t b) {
  double squared = 0;
  for (int k = 0; k < components; ++k) {
    const double jump =
        w[static_cast<std::size_t>(components) * a + k] - w[static_cast<std::size_t>(components) * b + k];
    squared += jump * jump;
  }
  return std::sqrt(squared);
}

std::int32_t root_of(std::vector<std::int32_t>& root, std::int32_t a) {
  while (root[a] != a) a = root[a] = root[root[a]];
  return a;
}

/// Joins atoms across faces that stay closed, then numbers the resulting pieces.
void label_pieces(const ImpactSet& set, Span<const double> weight, Span<const double> w, int components,
                  double threshold, Answer& answer) {
  std::vector<std::int32_t> root(set.atoms.size());
  std::iota(root.begin(), root.end(), 0);
  for (const AtomFace& f : set.faces) {
    if (weight[f.a] == 0 || weight[f.b] == 0 || distance(w, components, f.a, f.b) >= threshold) continue;
    const std::int32_t a = root_of(root, f.a), b = root_of(root, f.b);
    root[std::max(a, b)] = std::min(a, b);
  }
  answer.piece_of_atom.assign(set.atoms.size(), -1);
  for (std::int32_t a = 0; a < set.num_atoms(); ++a)
    if (weight[a] > 0)
      answer.piece_of_atom[a] = root[a] == a ? answer.num_pieces++ : answer.piece_of_atom[root_of(root, a)];
}

/// The modes along one axis up to the energy for which the set is complete: with modes of energy up to E, along the
/// weakest axis all fields up to E/η are known. [S22] eq. (15) uses the lowest modes, so higher ones are left out.
AtomModes modes_along(const ImpactSet& set, int axis) {
  const double weakest = *std::min_element(set.axis_strength.begin(), set.axis_strength.begin() + set.dimension);
  const double most = *std::max_element(set.mode_energy.begin(), set.mode_energy.end());
  AtomModes modes;
  for (std::size_t i = 0; i < set.mode_energy.size(); ++i)
    if (set.mode_energy[i] <= most * (weakest / set.axis_strength[axis])) {
      const auto first = set.mode_value.begin() + static_cast<std::ptrdiff_t>(i * set.atoms.size());
      modes.value.insert(modes.value.end(), first, first + set.num_atoms());
    }
  return modes;
}

constexpr double kNewInBody = 1e-9;  ///< a mode is dropped if less than this share of its norm is new in a body

}  // namespace

struct Target::VertexTree {
  VertexCloud cloud;
  Tree tree;
  explicit VertexTree(const ImpactSet& set) : cloud{set.vertices}, tree(3, cloud) {}
};

Target::Target(ImpactSet set) : set_(std::move(set)) {
  if (set_.vertices.empty() || set_.atoms.empty())
    throw Error("A set without vertices or atoms cannot be struck. Write the runtime file again.");
  for (const SolidShape& atom : set_.atoms) volume_.push_back(atom.volume);
  tree_ = std::make_unique<VertexTree>(set_);
}

Target::~Target() = default;
Target::Target(Target&&) noexcept = default;
Target& Target::operator=(Target&&) noexcept = default;

Answer Target::strike(const Impact& impact) const { return strike(impact, volume_, true); }

Answer Target::strike(const Impact& impact, Span<const std::int32_t> body_of_atom, std::int32_t body) const {
  if (body_of_atom.size() != set_.atoms.size())
    throw Error("An impact on a piece needs the body of each of the " + std::to_string(set_.atoms.size()) +
                " atoms, got " + std::to_string(body_of_atom.size()) + ".");
  std::vector<double> weight(volume_);
  for (std::size_t a = 0; a < weight.size(); ++a)
    if (body_of_atom[a] != body) weight[a] = 0;
  return strike(impact, weight, false);
}

Answer Target::strike(const Impact& impact, Span<const double> weight, bool whole) const {
  check(impact);
  const std::array<double, 3> direction = unit_vector(impact.direction);
  const SmearTable& smear = table(set_, impact.smear);

  Answer answer;
  std::size_t vertex = 0;
  double distance_squared = 0;
  tree_->tree.knnSearch(impact.point.data(), 1, &vertex, &distance_squared);
  answer.vertex = static_cast<std::int32_t>(vertex);

  // w on atoms: along the blow where modes are scalars, equal for all directions; otherwise in space.
  std::vector<double> amount = mean_displacement({&smear.share[vertex * weight.size()], weight.size()}, weight);
  for (double& x : amount) x *= impact.strength;
  const bool by_modes = impact.method == Method::modes;
  const bool by_axis = by_modes && set_.components == 1 && set_.num_modes() > 0 && !same_along_all_axes(set_);
  const int components = by_axis ? 3 : set_.components;
  std::vector<double> w =
      components == 1 ? amount : along(amount, {direction.data(), static_cast<std::size_t>(components)});

  // w*, eq. (20): on a piece the modes are no longer orthonormal and are orthonormalised.
  const auto projected = [&](AtomModes modes, Span<const double> displacement) {
    if (!whole) orthonormalise(modes, weight, kNewInBody);
    return project(modes, weight, displacement);
  };
  if (by_axis)
    for (int axis = 0; axis < 3; ++axis) {
      const std::vector<double> along_axis = projected(modes_along(set_, axis), amount);
      for (std::size_t a = 0; a < amount.size(); ++a) w[3 * a + axis] = along_axis[a] * direction[axis];
    }
  else if (by_modes)
    w = projected({set_.components, set_.mode_value}, w);
  for (std::size_t i = 0; i < w.size(); ++i)
    if (weight[i / components] == 0) w[i] = 0;  // modes cover the whole object, the blow only this piece
  label_pieces(set_, weight, w, components, impact.threshold, answer);
  answer.displacement = components == 1 ? along(w, direction) : std::move(w);
  return answer;
}

}  // namespace brisance::runtime
