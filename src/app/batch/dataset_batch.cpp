#include "app/batch/dataset_batch.hpp"

#include "brisance/core/error.hpp"
#include "brisance/io/atomic_file.hpp"
#include "brisance/io/json_text.hpp"
#include "brisance/sim/setup/mesh_file.hpp"

#include "app/cli/signals.hpp"

#include <fstream>
#include <iostream>
#include <mutex>

#include <spdlog/fmt/fmt.h>

namespace brisance::app {

namespace {

namespace fs = std::filesystem;
using Entry = nlohmann::ordered_json;

void write_object(const DatasetBatch& arguments, const BatchObject& object, const std::string& status,
                  const std::string& reason) {
  const fs::path folder = folder_in_dataset(arguments, object);
  fs::create_directories(folder);
  const Entry entry{
      {"format", 1}, {"object", object.key()}, {"status", status}, {"reason", reason}, {"source", source_of(object)}};
  io::write_atomically(folder / "object.json", io::json_text(entry, 2) + '\n');
}

/// Refuses an object whose file changed since its fragments were made.
void require_same_source(const DatasetBatch& arguments, const BatchObject& object) {
  const fs::path folder = folder_in_dataset(arguments, object);
  const Entry before = read_record(folder / "object.json");
  if (before.is_object() && before.value("status", "") != "refused" && before["source"] != source_of(object))
    throw core::Error("there are fragments of another version of the file: remove the folder " + folder.string() +
                      " and its files in work, or rename the file");
}

bool all_settled(const DatasetBatch& arguments, const BatchObject& object) {
  const fs::path folder = folder_in_dataset(arguments, object);
  if (!fs::exists(folder / "object.json")) return false;
  for (std::int64_t k = 0; k < arguments.fragments.impacts; ++k)
    if (!is_settled(folder, k)) return false;
  return true;
}

std::vector<std::string> options_of_one(const DatasetBatch& arguments, const BatchObject& object) {
  const FragmentArguments& f = arguments.fragments;
  std::vector<std::string> words{"--out",        folder_in_dataset(arguments, object).string(),
                                 "--name",       object.key(),
                                 "--impacts",    std::to_string(f.impacts),
                                 "--seed",       std::to_string(f.seed),
                                 "--pieces",     fmt::format("{}:{}", f.least_pieces, f.most_pieces),
                                 "--min-volume", fmt::format("{}", f.smallest_share),
                                 "--smooth",     fmt::format("{}", f.smooth),
                                 "--format",     f.format == breaking::FragmentFormat::obj ? "obj" : "ply"};
  if (f.rough) words.emplace_back("--rough");
  return words;
}

class DatasetMaker {
public:
  explicit DatasetMaker(const DatasetBatch& arguments)
      : arguments_(arguments), costs_(arguments.batch.out / "costs.csv", std::ios::app) {}

  void make_along_modes(const std::vector<BatchObject>& objects) {
    for_each_job(objects.size(), static_cast<std::size_t>(arguments_.batch.jobs),
                 [&](std::size_t i) { guard(objects[i], [&] { along_modes(objects[i]); }); });
  }

