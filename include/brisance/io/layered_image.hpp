/// Pictures with many channels, with the numbers that their files store.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace brisance::io {

/// One number for each pixel, row by row from the top left.
struct Channel {
  std::string name;      ///< LAYER.CHANNEL as in OpenEXR: "R", "albedo.R", "Z"
  bool is_half = false;  ///< stored with 16 bits, else 32
  std::vector<float> values;
};

/// Text kept in a picture file, by name.
using Notes = std::vector<std::pair<std::string, std::string>>;

struct LayeredImage {
  int width = 0, height = 0;
  std::vector<Channel> channels;
  Notes notes;

  LayeredImage() = default;
  LayeredImage(int w, int h) : width(w), height(h) {}
  [[nodiscard]] std::size_t num_pixels() const { return static_cast<std::size_t>(width) * height; }
  /// Appends a channel of zeros and returns its values, valid until the next one is added.
  std::vector<float>& add(std::string name, bool is_half = false);
  /// nullptr if there is none of that name.
  [[nodiscard]] const Channel* find(std::string_view name) const;
};

/// To be called before minutes of work that needs picture files: throws core::MissingProgram if the library for them is
/// missing, core::Error if it cannot be loaded. Local.
void require_picture_files();

/// All channels of a picture file of any format that OpenImageIO knows. Integers become shares of their largest value;
/// nothing is decoded, so that an sRGB file gives its sRGB numbers. Throws core::Error if it cannot be read. Local.
[[nodiscard]] LayeredImage read_layers(const std::filesystem::path& file);

}  // namespace brisance::io
