/// Pieces below a size leave the mesh as rigid particles, dust.
#pragma once

#include "brisance/dist/pieces.hpp"

#include "energy_ledger.hpp"

#include <cstddef>

namespace brisance::sim {

class DustRelease : ModelView {
public:
  DustRelease(Model& model, const ContactPhase& contact, const EnergyLedger& ledger)
      : ModelView(model), contact_(contact), ledger_(ledger) {}

  /// Before the first step: stores the mean volume of tets, the unit of dust_max_tets. Collective.
  void note_mean_tet();
  /// If a separate part of the scene is below the size of dust at the start: switches dust off, or, if the scene asks
  /// for dust by name, throws core::BadInput on all ranks. Collective.
  void require_more_than_dust();
  /// Pieces below dust_max_tets leave the mesh; called whenever strains are checked. Collective.
  void release();

private:
  struct SmallPiece {
    std::size_t piece = 0;  ///< index into dist::Pieces::list
    double volume_m3 = 0;
  };
  struct SmallPieces {
    std::vector<SmallPiece> list;  ///< ascending, the same on all ranks
    bool any_held = false;         ///< other pieces are as small, but constrained by a region or a cohesive link
  };
  [[nodiscard]] bool turns_to_dust() const;
  /// Collective.
  [[nodiscard]] SmallPieces small_pieces(const dist::Pieces& pieces) const;
  void leave_mesh(const dist::Pieces& pieces, std::span<const SmallPiece> small);
  /// The particles of all ranks, on every rank. Collective.
  [[nodiscard]] std::vector<DustParticle> particles_of(const dist::Pieces& pieces,
                                                       std::span<const SmallPiece> small) const;
  /// Was any of these elements in contact with a deformable body at the last detection? Collective.
  [[nodiscard]] bool any_presses(std::span<const LocalElement> elements) const;
  /// Books the energies of what leaves. Local.
  void book_leaving(std::span<const LocalNode> nodes, std::span<const LocalElement> elements);
  /// Removes nodes from caches and lists, and renews the bounds. Collective.
  void forget_nodes(std::span<const std::uint8_t> gone);

  const ContactPhase& contact_;
  const EnergyLedger& ledger_;
};

}  // namespace brisance::sim
