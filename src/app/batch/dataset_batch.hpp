/// A data set of fragments of all objects of a folder (`brisance dataset FOLDER`).
#pragma once

#include "app/batch/batch_folder.hpp"
#include "app/batch/break_object.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace brisance::app {

enum class BreakMethod : std::uint8_t { modes, run };

struct DatasetBatch {
  BatchArguments batch;
  BatchModes modes;
  FragmentArguments fragments;
  BreakMethod method = BreakMethod::modes;
  std::filesystem::path scene;      ///< method run: template
  std::string subset = "everyday";  ///< first folder of the layout, and name of the lists in data_split
  std::int64_t validation_percent = 20;
  Slice slice;
  bool keeps_runs = false;
};

/// Counts of a finished call.
struct DatasetCounts {
  std::int64_t objects = 0, refused_objects = 0, impacts = 0, refused_impacts = 0, pending_impacts = 0;
};

/// Folder of an object in the data set: OUT/SUBSET/CATEGORY/NAME; objects without a category are in "object".
[[nodiscard]] std::filesystem::path folder_in_dataset(const DatasetBatch& arguments, const BatchObject& object);

/// Makes what is missing of this slice, then writes manifest.json and data_split about all slices. Rank 0 alone; throws
/// core::BadInput, core::Stopped, core::Error.
DatasetCounts make_dataset(const DatasetBatch& arguments);

/// Writes manifest.json and data_split/SUBSET.train.txt and .val.txt from what the objects' folders hold. One process
/// at a time; the last of several sees what all have made. Local; throws core::Error.
DatasetCounts write_manifest(const DatasetBatch& arguments, const std::vector<BatchObject>& objects);

/// One simulated impact: the overrides of the template, and what the data set says about it.
struct PlannedRun {
  std::vector<std::string> overrides;
  nlohmann::ordered_json labels;
};

/// What a template scene makes of impacts: its free ball, shot at the object, or without one a random orientation.
class RunTemplate {
public:
  /// Throws core::BadInput unless the scene has one object and at most one free ball, which moves.
  explicit RunTemplate(const std::filesystem::path& scene);

  /// @param mesh_file  the object's tets
  [[nodiscard]] PlannedRun plan(const std::filesystem::path& mesh_file, const mesh::TetMesh& mesh, std::uint64_t seed,
                                std::int64_t impact) const;

private:
  std::int64_t ball_ = -1;  ///< number of the free ball; -1: none
  double radius_m_ = 0, speed_m_s_ = 0;
};

}  // namespace brisance::app
