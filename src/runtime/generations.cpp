// SPDX-License-Identifier: MIT
/// Combines generations of modes.
#include "brisance/runtime/generations.hpp"

#include "brisance/runtime/error.hpp"

#include <algorithm>
#include <iterator>

namespace brisance::runtime {

namespace {

/// The object's own modes, as a target.
Target target_of(ImpactSet object) {
  if (!object.own.empty() && object.own.size() != object.atoms.size())
    throw Error(std::to_string(object.own.size()) + " pieces have modes of their own, but the object falls into " +
                std::to_string(object.atoms.size()) + ". Write the runtime file again.");
  object.own.clear();
  return Target(std::move(object));
}

}  // namespace

Generations::Generations(ImpactSet object) : object_(target_of(object)) {
  const std::int32_t num_first = object_.set().num_atoms();
  object.own.resize(num_first);
  for (std::int32_t p = 0; p < num_first; ++p) {
    begin_.push_back(num_atoms());
    if (object.own[p].atoms.empty()) {
      own_.emplace_back();
      shapes_.push_back(object_.set().atoms[p]);
      continue;
    }
    own_.push_back(std::make_unique<Generations>(std::move(object.own[p])));
    shapes_.insert(shapes_.end(), own_.back()->shapes_.begin(), own_.back()->shapes_.end());
  }
  begin_.push_back(num_atoms());
}

std::int64_t Generations::num_faces() const {
  auto sum = static_cast<std::int64_t>(object_.set().faces.size());
  for (const auto& own : own_)
    if (own) sum += own->num_faces();
  return sum;
}

std::int32_t Generations::num_generations() const {
  std::int32_t deepest = 0;
  for (const auto& own : own_)
    if (own) deepest = std::max(deepest, own->num_generations());
  return deepest + 1;
}

std::int32_t Generations::first_piece(std::int32_t atom) const {
  return static_cast<std::int32_t>(std::upper_bound(begin_.begin(), begin_.end(), atom) - begin_.begin()) - 1;
}

/// Of an answer about first pieces.
std::vector<std::vector<std::int32_t>> Generations::atoms_of(const Answer& answer) const {
  std::vector<std::vector<std::int32_t>> pieces(answer.num_pieces);
  for (std::size_t p = 0; p < answer.piece_of_atom.size(); ++p)
    if (answer.piece_of_atom[p] >= 0)
      for (std::int32_t a = begin_[p]; a < begin_[p + 1]; ++a) pieces[answer.piece_of_atom[p]].push_back(a);
  return pieces;
}

std::vector<std::vector<std::int32_t>> Generations::strike(const Impact& impact) const {
  if (own_.size() == 1 && own_.front()) return own_.front()->strike(impact);
  return atoms_of(object_.strike(impact));
}

std::vector<std::vector<std::int32_t>> Generations::strike(const Impact& impact, Span<const std::int32_t> body_of_atom,
                                                           std::int32_t body) const {
  if (body_of_atom.size() != shapes_.size())
    throw Error("An impact on a piece needs the body of each of the " + std::to_string(shapes_.size()) +
                " atoms, got " + std::to_string(body_of_atom.size()) + ".");
  const std::int32_t *first = body_of_atom.begin(), *end = body_of_atom.end();
  const std::int32_t* const lowest = std::find(first, end, body);
  if (lowest == end) return {};
  const std::int32_t* const highest =
      std::find(std::make_reverse_iterator(end), std::make_reverse_iterator(first), body).base() - 1;
  const std::int32_t p = first_piece(static_cast<std::int32_t>(lowest - first));
  if (own_[p] && highest - first < begin_[p + 1]) {
    auto pieces = own_[p]->strike(
        impact, {first + begin_[p], static_cast<std::size_t>(begin_[p + 1]) - static_cast<std::size_t>(begin_[p])},
        body);
    for (auto& piece : pieces)
      for (std::int32_t& atom : piece) atom += begin_[p];
    return pieces;
  }
  // A body of several first pieces contains them whole: the body of each first piece is that of its first atom.
  std::vector<std::int32_t> body_of_first;
  for (std::size_t k = 0; k + 1 < begin_.size(); ++k) body_of_first.push_back(body_of_atom[begin_[k]]);
  return atoms_of(object_.strike(impact, body_of_first, body));
}

}  // namespace brisance::runtime
