#include "app/batch/batch_folder.hpp"

#include "brisance/core/error.hpp"
#include "brisance/io/atomic_file.hpp"
#include "brisance/io/json_text.hpp"

#include <fstream>

#include <spdlog/fmt/fmt.h>

namespace brisance::app {

namespace {

namespace fs = std::filesystem;
using Record = nlohmann::ordered_json;

/// The line in which `brisance modes` or `mesh` says that it wrapped a broken surface, without the file's name.
std::string wrap_note(const fs::path& log) {
  std::ifstream in(log);
  std::string note;
  for (std::string line; std::getline(in, line);)
    if (const auto at = line.find("wrapped with an alpha"); at != std::string::npos) note = line.substr(at);
  return note;
}

/// Runs a command that writes `file` under another name first. Its log is kept beside the file, for the note.
Preparation prepare(const fs::path& file, const WorkFiles& work, double time_limit_s,
                    const std::function<std::vector<std::string>(const fs::path& out)>& command) {
  Preparation made;
  fs::path note_file = file, unfinished = file;
  note_file.replace_extension(".txt");
  unfinished.replace_filename("writing." + file.filename().string());
  if (!fs::exists(file)) {
    fs::remove(unfinished);
    fs::remove(note_file);
    const ChildEnd end = run_brisance(command(unfinished), note_file, time_limit_s);
    made.wall_s = end.wall_s;
    made.error = end.error;
    std::ofstream(work.log, std::ios::app) << std::ifstream(note_file).rdbuf();
    if (!end.succeeded()) {
      fs::remove(unfinished);
      return made;
    }
    fs::rename(unfinished, file);
  }
  made.repair_note = wrap_note(note_file);
  return made;
}

std::vector<std::string> common_options(const BatchObject& object, const BatchModes& modes) {
  std::vector<std::string> words{"--set", fmt::format("scale={}", modes.scale)};
  const std::string ending = object.file.extension().string();
  if (ending != ".msh" && ending != ".vtu") words.insert(words.end(), {"--tets", std::to_string(modes.tets)});
  return words;
}

}  // namespace

nlohmann::ordered_json BatchModes::as_json() const {
  return {{"tets", tets}, {"count", count}, {"min-volume", smallest_share}, {"scale", scale}};
}

void add_batch_arguments(CLI::App& command, BatchArguments& arguments) {
  command.add_option("--jobs", arguments.jobs, "how many objects are worked on at a time, one core each")
      ->capture_default_str()
      ->check(CLI::Range(1, 4096));
  command
      .add_option("--time-limit", arguments.time_limit_s, "of each step of an object [s]; what takes longer is refused")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
}

void add_batch_modes(CLI::App& command, BatchModes& modes) {
  command.add_option("--tets", modes.tets, "about how many tetrahedra an object has")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command.add_option("--count", modes.count, "how many displacement modes (brisance modes --count): more, more pieces")
      ->capture_default_str()
      ->check(CLI::Range(4, 1'000'000));
  command
      .add_option("--min-volume", modes.smallest_share, "no piece is smaller than this share of the object's volume")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 0.5));
  command.add_option("--scale", modes.scale, "factor that turns the files' lengths into metres")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
}

std::uint64_t hash_of(std::string_view bytes) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  return hash;
}

Record source_of(const BatchObject& object) {
  const std::string bytes = io::read_text(object.file);
  return {{"file", object.file.filename().string()},
          {"bytes", bytes.size()},
          {"fnv1a64", fmt::format("{:016x}", hash_of(bytes))}};
}

Record read_record(const fs::path& file) {
  std::ifstream in(file);
  Record record = in ? Record::parse(in, nullptr, false) : Record();
  return record.is_discarded() ? Record() : record;
}

void require_same_options(const fs::path& folder, const Record& options) {
  const fs::path file = folder / "options.json";
  if (io::write_new(file, io::json_text(options, 2) + '\n')) return;
  const Record before = read_record(file);
  if (!before.is_object())
    throw core::BadInput(file.string() +
                         " is damaged: the options of this folder are not known. Choose another --out.");
  for (const auto& [key, value] : options.items())
    if (!before.contains(key) || before[key] != value)
      throw core::BadInput(fmt::format("{} was begun with {} = {}, not {}. Give the same options, or another --out.",
                                       folder.string(), key, before.contains(key) ? before[key].dump() : "nothing",
                                       value.dump()));
}

WorkFiles::WorkFiles(const fs::path& folder, const BatchObject& object) {
  const fs::path base = folder / "work" / object.key();
  const auto file = [&](const char* ending) { return fs::path(base.string() + ending); };
  log = file(".log");
  lock = file(".lock");
  modes = file(".modes.h5");
  mesh = file(".tets.hdf");
  staging = file(".writing");
}

Preparation prepare_modes(const BatchObject& object, const BatchModes& modes, const WorkFiles& work,
                          double time_limit_s) {
  return prepare(work.modes, work, time_limit_s, [&](const fs::path& out) {
    std::vector<std::string> words{"modes",        object.file.string(),
                                   "--count",      std::to_string(modes.count),
                                   "--min-volume", fmt::format("{}", modes.smallest_share)};
    for (const std::string& word : common_options(object, modes)) words.push_back(word);
    words.insert(words.end(), {"--out", out.string()});
    return words;
  });
}

Preparation prepare_mesh(const BatchObject& object, const BatchModes& modes, const WorkFiles& work,
                         double time_limit_s) {
  return prepare(work.mesh, work, time_limit_s, [&](const fs::path& out) {
    std::vector<std::string> words{"mesh", object.file.string(), "--set", "repair=true"};
    for (const std::string& word : common_options(object, modes)) words.push_back(word);
    words.insert(words.end(), {"--out", out.string()});
    return words;
  });
}

}  // namespace brisance::app
