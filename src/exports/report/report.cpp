#include "brisance/exports/report.hpp"

#include "brisance/io/atomic_file.hpp"
#include "brisance/io/run_folder.hpp"

#include "exports/report/moving_surface.hpp"
#include "exports/report/page_parts.hpp"
#include "exports/report/page_text.hpp"
#include "exports/report/run_numbers.hpp"

#include <string>

namespace brisance::exports {

namespace {

namespace fs = std::filesystem;

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
