/// The tables of a checkpoint (docs/FORMAT.md, "Checkpoints"): their names, a writer that lists them, and texts and
/// numbers by name as tables.
#pragma once

#include "brisance/core/named_state.hpp"
#include "brisance/io/array_file.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <spdlog/fmt/fmt.h>

namespace brisance::sim::checkpoint_file {

inline constexpr const char* kOurs = "/brisance";
inline constexpr const char* kGroup = "/brisance/checkpoint";
inline constexpr const char* kNodes = "/brisance/checkpoint/nodes";
inline constexpr const char* kElements = "/brisance/checkpoint/elements";
inline constexpr const char* kDust = "/brisance/checkpoint/dust";

/// Path of a table in a group.
[[nodiscard]] inline std::string in(const std::string& group, std::string_view name) {
  return fmt::format("{}/{}", group, name);
}
/// The lines of a text, without their ends.
[[nodiscard]] std::vector<std::string> lines_of(const std::string& text);

/// Writes tables and collects their list, which `diff_checkpoints` reads.
class Writer {
public:
  Writer(const core::Comm& comm, const std::filesystem::path& file) : comm_(comm), file_(comm, file) {}

  io::ArrayFileWriter& file() { return file_; }
  void group(const std::string& name) { file_.group(name); }
  template <class T>
  void rows(const std::string& name, std::vector<T> values, std::size_t width = 1) {
    list_ += fmt::format("{} {} {}\n", name, static_cast<int>(io::scalar_of<T>()), width);
    file_.rows(name, std::move(values), width);
  }
  template <class T>
  void rows_of_root(const std::string& name, std::vector<T> values, std::size_t width = 1) {
    rows(name, comm_.is_root() ? std::move(values) : std::vector<T>{}, width);
  }
  void text(const std::string& name, const std::string& value) {
    rows_of_root(name, std::vector<std::uint8_t>(value.begin(), value.end()));
  }
  void publish() {
    const std::vector<std::uint8_t> list(list_.begin(), list_.end());
    file_.rows_of_root(in(kGroup, "tables"), list);
    file_.publish(true);
  }

private:
  core::Comm comm_;
  io::ArrayFileWriter file_;
  std::string list_;
};

[[nodiscard]] std::string read_text(const io::ArrayFileReader& file, const std::string& name);

/// Collective.
void write_state(Writer& out, const std::string& group, const core::NamedState& state);
/// Local; throws core::Error if a table is missing.
[[nodiscard]] core::NamedState read_state(const io::ArrayFileReader& file, const std::string& group);

}  // namespace brisance::sim::checkpoint_file
