#include "brisance/mesh/limits.hpp"

#include "mesh/formats/byte_reader.hpp"
#include "mesh/formats/file_kind.hpp"
#include "mesh/formats/polygon_soup.hpp"
#include "mesh/formats/sample_readers.hpp"
#include "mesh/formats/surface_readers.hpp"
#include "mesh/formats/text_reader.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <spdlog/fmt/fmt.h>

namespace brisance::mesh {
namespace {

enum class Scalar { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

struct Property {
  std::string name;
  Scalar type;
  std::optional<Scalar> count_type;  // of a list
};

struct Element {
  std::string name;
  std::int64_t count = 0;
  std::vector<Property> properties;
};

struct Header {
  std::optional<std::endian> order;  // empty: ASCII
  std::vector<Element> elements;
};

Scalar to_scalar(const TextReader& text, std::string_view word) {
  if (word == "char" || word == "int8") return Scalar::int8;
  if (word == "uchar" || word == "uint8") return Scalar::uint8;
  if (word == "short" || word == "int16") return Scalar::int16;
  if (word == "ushort" || word == "uint16") return Scalar::uint16;
  if (word == "int" || word == "int32") return Scalar::int32;
  if (word == "uint" || word == "uint32") return Scalar::uint32;
  if (word == "float" || word == "float32") return Scalar::float32;
  if (word == "double" || word == "float64") return Scalar::float64;
  text.fail("a property has a type that PLY does not know. Export the file again.");
}

std::size_t size_of(Scalar type) {
  switch (type) {
    case Scalar::int8:
    case Scalar::uint8:
      return 1;
    case Scalar::int16:
    case Scalar::uint16:
      return 2;
    case Scalar::int32:
    case Scalar::uint32:
    case Scalar::float32:
      return 4;
    case Scalar::float64:
      return 8;
  }
  return 0;
}

Property read_property(TextReader& text) {
  Property property;
  std::string_view word = text.word();
  if (word == "list") {
    property.count_type = to_scalar(text, text.word());
    word = text.word();
  }
  property.type = to_scalar(text, word);
  property.name = text.word();
  return property;
}

Header read_header(TextReader& text) {
  Header header;
  bool has_format = false;
  text.require_filled_line("the header", '\0');
  if (text.word() != "ply") text.fail("a PLY file begins with the line 'ply'. Export the file again.");
  for (;;) {
    text.require_filled_line("the header", '\0');
    const std::string_view keyword = text.word();
    if (keyword == "end_header") break;
    if (keyword == "format") {
      const std::string_view format = text.word();
      has_format = true;
      if (format == "binary_little_endian")
        header.order = std::endian::little;
      else if (format == "binary_big_endian")
        header.order = std::endian::big;
      else if (format != "ascii")
        text.fail("the format is none of ascii, binary_little_endian, binary_big_endian.");
    } else if (keyword == "element") {
      const std::string name(text.word());
      header.elements.push_back({name, text.count("the number of elements"), {}});
    } else if (keyword == "property") {
      if (header.elements.empty()) text.fail("a property comes before any element. Export the file again.");
      header.elements.back().properties.push_back(read_property(text));
    }
  }
  if (!has_format) text.fail("the header has no format line. Export the file again.");
  return header;
}

/// The numbers of the elements in sequence, from text or from bytes.
class Numbers {
public:
  Numbers(TextReader& text, const std::filesystem::path& file, std::string_view bytes, std::optional<std::endian> order)
      : text_(text),
        bytes_(file, bytes, bytes.size() - text.bytes_left(), order.value_or(std::endian::native)),
        binary_(order) {}

