/// The data arrays of VTK XML files: text, base64 or raw, inline or appended, compressed with zlib or not.
#pragma once

#include <bit>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <pugixml.hpp>

namespace brisance::mesh {

/// A VTK XML file: its tree, and the appended bytes, which no XML parser accepts. The bytes must outlive it.
class VtkXml {
public:
  /// Throws core::Error where the file is not well-formed, or its encoding or compressor is not supported.
  VtkXml(std::filesystem::path file, std::string_view bytes);

  /// The element <VTKFile>.
  [[nodiscard]] pugi::xml_node root() const { return document_.child("VTKFile"); }
  /// The numbers of a DataArray as doubles (integers are exact up to 2^53), NaN included.
  [[nodiscard]] std::vector<double> numbers(const pugi::xml_node& array) const;
  /// Throws core::Error at the line of a node of the tree.
  [[noreturn]] void fail(const pugi::xml_node& at, std::string_view message) const;

private:
  [[nodiscard]] std::string binary_payload(const pugi::xml_node& array, std::string_view encoded, bool base64) const;
  [[nodiscard]] std::string plain_payload(const pugi::xml_node& array, std::string_view encoded, bool base64) const;
  [[nodiscard]] std::string zlib_payload(const pugi::xml_node& array, std::string_view encoded, bool base64) const;
  [[nodiscard]] std::uint64_t header_word(const pugi::xml_node& array, std::string_view header, std::size_t i) const;
  [[nodiscard]] std::string decoded(const pugi::xml_node& array, std::string_view encoded, bool base64,
                                    std::size_t num_bytes) const;

  std::filesystem::path file_;
  std::string_view bytes_;
  std::string_view appended_;  // after the underscore
  bool appended_is_base64_ = false;
  pugi::xml_document document_;
  std::size_t header_bytes_ = 4;
  std::endian order_ = std::endian::little;
  bool compressed_ = false;
};

}  // namespace brisance::mesh
