#include "mesh/formats/text_reader.hpp"

#include "brisance/mesh/limits.hpp"

#include "mesh/formats/file_kind.hpp"

#include <charconv>
#include <cmath>

#include <spdlog/fmt/fmt.h>

namespace brisance::mesh {
namespace {

constexpr std::string_view kBlank = " \t\v\f";
constexpr std::size_t kLongestWhat = 60;  // longest name in an error message

/// std::from_chars does not accept a leading plus, which other programs write.
std::string_view without_plus(std::string_view text) {
  return text.size() > 1 && text[0] == '+' && text[1] != '-' ? text.substr(1) : text;
}

}  // namespace

bool TextReader::next_line() {
  if (rest_.empty()) {
    line_ = {};
    return false;
  }
  const std::size_t end = std::min(rest_.find_first_of("\r\n"), rest_.size());
  line_ = rest_.substr(0, end);
  rest_.remove_prefix(end);
  rest_.remove_prefix(rest_.starts_with("\r\n") ? 2 : rest_.empty() ? 0 : 1);
  ++line_number_;
  return true;
}

bool TextReader::next_filled_line(char comment) {
  while (next_line()) {
    line_ = line_.substr(0, line_.find(comment));
    if (line_.find_first_not_of(kBlank) != std::string_view::npos) return true;
  }
  return false;
}

void TextReader::require_filled_line(std::string_view what, char comment) {
  if (!next_filled_line(comment))
    fail(fmt::format("the file ends inside {}: it is truncated. Export or copy it again.", what));
}

std::string_view TextReader::word() {
  const std::size_t begin = std::min(line_.find_first_not_of(kBlank), line_.size());
  line_.remove_prefix(begin);
  const std::size_t length = std::min(line_.find_first_of(kBlank), line_.size());
  const std::string_view found = line_.substr(0, length);
  line_.remove_prefix(length);
  return found;
}

void TextReader::skip_word(std::string_view what) {
  if (word().empty())
    fail(fmt::format("{} is missing. Complete the line or export the file again.", shown(what, kLongestWhat)));
}

std::int64_t TextReader::filled_lines_left(char comment) const {
  TextReader ahead = *this;
  std::int64_t count = 0;
  while (ahead.next_filled_line(comment)) ++count;
  return count;
}

double TextReader::to_real(std::string_view text, std::string_view what) const {
  if (text.empty()) fail(fmt::format("{} is missing. Complete the line or export the file again.", what));
  const std::string_view digits = without_plus(text);
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (end != digits.data() + digits.size() || error == std::errc::invalid_argument)
    fail(fmt::format("{} is '{}', which is not a number. Correct it or export the file again.", what, shown(text)));
  if (error == std::errc::result_out_of_range && text.find('-', 1) != std::string_view::npos) return 0;  // 1e-400
  if (error != std::errc{} || !std::isfinite(value))
    fail(fmt::format("{} is {}, which is not finite. Correct it or export the file again.", what, shown(text)));
  return value;
}

std::optional<double> TextReader::finite(std::string_view text) {
  const std::string_view digits = without_plus(text);
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || end != digits.data() + digits.size()) return std::nullopt;
  if (error == std::errc::result_out_of_range && text.find('-', 1) != std::string_view::npos) return 0;  // 1e-400
  if (error != std::errc{} || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::int64_t TextReader::to_integer(std::string_view text, std::string_view what) const {
  if (text.empty()) fail(fmt::format("{} is missing. Complete the line or export the file again.", what));
  const std::string_view digits = without_plus(text);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size())
    fail(fmt::format("{} is '{}', which is not a whole number. Correct it or export the file again.", what,
                     shown(text)));
  return value;
}

double TextReader::real(std::string_view what) { return to_real(word(), what); }
std::int64_t TextReader::integer(std::string_view what) { return to_integer(word(), what); }

Vec3 TextReader::point() {
  const double x = real("coordinate x"), y = real("coordinate y"), z = real("coordinate z");
  return to_point(x, y, z);
}

Vec3 TextReader::to_point(double x, double y, double z) const {
  const Vec3 place(x, y, z);
  if (!is_place(place))
    fail(fmt::format("the point ({:g}, {:g}, {:g}) lies beyond {:g} m. Correct it or export the file again.", x, y, z,
                     kLargestLength_m));
  return place;
}

std::int64_t TextReader::count(std::string_view what) {
  const std::int64_t value = integer(what);
  if (value < 0) fail(fmt::format("{} is negative. Correct it or export the file again.", what));
  if (static_cast<std::uint64_t>(value) > bytes_left() / 2 + 1)
    fail(
        fmt::format("{} is {}, more than the rest of the file can hold: it is truncated or damaged. Export or copy "
                    "it again.",
                    what, value));
  return value;
}

}  // namespace brisance::mesh
