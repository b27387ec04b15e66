/// Line by line, word by word through a text file, with the line number in every error.
#pragma once

#include "brisance/core/types.hpp"

#include "mesh/formats/file_bytes.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

namespace brisance::mesh {

/// A cursor over text that outlives it. Lines end in LF, CRLF or CR. Numbers are read in the C locale.
class TextReader {
public:
  TextReader(std::filesystem::path file, std::string_view text) : file_(std::move(file)), rest_(text) {
    if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);  // the byte order mark some editors write
  }

  /// Moves to the next line; false at the end of the file. The cursor starts before the first line.
  bool next_line();
  /// Moves to the next line with a word on it, text after `comment` not counting; false at the end of the file.
  bool next_filled_line(char comment = '#');
  /// As above, but the end of the file is an error ("the file ends inside `what`").
  void require_filled_line(std::string_view what, char comment = '#');

  /// Puts other words, which outlive the next move, in place of what is left of the line.
  void set_rest_of_line(std::string_view words) { line_ = words; }

  /// The next word of the line; empty at its end.
  std::string_view word();
  /// What is left of the line.
  [[nodiscard]] std::string_view rest_of_line() const { return line_; }
  /// Steps over the next word of the line, whatever it is; an error that names `what` if there is none.
  void skip_word(std::string_view what);
  /// The next word of the line as a number; an error that names `what` if there is none, or it is not finite.
  double real(std::string_view what);
  std::int64_t integer(std::string_view what);
  /// The same for a word in hand.
  double to_real(std::string_view text, std::string_view what) const;
  /// A word as a finite number; nothing if it is none.
  [[nodiscard]] static std::optional<double> finite(std::string_view text);
  std::int64_t to_integer(std::string_view text, std::string_view what) const;
  /// Three coordinates from the line, within the limits of lengths.
  Vec3 point();
  /// The same for coordinates in hand.
  [[nodiscard]] Vec3 to_point(double x, double y, double z) const;
  /// A count from the line: not negative, and no more than `bytes_left() / 2` things fit into what is left of the file.
  std::int64_t count(std::string_view what);

  [[nodiscard]] std::int64_t line_number() const { return line_number_; }
  [[nodiscard]] std::size_t bytes_left() const { return rest_.size(); }
  /// How many of the lines to come have a word on them.
  [[nodiscard]] std::int64_t filled_lines_left(char comment = '#') const;
  [[nodiscard]] const std::filesystem::path& file() const { return file_; }
  [[noreturn]] void fail(std::string_view message) const { fail_at_line(file_, line_number_, message); }

private:
  std::filesystem::path file_;
  std::string_view rest_;  // after the current line
  std::string_view line_;  // of the current line, what is not yet read
  std::int64_t line_number_ = 0;
};

}  // namespace brisance::mesh
