/// Light that reaches a vertex straight from the lights.
#pragma once

#include "render/integrator/enclosing_media.hpp"
#include "render/integrator/vertex.hpp"

namespace brisance::render {

/// Weight of a sample drawn with one density where another could have drawn it: the power heuristic with exponent 2
/// (Veach 1997, §9.2).
[[nodiscard]] inline float power_heuristic(float pdf, float other_pdf) {
  return pdf * pdf / (pdf * pdf + other_pdf * other_pdf);
}

/// Media on both sides of a vertex.
struct Sides {
  const EnclosingMedia& here;    ///< of the ray that arrives
  const EnclosingMedia& beyond;  ///< other side of the surface; the same for opaque ones
};

/// One sample of each light that can be sampled, weighted against the material's own samples.
[[nodiscard]] Rgb direct_light(const Stage& stage, const Hit& hit, const Vertex& vertex, const Sides& sides,
                               Sampler& sampler, RayCount& count);

/// Share of the light that passes along a shadow ray. Without Transport::caustics it goes straight through glass: at
/// each interface the share 1 − F passes, F as from outside, and Beer's law holds inside.
[[nodiscard]] Rgb passing_light(const Stage& stage, const Ray& ray, const EnclosingMedia& media, RayCount& count);

}  // namespace brisance::render
