/// What the surfaces of a picture are made of, and what lights it.
#pragma once

#include "brisance/render/kinds.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace brisance::render {

/// The materials of some surfaces. Where several assignments concern a surface, the last one holds; surfaces that none
/// concerns have the colours of the palette.
struct Assignment {
  /// Simulation materials (io::SnapshotHeader::material_names) whose surfaces are concerned; empty with an empty
  /// `collider`: all of them.
  std::vector<std::string> materials;
  std::string collider;  ///< name of a rigid collider, whose surface takes `outside`
  std::string outside;   ///< a Specification's name for the original surface; empty: the palette
  std::string cracks;    ///< for crack surfaces; empty: the palette
};

struct Appearance {
  std::vector<Specification> materials, lights;  ///< no lights: the sun and sky of Lighting
  std::vector<Assignment> assignments;
};

/// How specular rays are followed where a surface both reflects and refracts.
enum class Method : std::uint8_t {
  path,       ///< one of both, chosen by its share
  roulette,   ///< both up to a depth, then one; ended at random beyond a second depth
  branching,  ///< both up to the second depth, then as roulette
  cutoff,     ///< both up to the second depth, where rays are dropped: too dark, for comparison
};
/// In the order of the enumerators.
[[nodiscard]] const std::vector<std::string>& method_names();

struct Transport {
  Method method = Method::roulette;
  int branching_depth = 2;  ///< specular surfaces at which roulette follows both rays
  int max_depth = 24;       ///< specular surfaces after which rays are ended at random, or dropped
  /// Light that reaches a matt surface through glass or off a mirror: true: by chance alone, exact and noisy; false:
  /// light goes straight through glass, weakened by reflection and absorption, and what mirrors throw is left out.
  bool caustics = false;
};

/// Throws core::Error for materials and lights that are wrong in themselves, two of one name, assignments of materials
/// that do not exist, and depths out of range. Images are not read. Local.
void check(const Appearance& appearance);
void check(const Transport& transport);

}  // namespace brisance::render
