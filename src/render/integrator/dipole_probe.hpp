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
/// A ray parallel to one of three axes, the normal or two tangents, passes the entry at a radius that is sampled from
/// the profile of one channel. Points where it crosses the solid have the density, per area,
///
///   p(x) = Σ_axes P_a |n·a| Σ_channels P_c R_c(r_a)/∫R_c,   r_a: distance from x_o perpendicular to the axis,
///
/// of all axes and channels that might have found them (balance heuristic); one is chosen by its weight [King et al.
/// 2013]. Nothing if the ray misses the solid.
[[nodiscard]] std::optional<DipoleExit> probe_dipole(const Stage& stage, const Branch& branch, Sampler& sampler);

}  // namespace brisance::render
