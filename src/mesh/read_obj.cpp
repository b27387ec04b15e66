#include "mesh/polygon_soup.hpp"
#include "mesh/surface_readers.hpp"
#include "mesh/text_reader.hpp"

namespace brisance::mesh {
namespace {

/// A corner as written, "v", "v/vt", "v//vn" or "v/vt/vn", to a 0-based index; negative ones count back from the last
/// vertex.
std::int64_t to_corner(const TextReader& text, std::string_view word, std::size_t num_points) {
  const std::int64_t index = text.to_integer(word.substr(0, word.find('/')), "the vertex index of a face");
  if (index == 0) text.fail("a face has vertex index 0, but OBJ counts from 1. Export the file again.");
  return index > 0 ? index - 1 : static_cast<std::int64_t>(num_points) + index;
}

/// The next word of a record that a backslash at a line's end continues on the next line.
std::string_view continued_word(TextReader& text) {
  std::string_view word = text.word();
  while (word == "\\" && text.next_line()) word = text.word();
  return word;
}

}  // namespace

Surface read_obj(const std::filesystem::path& file, std::string_view bytes) {
  TextReader text(file, bytes);
  PolygonSoup soup;
  while (text.next_filled_line()) {
    const std::string_view keyword = text.word();
    if (keyword == "v") {
      soup.points.push_back(text.point());
    } else if (keyword == "f") {
      const std::int64_t line = text.line_number();
      for (auto word = continued_word(text); !word.empty() && word != "\\"; word = continued_word(text))
        soup.corners.push_back(to_corner(text, word, soup.points.size()));
      soup.end_polygon(line);
    }
  }
  return to_surface(std::move(soup), file,
                    [&](std::int64_t line, std::string_view message) { fail_at_line(file, line, message); });
}

}  // namespace brisance::mesh
