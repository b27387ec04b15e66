#include "brisance/mesh/formats/orient_tets.hpp"

#include "brisance/core/words.hpp"

#include <algorithm>

#include <spdlog/fmt/ranges.h>
#include <spdlog/spdlog.h>

namespace brisance::mesh {
namespace {

constexpr std::size_t kNamed = 5;  ///< number of inverted tets that an error names

}  // namespace

std::vector<std::size_t> inverted_tets(const TetMesh& mesh) {
  std::vector<std::size_t> inverted;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    const auto& [a, b, c, d] = mesh.tets[t];
    if (tet_volume(mesh.nodes[a], mesh.nodes[b], mesh.nodes[c], mesh.nodes[d]) < 0) inverted.push_back(t);
  }
  return inverted;
}

void swap_corners(TetMesh& mesh) {
  for (auto& tet : mesh.tets) std::swap(tet[2], tet[3]);
}

std::string text_of_swap(const std::filesystem::path& file, std::int64_t num_tets) {
  return fmt::format("{}: lists the corners of every tet ({}) the other way round; two of each were swapped.",
                     file.string(), core::counted(num_tets, "tet"));
}

std::string text_of_inverted(std::span<const std::int64_t> ids, std::int64_t num_tets) {
  const auto named = ids.first(std::min(kNamed, ids.size()));
  return fmt::format(
      "{} of {} {} inverted at the start (negative volume): tet {}{}, counted from 0. Swap two corners "
      "of each, put back the node that was moved through it, or mesh the body again.",
      ids.size(), core::counted(num_tets, "tet"), ids.size() == 1 ? "is" : "are", fmt::join(named, ", "),
      named.size() < ids.size() ? " ..." : "");
}

void orient_tets(TetMesh& mesh, const std::filesystem::path& file, std::span<const std::int64_t> ids,
                 const FailAtTet& fail) {
  const std::vector<std::size_t> inverted = inverted_tets(mesh);
  if (inverted.empty()) return;
  if (inverted.size() == mesh.tets.size()) {
    swap_corners(mesh);
    spdlog::info(text_of_swap(file, std::ssize(mesh.tets)));
    return;
  }
  std::vector<std::int64_t> found;
  for (const std::size_t t : inverted) found.push_back(ids[t]);
  fail(inverted.front(), text_of_inverted(found, std::ssize(mesh.tets)));
}

}  // namespace brisance::mesh
