#include "brisance/core/error.hpp"
#include "brisance/core/words.hpp"

#include "mesh/formats/file_kind.hpp"
#include "mesh/formats/group_lines.hpp"
#include "mesh/formats/obj_file.hpp"
#include "mesh/formats/surface_readers.hpp"
#include "mesh/formats/text_reader.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

namespace brisance::mesh {
namespace {

/// Converts an index as written (1-based, or negative and counted from the last) to a 0-based one.
std::int64_t to_index(const TextReader& text, std::string_view word, std::size_t count, std::string_view what) {
  const std::int64_t index = text.to_integer(word, what);
  if (index == 0) text.fail("a face has vertex index 0, but OBJ counts from 1. Export the file again.");
  return index > 0 ? index - 1 : static_cast<std::int64_t>(count) + index;
}

/// Adds a corner as written: "v", "v/vt", "v//vn" or "v/vt/vn".
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

/// Texture coordinates of corners; values that are not finite count as none, since the shape does not depend on them.
class TexturePoints {
public:
  explicit TexturePoints(ObjFile& obj) : obj_(obj) {}

  void take(TextReader& text, std::int64_t line) {
    const std::string_view first = text.word(), second = text.word();
    const std::optional<double> u = TextReader::finite(first);
    const std::optional<double> v = second.empty() ? 0.0 : TextReader::finite(second);
    if ((!u || !v) && num_odd_++ == 0) first_odd_ = line;
    obj_.texture_points.push_back(u && v ? std::array{*u, *v} : std::array{0.0, 0.0});
  }
  void note_odd(const std::filesystem::path& file) const {
    if (num_odd_ > 0)
      spdlog::warn("{}: {} no finite number, the first in line {}: corners that have them get the coordinates 0, 0.",
                   file.string(), core::counted(num_odd_, "texture coordinate (vt) is", "texture coordinates (vt) are"),
                   first_odd_);
  }

private:
  ObjFile& obj_;
  std::int64_t num_odd_ = 0, first_odd_ = 0;
};

/// The red, green and blue that may follow a vertex; nothing if there are no three numbers.
std::optional<std::array<double, 3>> colour_behind(TextReader& text) {
  std::array<double, 3> colour{};
  for (double& value : colour) {
    const std::optional<double> number = TextReader::finite(text.word());
    if (!number) return std::nullopt;
    value = *number;
  }
  return colour;
}

/// Takes down the material of the polygon that was just added.
void note_material(ObjFile& obj, const std::string& name) {
  const auto found = std::ranges::find(obj.materials, name);
  const auto row = static_cast<std::int32_t>(found - obj.materials.begin());
  if (!name.empty() && found == obj.materials.end()) obj.materials.push_back(name);
  obj.material_of_polygon.push_back(name.empty() ? -1 : row);
}

/// Records whose words are names to the end of the line, in which `#` begins no comment.
bool holds_names(std::string_view keyword) {
  return keyword == "o" || keyword == "g" || keyword == "usemtl" || keyword == "mtllib";
}

/// The records of a file: lines without their comments; a backslash at the end continues a line.
class Records {
public:
  Records(const std::filesystem::path& file, std::string_view bytes) : text_(file, bytes) {}

  /// Moves to the next record, and returns its first word; empty at the end of the file.
  std::string_view next() {
    while (text_.next_filled_line('\0')) {
      line_ = text_.line_number();
      keyword_ = text_.word();
      if (keyword_.starts_with('#')) continue;
      join_continued();
      if (keyword_.empty()) keyword_ = text_.word();  // after a line with nothing but a backslash
      if (!keyword_.empty()) return keyword_;
    }
    return {};
  }
  /// What follows the first word.
  [[nodiscard]] TextReader& text() { return text_; }
  /// Line where the record begins.
  [[nodiscard]] std::int64_t line() const { return line_; }

private:
  [[nodiscard]] std::string_view without_comment(std::string_view words) const {
    if (!holds_names(keyword_)) words = words.substr(0, words.find('#'));
    return words.substr(0, words.find_last_not_of(" \t\v\f") + 1);
  }
  void join_continued() {
    std::string_view words = without_comment(text_.rest_of_line());
    if (words.empty() && keyword_.ends_with('\\')) {  // no blank before the backslash
      words = keyword_.substr(keyword_.size() - 1);
      keyword_.remove_suffix(1);
    }
    text_.set_rest_of_line(words);
    if (!words.ends_with('\\')) return;
    joined_.clear();
    while (words.ends_with('\\')) {
      joined_ += words.substr(0, words.size() - 1);
      joined_ += ' ';
      words = text_.next_line() ? without_comment(text_.rest_of_line()) : "";
    }
    joined_ += words;
    text_.set_rest_of_line(joined_);
  }

  TextReader text_;
  std::string joined_;
  std::string_view keyword_;
  std::int64_t line_ = 0;
};

/// The names last given by `o`, `g` and `usemtl`; each holds until the next of its kind.
class CurrentNames {
public:
  explicit CurrentNames(Groups& groups) : numbers_(groups) {}

  /// Reads a record that gives names; false if it is another one.
  bool take(std::string_view keyword, TextReader& text) {
    if (keyword == "o")
      object_ = names_.one(text.rest_of_line());
    else if (keyword == "usemtl")
      material_ = names_.one(text.rest_of_line());
    else if (keyword == "g")
      groups_ = names_.list(text);
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
  /// The name last given by `usemtl`; empty if there is none.
  [[nodiscard]] const std::string& material() const { return material_; }

  void note_shortened(const TextReader& text) const { names_.note_shortened(text.file()); }

private:
  GroupNumbers numbers_;
  NameReader names_;
  std::string object_, material_;
  std::vector<std::string> groups_;
  std::int32_t group_ = kNoGroup;
  bool changed_ = false;
};

}  // namespace

ObjFile parse_obj(const std::filesystem::path& file, std::string_view bytes, bool with_texture) {
  Records records(file, bytes);
  TextReader& text = records.text();
  ObjFile obj;
  CurrentNames current(obj.polygons.groups);
  TexturePoints texture_points(obj);
  for (auto keyword = records.next(); !keyword.empty(); keyword = records.next()) {
    if (current.take(keyword, text)) continue;
    if (keyword == "v") {
      obj.polygons.points.push_back(text.point());
      const auto colour = with_texture ? colour_behind(text) : std::nullopt;
      if (colour) {
        obj.colours.resize(obj.polygons.points.size() - 1, {1, 1, 1});
        obj.colours.push_back(*colour);
      }
    } else if (keyword == "vt" && with_texture) {
      texture_points.take(text, records.line());
    } else if (keyword == "f") {
      for (auto word = text.word(); !word.empty(); word = text.word()) add_corner(obj, text, word, with_texture);
      obj.polygons.end_polygon(records.line(), current.group());
      if (with_texture) note_material(obj, current.material());
    }
  }
  current.note_shortened(text);
  texture_points.note_odd(file);
  if (obj.polygons.points.empty() && obj.polygons.places.empty())
    throw core::Error(
        fmt::format("{}: holds no faces: no line of it is a vertex or a face of OBJ. It begins with "
                    "\"{}\". Give the path of an OBJ file.",
                    file.string(), first_line(bytes)));
  return obj;
}

Surface surface_of(const ObjFile& obj, const std::filesystem::path& file) {
  return to_surface(obj.polygons, file,
                    [&](std::int64_t line, std::string_view message) { fail_at_line(file, line, message); });
}

Surface read_obj(const std::filesystem::path& file, std::string_view bytes) {
  return surface_of(parse_obj(file, bytes, false), file);
}

}  // namespace brisance::mesh
