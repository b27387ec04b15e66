#include "brisance/mesh/tets/mesh_bounds.hpp"

#include "brisance/core/error.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace brisance::mesh {
namespace {

constexpr double kMostPercent = 100;  // largest value to allow: 1 turns the bound off

/// Rounded up to a whole percent, so that it holds for this mesh.
double worth_allowing(double error) { return std::min(std::ceil(100 * std::abs(error) + 0.5), kMostPercent) / 100; }

/// Facets of a curved body lose volume with the square of the edge length. Two digits, rounded up.
double tets_for(double error, double num_tets) {
  const double tets = num_tets * std::pow(std::abs(error) / kWarnedVolumeError, 1.5);
  const double unit = std::pow(10, std::floor(std::log10(tets)) - 1);
  return std::ceil(tets / unit) * unit;
}

}  // namespace

std::optional<std::string> judge_volume(double error, double allowed, double num_tets, const std::string& name) {
  if (allowed >= 1 || std::abs(error) <= kWarnedVolumeError) return std::nullopt;
  const std::string what = fmt::format(
      "{}: the tets have {:.2g} % {} volume than the surface they fill, which is too thin or too curved for so few. "
      "About {:.0f} tets would do (target_tets, --tets)",
      name, 100 * std::abs(error), error < 0 ? "less" : "more", tets_for(error, num_tets));
  if (std::abs(error) > allowed)
    throw core::BadInput(
        what + fmt::format("; or allow it with object.mesh.allowed_volume_error = {:g}.", worth_allowing(error)));
  return what + ".";
}

std::optional<std::string> judge_altitude(double smallest_m, double mean_m, double least, const std::string& name,
                                          const std::string& remedy) {
  const double ratio = smallest_m / mean_m;
  if (least == 0 || ratio >= kWarnedAltitude) return std::nullopt;
  const std::string what =
      fmt::format("{}: its thinnest tet is {:.2g} m high, {:.1g} of the mean altitude, and sets the time step. {}",
                  name, smallest_m, ratio, remedy);
  if (ratio < least)
    throw core::BadInput(what +
                         fmt::format(" object.mesh.least_altitude = {:.1g} would allow it.", std::max(ratio / 2, 0.0)));
  return what;
}

}  // namespace brisance::mesh
