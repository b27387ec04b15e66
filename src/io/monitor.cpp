#include "brisance/io/monitor.hpp"

#include "brisance/core/error.hpp"
#include "brisance/io/atomic_file.hpp"

#include "io/posix_file.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include <spdlog/fmt/fmt.h>

namespace brisance::io {

namespace {

/// One write call for each line, which succeeds as a whole or fails.
void write_line(const std::filesystem::path& file, int flags, const std::string& line) {
  const PosixFile out(file, O_WRONLY | flags);
  if (::write(out.raw(), line.data(), line.size()) != static_cast<ssize_t>(line.size()))
    throw system_error("write", file, kDiskAdvice);
}

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> result;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) result.push_back(cell);
  return result;
}

double number(const std::string& cell, const std::filesystem::path& file, std::size_t line) {
  char* end = nullptr;
  const double value = std::strtod(cell.c_str(), &end);
  if (cell.empty() || *end != '\0')
    throw core::Error(fmt::format("{}:{}: \"{}\" is not a number. Was the file edited?", file.string(), line, cell));
  return value;
}

}  // namespace

Monitor::Monitor(const core::Comm& comm, std::filesystem::path file, std::vector<std::string> columns)
    : comm_(comm), file_(std::move(file)), num_columns_(columns.size()) {
  core::agree(comm_, [&] {
    if (comm_.is_root()) write_line(file_, O_CREAT | O_EXCL, fmt::format("{}\n", fmt::join(columns, ",")));
  });
}

Monitor::Monitor(const core::Comm& comm, std::filesystem::path file, std::vector<std::string> columns,
                 std::int64_t num_rows)
    : comm_(comm), file_(std::move(file)), num_columns_(columns.size()) {
  core::agree(comm_, [&] {
    if (!comm_.is_root()) return;
    const std::string text = read_text(file_);
    const std::string header = fmt::format("{}\n", fmt::join(columns, ","));
    std::size_t end = text.starts_with(header) ? header.size() : std::string::npos;
    for (std::int64_t row = 0; row < num_rows && end != std::string::npos; ++row) {
      const std::size_t newline = text.find('\n', end);
      end = newline == std::string::npos ? newline : newline + 1;
    }
    if (end == std::string::npos)
      throw core::Error(
          fmt::format("{} does not have the {} rows that were written before the checkpoint. Was it "
                      "edited? Restore it, or start anew with --overwrite.",
                      file_.string(), num_rows));
    if (end < text.size()) write_atomically(file_, text.substr(0, end));
  });
}

void Monitor::append(std::span<const double> values) {
  core::agree(comm_, [&] {
    if (!comm_.is_root()) return;
    if (values.size() != num_columns_)
      throw core::Error(fmt::format("{}: {} values for {} columns (a fault of the program, please report)",
                                    file_.string(), values.size(), num_columns_));
    write_line(file_, O_APPEND, fmt::format("{}\n", fmt::join(values, ",")));
  });
}

std::vector<double> MonitorTable::column(std::string_view name) const {
  const auto at = std::find(columns.begin(), columns.end(), name);
  if (at == columns.end())
    throw core::Error(fmt::format("monitor.csv has no column {}; it has {}.", name, fmt::join(columns, ", ")));
  std::vector<double> values;
  for (const auto& row : rows) values.push_back(row[at - columns.begin()]);
  return values;
}

MonitorTable read_monitor(const std::filesystem::path& file) {
  std::string text = read_text(file);
  text.erase(text.find_last_of('\n') + 1);  // incomplete line of a killed run (npos + 1 = 0: no line is complete)
  std::istringstream lines(text);
  std::string line;
  if (!std::getline(lines, line))
    throw core::Error(file.string() + " has no header line. A run writes it when it starts; is this its monitor.csv?");
  MonitorTable table{cells(line), {}};
  for (std::size_t number_of_line = 2; std::getline(lines, line); ++number_of_line) {
    const auto texts = cells(line);
    if (texts.size() != table.columns.size())
      throw core::Error(fmt::format("{}:{}: {} values for {} columns. Was the file edited?", file.string(),
                                    number_of_line, texts.size(), table.columns.size()));
    auto& row = table.rows.emplace_back();
    for (const auto& cell : texts) row.push_back(number(cell, file, number_of_line));
  }
  return table;
}

}  // namespace brisance::io
