#include "brisance/dist/home_elements.hpp"

namespace brisance::dist {

std::vector<std::int32_t> home_elements(const Mesh& mesh) {
  std::vector<std::int32_t> home;
  for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i)
    if (const LocalElement e(i); mesh.is_held(e) && mesh.is_home(e)) home.push_back(i);
  return home;
}

}  // namespace brisance::dist
