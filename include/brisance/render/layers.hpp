/// Pictures with many channels, as compositing programs read them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace brisance::render {

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

/// To be called before minutes of work whose result is a picture: throws what writing one would throw if the library
/// for picture files is missing (core::MissingProgram) or cannot be loaded (core::Error). Local.
void require_picture_files();

/// Writes an OpenEXR file, under a temporary name until complete. Throws core::Error if it cannot be written. Local.
void write_exr(const LayeredImage& image, const std::filesystem::path& file);

/// All channels of a picture file of any format, numbers as stored. Throws core::Error if it cannot be read. Local.
[[nodiscard]] LayeredImage read_layers(const std::filesystem::path& file);

/// The note of that name in a picture file; empty if it has none, or if the file is missing or cannot be read. Local.
[[nodiscard]] std::string note_of(const std::filesystem::path& file, std::string_view name);

}  // namespace brisance::render
