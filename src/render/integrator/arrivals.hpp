/// What arrives along the camera ray of one sample of a pixel.
#pragma once

#include "brisance/render/ray_count.hpp"

#include "render/geometry/ray.hpp"
#include "render/tracing/tracer.hpp"

#include <span>
#include <vector>

namespace brisance::render {

/// Light that lamps send to what the camera sees, if nothing is in the way: of the samples of a pixel these rays are
/// close to each other, and are traced in packets.
class ShadowQueue {
public:
  struct Entry {
    Ray ray;
    Rgb light;             ///< arrives if the ray is free
    std::size_t lamp = 0;  ///< number of the light
    std::size_t sample = 0;
  };

  void add(const Entry& entry) { entries_.push_back(entry); }
  /// Traces all rays, adds to each sample what is free, and forgets them.
  /// @param radiance  of the samples
  void resolve(const Tracer& tracer, std::span<Rgb> radiance, RayCount& count);

private:
  std::vector<Entry> entries_;
};

struct Arrivals {
  RayCount& count;
  ShadowQueue* later = nullptr;  ///< null: shadow rays are traced at once
  std::size_t sample = 0;        ///< number in the queue
  Rgb sum = Rgb::Zero();         ///< radiance, without what is in the queue
};

}  // namespace brisance::render
