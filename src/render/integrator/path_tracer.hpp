/// Follows light backwards from the camera: paths, and trees of rays at glass.
#pragma once

#include "render/integrator/branch.hpp"
#include "render/integrator/interface.hpp"
#include "render/integrator/stage.hpp"
#include "render/integrator/vertex.hpp"
#include "render/sampling/sampler.hpp"

namespace brisance::render {

/// One sample of a pixel. At surfaces that both reflect and refract, Transport says whether one or both rays are
/// followed. With shares f_r, f_t the reflected ray alone is taken with probability f_r/(f_r + f_t) and weight
/// f_r + f_t: the mean stays f_r L_r + f_t L_t. Ending a ray with probability P gives the others the weight 1/(1 − P).
class PathTracer {
public:
  PathTracer(const Stage& stage, Sampler& sampler, RayCount& count) : stage_(stage), sampler_(sampler), count_(count) {}

  /// Estimate of the radiance arriving along a camera ray [1: a white surface in white light].
  [[nodiscard]] Rgb radiance(const Ray& ray) { return follow(Branch{.ray = ray}); }
  /// @param first  what the ray meets
  [[nodiscard]] Rgb radiance(const Ray& ray, const std::optional<Hit>& first) {
    return follow(Branch{.ray = ray}, first);
  }
  /// What a camera ray sees where there is nothing.
  [[nodiscard]] Rgb background(const Ray& ray) const { return escaped(Branch{.ray = ray}); }

private:
  [[nodiscard]] Rgb follow(const Branch& branch) { return follow(branch, stage_.tracer.closest(branch.ray)); }
  /// @param hit  the first of the branch
  [[nodiscard]] Rgb follow(Branch branch, std::optional<Hit> hit);
  /// The random points of the branch's next event.
  void seek(const Branch& branch);
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
