/// A turbid medium with what pictures need of it.
#pragma once

#include "render/media/dipole.hpp"
#include "render/media/medium.hpp"

#include <cstdint>

namespace brisance::render::media {

/// How light inside is computed.
enum class Approach : std::uint8_t {
  automatic,    ///< the dipole where the solid is thick, random walks elsewhere
  dipole,       ///< as if every point were on a half space; with light scattered once on top
  random_walk,  ///< exact
};

struct Turbid {
  Turbid(const Medium& turbid, Approach chosen);

  Medium medium;
  Approach approach;
  Dipole dipole;
  Channels once;           ///< share of the light that leaves after one event (single_scattering_albedo)
  double least_transport;  ///< smallest σ_tr of the channels [1/m]: of the colour that goes deepest
};

}  // namespace brisance::render::media
