/// Material constants of the lanes of a block: broadcast for one material; for several read lane by lane where a block
/// is mixed. The numbers, and so all bits, are the same either way.
#include "brisance/dynamics/law_of.hpp"

#include "dynamics/lanes.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#if defined(BRISANCE_DYNAMICS_LAW_LANES) == defined(HWY_TARGET_TOGGLE)
#ifdef BRISANCE_DYNAMICS_LAW_LANES
#undef BRISANCE_DYNAMICS_LAW_LANES
#else
#define BRISANCE_DYNAMICS_LAW_LANES
#endif

HWY_BEFORE_NAMESPACE();
namespace brisance::dynamics::HWY_NAMESPACE {

/// The constants of all materials of a run in the form for the kernels.
class LawTable {
public:
  explicit LawTable(std::span<const material::Material> materials) : rows_(materials.size()) {
    for (std::size_t i = 0; i < materials.size(); ++i) {
      const elements::Law law = law_of(materials[i]);
      rows_[i] = {law.lambda, law.two_mu, law.phi, law.two_psi, law.yield, law.limit, law.resists};
      any_resists_ |= law.resists != 0;
      any_anisotropic_ |= material::is_anisotropic(materials[i]);
    }
    if (!any_anisotropic_) return;
    for (const material::Material& m : materials) stiffness_.push_back(stiffness_of(m));
  }

  /// Whether any material is neo-Hookean; if not, no term of that law is computed.
  [[nodiscard]] bool any_resists() const { return any_resists_; }

  /// Whether any material has a law that depends on the direction.
  [[nodiscard]] bool any_anisotropic() const { return any_anisotropic_; }

  [[nodiscard]] HWY_INLINE Law uniform(material::Index material) const {
    const Row& row = rows_[material];
    return {all(row[0]), all(row[1]), all(row[2]), all(row[3]), all(row[4]), all(row[5]), all(row[6])};
  }

  /// Constants of kLanes elements; `material_of` points at the first one's index.
  [[nodiscard]] HWY_INLINE Law of(const material::Index* material_of) const {
    bool same = true;
    for (int l = 1; l < kLanes; ++l) same &= material_of[l] == material_of[0];
    return same ? uniform(material_of[0]) : mixed(material_of);
  }

  /// Stiffnesses of kLanes elements, where any_anisotropic; zero in lanes of isotropic materials.
  /// @return whether there is any other lane: if not, `c` is not written
  [[nodiscard]] HWY_INLINE bool stiffness(const material::Index* material_of, Stiffness& c) const {
    bool same = true, any = false;
    for (int l = 0; l < kLanes; ++l) {
      same &= material_of[l] == material_of[0];
      any |= stiffness_[material_of[l]].at[0] > 0;
    }
    if (!any) return false;
    for (int k = 0; k < 21; ++k) {
      HWY_ALIGN double column[kLanes];
      if (!same)
        for (int l = 0; l < kLanes; ++l) column[l] = stiffness_[material_of[l]].at[k];
      c.at[k] = same ? all(stiffness_[material_of[0]].at[k]) : hn::Load(kTag, column);
    }
    return true;
  }

private:
  using Row = std::array<double, 7>;

  [[nodiscard]] HWY_NOINLINE Law mixed(const material::Index* material_of) const {
    HWY_ALIGN double column[7][kLanes];
    for (int l = 0; l < kLanes; ++l)
      for (int k = 0; k < 7; ++k) column[k][l] = rows_[material_of[l]][k];
    return {hn::Load(kTag, column[0]), hn::Load(kTag, column[1]), hn::Load(kTag, column[2]), hn::Load(kTag, column[3]),
            hn::Load(kTag, column[4]), hn::Load(kTag, column[5]), hn::Load(kTag, column[6])};
  }

  std::vector<Row> rows_;
  std::vector<elements::Stiffness> stiffness_;  ///< of all materials, if some are anisotropic
  bool any_resists_ = false, any_anisotropic_ = false;
};

}  // namespace brisance::dynamics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