  /// Meshes first, by processes; then impacts are drawn here, since HDF5 is for one thread; then all runs.
  void make_by_runs(const std::vector<BatchObject>& objects, const Slice& slice) {
    const RunTemplate scene(arguments_.scene);
    struct Shot {
      std::size_t object;
      std::int64_t impact;
      PlannedRun run;
    };
    std::vector<Shot> shots;
    std::vector<bool> is_wanted(objects.size(), false);
    std::int64_t number = 0;
    for (std::size_t i = 0; i < objects.size(); ++i)
      for (std::int64_t k = 0; k < arguments_.fragments.impacts; ++k) {
        if (number++ % slice.count != slice.index - 1 || is_settled(folder_in_dataset(arguments_, objects[i]), k))
          continue;
        is_wanted[i] = true;
        shots.push_back({i, k, {}});
      }
    std::vector<char> has_mesh(objects.size(), 0);
    for_each_job(objects.size(), static_cast<std::size_t>(arguments_.batch.jobs), [&](std::size_t i) {
      if (is_wanted[i]) guard(objects[i], [&] { has_mesh[i] = make_mesh_of(objects[i]) ? 1 : 0; });
    });
    for (Shot& shot : shots) {
      if (has_mesh[shot.object] == 0) continue;
      const fs::path file = WorkFiles(arguments_.batch.out, objects[shot.object]).mesh;
      shot.run = scene.plan(file, sim::read_tets(file),
                            seed_of_object(arguments_.fragments.seed, objects[shot.object].key()), shot.impact);
    }
    for_each_job(shots.size(), static_cast<std::size_t>(arguments_.batch.jobs), [&](std::size_t s) {
      const Shot& shot = shots[s];
      if (has_mesh[shot.object] != 0)
        guard(objects[shot.object], [&] { by_run(objects[shot.object], shot.impact, shot.run); });
    });
    for (const BatchObject& object : objects) {
      std::error_code others_write_there;
      fs::remove(now_file(folder_in_dataset(arguments_, object)).parent_path(), others_write_there);
    }
  }

private:
  /// An object that fails does not stop the others.
  template <class Work>
  void guard(const BatchObject& object, const Work& work) {
    try {
      require_same_source(arguments_, object);
      work();
    } catch (const core::Stopped&) {
      throw;
    } catch (const std::exception& error) {
      say(object.key() + ": refused: " + error.what());
    }
  }

  void say(const std::string& line) {
    const std::lock_guard lock(speaking_);
    std::cout << line << std::endl;
  }

  void note_cost(const BatchObject& object, const std::string& step, double wall_s) {
    const std::lock_guard lock(speaking_);
    costs_ << fmt::format("\"{}\",{},{:.3f}\n", object.key(), step, wall_s) << std::flush;
  }

  /// Writes what became of the preparation. Returns whether there is something to break.
  bool settle(const BatchObject& object, const Preparation& prepared, const char* step) {
    if (prepared.wall_s > 0) note_cost(object, step, prepared.wall_s);
    if (!prepared.error.empty()) {
      write_object(arguments_, object, "refused", prepared.error);
      say(object.key() + ": refused: " + prepared.error);
      return false;
    }
    write_object(arguments_, object, prepared.repair_note.empty() ? "made" : "repaired", prepared.repair_note);
    return true;
  }

  void along_modes(const BatchObject& object) {
    if (all_settled(arguments_, object)) return say(object.key() + ": kept");
    const WorkFiles work(arguments_.batch.out, object);
    const Claim claim(work.lock);
    if (!claim.is_ours()) return say(object.key() + ": another process works on it");
    if (!settle(object, prepare_modes(object, arguments_.modes, work, arguments_.batch.time_limit_s), "modes")) return;
    const fs::path folder = folder_in_dataset(arguments_, object);
    std::vector<std::string> words{"dataset", work.modes.string()};
    for (const std::string& word : options_of_one(arguments_, object)) words.push_back(word);
    // A process that crashes loses the impact on which it worked; another one continues with the next.
    for (std::int64_t attempt = 0; attempt <= arguments_.fragments.impacts; ++attempt) {
      const ChildEnd end = run_brisance(words, work.log, arguments_.batch.time_limit_s);
      note_cost(object, "fragments", end.wall_s);
      if (end.succeeded()) return say(fmt::format("{}: broken, {:.3g} s", object.key(), end.wall_s));
      const Entry now = read_record(now_file(folder));
      if (end.signal == 0 || !now.is_object() || is_settled(folder, now["impact"])) {
        write_object(arguments_, object, "refused", end.error);
        return say(object.key() + ": refused: " + end.error);
      }
      refuse_impact(folder, object.key(), now["impact"], end.error, now["draw"]);
    }
  }

