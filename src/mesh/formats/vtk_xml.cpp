#include "mesh/formats/vtk_xml.hpp"

#include "mesh/formats/byte_reader.hpp"
#include "mesh/formats/file_bytes.hpp"
#include "mesh/formats/file_kind.hpp"
#include "mesh/formats/text_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <spdlog/fmt/fmt.h>
#include <zlib.h>

namespace brisance::mesh {
namespace {

std::int64_t line_of(std::string_view bytes, std::ptrdiff_t offset) {
  const auto end = bytes.begin() + std::clamp<std::ptrdiff_t>(offset, 0, static_cast<std::ptrdiff_t>(bytes.size()));
  return 1 + std::count(bytes.begin(), end, '\n');
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  text.remove_prefix(begin);
  return text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
}

/// The value of a base64 digit; −1 for any other character.
int digit_value(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/// Characters of a base64 block for so many bytes, padding included.
std::size_t base64_length(std::size_t num_bytes) { return (num_bytes + 2) / 3 * 4; }

/// The first `num_bytes` bytes of a base64 block; fewer where it is short or damaged.
std::string from_base64(std::string_view text, std::size_t num_bytes) {
  std::string bytes;
  std::uint32_t bits = 0;
  int num_bits = 0;
  for (const char c : text) {
    const int value = digit_value(c);
    if (value < 0 || bytes.size() == num_bytes) break;
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    num_bits += 6;
    if (num_bits >= 8) bytes += static_cast<char>(bits >> (num_bits -= 8) & 0xFF);
  }
  return bytes;
}

template <class T>
std::vector<double> to_doubles(const std::filesystem::path& file, std::string_view bytes, std::endian order) {
  ByteReader reader(file, bytes, 0, order);
  std::vector<double> values(bytes.size() / sizeof(T));
  for (double& value : values) value = static_cast<double>(reader.number<T>());
  return values;
}

}  // namespace

VtkXml::VtkXml(std::filesystem::path file, std::string_view bytes) : file_(std::move(file)), bytes_(bytes) {
  std::string xml(bytes);
  const std::size_t appended = bytes.find("<AppendedData");
  if (appended != std::string_view::npos) {
    const std::size_t tag_end = bytes.find('>', appended), start = bytes.find('_', tag_end);
    if (start == std::string_view::npos)
      fail_at_line(file_, line_of(bytes, static_cast<std::ptrdiff_t>(appended)),
                   "the appended data does not begin with an underscore. Export the file again.");
    appended_ = bytes.substr(start + 1);
    appended_is_base64_ = bytes.substr(appended, tag_end - appended).find("base64") != std::string_view::npos;
    xml = std::string(bytes.substr(0, appended)) + "</VTKFile>";
  }
  const auto result = document_.load_buffer(xml.data(), xml.size());
  if (!result)
    fail_at_line(file_, line_of(bytes, result.offset),
                 fmt::format("not well-formed XML ({}): it is truncated or damaged. Export or copy it again.",
                             result.description()));
  if (!root()) fail_at_line(file_, 1, "the outermost element is not VTKFile. Save it as VTK XML (.vtu).");
  header_bytes_ = std::string_view(root().attribute("header_type").as_string("UInt32")) == "UInt64" ? 8 : 4;
  order_ = std::string_view(root().attribute("byte_order").as_string("LittleEndian")) == "BigEndian"
               ? std::endian::big
               : std::endian::little;
  const std::string_view compressor = root().attribute("compressor").as_string();
  compressed_ = !compressor.empty();
  if (compressed_ && compressor != "vtkZLibDataCompressor")
    fail(root(), fmt::format("compressor {} is not read. Save it uncompressed or with zlib.", shown(compressor)));
}

void VtkXml::fail(const pugi::xml_node& at, std::string_view message) const {
  fail_at_line(file_, line_of(bytes_, at.offset_debug()), message);
}

std::vector<double> VtkXml::numbers(const pugi::xml_node& array) const {
  const std::string_view format = array.attribute("format").as_string("ascii");
  if (format == "ascii") {
    std::vector<double> values;
    TextReader text(file_, array.text().get());
    while (text.next_filled_line('\0'))
      for (auto word = text.word(); !word.empty(); word = text.word()) {
        double value = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (error == std::errc::invalid_argument || end != word.data() + word.size())
          fail(array, "the array holds something that is not a number. Export the file again.");
        if (error == std::errc::result_out_of_range && word.find('-', 1) == std::string_view::npos)
          fail(array, "the array holds a number that is too large. Export the file again.");
        values.push_back(value);
      }
    return values;
  }
  std::string bytes;
  if (format == "binary") {
    bytes = binary_payload(array, trimmed(array.text().get()), true);
  } else if (format == "appended") {
    const auto offset = array.attribute("offset").as_ullong();
    if (offset >= appended_.size())
      fail(array, "the array's data lies beyond the end of the file: it is truncated. Export or copy it again.");
    bytes = binary_payload(array, appended_.substr(offset), appended_is_base64_);
  } else {
    fail(array, "the array's format is none of ascii, binary, appended. Export the file again.");
  }

  const std::string_view type = array.attribute("type").as_string();
  if (type == "Float64") return to_doubles<double>(file_, bytes, order_);
  if (type == "Float32") return to_doubles<float>(file_, bytes, order_);
  if (type == "Int64") return to_doubles<std::int64_t>(file_, bytes, order_);
  if (type == "UInt64") return to_doubles<std::uint64_t>(file_, bytes, order_);
  if (type == "Int32") return to_doubles<std::int32_t>(file_, bytes, order_);
  if (type == "UInt32") return to_doubles<std::uint32_t>(file_, bytes, order_);
  if (type == "Int16") return to_doubles<std::int16_t>(file_, bytes, order_);
  if (type == "UInt16") return to_doubles<std::uint16_t>(file_, bytes, order_);
  if (type == "Int8") return to_doubles<std::int8_t>(file_, bytes, order_);
  if (type == "UInt8") return to_doubles<std::uint8_t>(file_, bytes, order_);
  fail(array, fmt::format("arrays of type '{}' are not read. Export the file again.", shown(type)));
}

std::string VtkXml::binary_payload(const pugi::xml_node& array, std::string_view encoded, bool base64) const {
  return compressed_ ? zlib_payload(array, encoded, base64) : plain_payload(array, encoded, base64);
}

std::string VtkXml::decoded(const pugi::xml_node& array, std::string_view encoded, bool base64,
                            std::size_t num_bytes) const {
  const std::size_t room = base64 ? encoded.size() / 4 * 3 : encoded.size();
  std::string bytes;
  if (num_bytes <= room) bytes = base64 ? from_base64(encoded, num_bytes) : std::string(encoded.substr(0, num_bytes));
  if (bytes.size() != num_bytes)
    fail(array, "the array's data ends early: the file is truncated or damaged. Export or copy it again.");
  return bytes;
}

std::uint64_t VtkXml::header_word(const pugi::xml_node& array, std::string_view header, std::size_t i) const {
  ByteReader reader(file_, header, i * header_bytes_, order_);
  const std::uint64_t word = header_bytes_ == 8 ? reader.number<std::uint64_t>() : reader.number<std::uint32_t>();
  if (word > (std::uint64_t{1} << 40)) fail(array, "the array's header is damaged. Export or copy the file again.");
  return word;
}

/// [length] data: encoded in base64 as one block.
std::string VtkXml::plain_payload(const pugi::xml_node& array, std::string_view encoded, bool base64) const {
  const std::uint64_t length = header_word(array, decoded(array, encoded, base64, header_bytes_), 0);
  return decoded(array, encoded, base64, header_bytes_ + length).substr(header_bytes_);
}

/// [blocks, block length, last block's length or 0, compressed lengths …] data: in base64 the header is a separate
/// block.
std::string VtkXml::zlib_payload(const pugi::xml_node& array, std::string_view encoded, bool base64) const {
  const std::uint64_t num_blocks = header_word(array, decoded(array, encoded, base64, header_bytes_), 0);
  const std::size_t header_length = (3 + num_blocks) * header_bytes_;
  const std::string header = decoded(array, encoded, base64, header_length);
  const std::uint64_t block_length = header_word(array, header, 1), last_length = header_word(array, header, 2);
  std::uint64_t total = 0;
  for (std::uint64_t b = 0; b < num_blocks; ++b) total += header_word(array, header, 3 + b);

  const std::string packed =
      decoded(array, encoded.substr(base64 ? base64_length(header_length) : header_length), base64, total);
  std::string bytes;
  std::size_t position = 0;
  for (std::uint64_t b = 0; b < num_blocks; ++b) {
    const std::uint64_t packed_length = header_word(array, header, 3 + b);
    if (packed_length > packed.size() - position)
      fail(array, "the array's header is damaged. Export or copy the file again.");
    const std::uint64_t length = b + 1 == num_blocks && last_length > 0 ? last_length : block_length;
    // zlib compresses at most about 1030 to 1: a longer block means a damaged header, and gets no memory.
    if (length > 1100 * (packed_length + 16))
      fail(array, "the array's header is damaged. Export or copy the file again.");
    std::string block(length, '\0');
    uLongf unpacked = length;
    const int status = uncompress(reinterpret_cast<Bytef*>(block.data()), &unpacked,
                                  reinterpret_cast<const Bytef*>(packed.data() + position), packed_length);
    if (status != Z_OK || unpacked != length)
      fail(array, "the array's compressed data is damaged. Export or copy the file again.");
    bytes += block;
    position += packed_length;
  }
  return bytes;
}

}  // namespace brisance::mesh
