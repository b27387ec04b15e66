/// What the folders of batch commands have in common: fixed options, records of objects, modes computed once.
#pragma once

#include "app/batch/child_runs.hpp"
#include "app/batch/object_list.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace brisance::app {

/// How many objects are worked on, and for how long.
struct BatchArguments {
  std::filesystem::path input, out;
  std::int64_t jobs = 1;
  double time_limit_s = 3600;  ///< of each child process
};

/// The search of an object's modes.
struct BatchModes {
  std::int64_t tets = 8000;
  std::int64_t count = 45;
  double smallest_share = 0.005;  ///< of every piece
  double scale = 1;               ///< turns the files' lengths into metres

  /// As an entry of the folder's options.
  [[nodiscard]] nlohmann::ordered_json as_json() const;
};

/// --jobs, --time-limit; --tets, --count, --min-volume, --scale.
void add_batch_arguments(CLI::App& command, BatchArguments& arguments);
void add_batch_modes(CLI::App& command, BatchModes& modes);

/// 64 bits of FNV-1a: the same for the same bytes everywhere.
[[nodiscard]] std::uint64_t hash_of(std::string_view bytes);

/// The object's file: its name, size and hash. Throws core::Error if it cannot be read.
[[nodiscard]] nlohmann::ordered_json source_of(const BatchObject& object);

/// A JSON file, or null if it is missing or damaged.
[[nodiscard]] nlohmann::ordered_json read_record(const std::filesystem::path& file);

/// Writes FOLDER/options.json, or compares with it: a folder holds what was made with the same options. Throws
/// core::BadInput that names an option that differs; core::Error if it cannot be written.
void require_same_options(const std::filesystem::path& folder, const nlohmann::ordered_json& options);

/// Paths of an object's intermediate files below FOLDER/work.
struct WorkFiles {
  WorkFiles(const std::filesystem::path& folder, const BatchObject& object);

  std::filesystem::path log, lock, modes, mesh, staging;
};

/// A finished preparation of an object.
struct Preparation {
  std::string error;        ///< why there is none; "" if there is one
  std::string repair_note;  ///< how a broken surface was repaired; "" if it was not
  double wall_s = 0;        ///< 0 if the file was there
};

/// Makes the file of modes unless it is there; complete or absent.
[[nodiscard]] Preparation prepare_modes(const BatchObject& object, const BatchModes& modes, const WorkFiles& work,
                                        double time_limit_s);
/// The same for the tets alone.
[[nodiscard]] Preparation prepare_mesh(const BatchObject& object, const BatchModes& modes, const WorkFiles& work,
                                       double time_limit_s);

}  // namespace brisance::app
