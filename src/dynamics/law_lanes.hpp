/// Material constants of the lanes of a block. One material: broadcast. Several: looked up lane by lane where a block
/// is mixed. The numbers, hence the bits that follow, are the same either way.
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

/// The constants of all materials of a run as the kernels want them.
class LawTable {
public:
  explicit LawTable(std::span<const material::Material> materials) : rows_(materials.size()) {
    for (std::size_t i = 0; i < materials.size(); ++i) {
      const elements::Law law = law_of(materials[i]);
      rows_[i] = {law.lambda, law.two_mu, law.phi, law.two_psi, law.yield, law.limit, law.resists};
      any_resists_ |= law.resists != 0;
    }
  }

  /// Whether any material is neo-Hookean; elsewhere nothing of that law is computed.
  [[nodiscard]] bool any_resists() const { return any_resists_; }

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
  bool any_resists_ = false;
};

}  // namespace brisance::dynamics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
