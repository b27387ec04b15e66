#include "render/film/framing.hpp"

#include "brisance/core/error.hpp"
#include "brisance/render/render.hpp"

#include "render/fields.hpp"
#include "render/geometry/colliders.hpp"
#include "render/geometry/corners.hpp"
#include "render/tracing/eye.hpp"

#include <algorithm>

#include <spdlog/fmt/fmt.h>

namespace brisance::render {
namespace {

/// Pieces with less than this share of the elements; never the largest.
std::vector<bool> dust_pieces(const io::SnapshotPart& part, double share) {
  std::vector<std::size_t> num_elements;
  for (const std::int64_t piece : part.piece) {
    if (piece >= static_cast<std::int64_t>(num_elements.size())) num_elements.resize(piece + 1, 0);
    ++num_elements[piece];
  }
  const std::size_t largest = num_elements.empty() ? 0 : *std::max_element(num_elements.begin(), num_elements.end());
  const double fewest = std::min(share * static_cast<double>(part.piece.size()), static_cast<double>(largest));
  std::vector<bool> is_dust;
  for (const std::size_t n : num_elements) is_dust.push_back(static_cast<double>(n) < fewest);
  return is_dust;
}

}  // namespace

void add_to_framing(Framing& framing, const io::Snapshot& snapshot, const Options& options) {
  const auto below = elements_below(snapshot.part);
  const Corners corners = exploded_corners(snapshot.part, below, options.explode);
  const auto is_dust = dust_pieces(snapshot.part, options.dust_share);
  Eigen::AlignedBox3d box;
  for (std::size_t t = 0; t < corners.size(); ++t) {
    if (is_dust[snapshot.part.piece[below[t]]]) continue;
    for (const Vec3& x : corners[t]) {
      framing.add(x);
      box.extend(x);
    }
  }
  if (!options.show_colliders || options.explode != 0) return;
  for (const auto& collider : snapshot.header.colliders)
    if (const double radius = bounding_radius(collider); radius > 0 && 2 * radius <= box.diagonal().norm())
      framing.add_ball(collider.centre, radius);
}

Camera camera_for(const io::Snapshot& snapshot, const Options& options) {
  if (!options.camera_keys.empty()) return camera_at(options.camera_keys, snapshot.header.time_s);
  if (options.camera) return *options.camera;
  Framing framing(options.view, options.width, options.height);
  add_to_framing(framing, snapshot, options);
  return framing.camera();
}

void require_eye_outside(const Tracer& tracer, const Camera& camera, const io::SnapshotPart& part,
                         const Options& options) {
  const auto around = solids_around(tracer, (camera.eye - tracer.geometry().origin).cast<float>());
  if (around.empty()) return;
  const auto is_dust = dust_pieces(part, options.dust_share);
  for (const std::uint32_t solid : around)
    if (solid < is_dust.size() && !is_dust[solid])
      throw core::Error(
          fmt::format("the camera at ({:g}, {:g}, {:g}) m is inside an object. Move camera.eye_m out of it.",
                      camera.eye.x(), camera.eye.y(), camera.eye.z()));
}

}  // namespace brisance::render
