/// A frame with all that its rays can meet.
#pragma once

#include "brisance/io/snapshot.hpp"
#include "brisance/render/image.hpp"
#include "brisance/render/options.hpp"

#include "render/film/pixel_renderer.hpp"
#include "render/film/sharing.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace brisance::render {

/// Camera and range are taken from the options, or fitted to this frame alone.
class PreparedFrame {
public:
  /// Throws core::Error for invalid options or a frame without boundary triangles. Local.
  PreparedFrame(const io::Snapshot& snapshot, const Options& options);
  PreparedFrame(const PreparedFrame&) = delete;
  PreparedFrame& operator=(const PreparedFrame&) = delete;

  [[nodiscard]] std::size_t num_values() const { return renderer_.num_values(); }
  /// Some rows of the picture from its top, num_values() numbers a pixel. The same bits on any number of threads.
  /// Local.
  /// @param progress  is told the finished share from time to time
  [[nodiscard]] std::vector<float> rows(const RowShare& share, const std::function<void(double)>& progress,
                                        RayCount& count) const;

  /// The picture of all rows, with a colour bar where colours stand for numbers.
  [[nodiscard]] Image image(std::span<const float> pixels) const;
  /// Its layers; needs Options::layers.
  [[nodiscard]] LayeredImage layers(std::span<const float> pixels) const;

private:
  Options options_;
  ValueRange range_;
  Camera camera_;
  Geometry geometry_;
  Tracer tracer_;
  std::vector<std::unique_ptr<Material>> materials_;
  Lights lights_;
  Backdrop backdrop_;
  Stage stage_;
  CameraRays rays_;
  std::optional<LayerSource> layers_;
  PixelRenderer renderer_;
};

}  // namespace brisance::render
