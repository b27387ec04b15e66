#include "render/integrator/arrivals.hpp"

#include <algorithm>

namespace brisance::render {

void ShadowQueue::resolve(const Tracer& tracer, std::span<Rgb> radiance, RayCount& count) {
  std::ranges::stable_sort(entries_, {}, &Entry::lamp);
  count.shadows += entries_.size();
  std::array<Ray, kPacket> rays;
  for (std::size_t first = 0; first < entries_.size(); first += kPacket) {
    const std::span packet = std::span(entries_).subspan(first, std::min(kPacket, entries_.size() - first));
    for (std::size_t i = 0; i < packet.size(); ++i) rays[i] = packet[i].ray;
    const auto blocked = tracer.are_occluded(std::span(rays).first(packet.size()));
    for (std::size_t i = 0; i < packet.size(); ++i)
      if (!blocked[i]) radiance[packet[i].sample] += packet[i].light;
  }
  entries_.clear();
}

}  // namespace brisance::render
