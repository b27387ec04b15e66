/// monitor.csv: one line of numbers per output interval, for plots and for those who watch a run with `tail -f`.
#pragma once

#include "brisance/core/comm.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace brisance::io {

/// Appends lines to a CSV file. Rank 0 writes; each line is handed to the system whole, so that a run killed at any
/// time leaves complete lines. Numbers have as many digits as it takes to read the same bits back.
class Monitor {
public:
  /// Makes the file with its header line. Column names carry their unit (`time_s`, `kinetic_energy_j`) and consist of
  /// letters, digits and underscores. Collective; throws core::Error on all ranks, also if the file exists already.
  Monitor(const core::Comm& comm, std::filesystem::path file, std::vector<std::string> columns);

  /// Goes on with a file of these columns after its first `num_rows` rows; the rest of it is removed. Collective;
  /// throws core::Error on all ranks, also if it has fewer.
  Monitor(const core::Comm& comm, std::filesystem::path file, std::vector<std::string> columns, std::int64_t num_rows);

  /// One value a column, taken from rank 0. Collective; throws core::Error on all ranks (disk full, wrong number).
  void append(std::span<const double> values);

private:
  core::Comm comm_;
  std::filesystem::path file_;
  std::size_t num_columns_;
};

/// A monitor.csv read back.
struct MonitorTable {
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;

  /// All values of a column; throws core::Error naming the columns there are if it is none of them.
  [[nodiscard]] std::vector<double> column(std::string_view name) const;
};
/// A last line that is not complete is left out. Local; throws core::Error, naming the line, if it is not such a table.
[[nodiscard]] MonitorTable read_monitor(const std::filesystem::path& file);

}  // namespace brisance::io
