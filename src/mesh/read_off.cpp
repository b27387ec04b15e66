#include "mesh/polygon_soup.hpp"
#include "mesh/surface_readers.hpp"
#include "mesh/text_reader.hpp"

namespace brisance::mesh {

Surface read_off(const std::filesystem::path& file, std::string_view bytes) {
  TextReader text(file, bytes);
  text.require_filled_line("its header");
  std::string_view word = text.word();
  if (word.ends_with("OFF")) {  // the word may be missing: then the counts come first
    if (word.find_first_of("4n") != std::string_view::npos)
      text.fail("vertices of other than three dimensions (4OFF, nOFF) are not read. Export three-dimensional OFF.");
    word = text.word();
    if (word == "BINARY") text.fail("binary OFF is not read. Export ASCII OFF, or PLY.");
    if (word.empty()) {
      text.require_filled_line("its header");
      word = text.word();
    }
  }
  const std::int64_t num_points = text.to_integer(word, "the number of vertices");
  const std::int64_t num_faces = text.count("the number of faces");
  if (num_points < 0) text.fail("the number of vertices is negative. Correct it or export the file again.");

  PolygonSoup soup;
  for (std::int64_t i = 0; i < num_points; ++i) {
    text.require_filled_line("the list of vertices");
    soup.points.push_back(text.point());
  }
  for (std::int64_t i = 0; i < num_faces; ++i) {
    text.require_filled_line("the list of faces");
    const std::int64_t num_corners = text.integer("the number of corners of a face");
    for (std::int64_t c = 0; c < num_corners; ++c)
      soup.corners.push_back(text.to_integer(text.word(), "the vertex index of a face"));
    soup.end_polygon(text.line_number());
  }
  return to_surface(std::move(soup), file,
                    [&](std::int64_t line, std::string_view message) { fail_at_line(file, line, message); });
}

}  // namespace brisance::mesh
