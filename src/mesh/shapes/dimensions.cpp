#include "mesh/shapes/dimensions.hpp"

#include "brisance/core/error.hpp"
#include "brisance/mesh/limits.hpp"

#include <cmath>

#include <fmt/ranges.h>

namespace brisance::mesh {

void require_positive(const std::string& name, double value) {
  if (!(value > 0) || !std::isfinite(value))
    throw core::Error(fmt::format("{} = {:g} of the mesh must be positive and finite. Correct it.", name, value));
  if (value > kLargestLength_m || value < kSmallestBody_m)
    throw core::Error(fmt::format("{} = {:g} of the mesh must lie between {:g} and {:g} m. Correct it.", name, value,
                                  kSmallestBody_m, kLargestLength_m));
}

void require_below(const std::string& name, double value, const std::string& bound_name, double bound) {
  require_positive(name, value);
  if (value >= bound)
    throw core::Error(
        fmt::format("{} = {:g} of the mesh must be below {} = {:g}. Make the one smaller or the other larger.", name,
                    value, bound_name, bound));
}

void scale(Surface& surface, const Request& request) {
  if (!(request.scale > 0) || !std::isfinite(request.scale))
    throw core::Error(fmt::format(
        "the mesh's scale = {:g} must be positive and finite (0.001 for a file in millimetres).", request.scale));
  Eigen::AlignedBox3d box;
  for (Vec3& x : surface.vertices) box.extend(x *= request.scale);
  if (is_place(box.min()) && is_place(box.max()) && box.sizes().maxCoeff() >= kSmallestBody_m) return;
  throw core::Error(
      fmt::format("{}: with scale = {:g} it reaches from ({:.3g}) to ({:.3g}) m; a body must lie within {:g} m and "
                  "be no smaller than {:g} m. Correct the scale.",
                  request.file.string(), request.scale, fmt::join(box.min(), ", "), fmt::join(box.max(), ", "),
                  kLargestLength_m, kSmallestBody_m));
}

}  // namespace brisance::mesh
