#include "app/scene/part_checks.hpp"

#include "brisance/sim/setup/formula.hpp"
#include "brisance/sim/setup/mesh_file.hpp"

#include "app/cli/nearest.hpp"
#include "app/scene/place_checks.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

namespace brisance::app {

namespace {

using sim::PartParameters;
using sim::PartShape;

/// Throws unless one of the entries has that name.
template <class Entries, class Refuse>
void require_known(const std::string& key, const std::string& name, const Entries& known, const Refuse& refuse) {
  std::vector<std::string> names;
  for (const auto& entry : known) names.push_back(entry.name);
  if (std::ranges::find(names, name) == names.end())
    refuse(key, "there is no " + key + " \"" + name + "\". Did you mean \"" + nearest(name, names) + "\"?");
}

template <class Refuse>
void check_surface(const PartParameters& part, const Refuse& refuse) {
  if (part.file.empty()) refuse("file", "a surface needs part.file, a closed surface (OBJ, STL, PLY, OFF).");
  if (!std::filesystem::exists(part.file))
    refuse("file",
           "part.file = \"" + part.file.string() + "\" does not exist. Relative names start at the scene file.");
}

template <class Refuse>
void check_mortar(const PartParameters& part, const Refuse& refuse) {
  if (!part.brick.array().isFinite().any())
    refuse("brick_m", "mortar needs part.brick_m, finite in one direction at least, as in [0.24, inf, 0.07].");
  if (part.joint_m <= 0) refuse("joint_m", "mortar needs part.joint_m, positive.");
}

template <class Refuse>
void check_part(const PartParameters& part, const sim::Scene& scene, const Refuse& refuse) {
  if (part.shape == PartShape::group && part.group.empty())
    refuse("group",
           "part.group is missing; a [[part]] needs it or another shape, and a material, as in group = \"handle\", "
           "material = \"glass\".");
  if (part.material.empty()) refuse("material", "part.material is missing; name one of the scene's materials.");
  require_known("material", part.material, scene.materials, refuse);
  if (!part.object.empty()) require_known("object", part.object, scene.objects, refuse);
  check_place(part, part.shape, "part", refuse);
  if (part.shape == PartShape::cylinder && (part.radius_m <= 0 || part.from == part.to))
    refuse("radius_m", "a cylinder needs part.radius_m, positive, and part.from_m and part.to_m, two points.");
  if (part.shape == PartShape::surface) check_surface(part, refuse);
  if (part.shape != PartShape::surface && !part.file.empty())
    refuse("file", "part.file goes with shape = \"surface\"; leave one out.");
  if (part.shape == PartShape::mortar) check_mortar(part, refuse);
}

template <class Refuse>
void check_paint(const sim::FactorParameters& factor, const sim::Scene& scene, const Refuse& refuse) {
  for (const sim::ObjectParameters& object : scene.objects)
    if (sim::concerns(factor, object.name) &&
        (object.mesh.shape != mesh::ShapeKind::file || sim::is_tet_mesh_file(object.mesh.file)))
      refuse(factor.image.empty() ? "colour" : "image",
             "object \"" + object.name +
                 "\" is not made of a surface file, so it has no paint. Name the painted [[object]] in factor.object, "
                 "or give a formula or a field.");
  if (!factor.image.empty() && !std::filesystem::exists(factor.image))
    refuse("image",
           "factor.image = \"" + factor.image.string() + "\" does not exist. Relative names start at the scene file.");
}

template <class Refuse>
void check_factor(const sim::FactorParameters& factor, const sim::Scene& scene, const Refuse& refuse) {
  const int num_sources = (factor.formula.empty() ? 0 : 1) + (factor.field.empty() ? 0 : 1) +
                          (factor.weibull_modulus > 0 ? 1 : 0) + (factor.colour == sim::VertexColour::none ? 0 : 1) +
                          (factor.image.empty() ? 0 : 1);
  if (num_sources != 1)
    refuse("",
           "a [[factor]] needs one of formula, field, colour, image and weibull_modulus; for a product of them write "
           "several.");
  if (!factor.material.empty()) require_known("material", factor.material, scene.materials, refuse);
  if (!factor.object.empty()) require_known("object", factor.object, scene.objects, refuse);
  if (factor.weibull_modulus > 0 && factor.of != sim::FactorOf::strength)
    refuse("weibull_modulus", "factor.weibull_modulus scatters strength; leave factor.of = \"stiffness\" out.");
  if (sim::is_painted(factor)) check_paint(factor, scene, refuse);
  if (factor.formula.empty()) return;
  try {
    (void)sim::Formula(factor.formula);
  } catch (const core::Error& e) {
    refuse("formula", e.what());
  }
}

}  // namespace

void check_factors(const sim::Scene& scene, const Origins& origins) {
  for (std::size_t i = 0; i < scene.factors.size(); ++i)
    check_factor(scene.factors[i], scene,
                 [&](const std::string& key, const std::string& text) { origins.refuse("factor", i, key, text); });
}

void complete_and_check_parts(sim::Scene& scene, const Origins& origins) {
  for (std::size_t i = 0; i < scene.parts.size(); ++i) {
    const auto refuse = [&](const std::string& key, const std::string& text) { origins.refuse("part", i, key, text); };
    PartParameters& part = scene.parts[i];
    if (!part.file.empty() && !origins.given("part", i, "shape")) part.shape = PartShape::surface;
    check_part(part, scene, refuse);
  }
}

}  // namespace brisance::app