  bool make_mesh_of(const BatchObject& object) {
    const WorkFiles work(arguments_.batch.out, object);
    Claim claim(work.lock);
    claim.wait();  // another slice may need the same mesh
    return settle(object, prepare_mesh(object, arguments_.modes, work, arguments_.batch.time_limit_s), "mesh");
  }

  void by_run(const BatchObject& object, std::int64_t impact, const PlannedRun& planned) {
    const WorkFiles work(arguments_.batch.out, object);
    const fs::path folder = folder_in_dataset(arguments_, object);
    const std::string base = fmt::format("{}.run_{}", fs::path(work.lock).replace_extension().string(), impact);
    const Claim claim(base + ".lock");
    if (!claim.is_ours()) return say(fmt::format("{} {}: another process works on it", object.key(), impact));
    if (is_settled(folder, impact)) return;
    std::vector<std::string> words{"run", arguments_.scene.string(), "--out", base, "--overwrite"};
    for (const std::string& override_ : planned.overrides) words.insert(words.end(), {"--set", override_});
    ChildEnd end = run_brisance(words, base + ".log", arguments_.batch.time_limit_s);
    note_cost(object, "run", end.wall_s);
    if (end.succeeded()) {
      words = {"dataset", base, "--impact", std::to_string(impact), "--labels", io::json_text(planned.labels)};
      for (const std::string& word : options_of_one(arguments_, object)) words.push_back(word);
      end = run_brisance(words, base + ".log", arguments_.batch.time_limit_s);
    }
    if (end.succeeded())
      say(fmt::format("{} {}: broken, {:.3g} s", object.key(), impact, end.wall_s));
    else {
      refuse_impact(folder, object.key(), impact, end.error, static_cast<std::uint64_t>(impact));
      say(fmt::format("{} {}: refused: {}", object.key(), impact, end.error));
    }
    if (!arguments_.keeps_runs) fs::remove_all(base);
  }

  const DatasetBatch& arguments_;
  std::ofstream costs_;
  std::mutex speaking_;
};

Entry options_of(const DatasetBatch& arguments) {
  const FragmentArguments& f = arguments.fragments;
  Entry options{{"command", "dataset"}, {"method", arguments.method == BreakMethod::modes ? "modes" : "run"}};
  options.update(arguments.modes.as_json());
  options.update(Entry{{"seed", f.seed},
                       {"pieces", {f.least_pieces, f.most_pieces}},
                       {"smooth", f.rough ? -1.0 : f.smooth},
                       {"format", f.format == breaking::FragmentFormat::obj ? "obj" : "ply"},
                       {"subset", arguments.subset},
                       {"val-percent", arguments.validation_percent}});
  if (arguments.method == BreakMethod::run)
    options["scene"] = fmt::format("{:016x}", hash_of(io::read_text(arguments.scene)));
  return options;
}

}  // namespace

fs::path folder_in_dataset(const DatasetBatch& arguments, const BatchObject& object) {
  return arguments.batch.out / arguments.subset / (object.category.empty() ? "object" : object.category) / object.name;
}

DatasetCounts make_dataset(const DatasetBatch& arguments) {
  const std::vector<BatchObject> objects = list_objects(arguments.batch.input);
  std::error_code failure;
  fs::create_directories(arguments.batch.out, failure);
  if (failure)
    throw core::BadInput("--out " + arguments.batch.out.string() + " cannot be made: " + failure.message() + '.');
  require_same_options(arguments.batch.out, options_of(arguments));
  note_stop_signals();
  DatasetMaker maker(arguments);
  if (arguments.method == BreakMethod::run) {
    maker.make_by_runs(objects, arguments.slice);
  } else {
    std::vector<BatchObject> mine;
    for (std::size_t i = 0; i < objects.size(); ++i)
      if (static_cast<std::int64_t>(i) % arguments.slice.count == arguments.slice.index - 1) mine.push_back(objects[i]);
    maker.make_along_modes(mine);
  }
  return write_manifest(arguments, objects);
}

}  // namespace brisance::app
