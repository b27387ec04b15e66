#include "render/materials/metals.hpp"

#include <algorithm>
#include <array>

namespace brisance::render {
namespace {

struct Metal {
  const char* name;
  ComplexIndex index;
};

/// Complex indices near 630, 532 and 465 nm, after Johnson and Christy (1972, 1974) and Palik (1985).
const std::array<Metal, 7>& metals() {
  static const std::array<Metal, 7> all{{
      {"aluminium", {Rgb(1.657F, 0.880F, 0.521F), Rgb(9.224F, 6.270F, 4.837F)}},
      {"brass", {Rgb(0.444F, 0.527F, 1.094F), Rgb(3.695F, 2.765F, 1.829F)}},
      {"chromium", {Rgb(4.370F, 2.917F, 1.655F), Rgb(5.206F, 4.231F, 3.755F)}},
      {"copper", {Rgb(0.200F, 0.924F, 1.102F), Rgb(3.913F, 2.453F, 2.142F)}},
      {"gold", {Rgb(0.143F, 0.375F, 1.442F), Rgb(3.983F, 2.386F, 1.603F)}},
      {"iron", {Rgb(2.911F, 2.950F, 2.585F), Rgb(3.089F, 2.932F, 2.767F)}},
      {"silver", {Rgb(0.155F, 0.117F, 0.138F), Rgb(4.828F, 3.122F, 2.147F)}},
  }};
  return all;
}

}  // namespace

std::vector<std::string> metal_names() {
  std::vector<std::string> names;
  for (const Metal& metal : metals()) names.emplace_back(metal.name);
  return names;
}

const ComplexIndex& metal_named(const std::string& name) {
  return std::ranges::find(metals(), name, &Metal::name)->index;
}

}  // namespace brisance::render
