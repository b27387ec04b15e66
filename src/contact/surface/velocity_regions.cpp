#include "brisance/contact/surface/velocity_regions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace brisance::contact {

namespace {

constexpr double kUnbounded = -std::numeric_limits<double>::infinity();

void widen(std::span<double> bounds, std::span<const double> by) {
  for (std::size_t k = 0; k < bounds.size(); ++k) bounds[k] = std::max(bounds[k], by[k]);
}

double most_relative(std::span<const double> bounds, const Vec3& velocity) {
  Vec3 most = Vec3::Zero();
  for (std::size_t k = 0; k < 3; ++k) {
    const auto axis = static_cast<Eigen::Index>(k);
    most[axis] = std::max({0.0, bounds[k] - velocity[axis], bounds[3 + k] + velocity[axis]});
  }
  return most.norm();
}

}  // namespace

std::array<int, 3> VelocityRegions::cell_of(const Vec3& position) const {
  std::array<int, 3> cell{};
  for (std::size_t k = 0; k < 3; ++k) {
    const double along = std::floor(position[static_cast<Eigen::Index>(k)] / cell_m_);
    cell[k] = std::isfinite(along) ? static_cast<int>(along - kCells * std::floor(along / kCells)) : 0;
  }
  return cell;
}

std::size_t VelocityRegions::index(const std::array<int, 3>& cell) {
  std::size_t index = 0;
  for (const int along : cell) index = index * kCells + static_cast<std::size_t>((along + kCells) % kCells);
  return 6 * index;
}

void VelocityRegions::update(const dist::Mesh& mesh, double cell_m) {
  cell_m_ = cell_m;
  bounds_.fill(kUnbounded);
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    if (!mesh.is_owned(n)) continue;
    const dist::NodeMotion& motion = mesh.motion[n];
    Bounds own;
    for (std::size_t k = 0; k < 3; ++k) {
      own[k] = motion.velocity[k];
      own[3 + k] = -motion.velocity[k];
    }
    widen(std::span(bounds_).subspan(index(cell_of(Vec3(motion.position))), 6), own);
  }
  bounds_ = mesh.comm().max(bounds_);
  of_all_.fill(kUnbounded);
  for (std::size_t i = 0; i < bounds_.size(); i += 6) widen(of_all_, std::span(bounds_).subspan(i, 6));
}

double VelocityRegions::most_near(const Vec3& position, const Vec3& velocity) const {
  const std::array<int, 3> centre = cell_of(position);
  Bounds bounds;
  bounds.fill(kUnbounded);
  for (int x = -1; x <= 1; ++x)
    for (int y = -1; y <= 1; ++y)
      for (int z = -1; z <= 1; ++z)
        widen(bounds, std::span(bounds_).subspan(index({centre[0] + x, centre[1] + y, centre[2] + z}), 6));
  return most_relative(bounds, velocity);
}

double VelocityRegions::most(const Vec3& velocity) const { return most_relative(of_all_, velocity); }

}  // namespace brisance::contact
