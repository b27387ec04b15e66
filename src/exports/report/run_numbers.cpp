#include "run_numbers.hpp"

#include "brisance/io/atomic_file.hpp"
#include "brisance/io/monitor.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace brisance::exports {

namespace {

constexpr std::size_t kMostRows = 600;
constexpr std::string_view kPhasesBegin = "seconds: forces ";

/// Six digits are more than a chart shows.
double shortened(double value) {
  if (value == 0 || !std::isfinite(value)) return 0;
  const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - 5);
  return std::isfinite(value / unit) ? std::round(value / unit) * unit : value;
}

}  // namespace

nlohmann::json monitor_numbers(const std::filesystem::path& file) {
  nlohmann::json result{{"columns", nlohmann::json::array()}, {"rows", nlohmann::json::array()}};
  if (!std::filesystem::exists(file)) return result;
  const io::MonitorTable table = io::read_monitor(file);
  std::vector<std::size_t> kept;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const bool is_used = std::ranges::any_of(table.rows, [c](const auto& row) { return row[c] != 0; });
    if (!is_used && table.columns[c] != "time_s") continue;
    kept.push_back(c);
    result["columns"].push_back(table.columns[c]);
  }
  const std::size_t step = std::max<std::size_t>(1, (table.rows.size() + kMostRows - 1) / kMostRows);
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    if (r % step != 0 && r + 1 != table.rows.size()) continue;
    nlohmann::json row = nlohmann::json::array();
    for (const std::size_t c : kept) row.push_back(shortened(table.rows[r][c]));
    result["rows"].push_back(std::move(row));
  }
  return result;
}

nlohmann::json phase_seconds(const std::filesystem::path& log) {
  nlohmann::json phases = nlohmann::json::array();
  if (!std::filesystem::is_regular_file(log)) return phases;
  const std::string text = io::read_text(log);
  const std::size_t begin = text.rfind(kPhasesBegin);
  if (begin == std::string::npos) return phases;
  std::string_view line = std::string_view(text).substr(begin + std::string_view("seconds: ").size());
  line = line.substr(0, line.find_first_of("(\n"));
  // "forces 1.20 sub-cycling 0.31 …"
  while (!line.empty()) {
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos) break;
    const std::string name(line.substr(0, blank));
    line.remove_prefix(blank + 1);
    const std::string number(line.substr(0, line.find(' ')));
    line.remove_prefix(std::min(line.size(), number.size() + 1));
    char* end = nullptr;
    const double seconds = std::strtod(number.c_str(), &end);
    if (end == number.c_str()) break;
    phases.push_back({name, seconds});
  }
  return phases;
}

}  // namespace brisance::exports
