#include "app/batch/assets_batch.hpp"

#include "brisance/core/error.hpp"
#include "brisance/io/atomic_file.hpp"
#include "brisance/io/json_text.hpp"

#include "app/cli/signals.hpp"

#include <algorithm>
#include <iostream>
#include <mutex>

#include <spdlog/fmt/fmt.h>

namespace brisance::app {

namespace {

namespace fs = std::filesystem;

AssetRecord refused(const BatchObject& object, const std::string& reason) {
  return {object.key(), "refused", reason, true, {}};
}

std::int64_t bytes_in(const fs::path& folder) {
  std::int64_t sum = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file()) sum += static_cast<std::int64_t>(entry.file_size());
  return sum;
}

/// A picture of the pieces moved apart, as NAME.png. Returns why there is none, or "".
std::string add_picture(const AssetsBatch& arguments, const BatchObject& object, const WorkFiles& work,
                        double& wall_s) {
  const fs::path pictures = work.staging / "pictures";
  const std::string width = std::to_string(arguments.picture_width);
  const ChildEnd end =
      run_brisance({"render", (work.staging / (object.name + ".pieces.h5")).string(), "--explode", "0.3", "--colour",
                    "piece", "--width", width, "--height", width, "--samples", "8", "--out", pictures.string()},
                   work.log, arguments.batch.time_limit_s);
  wall_s = end.wall_s;
  if (end.succeeded())
    for (const fs::directory_entry& entry : fs::directory_iterator(pictures))
      if (entry.path().extension() == ".png") fs::rename(entry.path(), work.staging / (object.name + ".png"));
  fs::remove_all(pictures);
  return end.error;
}

/// Makes the asset in a folder of its own, which is renamed when all is there.
AssetRecord make_asset_of(const AssetsBatch& arguments, const BatchObject& object, const WorkFiles& work) {
  const Preparation modes = prepare_modes(object, arguments.modes, work, arguments.batch.time_limit_s);
  if (!modes.error.empty()) return refused(object, modes.error);
  fs::remove_all(work.staging);
  std::vector<std::string> words{"assets", work.modes.string(), "--name", object.name, "--out", work.staging.string()};
  words.insert(words.end(), arguments.options.begin(), arguments.options.end());
  const ChildEnd made = run_brisance(words, work.log, arguments.batch.time_limit_s);
  if (!made.succeeded()) return refused(object, made.error);
  double picture_s = 0;
  const std::string no_picture =
      arguments.picture_width > 0 ? add_picture(arguments, object, work, picture_s) : "not asked for";
  const nlohmann::ordered_json asset = read_record(work.staging / (object.name + ".json"));
  AssetRecord record{object.key(), modes.repair_note.empty() ? "made" : "repaired", modes.repair_note, true, {}};
  record.numbers = {{"object", object.key()},
                    {"status", record.status},
                    {"reason", record.reason},
                    {"source", source_of(object)},
                    {"num_pieces", asset["pieces"].size()},
                    {"num_triangles", asset["num_triangles"]},
                    {"num_hulls", asset["num_hulls"]},
                    {"hull_volume_ratio", asset["hull_volume_ratio"]},
                    {"num_bonds", asset["bonds"].size()},
                    {"num_levels", asset["levels"].size()},
                    {"bytes", bytes_in(work.staging)},
                    {"modes_s", modes.wall_s},
                    {"asset_s", made.wall_s},
                    {"picture_s", picture_s}};
  if (!no_picture.empty()) record.numbers["no_picture"] = no_picture;
  io::write_atomically(work.staging / "record.json", io::json_text(record.numbers, 2) + '\n');
  const fs::path place = arguments.batch.out / object.key();
  fs::create_directories(place.parent_path());
  fs::rename(work.staging, place);
  return record;
}

AssetRecord finished_record(const BatchObject& object, const nlohmann::ordered_json& numbers) {
  return {object.key(), numbers.value("status", "made"), numbers.value("reason", ""), false, numbers};
}

AssetRecord record_of(const AssetsBatch& arguments, const BatchObject& object) {
  const WorkFiles work(arguments.batch.out, object);
  const Claim claim(work.lock);
  if (!claim.is_ours())
    return {object.key(), "busy", "another process works on it; the table will not have it", false, {}};
  const nlohmann::ordered_json before = read_record(arguments.batch.out / object.key() / "record.json");
  if (before.is_object()) {
    if (before["source"] == source_of(object)) return finished_record(object, before);
    return refused(object, "there is an asset of another version of the file: remove the folder " +
                               (arguments.batch.out / object.key()).string() + ", or rename the file");
  }
  return make_asset_of(arguments, object, work);
}

std::string line_of(const AssetRecord& record) {
  if (record.status == "refused" || record.status == "busy")
    return fmt::format("{}: {}: {}\n", record.key, record.status, record.reason);
  return fmt::format("{}: {}{}, {} pieces, {} hulls of {:.3g} times their volume, {:.3g} s\n", record.key,
                     record.is_new ? "" : "kept, ", record.status, record.numbers.value("num_pieces", 0),
                     record.numbers.value("num_hulls", 0), record.numbers.value("hull_volume_ratio", 0.0),
                     record.numbers.value("modes_s", 0.0) + record.numbers.value("asset_s", 0.0) +
                         record.numbers.value("picture_s", 0.0));
}

}  // namespace

std::int64_t make_assets(const AssetsBatch& arguments) {
  const std::vector<BatchObject> objects = list_objects(arguments.batch.input);
  for (const BatchObject& object : objects)
    if (object.key().starts_with("work/") || object.key() == "work")
      throw core::BadInput("the folder \"work\" of --out is for intermediate files: rename " + object.file.string() +
                           '.');
  std::error_code failure;
  fs::create_directories(arguments.batch.out, failure);
  if (failure)
    throw core::BadInput("--out " + arguments.batch.out.string() + " cannot be made: " + failure.message() + '.');
  nlohmann::ordered_json options{{"command", "assets"}};
  options.update(arguments.modes.as_json());
  options["options"] = arguments.options;
  options["picture"] = arguments.picture_width;
  require_same_options(arguments.batch.out, options);
  note_stop_signals();
  std::vector<AssetRecord> records(objects.size());
  std::mutex speaking;
  for_each_job(objects.size(), static_cast<std::size_t>(arguments.batch.jobs), [&](std::size_t i) {
    try {
      records[i] = record_of(arguments, objects[i]);
    } catch (const core::Stopped&) {
      throw;
    } catch (const std::exception& error) {
      records[i] = refused(objects[i], error.what());
    }
    const std::lock_guard lock(speaking);
    std::cout << line_of(records[i]) << std::flush;
  });
  write_asset_table(arguments.batch.out, records);
  write_asset_page(arguments.batch.out, records);
  return std::ranges::count_if(records, [](const AssetRecord& r) { return r.status == "refused"; });
}

}  // namespace brisance::app
