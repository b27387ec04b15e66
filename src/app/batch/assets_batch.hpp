/// Assets of all objects of a folder (`brisance assets FOLDER`).
#pragma once

#include "app/batch/batch_folder.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace brisance::app {

struct AssetsBatch {
  BatchArguments batch;
  BatchModes modes;
  std::vector<std::string> options;  ///< of `brisance assets MODES` for each object
  std::int64_t picture_width = 256;  ///< 0: no pictures
};

/// What became of an object: record.json in its folder, and a row of the table.
struct AssetRecord {
  std::string key;
  std::string status;  ///< made, repaired, refused, busy (another process works on it)
  std::string reason;  ///< of repaired, refused, busy
  bool is_new = false;
  nlohmann::ordered_json numbers;  ///< of made and repaired
};

/// Makes what is missing, and writes assets.csv and index.html about all. Returns the number of objects that have no
/// asset. Rank 0 alone; throws core::BadInput, core::Stopped, core::Error.
std::int64_t make_assets(const AssetsBatch& arguments);

/// The table, and the page with a picture of each object. Local; throws core::Error.
void write_asset_table(const std::filesystem::path& folder, const std::vector<AssetRecord>& records);
void write_asset_page(const std::filesystem::path& folder, const std::vector<AssetRecord>& records);

}  // namespace brisance::app
