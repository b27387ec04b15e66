#include "factors.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/random.hpp"
#include "brisance/sim/material_table.hpp"
#include "brisance/sim/setup/formula.hpp"
#include "brisance/sim/setup/initial_mesh.hpp"

#include "paint.hpp"

#include <algorithm>
#include <cmath>
#include <compare>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace brisance::sim {

namespace {

constexpr double kLargestStiffness = 1000;      ///< largest factor, and the reciprocal of the smallest
constexpr double kStepsAnOctave = 64;           ///< steps of graded stiffness
constexpr std::uint64_t kScatter = 0x57454942;  ///< purpose of the random numbers: "WEIB"

/// Index of the only material that the factor applies to, or −1 for all.
std::int32_t material_of(const Scene& scene, const FactorParameters& factor) {
  if (factor.material.empty()) return -1;
  const auto found = std::ranges::find(scene.materials, factor.material, &material::Material::name);
  if (found == scene.materials.end())
    throw core::Error(fmt::format("[[factor]]: the scene has no material \"{}\".", factor.material));
  return static_cast<std::int32_t>(found - scene.materials.begin());
}

std::string source_of(const FactorParameters& factor) {
  if (is_painted(factor)) return "the paint, between factor.black and factor.white,";
  return factor.formula.empty() ? fmt::format("the field \"{}\"", factor.field)
                                : fmt::format("the formula \"{}\"", factor.formula);
}

void require_factor(const FactorParameters& factor, double value, const Vec3& at) {
  const bool is_stiffness = factor.of == FactorOf::stiffness;
  const bool fits = value > 0 && std::isfinite(value) &&
                    (!is_stiffness || (value <= kLargestStiffness && value * kLargestStiffness >= 1));
  if (fits) return;
  throw core::Error(
      fmt::format("[[factor]]: {} is {:g} at x = {:.9g}, y = {:.9g}, z = {:.9g} m; a factor on {} must be positive{}.",
                  source_of(factor), value, at.x(), at.y(), at.z(), is_stiffness ? "stiffness" : "strength",
                  is_stiffness ? ", from 1/1000 to 1000" : ""));
}

std::vector<double>& factors_of(const FactorParameters& factor, mesh::TetMesh& mesh) {
  std::vector<double>& values = factor.of == FactorOf::strength ? mesh.strength : mesh.stiffness;
  if (values.empty()) values.assign(mesh.tets.size(), 1);
  return values;
}

double weibull(const FactorParameters& factor, std::size_t tet, double volume_m3) {
  // Half a unit in the last place above 0, so that no tet has zero strength.
  const double u = core::hash_uniform(factor.seed, tet, kScatter) + 0x1.0p-54;
  const double flaws = factor.reference_volume_m3 > 0 ? volume_m3 / factor.reference_volume_m3 : 1;
  return std::pow(-std::log1p(-u) / flaws, 1 / factor.weibull_modulus);
}

/// The painted factor of a tet, at the point of the input surface that is nearest to its centroid.
std::function<double(std::size_t, const Vec3&)> painted_values(Paint& paint, const PlacedObject& placed) {
  return [&](std::size_t t, const Vec3&) { return paint.at(middle_of(corners_of(placed, Frame::object, t))); };
}

/// The factor of a tet, given its number and centroid.
std::function<double(std::size_t, const Vec3&)> values_of(const FactorParameters& factor, const PlacedObject& placed) {
  if (!factor.formula.empty()) {
    const auto formula = std::make_shared<const Formula>(factor.formula);
    return [formula](std::size_t, const Vec3& at) { return (*formula)(at); };
  }
  const auto found = std::ranges::find(placed.mesh.scalars, factor.field, &mesh::ScalarField::name);
  if (found == placed.mesh.scalars.end())
    throw core::Error(fmt::format(
        "[[factor]]: {} has no field \"{}\": fields are read from tetrahedral meshes, VTU and Gmsh. Save the tets with "
        "the field, name the only [[object]] that has it, or give a formula.",
        placed.name, factor.field));
  const mesh::ScalarField& field = *found;
  if (!field.on_nodes) return [&field](std::size_t t, const Vec3&) { return field.values[t]; };
  return [&field, &mesh = placed.mesh](std::size_t t, const Vec3&) {
    const auto& [a, b, c, d] = mesh.tets[t];
    return (field.values[a] + field.values[b] + field.values[c] + field.values[d]) / 4;
  };
}

}  // namespace

std::vector<std::string> fields_wanted(const Scene& scene, const std::string& object) {
  std::vector<std::string> names;
  for (const FactorParameters& factor : scene.factors)
    if (!factor.field.empty() && concerns(factor, object) && std::ranges::find(names, factor.field) == names.end())
      names.push_back(factor.field);
  return names;
}

