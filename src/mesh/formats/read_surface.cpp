#include "brisance/mesh/formats/read_surface.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/out_of_memory.hpp"

#include "mesh/formats/file_bytes.hpp"
#include "mesh/formats/read_assimp.hpp"
#include "mesh/formats/surface_readers.hpp"

#include <algorithm>
#include <array>

#include <spdlog/fmt/fmt.h>

namespace brisance::mesh {
namespace {

using Reader = Surface (*)(const std::filesystem::path&, std::string_view);

/// The first word of a file, after a byte-order mark and blanks.
std::string_view first_word(std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  bytes.remove_prefix(std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size()));
  return bytes.substr(0, std::min(bytes.find_first_of(" \t\r\n"), std::size_t{16}));
}

/// The reader for a file: by its first word where the format has one, else by extension; null if both fail.
Reader choose_reader(const std::filesystem::path& file, std::string_view bytes) {
  const std::string_view word = first_word(bytes);
  if (word == "ply") return read_ply;
  if (begins_as_off(word)) return read_off;
  const std::string extension = lower_extension(file);
  if (extension == ".obj") return read_obj;
  if (extension == ".stl") return read_stl;
  if (extension == ".ply") return read_ply;
  if (extension == ".off") return read_off;
  return word == "solid" || word == "SOLID" ? read_stl : nullptr;
}

}  // namespace

bool is_surface_file(const std::filesystem::path& file) {
  constexpr std::array<std::string_view, 4> kOwn{".obj", ".stl", ".ply", ".off"};
  return std::ranges::find(kOwn, lower_extension(file)) != kOwn.end() || is_assimp_file(file);
}

Surface read_surface(const std::filesystem::path& file) {
  Surface surface;
  core::naming_what_needs_memory("reading " + file.string(), [&] {
    if (is_assimp_file(file)) {
      surface = surface_of(read_assimp(file), file);
      return;
    }
    const std::string bytes = read_whole_file(file);
    const Reader reader = choose_reader(file, bytes);
    if (reader == nullptr)
      throw core::Error(
          fmt::format("{}: not a surface format known here. Convert it to OBJ, STL, PLY, OFF or GLB.", file.string()));
    surface = reader(file, bytes);
  });
  return surface;
}

}  // namespace brisance::mesh
