/// The kinds of cutters: name, maker and fields. A new cutter adds its line here.
#include "brisance/core/error.hpp"
#include "brisance/dist/division.hpp"
#include "brisance/fracture/cutters/cutter.hpp"

#include "fracture/cutters/remeshing_cutter.hpp"
#include "fracture/virtual_nodes/virtual_node_cutter.hpp"

#include <array>
#include <string_view>

namespace brisance::fracture {

namespace {

struct CutterKind {
  std::string_view name;
  std::unique_ptr<Cutter> (*make)(const Parameters&);
  dist::FieldList (*fields)();
};

dist::FieldList no_fields() { return {}; }

constexpr std::array kKinds{
    CutterKind{.name = "remeshing", .make = make_remeshing_cutter, .fields = no_fields},
    CutterKind{.name = "virtual_nodes", .make = make_virtual_node_cutter, .fields = virtual_node_fields}};

const CutterKind& kind_of(const Parameters& parameters) {
  std::string names;
  for (const CutterKind& kind : kKinds) {
    if (kind.name == parameters.cutter) return kind;
    names += (names.empty() ? "" : ", ") + std::string(kind.name);
  }
  throw core::Error("there is no cutter \"" + parameters.cutter + "\". Choose one of: " + names + ".");
}

}  // namespace

std::vector<std::string> cutter_names() {
  std::vector<std::string> names;
  for (const CutterKind& kind : kKinds) names.emplace_back(kind.name);
  return names;
}

dist::FieldList cutter_fields(const Parameters& parameters) { return kind_of(parameters).fields(); }

std::unique_ptr<Cutter> make_cutter(const Parameters& parameters) { return kind_of(parameters).make(parameters); }

}  // namespace brisance::fracture