void apply_factors(const Scene& scene, const PlacedObject& placed, FactorCounts& concerned,
                   std::vector<std::string>& report) {
  concerned.resize(scene.factors.size(), 0);
  mesh::TetMesh& mesh = placed.mesh;
  for (std::size_t i = 0; i < scene.factors.size(); ++i) {
    const FactorParameters& factor = scene.factors[i];
    if (factor.weibull_modulus > 0 || !concerns(factor, placed.object.name)) continue;
    const std::int32_t material = material_of(scene, factor);
    std::optional<Paint> paint;
    if (is_painted(factor)) {
      if (mesh.tets.empty()) continue;  // tets of surface files are on rank 0
      paint.emplace(factor, placed);
    }
    const std::function<double(std::size_t, const Vec3&)> value_of =
        paint ? painted_values(*paint, placed) : values_of(factor, placed);
    std::vector<double>& values = factors_of(factor, mesh);
    for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
      if (material >= 0 && mesh.region[t] != material) continue;
      const Vec3 at = middle_of(corners_of(placed, factor.frame, t));
      const double value = value_of(t, at);
      require_factor(factor, value, at);
      values[t] *= value;
      ++concerned[i];
    }
    if (paint && paint->note()) report.push_back(*paint->note());
  }
}

void scatter_strength(const Scene& scene, std::span<const std::size_t> first_tet, dist::MeshShare& share,
                      FactorCounts& concerned) {
  mesh::TetMesh& whole = share.mesh;
  concerned.resize(scene.factors.size(), 0);
  for (std::size_t i = 0; i < scene.factors.size(); ++i) {
    const FactorParameters& factor = scene.factors[i];
    if (factor.weibull_modulus <= 0) continue;
    const std::int32_t material = material_of(scene, factor);
    std::vector<double>& values = factors_of(factor, whole);
    for (std::size_t o = 0; o < first_tet.size(); ++o) {
      if (!concerns(factor, scene.objects[o].name)) continue;
      const std::size_t end = o + 1 < first_tet.size() ? first_tet[o + 1] : whole.tets.size();
      for (std::size_t t = first_tet[o]; t < end; ++t) {
        if (material >= 0 && whole.region[t] != material) continue;
        const auto& [a, b, c, d] = whole.tets[t];
        values[t] *= weibull(factor, static_cast<std::size_t>(share.tet_id[t]),
                             mesh::tet_volume(whole.nodes[a], whole.nodes[b], whole.nodes[c], whole.nodes[d]));
        ++concerned[i];
      }
    }
  }
}

void require_factors(const core::Comm& comm, const Scene& scene, const FactorCounts& concerned) {
  for (std::size_t i = 0; i < scene.factors.size(); ++i)
    if (comm.sum(concerned[i]) == 0)
      throw core::BadInput(fmt::format(
          "[[factor]] {} (counted from 0) concerns no tet: none{}{}. Correct the names, or leave it out.", i,
          scene.factors[i].object.empty() ? "" : fmt::format(" of the object \"{}\"", scene.factors[i].object),
          scene.factors[i].material.empty() ? "" : fmt::format(" is made of \"{}\"", scene.factors[i].material)));
}

void grade_regions(const core::Comm& comm, const Scene& scene, mesh::TetMesh& mesh) {
  if (!comm.any(!mesh.stiffness.empty())) return;
  struct Grade {
    std::int32_t region;
    int step;
    auto operator<=>(const Grade&) const = default;
  };
  mesh.stiffness.resize(mesh.tets.size(), 1);
  const auto grade_of = [&](std::size_t t) -> Grade {
    return {mesh.region[t], static_cast<int>(std::lround(kStepsAnOctave * std::log2(mesh.stiffness[t])))};
  };
  std::set<Grade> here;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t)
    if (const Grade grade = grade_of(t); grade.step != 0) here.insert(grade);
  const std::vector<Grade> mine(here.begin(), here.end());
  std::map<Grade, std::int32_t> number;  // ordered
  for (const Grade& grade : comm.all_gather(std::span<const Grade>(mine))) number[grade] = 0;
  for (auto& [grade, region] : number) {
    region = static_cast<std::int32_t>(scene.materials.size() + mesh.graded.size());
    mesh.graded.push_back({grade.region, std::exp2(grade.step / kStepsAnOctave)});
  }
  if (material_table(scene.materials, mesh.graded).size() > material::kMostMaterials)
    throw core::BadInput(
        fmt::format("[[factor]]: the stiffness takes {} values (steps of 1.1 %), and a run can hold "
                    "{} materials. Let it vary less, or in fewer materials.",
                    mesh.graded.size(), material::kMostMaterials));
  for (std::size_t t = 0; t < mesh.tets.size(); ++t)
    if (const Grade grade = grade_of(t); grade.step != 0) mesh.region[t] = number.at(grade);
  mesh.stiffness.clear();
}

}  // namespace brisance::sim
