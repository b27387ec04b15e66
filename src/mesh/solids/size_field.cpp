#include "mesh/solids/size_field.hpp"

#include <algorithm>

namespace brisance::mesh::solids {
namespace {

constexpr double kGrowth = 0.5;  // increase of the length per distance

}  // namespace

void SizeField::refine(const Vec3& at, double size_m) {
  grid_.add(at, static_cast<std::int32_t>(sizes_m_.size()));
  sizes_m_.push_back(size_m);
}

double SizeField::at(const Vec3& x) const {
  double size = edge_m_;
  if (sizes_m_.empty()) return size;
  grid_.for_each_near(x, [&](const Vec3& point, std::int32_t label) {
    const double short_m = sizes_m_[label], beyond = std::max(0.0, (point - x).norm() - short_m);
    size = std::min(size, short_m + kGrowth * beyond);
  });
  return size;
}

}  // namespace brisance::mesh::solids
