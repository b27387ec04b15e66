/// The fragments of one object after many impacts (`brisance dataset` with a file of modes, or a run folder).
#pragma once

#include "brisance/breaking/fragment_set.hpp"

#include <cstdint>
#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

namespace brisance::app {

struct FragmentArguments {
  std::int64_t impacts = 20;
  std::uint64_t seed = 1;
  std::int64_t least_pieces = 2, most_pieces = 20;
  double smallest_share = 0.005;  ///< of a fragment in the object's volume
  double smooth = 0.01;           ///< length over which cracks are rounded, over ∛V
  bool rough = false;             ///< cracks follow the faces of the tets
  breaking::FragmentFormat format = breaking::FragmentFormat::obj;
};

/// Files of an impact: meshes alone in FOLDER/fractured_K, for programs that load all of its files; all else in
/// FOLDER/impact_K.json.
[[nodiscard]] std::filesystem::path fragment_folder(const std::filesystem::path& folder, std::int64_t impact);
[[nodiscard]] std::filesystem::path impact_file(const std::filesystem::path& folder, std::int64_t impact);
/// Number and draw of the impact that is being made: FOLDER.writing/now.json.
[[nodiscard]] std::filesystem::path now_file(const std::filesystem::path& folder);

/// Seed of an object from that of the data set.
[[nodiscard]] std::uint64_t seed_of_object(std::uint64_t seed, const std::string& key);

/// Is the impact made, or refused for good? Local.
[[nodiscard]] bool is_settled(const std::filesystem::path& folder, std::int64_t impact);

/// Writes that an impact is refused, and why. Local; throws core::Error.
void refuse_impact(const std::filesystem::path& folder, const std::string& key, std::int64_t impact,
                   const std::string& reason, std::uint64_t draw);

/// Makes the impacts that are missing, one after the other; each appears complete or not at all. No two break the
/// object in the same way. Local; throws core::Error (no modes, a flat body, a folder that cannot be written).
void break_along_modes(const std::filesystem::path& modes_file, const std::filesystem::path& folder,
                       const std::string& key, const FragmentArguments& arguments);

/// Makes one impact from the last frame of a run. `further` is added to its labels. Local; throws core::Error.
void take_fragments_of_run(const std::filesystem::path& run, const std::filesystem::path& folder,
                           const std::string& key, std::int64_t impact, const nlohmann::ordered_json& further,
                           const FragmentArguments& arguments);

}  // namespace brisance::app
