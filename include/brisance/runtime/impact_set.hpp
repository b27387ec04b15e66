// SPDX-License-Identifier: MIT
/// Data of an object for computing impacts: its atoms, the modes on them, and how a blow is distributed. No tets.
///
/// An *atom* is a piece that no mode divides: one part of the intersection of all modes ([S22] section 3.4). Every mode
/// is constant on it, so an answer costs a few products over the atoms, however fine the mesh was.
#pragma once

#include "brisance/runtime/span.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace brisance::runtime {

/// Volume and its first two moments; a mass is a density times these.
struct SolidShape {
  double volume = 0;                ///< volume [m³]; area [m²] in two dimensions
  std::array<double, 3> centre{};   ///< centre of mass [m]
  std::array<double, 6> inertia{};  ///< about the centre for density 1: xx, yy, zz, xy, yz, zx of the tensor [m⁵]
};

/// The shape of several solids together. Empty input gives volume 0.
[[nodiscard]] SolidShape combined(Span<const SolidShape> solids);

/// Name of an atom wherever it has one, with four digits or more: of its node in a GLB, in JSON files, files of pieces
/// and exports, from the C library.
[[nodiscard]] inline std::string atom_name(std::int32_t atom) {
  const std::string number = std::to_string(atom);
  return "piece_" + std::string(number.size() < 4 ? 4 - number.size() : 0, '0') + number;
}

/// A contact face of two atoms.
struct AtomFace {
  std::int32_t a, b;  ///< a < b
  double area;        ///< [m²]; length [m] in two dimensions
};

/// Distribution of a blow at one point over the object.
enum class Smear {
  elastic,   ///< one implicit step of a shock wave, [S22] eq. (21): follows the material around notches and holes
  gaussian,  ///< by distance, [S22] eq. (19)
};

/// For a blow at each vertex, the share that each atom receives: ∫ over the atom of g, where ∫ g = 1.
struct SmearTable {
  double length_m = 0;       ///< length over which the blow spreads
  std::vector<float> share;  ///< num_vertices × num_atoms; rows sum to 1
};

/// The precomputed data of one object for all impacts.
struct ImpactSet {
  int dimension = 3;                ///< of the space: 3 or 2
  int components = 1;               ///< components of a mode's value: 1, or `dimension`
  std::vector<SolidShape> atoms;    ///< numbered as the pieces of the prefracture
  std::vector<AtomFace> faces;      ///< in ascending (a, b)
  std::vector<double> mode_energy;  ///< num_modes
  std::vector<double> mode_value;   ///< num_modes × num_atoms × components, Σ_atoms volume·uᵢ·uⱼ = δᵢⱼ
  /// η of opening along x, y, z, [S22] eq. (26): a mode of one component and energy E has the energy η_a E along axis a
  /// [–]
  std::array<double, 3> axis_strength{1, 1, 1};
  std::vector<std::array<double, 3>> vertices;  ///< points at which blows are tabulated: outside and between atoms [m]
  std::optional<SmearTable> elastic, gaussian;
  /// For each atom the modes of that piece alone, in the object's coordinates, which divide it further (Generations);
  /// a set without atoms where it has none. Empty if no atom has any.
  std::vector<ImpactSet> own;

  [[nodiscard]] std::int32_t num_atoms() const { return static_cast<std::int32_t>(atoms.size()); }
  [[nodiscard]] std::int32_t num_modes() const { return static_cast<std::int32_t>(mode_energy.size()); }
};

/// Does the set have the same strength along each axis?
[[nodiscard]] inline bool same_along_all_axes(const ImpactSet& set) {
  return set.axis_strength[0] == set.axis_strength[1] && set.axis_strength[1] == set.axis_strength[2];
}

}  // namespace brisance::runtime
