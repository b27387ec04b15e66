/// Computes the pieces of a body after a blow: by the object's modes or, below them, by those of its pieces.
///
/// A *first piece* is an atom of the object's own modes. A body of several first pieces breaks along the object's
/// modes, restricted to it. A body that is one first piece, or part of one, breaks along that piece's own modes, if it
/// has any: where the object had no crack. Atoms here are the smallest pieces of both generations, sorted by first
/// piece.
#pragma once

#include "brisance/runtime/impact_answer.hpp"

#include <optional>
#include <span>
#include <vector>

namespace brisance::breaking {

class Generations {
public:
  /// @param own  for each first piece, in the object's coordinates; empty: no piece has modes of its own
  /// Throws core::Error if their number is not that of the first pieces. Local.
  explicit Generations(runtime::ImpactSet object, std::vector<std::optional<runtime::ImpactSet>> own = {});

  [[nodiscard]] std::int32_t num_atoms() const { return static_cast<std::int32_t>(shapes_.size()); }
  [[nodiscard]] const runtime::SolidShape& shape(std::int32_t atom) const { return shapes_[atom]; }

  /// The atoms of each piece of a struck body, ascending; one piece, or none, where nothing can break.
  /// @param body_of_atom  for every atom; those with the value `body` are struck. Each is one body of earlier answers
  /// Throws runtime::Error for invalid numbers. Local.
  [[nodiscard]] std::vector<std::vector<std::int32_t>> strike(const runtime::Impact& impact,
                                                              std::span<const std::int32_t> body_of_atom,
                                                              std::int32_t body) const;

private:
  [[nodiscard]] std::int32_t first_piece(std::int32_t atom) const;
  [[nodiscard]] std::vector<std::vector<std::int32_t>> strike_object(const runtime::Impact& impact,
                                                                     std::span<const std::int32_t> body_of_atom,
                                                                     std::int32_t body) const;

  runtime::Target object_;
  std::vector<std::optional<runtime::Target>> own_;  ///< for each first piece
  std::vector<std::int32_t> begin_;                  ///< atoms of first piece p: begin_[p] … begin_[p + 1] − 1
  std::vector<runtime::SolidShape> shapes_;
};

}  // namespace brisance::breaking
