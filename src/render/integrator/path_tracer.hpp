/// Follows light backwards from the camera: paths, and trees of rays at glass.
#pragma once

#include "render/integrator/arrivals.hpp"
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
  PathTracer(const Stage& stage, Sampler& sampler, const Arrivals& arrivals)
      : stage_(stage), sampler_(sampler), arrivals_(arrivals) {}

  /// Estimate of the radiance arriving along a camera ray [1: a white surface in white light], without what it leaves
  /// in Arrivals::later.
  [[nodiscard]] Rgb radiance(const Ray& ray) { return radiance(ray, stage_.tracer.closest(ray)); }
  /// @param first  what the ray meets
  [[nodiscard]] Rgb radiance(const Ray& ray, const std::optional<Hit>& first) {
    arrivals_.sum.setZero();
    follow(Branch{.ray = ray}, first);
    return arrivals_.sum;
  }
  /// What a camera ray sees where there is nothing.
  [[nodiscard]] Rgb background(const Ray& ray) const { return escaped(Branch{.ray = ray}); }

private:
  /// Adds all that arrives along a branch.
  /// @param hit  its first
  void follow(Branch branch, std::optional<Hit> hit);
  /// The random points of the branch's next event.
  void seek(const Branch& branch);
  /// Adds what a branch receives at a hit and turns it to its next ray; false if it ends there.
  bool advance(Branch& branch, Hit hit);
  /// Resolves a hit of glass; true if nothing happens to the ray there.
  bool goes_straight_on(Branch& branch, Hit& hit, Interface& at) const;
  bool reflect_or_refract(Branch& branch, const Hit& hit, const Vertex& vertex, const Interface& at);
  bool scatter(Branch& branch, const Hit& hit, const Vertex& vertex, const Interface& at);
  /// Pigment at the surface of a solid that scatters light inside, where a branch has entered it.
  static void stain(Branch& branch, const Scattered& scattered, const Vertex& vertex);
  /// Continues the branch along a scattered ray.
  void turn(Branch& branch, const Hit& hit, const Scattered& scattered, const Interface& at) const;
  /// Highlights seen over a matt surface are light that polished surfaces throw, which is left out without caustics:
  /// they are spread over so wide an angle that lights and paths both find them.
  [[nodiscard]] float least_alpha(const Branch& branch, const Interface& at) const;
  void fade_plane(Branch& branch, const Hit& hit);
  /// Ends a branch at random, or gives it the weight of those that end.
  [[nodiscard]] bool survives(Branch& branch, bool is_specular);
  [[nodiscard]] bool follows_both(const Branch& branch) const;
  /// From lamps closer than a distance; from lights around the scene; from all where nothing is hit.
  [[nodiscard]] Rgb lamps(const Branch& branch, float distance) const;
  [[nodiscard]] Rgb surroundings(const Branch& branch) const;
  [[nodiscard]] Rgb escaped(const Branch& branch) const;

  const Stage& stage_;
  Sampler& sampler_;
  Arrivals arrivals_;
};

}  // namespace brisance::render
