#include "brisance/dist/home_elements.hpp"

#include <algorithm>

namespace brisance::dist {

std::vector<std::int32_t> home_elements(const Mesh& mesh) {
  std::vector<std::int32_t> home;
  home.reserve(static_cast<std::size_t>(mesh.num_element_slots()));
  for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i)
    if (mesh.homes()[LocalElement(i)] != 0) home.push_back(i);
  return home;
}

std::vector<std::int32_t> elements_around(const Mesh& mesh, std::span<const LocalNode> nodes) {
  std::vector<std::int32_t> elements;
  for (LocalNode n : nodes) {
    const auto star = mesh.star(n);
    elements.insert(elements.end(), star.begin(), star.end());
  }
  std::sort(elements.begin(), elements.end());
  elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
  return elements;
}

}  // namespace brisance::dist
