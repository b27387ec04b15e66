#include "mesh/dimensions.hpp"

#include "brisance/core/error.hpp"

#include <cmath>

#include <fmt/format.h>

namespace brisance::mesh {

void require_positive(const std::string& name, double value) {
  if (!(value > 0) || !std::isfinite(value))
    throw core::Error(
        fmt::format("mesh.{} = {:g} must be positive and finite. Correct it in the mesh section.", name, value));
}

void require_below(const std::string& name, double value, const std::string& bound_name, double bound) {
  require_positive(name, value);
  if (value >= bound)
    throw core::Error(fmt::format("mesh.{} = {:g} must be below {} = {:g}. Make the one smaller or the other larger.",
                                  name, value, bound_name, bound));
}

}  // namespace brisance::mesh
