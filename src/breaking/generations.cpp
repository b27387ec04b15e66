/// Combines two generations of modes.
#include "brisance/breaking/generations.hpp"

#include "brisance/core/error.hpp"

#include <algorithm>

#include <spdlog/fmt/fmt.h>

namespace brisance::breaking {

namespace {

/// Atoms first_atom + 0, 1, … grouped by their piece in the answer.
std::vector<std::vector<std::int32_t>> by_piece(const runtime::Answer& answer, std::int32_t first_atom) {
  std::vector<std::vector<std::int32_t>> pieces(answer.num_pieces);
  for (std::size_t a = 0; a < answer.piece_of_atom.size(); ++a)
    if (answer.piece_of_atom[a] >= 0)
      pieces[answer.piece_of_atom[a]].push_back(first_atom + static_cast<std::int32_t>(a));
  return pieces;
}

}  // namespace

Generations::Generations(runtime::ImpactSet object, std::vector<std::optional<runtime::ImpactSet>> own)
    : object_(std::move(object)) {
  const std::int32_t num_first = object_.set().num_atoms();
  if (!own.empty() && static_cast<std::int32_t>(own.size()) != num_first)
    throw core::Error(
        fmt::format("{} pieces have modes of their own, but the object falls into {}.", own.size(), num_first));
  own.resize(num_first);
  for (std::int32_t p = 0; p < num_first; ++p) {
    begin_.push_back(num_atoms());
    auto& target = own_.emplace_back();
    if (own[p]) {
      target.emplace(std::move(*own[p]));
      shapes_.insert(shapes_.end(), target->set().atoms.begin(), target->set().atoms.end());
    } else {
      shapes_.push_back(object_.set().atoms[p]);
    }
  }
  begin_.push_back(num_atoms());
}

std::int32_t Generations::first_piece(std::int32_t atom) const {
  return static_cast<std::int32_t>(std::upper_bound(begin_.begin(), begin_.end(), atom) - begin_.begin()) - 1;
}

std::vector<std::vector<std::int32_t>> Generations::strike(const runtime::Impact& impact,
                                                           std::span<const std::int32_t> body_of_atom,
                                                           std::int32_t body) const {
  const auto lowest = std::find(body_of_atom.begin(), body_of_atom.end(), body);
  const auto highest = std::find(body_of_atom.rbegin(), body_of_atom.rend(), body);
  if (lowest == body_of_atom.end()) return {};
  const std::int32_t p = first_piece(static_cast<std::int32_t>(lowest - body_of_atom.begin()));
  const std::int32_t last = first_piece(static_cast<std::int32_t>(body_of_atom.rend() - highest) - 1);
  if (p != last) return strike_object(impact, body_of_atom, body);
  if (!own_[p]) return {};
  return by_piece(own_[p]->strike(impact, body_of_atom.subspan(begin_[p], begin_[p + 1] - begin_[p]), body), begin_[p]);
}

std::vector<std::vector<std::int32_t>> Generations::strike_object(const runtime::Impact& impact,
                                                                  std::span<const std::int32_t> body_of_atom,
                                                                  std::int32_t body) const {
  // A body of several first pieces contains them whole: the body of each first piece is that of its first atom.
  std::vector<std::int32_t> body_of_first;
  for (std::size_t p = 0; p + 1 < begin_.size(); ++p) body_of_first.push_back(body_of_atom[begin_[p]]);
  std::vector<std::vector<std::int32_t>> pieces;
  for (const auto& first_pieces : by_piece(object_.strike(impact, body_of_first, body), 0)) {
    auto& atoms = pieces.emplace_back();
    for (const std::int32_t p : first_pieces)
      for (std::int32_t a = begin_[p]; a < begin_[p + 1]; ++a) atoms.push_back(a);
  }
  return pieces;
}

}  // namespace brisance::breaking
