#include "mesh/formats/join_pieces.hpp"

#include "brisance/core/words.hpp"

#include "mesh/formats/merge_doubled.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <unordered_map>

#include <spdlog/spdlog.h>

namespace brisance::mesh {
namespace {

/// For each node its first copy.
using FirstCopies = std::vector<std::size_t>;

std::size_t piece_of(const std::vector<std::size_t>& starts, std::size_t entry) {
  return static_cast<std::size_t>(std::ranges::upper_bound(starts, entry) - starts.begin());
}

/// Empty if there are no global ids, or if one id has different coordinates.
std::optional<FirstCopies> copies_by_id(const TetSoup& soup, const PieceStarts& starts,
                                        const std::filesystem::path& file) {
  if (starts.global_ids.size() != soup.nodes.size()) return {};
  std::unordered_map<std::int64_t, std::size_t> first_of_id;
  FirstCopies first(soup.nodes.size());
  for (std::size_t v = 0; v < first.size(); ++v) {
    first[v] = first_of_id.try_emplace(starts.global_ids[v], v).first->second;
    if (soup.nodes[v] == soup.nodes[first[v]]) continue;
    spdlog::warn("{}: the global id {} stands for points at different places; points are told by their coordinates.",
                 file.string(), starts.global_ids[v]);
    return {};
  }
  return first;
}

FirstCopies copies_by_place(const TetSoup& soup, const PieceStarts& starts, const std::filesystem::path& file) {
  const auto place = [&](std::size_t v) {
    const Vec3& x = soup.nodes[v];
    return std::array<double, 3>{x.x(), x.y(), x.z()};
  };
  std::vector<std::size_t> order(soup.nodes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  FirstCopies first = order;
  std::ranges::stable_sort(order, {}, place);
  std::int64_t num_ambiguous = 0;
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin + 1;
    while (end < order.size() && place(order[end]) == place(order[begin])) ++end;
    const std::span copies(order.data() + begin, end - begin);
    const bool is_twice_in_a_piece = std::ranges::adjacent_find(copies, {}, [&](std::size_t v) {
                                       return piece_of(starts.nodes, v);
                                     }) != copies.end();
    const bool is_in_several = piece_of(starts.nodes, copies.front()) != piece_of(starts.nodes, copies.back());
    if (!is_twice_in_a_piece)
      for (const std::size_t v : copies) first[v] = copies.front();
    num_ambiguous += is_twice_in_a_piece && is_in_several ? 1 : 0;
    begin = end;
  }
  if (num_ambiguous > 0)
    spdlog::warn(
        "{}: at {} one piece has several points and another one some, too: they are not joined, since nothing "
        "says which belong together. Save the mesh as one piece, or with global ids.",
        file.string(), core::counted(num_ambiguous, "place"));
  return first;
}

/// Takes the other copies out. @return how many they were
std::int64_t keep_first_copies(TetSoup& soup, const FirstCopies& first) {
  std::vector<char> is_copy(first.size());
  std::vector<std::int64_t> new_index(first.size());
  std::int64_t count = 0;
  for (std::size_t v = 0; v < first.size(); ++v) {
    is_copy[v] = first[v] != v;
    new_index[v] = is_copy[v] != 0 ? new_index[first[v]] : count++;
  }
  remove_marked(soup.nodes, is_copy);
  if (!soup.displacement.empty()) remove_marked(soup.displacement, is_copy);
  if (!soup.velocity.empty()) remove_marked(soup.velocity, is_copy);
  for (ScalarField& field : soup.scalars)
    if (field.on_nodes) remove_marked(field.values, is_copy);
  for (auto& tet : soup.tets)
    for (std::int64_t& corner : tet)
      if (corner >= 0) corner = new_index[static_cast<std::size_t>(corner)];
  return std::ranges::count(is_copy, 1);
}

/// Removes tets that an earlier piece has too. @return their number
std::int64_t keep_first_tets(TetSoup& soup, const PieceStarts& starts) {
  const std::vector<std::size_t> first = first_of_equal(soup.tets);
  std::vector<char> is_copy(first.size());
  for (std::size_t t = 0; t < first.size(); ++t)
    is_copy[t] = first[t] != t && piece_of(starts.tets, first[t]) != piece_of(starts.tets, t);
  remove_marked(soup.tets, is_copy);
  remove_marked(soup.places, is_copy);
  if (!soup.region.empty()) remove_marked(soup.region, is_copy);
  for (ScalarField& field : soup.scalars)
    if (!field.on_nodes) remove_marked(field.values, is_copy);
  return std::ranges::count(is_copy, 1);
}

}  // namespace

void join_pieces(TetSoup& soup, const PieceStarts& starts, const std::filesystem::path& file) {
  if (starts.nodes.size() < 2) return;
  const auto by_id = copies_by_id(soup, starts, file);
  const std::int64_t num_nodes = keep_first_copies(soup, by_id ? *by_id : copies_by_place(soup, starts, file));
  const std::int64_t num_tets = keep_first_tets(soup, starts);
  spdlog::info("{}: {} are joined at {} that several of them have, told by their {}.{}", file.string(),
               core::counted(starts.nodes.size(), "piece"), core::counted(num_nodes, "point"),
               by_id ? "global ids" : "coordinates",
               num_tets == 0 ? "" : fmt::format(" {} there twice.", core::counted(num_tets, "tet was", "tets were")));
}

}  // namespace brisance::mesh
