#include "brisance/mesh/limits.hpp"

#include "mesh/byte_reader.hpp"
#include "mesh/group_lines.hpp"
#include "mesh/polygon_soup.hpp"
#include "mesh/surface_readers.hpp"
#include "mesh/text_reader.hpp"

#include <cctype>
#include <cmath>

#include <spdlog/fmt/fmt.h>

namespace brisance::mesh {
namespace {

constexpr std::size_t kHeaderBytes = 80, kFacetBytes = 50;

std::uint32_t num_facets(const std::filesystem::path& file, std::string_view bytes) {
  return ByteReader(file, bytes, kHeaderBytes, std::endian::little).number<std::uint32_t>();
}

/// Binary files may begin with "solid" too: a size that fits the facet count tells, else a zero byte near the start,
/// which text has not.
bool is_binary(const std::filesystem::path& file, std::string_view bytes) {
  const std::size_t head = kHeaderBytes + sizeof(std::uint32_t);
  if (bytes.size() >= head && bytes.size() == head + kFacetBytes * num_facets(file, bytes)) return true;
  const std::size_t begin = std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size());
  return !bytes.substr(begin).starts_with("solid") && !bytes.substr(begin).starts_with("SOLID")
             ? true
             : bytes.substr(0, 1024).find('\0') != std::string_view::npos;
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
    reader.skip(3 * sizeof(float));  // the normal: often wrong, always implied
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

Surface read_ascii(const std::filesystem::path& file, std::string_view bytes) {
  TextReader text(file, bytes);
  PolygonSoup soup;
  GroupNumbers numbers(soup.groups);
  std::int32_t group = kNoGroup;
  bool in_facet = false;
  while (text.next_filled_line('\0')) {
    const std::string keyword = lower(text.word());
    if (keyword == "facet") {
      if (in_facet) text.fail("a facet begins inside another one. Export the file again.");
      in_facet = true;
    } else if (keyword == "vertex") {
      if (!in_facet) text.fail("a vertex stands outside any facet. Export the file again.");
      soup.corners.push_back(static_cast<std::int64_t>(soup.points.size()));
      soup.points.push_back(text.point());
    } else if (keyword == "endfacet") {
      soup.end_polygon(text.line_number(), group);
      in_facet = false;
    } else if (keyword == "solid") {
      const std::string name = group_name(text, text.rest_of_line());
      group = numbers.number(name.empty() ? std::vector<std::string>{} : std::vector{name});
    } else if (keyword == "endsolid") {
      group = kNoGroup;
    } else if (keyword != "outer" && keyword != "endloop") {
      text.fail(
          "not a line of an ASCII STL file (facet, outer loop, vertex, endloop, endfacet, endsolid). Export the "
          "file again.");
    }
  }
  if (in_facet) text.fail("the file ends inside a facet: it is truncated. Export or copy it again.");
  return to_surface(std::move(soup), file,
                    [&](std::int64_t line, std::string_view message) { fail_at_line(file, line, message); });
}

}  // namespace

Surface read_stl(const std::filesystem::path& file, std::string_view bytes) {
  return is_binary(file, bytes) ? read_binary(file, bytes) : read_ascii(file, bytes);
}

}  // namespace brisance::mesh
