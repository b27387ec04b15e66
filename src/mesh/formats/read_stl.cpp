#include "brisance/core/error.hpp"
#include "brisance/core/words.hpp"
#include "brisance/mesh/limits.hpp"

#include "mesh/formats/byte_reader.hpp"
#include "mesh/formats/file_kind.hpp"
#include "mesh/formats/group_lines.hpp"
#include "mesh/formats/polygon_soup.hpp"
#include "mesh/formats/surface_readers.hpp"
#include "mesh/formats/text_reader.hpp"

#include <cctype>
#include <cmath>

#include <spdlog/spdlog.h>

namespace brisance::mesh {
namespace {

constexpr std::size_t kHeaderBytes = 80, kFacetBytes = 50;

std::uint32_t num_facets(const std::filesystem::path& file, std::string_view bytes) {
  return ByteReader(file, bytes, kHeaderBytes, std::endian::little).number<std::uint32_t>();
}

/// Binary files may begin with "solid" too, and text with anything: binary if the size fits the facet count, or if
/// there is a zero byte near the start, which text does not have.
bool is_binary(const std::filesystem::path& file, std::string_view bytes) {
  const std::size_t head = kHeaderBytes + sizeof(std::uint32_t);
  if (bytes.size() >= head && bytes.size() == head + kFacetBytes * num_facets(file, bytes)) return true;
  return !is_text(bytes);
}

Surface read_binary(const std::filesystem::path& file, std::string_view bytes) {
  if (bytes.size() < kHeaderBytes + sizeof(std::uint32_t))
    fail_at_byte(file, bytes.size(),
                 "too short for a binary STL and not an ASCII one (no 'solid'). Export or copy it again.");
  const std::uint32_t count = num_facets(file, bytes);
  const std::size_t room = (bytes.size() - kHeaderBytes - sizeof count) / kFacetBytes;
  if (count > room)
    fail_at_byte(file, bytes.size(),
                 fmt::format("the header says {} facets but the file ends inside facet {}: it is truncated, or not an "
                             "STL file. Export or copy it again.",
                             count, room + 1));

  PolygonSoup soup;
  ByteReader reader(file, bytes, kHeaderBytes + sizeof count, std::endian::little);
  for (std::uint32_t facet = 0; facet < count; ++facet) {
    const std::size_t place = reader.position();
    reader.skip(3 * sizeof(float));  // the normal: redundant, and often wrong
    for (int corner = 0; corner < 3; ++corner) {
      const float x = reader.number<float>(), y = reader.number<float>(), z = reader.number<float>();
      soup.corners.push_back(static_cast<std::int64_t>(soup.points.size()));
      if (!is_place(soup.points.emplace_back(x, y, z)))
        fail_at_byte(
            file, place,
            fmt::format("facet {} has a coordinate that is not finite, or beyond {:g} m. Export the file again.",
                        facet + 1, kLargestLength_m));
    }
    reader.skip(sizeof(std::uint16_t));
    soup.end_polygon(static_cast<std::int64_t>(place));
  }
  return to_surface(std::move(soup), file, [&](std::int64_t byte, std::string_view message) {
    fail_at_byte(file, static_cast<std::size_t>(byte), message);
  });
}

std::string lower(std::string_view word) {
  std::string result(word);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

/// The state of reading one ASCII file.
class AsciiFile {
public:
  AsciiFile(const std::filesystem::path& file, std::string_view bytes) : text_(file, bytes), numbers_(soup_.groups) {}

  PolygonSoup read() {
    while (text_.next_filled_line('\0')) take(lower(text_.word()));
    if (in_facet_) text_.fail("the file ends inside a facet: it is truncated. Export or copy it again.");
    names_.note_shortened(text_.file());
    if (num_other_lines_ > 0 && !soup_.places.empty())
      spdlog::info("{}: passed over {} not of STL, the first is line {}.", text_.file().string(),
                   core::counted(num_other_lines_, "line that is", "lines that are"), first_other_line_);
    return std::move(soup_);
  }
  [[nodiscard]] bool has_solid() const { return has_solid_; }

private:
  void take(const std::string& keyword) {
    if (keyword == "facet") {
      if (in_facet_) text_.fail("a facet begins inside another one. Export the file again.");
      in_facet_ = true;
    } else if (keyword == "vertex") {
      if (!in_facet_) text_.fail("a vertex stands outside any facet. Export the file again.");
      soup_.corners.push_back(static_cast<std::int64_t>(soup_.points.size()));
      soup_.points.push_back(text_.point());
    } else if (keyword == "endfacet") {
      soup_.end_polygon(text_.line_number(), group_);
      in_facet_ = false;
    } else if (keyword == "solid") {
      has_solid_ = true;
      const std::string name = names_.one(text_.rest_of_line());
      group_ = numbers_.number(name.empty() ? std::vector<std::string>{} : std::vector{name});
    } else if (keyword == "endsolid") {
      group_ = kNoGroup;
    } else if (keyword != "outer" && keyword != "endloop") {
      if (num_other_lines_++ == 0) first_other_line_ = text_.line_number();
    }
  }

  TextReader text_;
  PolygonSoup soup_;
  GroupNumbers numbers_;
  NameReader names_;
  std::int32_t group_ = kNoGroup;
  bool in_facet_ = false, has_solid_ = false;
  std::int64_t num_other_lines_ = 0, first_other_line_ = 0;
};

Surface read_ascii(const std::filesystem::path& file, std::string_view bytes) {
  AsciiFile ascii(file, bytes);
  PolygonSoup soup = ascii.read();
  if (soup.places.empty() && !ascii.has_solid())
    throw core::Error(
        fmt::format("{}: holds no facet of STL: it is a text that begins with \"{}\". Give the path of an STL file.",
                    file.string(), first_line(bytes)));
  return to_surface(std::move(soup), file,
                    [&](std::int64_t line, std::string_view message) { fail_at_line(file, line, message); });
}

}  // namespace

Surface read_stl(const std::filesystem::path& file, std::string_view bytes) {
  return is_binary(file, bytes) ? read_binary(file, bytes) : read_ascii(file, bytes);
}

}  // namespace brisance::mesh
