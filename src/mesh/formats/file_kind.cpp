#include "mesh/formats/file_kind.hpp"

#include "brisance/core/error.hpp"
#include "brisance/mesh/formats/other_kinds.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <fstream>

#include <spdlog/fmt/fmt.h>

namespace brisance::mesh {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kProbed = 1024;  ///< number of first bytes inspected to tell text from binary
constexpr std::size_t kStlHead = 84, kStlFacet = 50;

constexpr std::string_view kHdf5 = "\x89HDF\r\n";

struct Kind {
  std::string_view start, what, advice;
};

constexpr std::string_view kUnpack = "Unpack it first.",
                           kConvert = "Export the mesh as OBJ, STL, PLY, OFF, MSH or VTU.",
                           kPull = "Fetch the file itself: git lfs pull.",
                           kDownload = "Open it to see what it says, and download the mesh itself.";

/// Recognised by the first bytes.
constexpr Kind kKinds[] = {
    {"version https://git-lfs.github.com/"sv, "a Git LFS pointer", kPull},
    {"version https://hawser.github.com/"sv, "a Git LFS pointer", kPull},
    {"\x1F\x8B"sv, "a gzip archive", kUnpack},
    {"PK\x03\x04"sv, "a zip archive (a 3MF file is one, too: give it the ending .3mf)", kUnpack},
    {"PK\x05\x06"sv, "an empty zip archive", "Pack or download it again."},
    {"BZh"sv, "a bzip2 archive", kUnpack},
    {"\xFD"
     "7zXZ\0"sv,
     "an xz archive", kUnpack},
    {"\x28\xB5\x2F\xFD"sv, "a zstd archive", kUnpack},
    {"7z\xBC\xAF\x27\x1C"sv, "a 7z archive", kUnpack},
    {"Rar!\x1A"sv, "a RAR archive", kUnpack},
    {"%PDF-"sv, "a PDF document", kConvert},
    {"\x89PNG"sv, "a PNG picture", kConvert},
    {"\xFF\xD8\xFF"sv, "a JPEG picture", kConvert},
    {"GIF8"sv, "a GIF picture", kConvert},
    {"glTF"sv, "a binary glTF file", "Give it the ending .glb."},
    {kHdf5, "an HDF5 file", "Give it the ending .hdf or .h5 if brisance wrote it."},
    {"Kaydara FBX Binary"sv, "an FBX file", "Give it the ending .fbx."},
    {"; FBX"sv, "an FBX file", "Give it the ending .fbx."},
    {"BLENDER"sv, "a Blender file", kConvert},
    {"ISO-10303-21"sv, "a STEP file", "Mesh it in a CAD program and export the mesh as STL."},
    {"# vtk DataFile"sv, "a legacy VTK file", "Save it as .vtu, for instance with ParaView."},
    {"\x7F"
     "ELF"sv,
     "a program", "Give the path of a mesh file."},
    {"\xFF\xFE\0\0"sv, "a text in UTF-32", "Save it as UTF-8."},
};

std::string_view without_blanks(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n\v\f"), text.size()));
  return text;
}

bool contains_lower(std::string_view text, std::string_view wanted) {
  const auto equal = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  return !std::ranges::search(text, wanted, equal).empty();
}

bool fits_binary_stl(std::string_view bytes) {
  if (bytes.size() < kStlHead) return false;
  std::uint32_t count = 0;  // little-endian
  for (int i = 3; i >= 0; --i) count = count << 8 | static_cast<unsigned char>(bytes[kStlHead - 4 + i]);
  return bytes.size() == kStlHead + kStlFacet * count;
}

/// Of VTK's XML files only unstructured grids are supported.
Kind vtk_kind(std::string_view text) {
  if (contains_lower(text, "\"punstructuredgrid\""))
    return {{}, "a list of the pieces of a mesh (.pvtu)", "Save the mesh as one .vtu, for instance with ParaView."};
  if (contains_lower(text, "\"polydata\"")) return {{}, "a VTK surface (.vtp)", kConvert};
  return {};
}

/// The kind of a text that begins as XML, HTML or JSON; `what` is empty for any other.
Kind markup_kind(std::string_view bytes) {
  const std::string_view text = without_blanks(bytes).substr(0, kProbed);
  if (text.starts_with('{') || text.starts_with("[{")) return {{}, "JSON", kDownload};
  if (!text.starts_with('<')) return {};
  if (contains_lower(text, "<vtkfile")) return vtk_kind(text);
  if (contains_lower(text, "<html") || contains_lower(text, "<!doctype html") || contains_lower(text, "<head"))
    return {{}, "a web page (HTML)", kDownload};
  if (contains_lower(text, "<collada")) return {{}, "a COLLADA file", "Give it the ending .dae."};
  if (contains_lower(text, "<x3d")) return {{}, "an X3D file", "Give it the ending .x3d."};
  if (contains_lower(text, "<amf")) return {{}, "an AMF file", kConvert};
  return {{}, "an XML document", kDownload};
}

Kind kind_of(std::string_view bytes) {
  for (const Kind& kind : kKinds)
    if (bytes.starts_with(kind.start)) return kind;
  if (const Kind markup = markup_kind(bytes); !markup.what.empty()) return markup;
  if (bytes.size() > 262 && bytes.substr(257, 5) == "ustar") return {{}, "a tar archive", kUnpack};
  if (bytes.size() < kProbed && bytes.find("annex/objects/") != std::string_view::npos)
    return {{}, "a git-annex pointer", "Fetch the file itself: git annex get."};
  if (bytes.find_first_not_of('\0') == std::string_view::npos)
    return {{}, "a row of zero bytes: its copy was never finished", "Copy or export it again."};
  if (without_blanks(bytes).empty()) return {{}, "a text of blanks alone", "Export the mesh again."};
  return {};
}

void append_utf8(std::string& text, std::uint32_t c) {
  const auto tail = [&](int shift) { text += static_cast<char>(0x80 | (c >> shift & 0x3F)); };
  if (c < 0x80) {
    text += static_cast<char>(c);
  } else if (c < 0x800) {
    text += static_cast<char>(0xC0 | c >> 6), tail(0);
  } else if (c < 0x10000) {
    text += static_cast<char>(0xE0 | c >> 12), tail(6), tail(0);
  } else {
    text += static_cast<char>(0xF0 | c >> 18), tail(12), tail(6), tail(0);
  }
}

/// The 16-bit units of a text.
class Units {
public:
  Units(std::string_view bytes, bool big) : bytes_(bytes), high_(big ? 0 : 1) {}
  [[nodiscard]] std::size_t size() const { return bytes_.size() / 2; }
  [[nodiscard]] std::uint32_t operator[](std::size_t i) const {
    return static_cast<std::uint32_t>(byte(2 * i + high_)) << 8 | byte(2 * i + 1 - high_);
  }
  /// Are that many of them (or all, if fewer) printable ASCII or blanks? Every text format of meshes begins so.
  [[nodiscard]] bool begin_as_text(std::size_t first, std::size_t count) const {
    constexpr std::size_t kLeast = 4;
    if (size() < first + kLeast) return false;
    for (std::size_t i = first; i < std::min(size(), first + count); ++i) {
      const std::uint32_t c = (*this)[i];
      if (c >= 0x7F || (c < ' ' && c != '\t' && c != '\r' && c != '\n')) return false;
    }
    return true;
  }

private:
  [[nodiscard]] unsigned char byte(std::size_t i) const { return static_cast<unsigned char>(bytes_[i]); }
  std::string_view bytes_;
  std::size_t high_;  ///< position of the high byte in a unit
};

std::string utf8_of(const Units& units, std::size_t first) {
  constexpr std::uint32_t kReplacement = 0xFFFD;
  const auto is_high = [](std::uint32_t c) { return c >= 0xD800 && c < 0xDC00; };
  const auto is_low = [](std::uint32_t c) { return c >= 0xDC00 && c < 0xE000; };
  std::string text;
  for (std::size_t i = first; i < units.size(); ++i) {
    const std::uint32_t c = units[i];
    if (is_high(c) && i + 1 < units.size() && is_low(units[i + 1]))
      append_utf8(text, 0x10000 + ((c - 0xD800) << 10) + (units[++i] - 0xDC00));
    else
      append_utf8(text, is_high(c) || is_low(c) ? kReplacement : c);
  }
  return text;
}

}  // namespace

