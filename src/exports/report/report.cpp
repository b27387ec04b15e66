#include "brisance/exports/report.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/input_file.hpp"
#include "brisance/io/atomic_file.hpp"
#include "brisance/io/json_text.hpp"
#include "brisance/io/run_folder.hpp"

#include "exports/report/moving_surface.hpp"
#include "exports/report/page_text.hpp"
#include "exports/report/run_numbers.hpp"

#include <string>
#include <string_view>

namespace brisance::exports {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostLibraryBytes = 8'000'000;

/// A library's text. `package` is Debian's, for the message.
std::string library(const fs::path& folder, const char* name, const char* package) {
  const fs::path file = folder / name;
  if (!fs::exists(file))
    throw core::Error("there is no " + file.string() + ", which a report contains. Install " + package +
                      " (apt-get install " + package + "), or name the folder of such libraries with --javascript.");
  return core::read_input(file, "It should be a script.", kMostLibraryBytes);
}

/// JSON inside a script element: "</" would end it.
std::string script_text(const nlohmann::json& value) {
  std::string text = io::json_text(value);
  for (std::size_t at = 0; (at = text.find("</", at)) != std::string::npos; at += 3) text.insert(at + 1, "\\");
  return text;
}

/// Replaces {{name}}, once each.
void fill(std::string& page, std::string_view name, std::string_view text) {
  const std::string place = "{{" + std::string(name) + "}}";
  const std::size_t at = page.find(place);
  if (at != std::string::npos) page.replace(at, place.size(), text);
}

std::string scene_of(const fs::path& run) {
  const fs::path file = run / "scene.toml";
  return fs::is_regular_file(file) ? io::read_text(file) : std::string();
}

std::string folder_name(const fs::path& run) {
  const fs::path whole = fs::absolute(run).lexically_normal();
  return whole.has_filename() ? whole.filename().string() : whole.parent_path().filename().string();
}

}  // namespace

ReportFacts write_report(const fs::path& run, const fs::path& out, const ReportOptions& options) {
  // Libraries first: a missing one is found before any frame is read.
  const std::string three = library(options.javascript, "three/three.min.js", "libjs-three");
  const std::string orbit = library(options.javascript, "three/examples/js/controls/OrbitControls.js", "libjs-three");
  const std::string chart = library(options.javascript, "chart.js/chart.min.js", "libjs-chart.js");
  MovingSurface surface = moving_surface(io::list_snapshots(run), options);
  nlohmann::json data = std::move(surface.description);
  data["arrays"] = surface.arrays.table();
  data["name"] = folder_name(run);
  data["scene"] = scene_of(run);
  data["monitor"] = monitor_numbers(run / "monitor.csv");
  data["phases"] = phase_seconds(run / "run.log");
  std::string page = kPageHtml;
  fill(page, "style", kPageStyle);
  fill(page, "three", three);
  fill(page, "orbit", orbit);
  fill(page, "chart", chart);
  fill(page, "view", kPageView);
  fill(page, "script", kPageScript);
  fill(page, "data", script_text(data));
  fill(page, "arrays", surface.arrays.text());
  io::write_atomically(out, page);
  surface.facts.bytes = page.size();
  return surface.facts;
}

}  // namespace brisance::exports
