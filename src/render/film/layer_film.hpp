/// Layers of a picture: for each pixel its colour, and what its samples met first.
#pragma once

#include "brisance/render/layers.hpp"

#include "render/film/cryptomatte.hpp"
#include "render/film/seen.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace brisance::render {

/// Sums over the samples of a pixel.
struct PixelSum {
  Rgb radiance = Rgb::Zero();    ///< Σ radiance
  Rgb background = Rgb::Zero();  ///< of that, what comes straight from the background
  double coverage = 0;           ///< Σ share of what is met
  std::uint32_t num_samples = 0;
};

/// Values of a pixel are stored together, in the order of names().
class LayerFilm {
public:
  LayerFilm(CryptoNames objects, CryptoNames pieces);

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// Fills one pixel. `seen` has one entry for each sample.
  ///
  /// Colours and normals are means over all samples; depth, velocity and the piece's number are those of the nearest
  /// surface among them: a mean between two objects would be of neither.
  void fill(const PixelSum& sum, std::span<const Seen> seen, std::span<float> pixel) const;
  /// The layers of a picture, with the metadata of Cryptomatte. Colours have 16 bits, all else 32.
  /// @param pixels  names().size() values for each pixel
  [[nodiscard]] LayeredImage image(int width, int height, std::span<const float> pixels) const;

private:
  CryptoNames objects_, pieces_;
  std::vector<std::string> names_;
};

}  // namespace brisance::render
