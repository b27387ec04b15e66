/// Follows light backwards from the camera: paths, and trees of rays at glass.
#pragma once

#include "render/integrator/enclosing_media.hpp"
#include "render/integrator/interface.hpp"
#include "render/integrator/stage.hpp"
#include "render/integrator/vertex.hpp"
#include "render/sampling/sampler.hpp"

namespace brisance::render {

/// A ray on its way, with the weight of what it will find.
struct Branch {
  Ray ray;
  EnclosingMedia media{};
  Rgb throughput = Rgb::Ones();
  float share_of_plane = 1;  ///< part of throughput: weight of planes that fade into the background
  std::uint64_t place = 1;   ///< in the tree of specular rays: its root, then a bit for each branch
  int num_surfaces = 0;      ///< met so far
  int num_specular = 0;      ///< of those, mirrors and smooth glass
  float scatter_pdf = 0;     ///< density of its direction [1/sr]; 0: from the camera or a specular surface
  bool is_view = true;       ///< only specular surfaces so far: the camera's own view
  bool is_caustic = false;   ///< specular surfaces after scattering
};

/// One sample of a pixel. At surfaces that both reflect and refract, Transport says whether one or both rays are
/// followed. With shares f_r, f_t the reflected ray alone is taken with probability f_r/(f_r + f_t) and weight
/// f_r + f_t: the mean stays f_r L_r + f_t L_t. Ending a ray with probability P gives the others the weight 1/(1 − P).
class PathTracer {
public:
  PathTracer(const Stage& stage, Sampler& sampler, RayCount& count) : stage_(stage), sampler_(sampler), count_(count) {}

  /// Estimate of the radiance arriving along a camera ray [1: a white surface in white light].
  [[nodiscard]] Rgb radiance(const Ray& ray) { return follow(Branch{.ray = ray}); }

private:
  [[nodiscard]] Rgb follow(Branch branch);
  /// Adds what a branch receives at a hit and turns it to its next ray; false if it ends there.
  bool advance(Branch& branch, Hit hit, Rgb& sum);
  /// Resolves a hit of glass; true if nothing happens to the ray there.
  bool goes_straight_on(Branch& branch, Hit& hit, Interface& at) const;
  bool reflect_or_refract(Branch& branch, const Hit& hit, const Vertex& vertex, const Interface& at, Rgb& sum);
  bool scatter(Branch& branch, const Hit& hit, const Vertex& vertex, const Interface& at, Rgb& sum);
  /// Continues the branch along a scattered ray.
  void turn(Branch& branch, const Hit& hit, const Scattered& scattered, const Interface& at) const;
  void fade_plane(Branch& branch, const Hit& hit, Rgb& sum) const;
  /// Ends a branch at random, or gives it the weight of those that end.
  [[nodiscard]] bool survives(Branch& branch, bool is_specular);
  [[nodiscard]] bool follows_both(const Branch& branch) const;
  /// From lamps closer than a distance; from lights around the scene; from all where nothing is hit.
  [[nodiscard]] Rgb lamps(const Branch& branch, float distance) const;
  [[nodiscard]] Rgb surroundings(const Branch& branch) const;
  [[nodiscard]] Rgb escaped(const Branch& branch) const;

  const Stage& stage_;
  Sampler& sampler_;
  RayCount& count_;
};

}  // namespace brisance::render
