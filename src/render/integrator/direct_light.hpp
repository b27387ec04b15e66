/// Light that reaches a vertex straight from the lights.
#pragma once

#include "render/integrator/arrivals.hpp"
#include "render/integrator/branch.hpp"
#include "render/integrator/enclosing_media.hpp"
#include "render/integrator/vertex.hpp"

namespace brisance::render {

/// Weight of a sample drawn with one density where another could have drawn it: the power heuristic with exponent 2
/// (Veach 1997, §9.2).
[[nodiscard]] inline float power_heuristic(float pdf, float other_pdf) {
  return pdf * pdf / (pdf * pdf + other_pdf * other_pdf);
}

/// A surface point that light may fall on, from both sides if it lets light through.
struct LitPoint {
  const Hit& hit;
  const Vertex& vertex;
  const EnclosingMedia& here;    ///< of the ray that arrives
  const EnclosingMedia& beyond;  ///< other side of the surface; the same for opaque ones
};

/// Adds one sample of each light that can be sampled, weighted against the material's own samples. What the camera
/// itself sees may be left for later.
void add_direct_light(const Stage& stage, const Branch& branch, const LitPoint& point, Sampler& sampler,
                      Arrivals& arrivals);

/// Share of the light that passes along a shadow ray. Without Transport::caustics it goes straight through glass: at
/// each interface the share 1 − F passes, F as from outside, and Beer's law holds inside.
[[nodiscard]] Rgb passing_light(const Stage& stage, const Ray& ray, const EnclosingMedia& media, RayCount& count);

}  // namespace brisance::render
