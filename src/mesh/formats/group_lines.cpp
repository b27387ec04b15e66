#include "mesh/formats/group_lines.hpp"

#include "brisance/core/words.hpp"

#include <algorithm>

#include <spdlog/spdlog.h>

namespace brisance::mesh {
namespace {

constexpr std::size_t kLongestName = kLongestGroupNames / 5, kLongestList = 3 * kLongestName;

/// Bytes of the UTF-8 character that a text begins with; 0 if it begins with none.
std::size_t length_of_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t length = byte(0) < 0x80                      ? 1
                             : byte(0) >= 0xC2 && byte(0) < 0xE0 ? 2
                             : byte(0) >= 0xE0 && byte(0) < 0xF0 ? 3
                             : byte(0) >= 0xF0 && byte(0) < 0xF5 ? 4
                                                                 : 0;
  if (length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  // Overlong forms, halves of surrogate pairs, and values beyond Unicode.
  if (length == 3 && ((byte(0) == 0xE0 && byte(1) < 0xA0) || (byte(0) == 0xED && byte(1) >= 0xA0))) return 0;
  if (length == 4 && ((byte(0) == 0xF0 && byte(1) < 0x90) || (byte(0) == 0xF4 && byte(1) >= 0x90))) return 0;
  return length;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = length_of_character(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string utf8_of_latin1(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      result += c;
    } else if (byte < 0xA0) {
      result += '?';  // a control character in Latin-1
    } else {
      result += static_cast<char>(0xC0 | byte >> 6);
      result += static_cast<char>(0x80 | (byte & 0x3F));
    }
  }
  return result;
}

/// Replaces control characters, of one byte or of two, by "?": a terminal would obey them.
std::string without_controls(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool is_long = byte == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    result += byte < ' ' || byte == 0x7F || is_long ? '?' : text[i];
    i += is_long ? 1 : 0;
  }
  return result;
}

/// The beginning and the end of a UTF-8 text, of at most that many bytes together; names that are paths differ at their
/// ends.
std::string shortened(std::string_view text, std::size_t most) {
  constexpr std::string_view kGap = "...";
  const auto is_inside = [&](std::size_t i) { return (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80; };
  std::size_t head = (most - kGap.size()) / 2, tail = text.size() - head;
  while (head > 0 && is_inside(head)) --head;
  while (tail < text.size() && is_inside(tail)) ++tail;
  return std::string(text.substr(0, head)).append(kGap).append(text.substr(tail));
}

}  // namespace

std::string NameReader::one(std::string_view words) {
  constexpr std::string_view kBlank = " \t\r\v\f";
  words.remove_prefix(std::min(words.find_first_not_of(kBlank), words.size()));
  words = words.substr(0, words.find_last_not_of(kBlank) + 1);
  std::string name = without_controls(is_utf8(words) ? std::string(words) : utf8_of_latin1(words));
  if (name.size() <= kLongestName) return name;
  name = shortened(name, kLongestName);
  if (num_shortened_++ == 0) first_ = name;
  return name;
}

std::vector<std::string> NameReader::list(TextReader& text) {
  std::vector<std::string> names;
  std::size_t length = 0;
  for (auto word = text.word(); !word.empty(); word = text.word()) {
    std::string name = one(word);
    length += name.size() + 1;
    if (length <= kLongestList)
      names.push_back(std::move(name));
    else
      ++num_left_out_;
  }
  return names;
}

void NameReader::note_shortened(const std::filesystem::path& file) const {
  if (num_shortened_ > 0)
    spdlog::warn("{}: shortened {} longer than {} bytes, the first to \"{}\".", file.string(),
                 core::counted(num_shortened_, "name"), kLongestName, first_);
  if (num_left_out_ > 0)
    spdlog::warn("{}: left out {} at the end of lists longer than {} bytes.", file.string(),
                 core::counted(num_left_out_, "name"), kLongestList);
}

void keep_short(std::vector<std::string>& names) {
  std::size_t length = 0, kept = 0;
  while (kept < names.size() && (length += names[kept].size() + 1) <= kLongestGroupNames) ++kept;
  names.resize(kept);
}

void keep_within_limits(Groups& groups, const std::filesystem::path& file) {
  if (groups.names.size() <= kMostGroups) return;
  spdlog::warn("{}: {} groups of faces or tets have names of their own, where {} are the most; all names are left out.",
               file.string(), groups.names.size(), kMostGroups);
  groups = {};
}

}  // namespace brisance::mesh
