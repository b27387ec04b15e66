/// Points of a solid where diffuse light of the dipole enters.
#pragma once

#include "render/integrator/branch.hpp"
#include "render/integrator/stage.hpp"
#include "render/sampling/sampler.hpp"

#include <optional>

namespace brisance::render {

struct DipoleExit {
  Hit hit;  ///< seen from outside
  Rgb weight;
};

/// A point of the surface of the solid that the branch has just entered, with ∫ R_d(|x − x_o|) over the surface as its
/// mean weight.
///
/// A radius is sampled from the profile of one channel. Three lines pass the entry at that radius, parallel to the
/// normal and to two tangents. Points where they cross the solid have the density, per area,
///
///   p(x) = Σ_axes |n·a| Σ_channels P_c R_c(r_a)/∫R_c,   r_a: distance from x_o perpendicular to the axis,
///
/// of all axes and channels that might have found them (balance heuristic) [King et al. 2013]. One is chosen by its
/// R_d/p; the weight is the sum of all. On a plane the sum of its channels is that of ∫R_c, whatever the radius. It is
/// not allowed to be more: at cracks and edges more surface is near than a plane has, and light between the faces of a
/// crack would grow with each passage. Nothing if no line meets the solid.
[[nodiscard]] std::optional<DipoleExit> probe_dipole(const Stage& stage, const Branch& branch, Sampler& sampler);

}  // namespace brisance::render
