/// Reads a text file line by line and word by word; every error names the line.
#pragma once

#include "brisance/core/types.hpp"

#include "mesh/formats/file_bytes.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

namespace brisance::mesh {

/// A cursor over text that must outlive it. Lines end in LF, CRLF or CR. Numbers are read in the C locale.
class TextReader {
public:
  TextReader(std::filesystem::path file, std::string_view text) : file_(std::move(file)), rest_(text) {
    if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);  // the byte order mark of some editors
  }

  /// Moves to the next line; false at the end of the file. The cursor starts before the first line.
  bool next_line();
  /// Moves to the next line that has a word before any `comment`; false at the end of the file.
  bool next_filled_line(char comment = '#');
  /// As above, but the end of the file is an error ("the file ends inside `what`").
  void require_filled_line(std::string_view what, char comment = '#');

  /// Replaces the rest of the line by other words, which must outlive the next move.
  void set_rest_of_line(std::string_view words) { line_ = words; }

  /// The next word of the line; empty at its end.
  std::string_view word();
  /// The unread rest of the line.
  [[nodiscard]] std::string_view rest_of_line() const { return line_; }
  /// Skips the next word of the line; an error that names `what` if there is none.
  void skip_word(std::string_view what);
  /// The next word of the line as a number; an error that names `what` if there is none, or it is not finite.
  double real(std::string_view what);
  std::int64_t integer(std::string_view what);
  /// The same for a given word.
  double to_real(std::string_view text, std::string_view what) const;
  /// A word as a finite number; nothing if it is not one.
  [[nodiscard]] static std::optional<double> finite(std::string_view text);
  std::int64_t to_integer(std::string_view text, std::string_view what) const;
  /// Three coordinates from the line, within the limits of lengths.
  Vec3 point();
  /// The same for given coordinates.
  [[nodiscard]] Vec3 to_point(double x, double y, double z) const;
  /// A count from the line: not negative, and no more than `bytes_left() / 2`, the most that the rest of the file can
  /// hold.
  std::int64_t count(std::string_view what);

  [[nodiscard]] std::int64_t line_number() const { return line_number_; }
  [[nodiscard]] std::size_t bytes_left() const { return rest_.size(); }
  /// How many of the remaining lines are not blank.
  [[nodiscard]] std::int64_t filled_lines_left(char comment = '#') const;
  [[nodiscard]] const std::filesystem::path& file() const { return file_; }
  [[noreturn]] void fail(std::string_view message) const { fail_at_line(file_, line_number_, message); }

private:
  std::filesystem::path file_;
  std::string_view rest_;  // after the current line
  std::string_view line_;  // unread rest of the current line
  std::int64_t line_number_ = 0;
};

}  // namespace brisance::mesh
