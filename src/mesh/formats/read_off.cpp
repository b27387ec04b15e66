#include "brisance/core/error.hpp"

#include "mesh/formats/polygon_soup.hpp"
#include "mesh/formats/surface_readers.hpp"
#include "mesh/formats/text_reader.hpp"

#include <algorithm>
#include <optional>

#include <spdlog/fmt/fmt.h>

namespace brisance::mesh {
namespace {

constexpr std::string_view kBlank = " \t\v\f";

/// The first word of a file: [ST][C][N][4][n]OFF, in many files directly followed by the first count.
struct OffWord {
  std::int64_t num_extra = 0;  ///< numbers of a vertex besides its coordinates
  bool is_other_dimension = false;
  std::string_view rest;
};

/// Empty if it is no such word.
std::optional<OffWord> to_off_word(std::string_view word) {
  constexpr std::int64_t kTexture = 2, kColour = 4, kNormal = 3;
  const std::size_t begin = word.starts_with("off") || word.starts_with("Off") ? 0 : word.find("OFF");
  if (begin == std::string_view::npos) return {};
  OffWord off;
  off.rest = word.substr(begin + 3);
  for (std::string_view letters = word.substr(0, begin); !letters.empty();) {
    const std::size_t length = letters.starts_with("ST") ? 2 : 1;
    const char letter = letters[0];
    if (length == 1 && letter != 'C' && letter != 'N' && letter != '4' && letter != 'n') return {};
    off.num_extra += length == 2 ? kTexture : letter == 'C' ? kColour : letter == 'N' ? kNormal : 0;
    off.is_other_dimension = off.is_other_dimension || letter == '4' || letter == 'n';
    letters.remove_prefix(length);
  }
  if (off.rest.find_first_not_of("0123456789") != std::string_view::npos) return {};
  return off;
}

struct Header {
  std::int64_t num_points = 0, num_faces = 0;
  std::int64_t numbers_of_point = 3;  ///< as the header's letters say
};

/// The numbers of a file in sequence, across line breaks.
class Numbers {
public:
  explicit Numbers(TextReader& text) : text_(text) {}

  /// The next word, of this line or, where it has no more, of the next line that is not blank; empty at the end of the
  /// file.
  std::string_view word() {
    std::string_view found = text_.word();
    if (found.empty() && text_.next_filled_line()) found = text_.word();
    return found;
  }
  std::int64_t integer(std::string_view what) { return text_.to_integer(word(), what); }
  double real(std::string_view what) { return text_.to_real(word(), what); }

private:
  TextReader& text_;
};

/// Skips the third count, which some programs omit: on the line of the others, or alone on the next one.
void skip_edge_count(TextReader& text) {
  if (!text.word().empty()) return;
  TextReader ahead = text;
  if (!ahead.next_filled_line() || ahead.word().empty() || !ahead.word().empty()) return;
  text.require_filled_line("its header");
  (void)text.word();
}

Header read_header(TextReader& text) {
  text.require_filled_line("its header");
  Numbers numbers(text);
  std::string_view word = numbers.word();
  Header header;
  if (const std::optional<OffWord> off = to_off_word(word)) {  // the word may be missing: then the counts come first
    if (off->is_other_dimension)
      text.fail("vertices of other than three dimensions (4OFF, nOFF) are not read. Export three-dimensional OFF.");
    header.numbers_of_point += off->num_extra;
    word = off->rest.empty() ? numbers.word() : off->rest;
    if (word == "BINARY") text.fail("binary OFF is not read. Export ASCII OFF, or PLY.");
  }
  header.num_points = text.to_integer(word, "the number of vertices");
  header.num_faces = numbers.integer("the number of faces");
  skip_edge_count(text);
  if (std::min(header.num_points, header.num_faces) < 0)
    text.fail("the number of vertices or faces is negative. Correct it or export the file again.");
  const std::size_t room = (text.rest_of_line().size() + text.bytes_left()) / 2 + 1;
  if (static_cast<std::uint64_t>(std::max(header.num_points, header.num_faces)) > room)
    text.fail(
        fmt::format("{} vertices and {} faces are more than the rest of the file can hold: it is truncated or "
                    "damaged. Export or copy it again.",
                    header.num_points, header.num_faces));
  return header;
}

/// How vertices and faces are laid out, and what may follow their numbers.
enum class Layout {
  lines,  ///< each begins a line and may continue on the next ones; other words on these lines are ignored
  loose,  ///< any line breaks; only the last line of a face may end with a colour
  tight,  ///< any line breaks, faces without colours
};

/// Appends the corners of a face.
void read_corners(Numbers& numbers, std::int64_t count, PolygonSoup& soup) {
  for (std::int64_t c = 0; c < count; ++c) soup.corners.push_back(numbers.integer("the vertex index of a face"));
}

PolygonSoup read_body(TextReader& text, const Header& header, Layout layout) {
  PolygonSoup soup;
  Numbers numbers(text);
  const auto begin = [&](std::string_view list) {
    const bool is_used_up = text.rest_of_line().find_first_not_of(kBlank) == std::string_view::npos;
    if (layout == Layout::lines || is_used_up) text.require_filled_line(list);
  };
  for (std::int64_t i = 0; i < header.num_points; ++i) {
    begin("the list of vertices");
    const double x = numbers.real("coordinate x"), y = numbers.real("coordinate y"), z = numbers.real("coordinate z");
    soup.points.push_back(text.to_point(x, y, z));
    if (layout == Layout::lines) continue;
    for (std::int64_t k = 3; k < header.numbers_of_point; ++k) (void)numbers.real("a number of a vertex");
  }
  for (std::int64_t i = 0; i < header.num_faces; ++i) {
    begin("the list of faces");
    read_corners(numbers, numbers.integer("the number of corners of a face"), soup);
    soup.end_polygon(text.line_number());
    if (layout == Layout::loose) text.set_rest_of_line({});
  }
  return soup;
}

/// Reads vertices and faces in the first layout that fits. Files have a line for each, or arbitrary line breaks.
PolygonSoup read_body(TextReader& text, const Header& header) {
  if (text.filled_lines_left() >= header.num_points + header.num_faces) return read_body(text, header, Layout::lines);
  for (const Layout layout : {Layout::tight, Layout::loose}) try {
      TextReader body = text;
      PolygonSoup soup = read_body(body, header, layout);
      if (layout == Layout::loose || (body.word().empty() && body.filled_lines_left() == 0)) return soup;
    } catch (const core::Error&) {
    }
  return read_body(text, header, Layout::lines);  // its error names the line
}

}  // namespace

bool begins_as_off(std::string_view word) { return to_off_word(word).has_value(); }

Surface read_off(const std::filesystem::path& file, std::string_view bytes) {
  TextReader text(file, bytes);
  const Header header = read_header(text);
  return to_surface(read_body(text, header), file,
                    [&](std::int64_t line, std::string_view message) { fail_at_line(file, line, message); });
}

}  // namespace brisance::mesh
