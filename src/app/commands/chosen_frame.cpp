#include "app/commands/chosen_frame.hpp"

#include "brisance/core/error.hpp"
#include "brisance/io/snapshot.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>

#include <spdlog/fmt/fmt.h>

namespace brisance::app {

namespace {

/// "12", "0.03s", "30ms": a frame number, or a time [s].
struct Moment {
  std::optional<std::size_t> frame;
  double time_s = 0;
};

Moment moment_of(const std::string& option, const std::string& text) {
  Moment moment;
  if (!text.empty() && text.find_first_not_of("0123456789") == std::string::npos && text.size() < 10) {
    moment.frame = std::stoull(text);
    return moment;
  }
  static const std::map<std::string, double> kUnits{{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}};
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  const auto unit = kUnits.find(end);
  if (end == text.c_str() || unit == kUnits.end() || !std::isfinite(number))
    throw core::Error(option + " " + text +
                      ": give last, the number of a frame (12), or a time with its unit (0.03s, 30ms).");
  moment.time_s = number * unit->second;
  return moment;
}

std::size_t nearest_frame(const std::vector<std::filesystem::path>& files, double time_s, const std::string& option,
                          const std::string& text) {
  std::vector<double> times;
  for (const auto& file : files) times.push_back(io::read_snapshot_header(file).time_s);
  if (time_s < times.front() || time_s > times.back() * (1 + 1e-9))
    throw core::Error(
        fmt::format("{} {}: the run has frames from {:g} s to {:g} s.", option, text, times.front(), times.back()));
  const auto nearest = std::min_element(
      times.begin(), times.end(), [&](double a, double b) { return std::abs(a - time_s) < std::abs(b - time_s); });
  return static_cast<std::size_t>(nearest - times.begin());
}

}  // namespace

std::size_t chosen_frame(const std::vector<std::filesystem::path>& files, const std::string& option,
                         const std::string& text) {
  std::size_t chosen = files.size() - 1;
  if (text != "last") {
    const Moment moment = moment_of(option, text);
    chosen = moment.frame ? files.size() : nearest_frame(files, moment.time_s, option, text);
    for (std::size_t i = 0; moment.frame && i < files.size(); ++i)
      if (std::stoull(files[i].stem().string()) == *moment.frame) chosen = i;
    if (chosen == files.size())
      throw core::Error(fmt::format("{} {}: there is no such frame; the run has frames {} to {}.", option, text,
                                    std::stoull(files.front().stem().string()),
                                    std::stoull(files.back().stem().string())));
  }
  if (!io::read_snapshot_header(files[chosen]).form.surface_only) return chosen;
  for (std::size_t i = files.size(); i-- > 0;)
    if (!io::read_snapshot_header(files[i]).form.surface_only)
      throw core::Error(
          fmt::format("{} is of the surface alone, and volume, mass and momentum of the pieces are in their tets. "
                      "The last whole frame is {} {}.",
                      files[chosen].string(), option, std::stoull(files[i].stem().string())));
  throw core::Error(
      files[chosen].parent_path().string() +
      ": all frames are of the surface alone, and volume, mass and momentum of the pieces are in their tets. Run "
      "again without output.surface_only.");
}

}  // namespace brisance::app
