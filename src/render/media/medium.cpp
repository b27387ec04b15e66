#include "medium.hpp"

#include "brisance/core/error.hpp"

#include <algorithm>
#include <array>

namespace brisance::render::media {
namespace {

struct NamedMedium {
  const char* name;
  std::array<double, 3> reduced_scattering;  ///< [1/mm]
  std::array<double, 3> absorption;          ///< [1/mm]
  double index;
};

constexpr std::array<NamedMedium, 12> kMedia{{
    {"apple", {2.29, 2.39, 1.97}, {0.0030, 0.0034, 0.046}, 1.3},
    {"chicken1", {0.15, 0.21, 0.38}, {0.015, 0.077, 0.19}, 1.3},
    {"chicken2", {0.19, 0.25, 0.32}, {0.018, 0.088, 0.20}, 1.3},
    {"cream", {7.38, 5.47, 3.15}, {0.0002, 0.0028, 0.0163}, 1.3},
    {"ketchup", {0.18, 0.07, 0.03}, {0.061, 0.97, 1.45}, 1.3},
    {"marble", {2.19, 2.62, 3.00}, {0.0021, 0.0041, 0.0071}, 1.5},
    {"potato", {0.68, 0.70, 0.55}, {0.0024, 0.0090, 0.12}, 1.3},
    {"skim_milk", {0.70, 1.22, 1.90}, {0.0014, 0.0025, 0.0142}, 1.3},
    {"skin1", {0.74, 0.88, 1.01}, {0.032, 0.17, 0.48}, 1.3},
    {"skin2", {1.09, 1.59, 1.79}, {0.013, 0.070, 0.145}, 1.3},
    {"spectralon", {11.6, 20.4, 14.9}, {0, 0, 0}, 1.3},
    {"whole_milk", {2.55, 3.21, 3.77}, {0.0011, 0.0024, 0.014}, 1.3},
}};

Channels per_metre(const std::array<double, 3>& per_millimetre) {
  constexpr double kMillimetresPerMetre = 1000;
  return kMillimetresPerMetre * Channels(per_millimetre[0], per_millimetre[1], per_millimetre[2]);
}

}  // namespace

Channels reduced_extinction(const Medium& medium) { return medium.reduced_scattering + medium.absorption; }

Channels mean_free_path(const Medium& medium) { return reduced_extinction(medium).inverse(); }

Channels reduced_albedo(const Medium& medium) { return medium.reduced_scattering / reduced_extinction(medium); }

Channels effective_transport(const Medium& medium) {
  return (3 * medium.absorption * reduced_extinction(medium)).sqrt();
}

Medium scaled(const Medium& medium, double factor) {
  return {medium.reduced_scattering / factor, medium.absorption / factor, medium.index};
}

void check(const Medium& medium, const std::string& where) {
  if (!(medium.reduced_scattering.isFinite().all() && (medium.reduced_scattering > 0).all()))
    throw core::Error(where +
                      ": the reduced scattering must be positive in each channel (marble: 2190, 2620, 3000 1/m). "
                      "For a clear medium use a dielectric.");
  if (!(medium.absorption.isFinite().all() && (medium.absorption >= 0).all()))
    throw core::Error(where +
                      ": the absorption must not be negative, or the medium would create light: its albedo "
                      "would exceed 1 (marble: 2.1, 4.1, 7.1 1/m).");
  if (!(medium.index >= 1 && medium.index <= 4))
    throw core::Error(where + ": the index of refraction must be between 1 and 4 (skin: 1.3, marble: 1.5).");
}

const std::vector<std::string>& medium_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const NamedMedium& medium : kMedia) all.emplace_back(medium.name);
    return all;
  }();
  return names;
}

Medium medium_named(const std::string& name) {
  const auto* const found =
      std::find_if(kMedia.begin(), kMedia.end(), [&](const auto& each) { return each.name == name; });
  if (found == kMedia.end()) {
    std::string choices;
    for (const std::string& each : medium_names()) choices += (choices.empty() ? "" : ", ") + each;
    throw core::Error("medium \"" + name + "\" is unknown; the choices are " + choices + ".");
  }
  return {per_metre(found->reduced_scattering), per_metre(found->absorption), found->index};
}

}  // namespace brisance::render::media
