/// The kinds of cutters: name and maker. A new cutter adds its line here.
#include "brisance/core/error.hpp"
#include "brisance/fracture/cutters/cutter.hpp"

#include "fracture/cutters/remeshing_cutter.hpp"

#include <array>
#include <string_view>

namespace brisance::fracture {

namespace {

struct CutterKind {
  std::string_view name;
  std::unique_ptr<Cutter> (*make)(const Parameters&);
};

constexpr std::array kKinds{CutterKind{.name = "remeshing", .make = make_remeshing_cutter}};

}  // namespace

std::vector<std::string> cutter_names() {
  std::vector<std::string> names;
  for (const CutterKind& kind : kKinds) names.emplace_back(kind.name);
  return names;
}

std::unique_ptr<Cutter> make_cutter(const Parameters& parameters) {
  std::string names;
  for (const CutterKind& kind : kKinds) {
    if (kind.name == parameters.cutter) return kind.make(parameters);
    names += (names.empty() ? "" : ", ") + std::string(kind.name);
  }
  throw core::Error("there is no cutter \"" + parameters.cutter + "\". Choose one of: " + names + ".");
}

}  // namespace brisance::fracture
