#include "brisance/io/series.hpp"

#include "brisance/core/error.hpp"
#include "brisance/io/atomic_file.hpp"
#include "brisance/io/json_text.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace brisance::io {

namespace {

std::string series_text(const std::vector<SeriesFrame>& frames) {
  nlohmann::ordered_json files = nlohmann::ordered_json::array();
  for (const SeriesFrame& frame : frames) files.push_back({{"name", frame.name}, {"time", frame.time_s}});
  const nlohmann::ordered_json series{{"file-series-version", "1.0"}, {"files", files}};
  return json_text(series, 1) + "\n";
}

}  // namespace

Series::Series(std::filesystem::path file, std::vector<SeriesFrame> frames)
    : file_(std::move(file)), frames_(std::move(frames)) {}

void Series::add(const SeriesFrame& frame) {
  const auto same = std::find_if(frames_.begin(), frames_.end(), [&](const auto& f) { return f.name == frame.name; });
  frames_.erase(same, frames_.end());
  frames_.push_back(frame);
  write_series(file_, frames_);
}

void Series::append(const core::Comm& comm, const SeriesFrame& frame) {
  core::agree(comm, [&] {
    if (comm.is_root()) add(frame);
  });
}

void write_series(const std::filesystem::path& file, const std::vector<SeriesFrame>& frames) {
  write_atomically(file, series_text(frames));
}

std::vector<SeriesFrame> read_series(const std::filesystem::path& file) {
  try {
    std::vector<SeriesFrame> frames;
    const auto series = nlohmann::json::parse(read_text(file));
    for (const auto& entry : series.at("files")) frames.push_back({entry.at("name"), entry.at("time")});
    return frames;
  } catch (const nlohmann::json::exception&) {
    throw core::Error(file.string() +
                      " is not a list of frames: it is damaged or was edited. `brisance run` writes it as "
                      "run.hdf.series; restore it or open single snapshots.");
  }
}

}  // namespace brisance::io
