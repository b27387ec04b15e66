#include "render/materials/subsurface.hpp"

#include "brisance/core/error.hpp"

#include <algorithm>

namespace brisance::render {
namespace {

const std::vector<std::string>& approach_names() {
  static const std::vector<std::string> names{"auto", "dipole", "random_walk"};
  return names;
}

media::Approach approach_named(const std::string& name) {
  return static_cast<media::Approach>(std::ranges::find(approach_names(), name) - approach_names().begin());
}

constexpr const char* kOfDielectric = "as of a dielectric.";  ///< where a scene's table has the whole sentence

Interior interior_of(const media::Turbid& turbid) {
  return {.index = static_cast<float>(turbid.medium.index),
          .absorption = turbid.medium.absorption.cast<float>(),
          .scattering = turbid.medium.reduced_scattering.cast<float>(),
          .turbid = &turbid};
}

media::Medium medium_of(const Values& values) {
  const bool has_own = values.has("reduced_scattering_per_m");
  if (values.has("medium") == has_own)
    throw core::Error("the kind \"subsurface\" needs either a medium or reduced_scattering_per_m.");
  media::Medium medium = has_own ? media::Medium{} : media::medium_named(values.text("medium"));
  if (has_own) medium.reduced_scattering = values.triple("reduced_scattering_per_m").array();
  if (values.has("absorption_per_m")) medium.absorption = values.triple("absorption_per_m").array();
  if (values.has("index")) medium.index = values.number("index");
  media::check(medium, "the medium inside");
  return media::scaled(medium, values.number("scale"));
}

void require_medium(const Specification& given) {
  const Kind kind = subsurface_kind();
  (void)medium_of(Values(kind, given));
}

}  // namespace

Subsurface::Subsurface(std::unique_ptr<const media::Turbid> turbid, float roughness, const Pattern& pattern)
    : Dielectric(interior_of(*turbid), roughness), turbid_(std::move(turbid)), pattern_(pattern) {}

Rgb Subsurface::tint(const SurfacePoint& at) const {
  return pattern_.is_plain() ? Rgb(Rgb::Ones()) : Rgb(pattern_.factor(at.rest_position).sqrt());
}

Kind subsurface_kind() {
  Kind kind{
      .name = "subsurface",
      .sentence = "marble, skin, milk, wax: scatters light inside",
      .parameters =
          {{.name = "medium",
            .sentence = "subsurface: a measured medium, which gives scattering, absorption and index.",
            .form = ParameterForm::choice,
            .choices = media::medium_names()},
           {.name = "reduced_scattering_per_m",
            .unit = "1/m",
            .sentence = "subsurface: instead of a medium, reduced scattering at red, green, blue. Marble has [2190, "
                        "2620, 3000].",
            .form = ParameterForm::triple,
            .low = 0,
            .high = 1e9,
            .low_open = true},
           {.name = "absorption_per_m",
            .unit = "1/m",
            .sentence = kOfDielectric,
            .form = ParameterForm::triple,
            .low = 0,
            .high = 1e9},
           {.name = "index", .sentence = kOfDielectric, .low = 1, .high = 4},
           {.name = "scale",
            .sentence = "subsurface: factor on all lengths inside. A model ten times as large as the thing it shows "
                        "needs 10 to be as translucent.",
            .normal = 1.0,
            .low = 0,
            .high = 1e9,
            .low_open = true},
           {.name = "roughness", .sentence = kOfDielectric, .normal = 0.0, .low = 0, .high = 1},
           {.name = "inside",
            .sentence = "subsurface: how light inside is computed. dipole: as on a half space; random_walk: exact, "
                        "slower; auto: the dipole where the solid is thick.",
            .form = ParameterForm::choice,
            .normal = std::string("auto"),
            .choices = approach_names()}},
      .check_together = require_medium};
  for (const Parameter& each : pattern_parameters()) kind.parameters.push_back(each);
  return kind;
}

std::unique_ptr<Material> make_subsurface(const Values& values) {
  auto turbid = std::make_unique<const media::Turbid>(medium_of(values), approach_named(values.text("inside")));
  return std::make_unique<Subsurface>(std::move(turbid), values.number("roughness"), Pattern(values));
}

}  // namespace brisance::render
