#include "picture_file.hpp"

#include "brisance/io/atomic_file.hpp"

namespace brisance::render {
namespace {

std::string encoded(const LayeredImage& image, io::PictureFormat format, const std::filesystem::path& file) {
  const io::ImageFunctions& functions = io::image_functions();
  try {
    return functions.encoded(image, format);
  } catch (const std::runtime_error& e) {
    throw core::Error("cannot make the picture " + file.string() + ": " + e.what() + ".");
  }
}

}  // namespace

void write_picture(const LayeredImage& image, io::PictureFormat format, const std::filesystem::path& file) {
  io::write_atomically(file, encoded(image, format, file));
}

}  // namespace brisance::render
