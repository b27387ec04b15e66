/// Renders one frame: from snapshot to geometry, rays and picture.
#include "brisance/render/render.hpp"

#include "render/film/prepared_frame.hpp"

namespace brisance::render {

Image render_frame(const io::Snapshot& snapshot, const Options& options, RayCount* count) {
  const PreparedFrame frame(snapshot, options);
  RayCount rays;
  const auto pixels = frame.rows(
      {}, [](double /*share*/) {}, rays);
  if (count != nullptr) *count += rays;
  return frame.image(pixels);
}

LayeredImage render_layers(const io::Snapshot& snapshot, const Options& options) {
  Options layered = options;
  layered.layers = true;
  const PreparedFrame frame(snapshot, layered);
  RayCount rays;
  return frame.layers(frame.rows(
      {}, [](double /*share*/) {}, rays));
}

}  // namespace brisance::render
