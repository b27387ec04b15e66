#include "fields.hpp"

#include "brisance/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace brisance::render {
namespace {

double von_mises(const SymMat3& s) {
  const double a = s[0] - s[1], b = s[1] - s[2], c = s[2] - s[0];
  const double shear_squared = s[3] * s[3] + s[4] * s[4] + s[5] * s[5];
  return std::sqrt(0.5 * (a * a + b * b + c * c) + 3 * shear_squared);
}

double max_principal(const SymMat3& s) {
  return Eigen::SelfAdjointEigenSolver<Mat3>(full_matrix(s), Eigen::EigenvaluesOnly).eigenvalues().maxCoeff();
}

double frobenius_norm(const SymMat3& s) { return std::sqrt(s.head<3>().squaredNorm() + 2 * s.tail<3>().squaredNorm()); }

double element_value(const io::SnapshotPart& part, ColourBy field, std::int64_t element) {
  switch (field) {
    case ColourBy::von_mises_stress:
      return von_mises(part.stress.at(element));
    case ColourBy::max_principal_stress:
      return max_principal(part.stress.at(element));
    default:
      return part.plastic_strain.empty() ? 0 : frobenius_norm(part.plastic_strain.at(element));
  }
}

}  // namespace

std::vector<std::int64_t> elements_below(const io::SnapshotPart& part) {
  std::vector<std::int64_t> by_id(part.element_id.size());
  std::iota(by_id.begin(), by_id.end(), 0);
  auto id_of = [&](std::int64_t element) { return part.element_id[element]; };
  std::sort(by_id.begin(), by_id.end(), [&](auto a, auto b) { return id_of(a) < id_of(b); });
  std::vector<std::int64_t> below;
  below.reserve(part.boundary.size());
  for (const std::int64_t id : part.boundary_element) {
    const auto found =
        std::lower_bound(by_id.begin(), by_id.end(), id, [&](auto element, auto key) { return id_of(element) < key; });
    if (found == by_id.end() || id_of(*found) != id)
      throw core::Error("a boundary triangle names element " + std::to_string(id) +
                        ", which the snapshot does not hold.");
    below.push_back(*found);
  }
  return below;
}

std::vector<std::array<double, 3>> corner_values(const io::SnapshotPart& part, ColourBy field,
                                                 const std::vector<std::int64_t>& below) {
  const bool needs_stress = field == ColourBy::von_mises_stress || field == ColourBy::max_principal_stress;
  if (needs_stress && part.stress.size() != part.element_id.size())
    throw core::Error("the snapshot holds no stress to colour by. Choose another field.");
  if (field == ColourBy::speed && part.velocity.size() != part.node_id.size())
    throw core::Error("the snapshot holds no velocity to colour by. Choose another field.");
  std::vector<std::array<double, 3>> values(part.boundary.size());
  for (std::size_t t = 0; t < values.size(); ++t) {
    if (field == ColourBy::speed) {
      for (int c = 0; c < 3; ++c) values[t][c] = part.velocity.at(part.boundary[t][c]).norm();
    } else {
      values[t].fill(element_value(part, field, below[t]));
    }
  }
  return values;
}

ValueRange value_range(const std::vector<std::array<double, 3>>& values, ColourBy field) {
  if (values.empty()) return {};
  std::vector<double> sorted;
  for (const auto& corners : values) sorted.insert(sorted.end(), corners.begin(), corners.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t last = sorted.size() - 1;
  ValueRange range{.low = sorted[last / 100], .high = sorted[last - last / 100]};
  if (field != ColourBy::max_principal_stress) range.low = 0;
  return range;
}

ValueRange frame_range(const io::SnapshotPart& part, ColourBy field) {
  return value_range(corner_values(part, field, elements_below(part)), field);
}

}  // namespace brisance::render
