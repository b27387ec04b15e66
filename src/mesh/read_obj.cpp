#include "mesh/group_lines.hpp"
#include "mesh/obj_file.hpp"
#include "mesh/surface_readers.hpp"
#include "mesh/text_reader.hpp"

namespace brisance::mesh {
namespace {

/// An index as written, 1-based or, if negative, back from the last, to a 0-based one.
std::int64_t to_index(const TextReader& text, std::string_view word, std::size_t count, std::string_view what) {
  const std::int64_t index = text.to_integer(word, what);
  if (index == 0) text.fail("a face has vertex index 0, but OBJ counts from 1. Export the file again.");
  return index > 0 ? index - 1 : static_cast<std::int64_t>(count) + index;
}

/// A corner as written: "v", "v/vt", "v//vn" or "v/vt/vn".
void add_corner(ObjFile& obj, const TextReader& text, std::string_view word, bool with_texture) {
  const std::size_t first = word.find('/');
  obj.polygons.corners.push_back(
      to_index(text, word.substr(0, first), obj.polygons.points.size(), "the vertex index of a face"));
  if (!with_texture) return;
  const std::string_view rest = first == std::string_view::npos ? "" : word.substr(first + 1);
  const std::string_view texture = rest.substr(0, rest.find('/'));
  obj.texture_corners.push_back(
      texture.empty() ? kNoTextureCorner
                      : to_index(text, texture, obj.texture_points.size(), "the texture index of a face"));
}

/// The next word of a record that a backslash at a line's end continues on the next line.
std::string_view continued_word(TextReader& text) {
  std::string_view word = text.word();
  while (word == "\\" && text.next_line()) word = text.word();
  return word;
}

/// What `o`, `g` and `usemtl` have named so far; each holds until the next of its kind.
class CurrentNames {
public:
  explicit CurrentNames(Groups& groups) : numbers_(groups) {}

  /// Takes in a record that names something; false if it is another one.
  bool take(std::string_view keyword, TextReader& text) {
    if (keyword == "o")
      object_ = group_name(text, text.rest_of_line());
    else if (keyword == "usemtl")
      material_ = group_name(text, text.rest_of_line());
    else if (keyword == "g")
      groups_ = group_names(text);
    else
      return false;
    changed_ = true;
    return true;
  }
  /// The group of the faces that follow.
  std::int32_t group() {
    if (!changed_) return group_;
    std::vector<std::string> names = groups_;
    for (const std::string& name : {object_, material_})
      if (!name.empty()) names.push_back(name);
    changed_ = false;
    return group_ = numbers_.number(std::move(names));
  }

private:
  GroupNumbers numbers_;
  std::string object_, material_;
  std::vector<std::string> groups_;
  std::int32_t group_ = kNoGroup;
  bool changed_ = false;
};

}  // namespace

ObjFile parse_obj(const std::filesystem::path& file, std::string_view bytes, bool with_texture) {
  TextReader text(file, bytes);
  ObjFile obj;
  CurrentNames current(obj.polygons.groups);
  while (text.next_filled_line()) {
    const std::string_view keyword = text.word();
    if (current.take(keyword, text)) continue;
    if (keyword == "v") {
      obj.polygons.points.push_back(text.point());
    } else if (keyword == "vt" && with_texture) {
      const double u = text.real("a texture coordinate");
      const std::string_view v = text.word();
      obj.texture_points.push_back({u, v.empty() ? 0 : text.to_real(v, "a texture coordinate")});
    } else if (keyword == "f") {
      const std::int64_t line = text.line_number();
      for (auto word = continued_word(text); !word.empty() && word != "\\"; word = continued_word(text))
        add_corner(obj, text, word, with_texture);
      obj.polygons.end_polygon(line, current.group());
    }
  }
  return obj;
}

Surface read_obj(const std::filesystem::path& file, std::string_view bytes) {
  return to_surface(parse_obj(file, bytes, false).polygons, file,
                    [&](std::int64_t line, std::string_view message) { fail_at_line(file, line, message); });
}

}  // namespace brisance::mesh
