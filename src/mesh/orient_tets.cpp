#include "brisance/mesh/orient_tets.hpp"

#include <algorithm>

#include <spdlog/fmt/ranges.h>
#include <spdlog/spdlog.h>

namespace brisance::mesh {
namespace {

constexpr std::size_t kNamed = 5;  ///< inverted tets an error names

std::vector<std::size_t> inverted_tets(const TetMesh& mesh) {
  std::vector<std::size_t> inverted;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    const auto& [a, b, c, d] = mesh.tets[t];
    if (tet_volume(mesh.nodes[a], mesh.nodes[b], mesh.nodes[c], mesh.nodes[d]) < 0) inverted.push_back(t);
  }
  return inverted;
}

}  // namespace

void orient_tets(TetMesh& mesh, const std::filesystem::path& file, std::span<const std::int64_t> ids,
                 const FailAtTet& fail) {
  const std::vector<std::size_t> inverted = inverted_tets(mesh);
  if (inverted.empty()) return;
  if (inverted.size() == mesh.tets.size()) {
    for (auto& tet : mesh.tets) std::swap(tet[2], tet[3]);
    spdlog::info("{}: lists the corners of all {} tets the other way round; two of each were swapped.", file.string(),
                 mesh.tets.size());
    return;
  }
  std::vector<std::int64_t> named;
  for (std::size_t k = 0; k < std::min(kNamed, inverted.size()); ++k) named.push_back(ids[inverted[k]]);
  fail(inverted.front(),
       fmt::format(
           "{} of {} tets are inverted at the start (negative volume): tet {}{}, counted from 0. Swap two corners "
           "of each, put back the node that was moved through it, or mesh the body again.",
           inverted.size(), mesh.tets.size(), fmt::join(named, ", "), named.size() < inverted.size() ? " ..." : ""));
}

}  // namespace brisance::mesh
