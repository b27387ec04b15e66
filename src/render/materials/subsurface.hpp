/// Marble, skin, milk, wax: light enters, is scattered inside and leaves elsewhere.
#pragma once

#include "render/materials/dielectric.hpp"
#include "render/materials/pattern.hpp"
#include "render/media/turbid.hpp"

#include <memory>

namespace brisance::render {

/// The surface alone, which is that of a dielectric, smooth or rough. What happens to light inside depends on the solid
/// (integrator/turbid_passage.hpp). A pattern is pigment close below the surface: light passes it on its way in and
/// out, each time by the root of its factor.
class Subsurface : public Dielectric {
public:
  Subsurface(std::unique_ptr<const media::Turbid> turbid, float roughness, const Pattern& pattern);

  [[nodiscard]] Rgb tint(const SurfacePoint& at) const override;
  [[nodiscard]] Needs needs() const override { return {.rest = !pattern_.is_plain()}; }

private:
  std::unique_ptr<const media::Turbid> turbid_;  ///< the interior points to it
  Pattern pattern_;
};

[[nodiscard]] Kind subsurface_kind();
/// Throws core::Error for coefficients that no medium has.
[[nodiscard]] std::unique_ptr<Material> make_subsurface(const Values& values);

}  // namespace brisance::render
