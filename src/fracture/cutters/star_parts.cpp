#include "brisance/fracture/cutters/plan.hpp"

#include <algorithm>
#include <numeric>

namespace brisance::fracture {

std::vector<int> face_connected_parts(GlobalNode node, const std::vector<std::array<GlobalNode, 4>>& elements) {
  // A face through the node is named by its two other corners; elements sharing one are joined (union–find).
  struct Face {
    GlobalNode low, high;
    int element;
  };
  std::vector<Face> faces;
  faces.reserve(3 * elements.size());
  for (int e = 0; e < static_cast<int>(elements.size()); ++e)
    for (int i = 0; i < 4; ++i)
      for (int j = i + 1; j < 4; ++j) {
        const GlobalNode a = elements[e][i], b = elements[e][j];
        if (a != node && b != node) faces.push_back({std::min(a, b), std::max(a, b), e});
      }
  std::sort(faces.begin(), faces.end(), [](const Face& x, const Face& y) {
    return std::tie(x.low, x.high, x.element) < std::tie(y.low, y.high, y.element);
  });
  std::vector<int> parent(elements.size());
  std::iota(parent.begin(), parent.end(), 0);
  auto root = [&](int e) {
    while (parent[e] != e) e = parent[e] = parent[parent[e]];
    return e;
  };
  for (std::size_t k = 1; k < faces.size(); ++k)
    if (faces[k].low == faces[k - 1].low && faces[k].high == faces[k - 1].high) {
      const int a = root(faces[k - 1].element), b = root(faces[k].element);
      parent[std::max(a, b)] = std::min(a, b);
    }
  std::vector<int> part(elements.size(), -1);
  int count = 0;
  for (int e = 0; e < static_cast<int>(elements.size()); ++e) {
    const int r = root(e);
    part[e] = r == e ? count++ : part[r];
  }
  return part;
}

}  // namespace brisance::fracture
