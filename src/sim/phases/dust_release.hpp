/// Pieces that have become too small to deform leave the mesh as particles.
#pragma once

#include "brisance/dist/pieces.hpp"

#include "energy_ledger.hpp"

#include <cstddef>

namespace brisance::sim {

class DustRelease : ModelView {
public:
  DustRelease(Model& model, const ContactPhase& contact, const EnergyLedger& ledger)
      : ModelView(model), contact_(contact), ledger_(ledger) {}

  /// Before the first step: what the size of dust is a multiple of. Collective.
  void note_mean_tet();
  /// Where a separate part of the scene is dust from the start: by default nothing becomes dust, but if the scene
  /// asks for dust by name, throws core::BadInput on all ranks. Collective.
  void require_more_than_dust();
  /// Whenever strains are checked: pieces below dust_max_tets leave the mesh. Collective.
  void release();

private:
  struct SmallPiece {
    std::size_t piece = 0;  ///< of dist::Pieces::list
    double volume_m3 = 0;
  };
  struct SmallPieces {
    std::vector<SmallPiece> list;  ///< ascending, the same on all ranks
    bool any_held = false;         ///< others are as small, but a region or a cohesive link holds them
  };
  [[nodiscard]] bool turns_to_dust() const;
  /// Collective.
  [[nodiscard]] SmallPieces small_pieces(const dist::Pieces& pieces) const;
  void leave_mesh(const dist::Pieces& pieces, std::span<const SmallPiece> small);
  /// Of all ranks, on every rank. Collective.
  [[nodiscard]] std::vector<DustParticle> particles_of(const dist::Pieces& pieces,
                                                       std::span<const SmallPiece> small) const;
  /// Does one press on a deformable body, as of the last detection? Collective.
  [[nodiscard]] bool any_presses(std::span<const LocalElement> elements) const;
  void book_leaving(std::span<const LocalNode> nodes, std::span<const LocalElement> elements);
  void forget_nodes(std::span<const std::uint8_t> gone);

  const ContactPhase& contact_;
  const EnergyLedger& ledger_;
};

}  // namespace brisance::sim
