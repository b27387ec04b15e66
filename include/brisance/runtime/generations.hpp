// SPDX-License-Identifier: MIT
/// Computes the pieces of a body after a blow: by the object's modes or, below them, by those of its pieces.
///
/// A *first piece* is an atom of the object's own modes. A body of several first pieces breaks along the object's
/// modes, restricted to it. A body that is one first piece, or part of one, breaks along that piece's own modes, if it
/// has any: where the object had no crack. These may have pieces with modes in turn. Atoms here are the smallest pieces
/// of all generations, sorted by first piece.
#pragma once

#include "brisance/runtime/impact_answer.hpp"

#include <memory>
#include <vector>

namespace brisance::runtime {

class Generations {
public:
  /// Takes the modes of all generations (ImpactSet::own). Throws Error if a piece has other atoms than the set says.
  explicit Generations(ImpactSet object);

  [[nodiscard]] std::int32_t num_atoms() const { return static_cast<std::int32_t>(shapes_.size()); }
  [[nodiscard]] const SolidShape& shape(std::int32_t atom) const { return shapes_[atom]; }
  [[nodiscard]] const std::vector<SolidShape>& shapes() const { return shapes_; }
  /// The object's own modes.
  [[nodiscard]] const ImpactSet& set() const { return object_.set(); }
  /// Pairs of atoms that touch and can part, of all generations.
  [[nodiscard]] std::int64_t num_faces() const;
  /// 1 where no piece has modes of its own.
  [[nodiscard]] std::int32_t num_generations() const;

  /// The atoms of each piece of the whole object, struck; ascending.
  /// Throws Error for invalid numbers.
  [[nodiscard]] std::vector<std::vector<std::int32_t>> strike(const Impact& impact) const;
  /// The same of a struck body; one piece where nothing can break, none if no atom is in the body.
  /// @param body_of_atom  for every atom; those with the value `body` are struck. Each is one body of earlier answers
  [[nodiscard]] std::vector<std::vector<std::int32_t>> strike(const Impact& impact,
                                                              Span<const std::int32_t> body_of_atom,
                                                              std::int32_t body) const;

private:
  [[nodiscard]] std::int32_t first_piece(std::int32_t atom) const;
  [[nodiscard]] std::vector<std::vector<std::int32_t>> atoms_of(const Answer& answer) const;

  Target object_;
  std::vector<std::unique_ptr<Generations>> own_;  ///< for each first piece; null: none
  std::vector<std::int32_t> begin_;                ///< atoms of first piece p: begin_[p] … begin_[p + 1] − 1
  std::vector<SolidShape> shapes_;
};

}  // namespace brisance::runtime