void refuse_other_kinds(const std::filesystem::path& file, std::string_view bytes) {
  if (fits_binary_stl(bytes)) return;
  const Kind kind = kind_of(bytes);
  if (!kind.what.empty())
    throw core::Error(fmt::format("{}: is {}, not a mesh. {}", file.string(), kind.what, kind.advice));
}

void refuse_other_kinds(const std::filesystem::path& file) {
  std::error_code status;
  if (!std::filesystem::is_regular_file(file, status)) return;
  std::string start(kProbed, '\0');
  std::ifstream stream(file, std::ios::binary);
  stream.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(stream.gcount()));
  if (!start.empty() && !start.starts_with(kHdf5)) refuse_other_kinds(file, start);
}

std::optional<std::string> utf8_of_utf16(std::string_view bytes) {
  for (const bool big : {false, true}) {
    const Units units(bytes, big);
    const bool has_mark = units.size() > 0 && units[0] == 0xFEFF;
    const std::size_t first = has_mark ? 1 : 0, count = has_mark ? 2 : 32;
    if (units.begin_as_text(first, count)) return utf8_of(units, first);
  }
  return {};
}

bool is_text(std::string_view bytes) {
  return std::ranges::none_of(bytes.substr(0, kProbed), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < '\t' || (byte > '\r' && byte < 0x1A);
  });
}

std::string shown(std::string_view text, std::size_t most) {
  std::string result;
  for (const char c : text.substr(0, most)) result += c >= ' ' && c <= '~' ? c : '?';
  return text.size() > most ? result + "..." : result;
}

std::string first_line(std::string_view bytes) {
  const std::string_view text = without_blanks(bytes);
  return shown(text.substr(0, text.find_first_of("\r\n")), 60);
}

}  // namespace brisance::mesh
