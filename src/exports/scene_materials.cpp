#include "exports/scene_materials.hpp"

#include <map>

#define TOML_ASSERT(expression) static_assert(true)  // as in src/app/scene/toml.hpp
#include <toml++/toml.h>

namespace brisance::exports {

std::vector<double> densities(const std::string& scene, const std::vector<std::string>& names, double given) {
  std::map<std::string, double> known;
  double of_all = given > 0 ? given : kUnknownDensity;
  try {
    const toml::table table = toml::parse(scene);
    if (given <= 0) of_all = table["play"]["density_kg_m3"].value_or(of_all);
    if (const toml::array* list = table["material"].as_array())
      for (const toml::node& node : *list)
        if (const toml::table* one = node.as_table())
          known[(*one)["name"].value_or(std::string())] = (*one)["density_kg_m3"].value_or(of_all);
  } catch (const toml::parse_error&) {
    known.clear();
  }
  std::vector<double> result;
  for (const std::string& name : names) {
    const auto found = known.find(name.substr(0, name.find(" (crushed)")));
    result.push_back(given > 0 || found == known.end() ? of_all : found->second);
  }
  return result;
}

double lowest_strength_pa(const std::string& scene) {
  double lowest = 0;
  try {
    const toml::table table = toml::parse(scene);
    if (const toml::array* list = table["material"].as_array())
      for (const toml::node& node : *list)
        if (const toml::table* one = node.as_table()) {
          const double strength = (*one)["strength_pa"].value_or(0.0);
          if (strength > 0 && (lowest == 0 || strength < lowest)) lowest = strength;
        }
  } catch (const toml::parse_error&) {
    return 0;
  }
  return lowest;
}

}  // namespace brisance::exports
