#include "render/media/turbid.hpp"

#include "render/media/single_scattering.hpp"

namespace brisance::render::media {

Turbid::Turbid(const Medium& turbid, Approach chosen)
    : medium(turbid),
      approach(chosen),
      dipole(turbid),
      once(single_scattering_albedo(turbid)),
      least_transport(effective_transport(turbid).minCoeff()) {}

}  // namespace brisance::render::media
