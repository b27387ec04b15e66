#include "brisance/render/appearance.hpp"

#include "brisance/core/error.hpp"

#include <algorithm>
#include <set>

namespace brisance::render {
namespace {

void check_named(const std::vector<Kind>& kinds, const std::vector<Specification>& all, const std::string& what) {
  std::set<std::string> names;
  for (const Specification& each : all) {
    try {
      check(kinds, each);
    } catch (const core::Error& e) {
      throw core::Error(what + " \"" + each.name + "\": " + e.what());
    }
    if (!each.name.empty() && !names.insert(each.name).second)
      throw core::Error("two of " + what + " are called \"" + each.name + "\"; give one another name.");
  }
}

void require_material(const std::vector<Specification>& materials, const std::string& name) {
  if (name.empty() || std::ranges::find(materials, name, &Specification::name) != materials.end()) return;
  std::string known;
  for (const Specification& each : materials) known += (known.empty() ? "" : ", ") + each.name;
  throw core::Error("there is no render.material \"" + name + "\"" +
                    (known.empty() ? "; add [[render.material]] with that name." : "; there are " + known + "."));
}

}  // namespace

const std::vector<std::string>& method_names() {
  static const std::vector<std::string> names{"path", "roulette", "branching", "cutoff"};
  return names;
}

void check(const Appearance& appearance) {
  check_named(material_kinds(), appearance.materials, "render.material");
  check_named(light_kinds(), appearance.lights, "render.light");
  for (const Assignment& each : appearance.assignments)
    for (const std::string& name : {each.outside, each.cracks}) require_material(appearance.materials, name);
}

void check(const Transport& transport) {
  if (transport.max_depth < 1 || transport.max_depth > 1000)
    throw core::Error("render.max_depth must be 1 to 1000, not " + std::to_string(transport.max_depth) + ".");
  if (transport.branching_depth < 0 || transport.branching_depth > transport.max_depth)
    throw core::Error("render.branching_depth must be 0 to render.max_depth, not " +
                      std::to_string(transport.branching_depth) + ".");
}

}  // namespace brisance::render
