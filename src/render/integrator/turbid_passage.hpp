/// Light through solids that scatter it inside.
#pragma once

#include "render/integrator/arrivals.hpp"
#include "render/integrator/branch.hpp"
#include "render/integrator/stage.hpp"
#include "render/sampling/sampler.hpp"

namespace brisance::render {

/// Follows a branch through the turbid solid that its ray starts in, adds what arrives straight from the lights where
/// it leaves, and turns it to a ray outside; false if it ends there.
///
/// By random walk, or, where the solid is thick, by a point chosen from the profile of the dipole, or by light that is
/// scattered once: in the share of single scattering, which the dipole is then without. With τ = thickness σ_tr the
/// dipole's excess falls as e^(−2τ), what should shine through as e^(−τ); so thick means τ > 3, and τ > 4 where the far
/// side is open to light. Thickness is measured along the normal.
bool pass_turbid(const Stage& stage, Branch& branch, Sampler& sampler, Arrivals& arrivals);

}  // namespace brisance::render