  void begin_element(const Element& element) {
    if (binary_ || text_.next_filled_line('\0')) return;
    text_.require_filled_line(fmt::format("the elements '{}'", shown(element.name)), '\0');  // throws at the end
  }
  double next(Scalar type, std::string_view what) {
    if (!binary_) return text_.real(what);
    switch (type) {
      case Scalar::int8:
        return bytes_.number<std::int8_t>();
      case Scalar::uint8:
        return bytes_.number<std::uint8_t>();
      case Scalar::int16:
        return bytes_.number<std::int16_t>();
      case Scalar::uint16:
        return bytes_.number<std::uint16_t>();
      case Scalar::int32:
        return bytes_.number<std::int32_t>();
      case Scalar::uint32:
        return bytes_.number<std::uint32_t>();
      case Scalar::float32:
        return bytes_.number<float>();
      case Scalar::float64:
        return bytes_.number<double>();
    }
    return 0;
  }
  /// Skips a number.
  void skip(Scalar type, std::string_view what) { binary_ ? bytes_.skip(size_of(type)) : text_.skip_word(what); }
  [[nodiscard]] std::int64_t place() const {
    return binary_ ? static_cast<std::int64_t>(bytes_.position()) : text_.line_number();
  }
  [[noreturn]] void fail(std::string_view message) const {
    binary_ ? bytes_.fail(message) : text_.fail(message);
    __builtin_unreachable();
  }

private:
  TextReader& text_;
  ByteReader bytes_;
  bool binary_;
};

std::int64_t list_length(Numbers& numbers, const Property& property) {
  const double length = numbers.next(*property.count_type, "the length of a list");
  if (!(length >= 0 && length < 0x1p53) || length != std::floor(length))
    numbers.fail("the length of a list is not a count. Export the file again.");
  return static_cast<std::int64_t>(length);
}

void skip(Numbers& numbers, const Property& property) {
  const std::int64_t length = property.count_type ? list_length(numbers, property) : 1;
  for (std::int64_t i = 0; i < length; ++i) numbers.skip(property.type, property.name);
}

void skip(Numbers& numbers, const Element& element) {
  for (std::int64_t i = 0; i < element.count; ++i) {
    numbers.begin_element(element);
    for (const auto& property : element.properties) skip(numbers, property);
  }
}

/// @param name  the property stored in `values`; empty for none
void read_vertices(Numbers& numbers, const Element& element, const std::string& name, std::vector<Vec3>& points,
                   std::vector<double>& values) {
  for (std::int64_t i = 0; i < element.count; ++i) {
    numbers.begin_element(element);
    Vec3 point = Vec3::Constant(std::numeric_limits<double>::quiet_NaN());
    for (const auto& property : element.properties) {
      const bool is_coordinate = property.name.size() == 1 && property.name[0] >= 'x' && property.name[0] <= 'z';
      if (is_coordinate && !property.count_type)
        point[property.name[0] - 'x'] = numbers.next(property.type, "a coordinate");
      else if (!name.empty() && property.name == name && !property.count_type)
        values.push_back(numbers.next(property.type, name));
      else
        skip(numbers, property);
    }
    if (!is_place(point))
      numbers.fail(
          fmt::format("vertex {} (counted from 0) has a coordinate x, y or z that is missing or not finite, or "
                      "beyond {:g} m. Export the file again.",
                      i, kLargestLength_m));
    points.push_back(point);
  }
}

/// Makes an index that no file can hold −1, which the check of corners reports.
std::int64_t to_index(double number) { return number >= 0 && number < 0x1p53 ? static_cast<std::int64_t>(number) : -1; }

void read_faces(Numbers& numbers, const Element& element, PolygonSoup& soup) {
  for (std::int64_t i = 0; i < element.count; ++i) {
    numbers.begin_element(element);
    const std::int64_t place = numbers.place();
    for (const auto& property : element.properties) {
      if (property.count_type && (property.name == "vertex_indices" || property.name == "vertex_index")) {
        const std::int64_t length = list_length(numbers, property);
        for (std::int64_t c = 0; c < length; ++c)
          soup.corners.push_back(to_index(numbers.next(property.type, "a vertex index")));
      } else {
        skip(numbers, property);
      }
    }
    soup.end_polygon(place);
  }
}

}  // namespace

Surface read_ply(const std::filesystem::path& file, std::string_view bytes) {
  TextReader text(file, bytes);
  const Header header = read_header(text);
  Numbers numbers(text, file, bytes, header.order);
  PolygonSoup soup;
  std::vector<double> no_values;
  for (const auto& element : header.elements) {
    if (element.name == "vertex") {
      read_vertices(numbers, element, {}, soup.points, no_values);
    } else if (element.name == "face") {
      read_faces(numbers, element, soup);
    } else if (element.name == "tristrips") {
      numbers.fail("triangle strips are not read. Export the PLY file with faces.");
    } else {
      skip(numbers, element);
    }
  }
  return to_surface(std::move(soup), file, [&](std::int64_t place, std::string_view message) {
    header.order ? fail_at_byte(file, static_cast<std::size_t>(place), message) : fail_at_line(file, place, message);
  });
}

Samples read_ply_samples(const std::filesystem::path& file, std::string_view bytes, const std::string& name) {
  TextReader text(file, bytes);
  const Header header = read_header(text);
  Numbers numbers(text, file, bytes, header.order);
  Samples samples;
  for (const auto& element : header.elements) {
    if (element.name != "vertex") {
      skip(numbers, element);
      continue;
    }
    read_vertices(numbers, element, name, samples.points, samples.values);
  }
  if (samples.values.size() != samples.points.size() || samples.points.empty())
    text.fail(fmt::format("the vertices have no number '{}'. Export the file with that vertex attribute.", name));
  const auto bad = std::ranges::find_if_not(samples.values, [](double v) { return std::isfinite(v); });
  if (bad != samples.values.end())
    numbers.fail(fmt::format("{} of vertex {} (counted from 0) is not finite. Export the file again.", name,
                             bad - samples.values.begin()));
  return samples;
}

}  // namespace brisance::mesh
