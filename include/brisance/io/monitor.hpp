/// monitor.csv: one line of numbers for each output interval, for plots and for `tail -f`.
#pragma once

#include "brisance/core/comm.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace brisance::io {

/// Appends lines to a CSV file. Rank 0 writes each line with one call, so that a killed run leaves complete lines.
/// Numbers have enough digits to restore the same bits.
class Monitor {
public:
  /// Makes the file with its header line. Column names carry their unit (`time_s`, `kinetic_energy_j`) and consist of
  /// letters, digits and underscores. Collective; throws core::Error on all ranks, also if the file exists already.
  Monitor(const core::Comm& comm, std::filesystem::path file, std::vector<std::string> columns);

  /// Continues a file of these columns after its first `num_rows` rows; the rest of it is removed. Collective; throws
  /// core::Error on all ranks, also if it has fewer.
  Monitor(const core::Comm& comm, std::filesystem::path file, std::vector<std::string> columns, std::int64_t num_rows);

  /// One value for each column, taken from rank 0. Collective; throws core::Error on all ranks (disk full, wrong
  /// number).
  void append(std::span<const double> values);

private:
  core::Comm comm_;
  std::filesystem::path file_;
  std::size_t num_columns_;
};

/// Contents of a monitor.csv.
struct MonitorTable {
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;

  /// All values of a column; for an unknown name throws core::Error that lists the columns.
  [[nodiscard]] std::vector<double> column(std::string_view name) const;
};
/// Reads a file; an incomplete last line is ignored. Local; throws core::Error, naming the line, if it is not such a
/// table.
[[nodiscard]] MonitorTable read_monitor(const std::filesystem::path& file);

}  // namespace brisance::io
