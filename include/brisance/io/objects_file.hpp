/// objects.json in a run folder: from which surfaces the objects were made, and where these were put.
#pragma once

#include "brisance/core/types.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace brisance::io {

/// An object made of a surface file. A point x of the file is at rotation · (scale x) + shift at rest.
struct PlacedObject {
  std::string name;
  std::filesystem::path file;  ///< absolute
  double scale = 1;
  Mat3 rotation = Mat3::Identity();
  Vec3 shift = Vec3::Zero();  ///< [m]
};

/// The file's path in a run folder.
[[nodiscard]] std::filesystem::path objects_file(const std::filesystem::path& run_folder);

/// Writes it atomically. Local; throws core::Error.
void write_objects(const std::filesystem::path& file, const std::vector<PlacedObject>& objects);

/// Reads it; an empty list where there is no such file. Local; throws core::Error if it is not one.
[[nodiscard]] std::vector<PlacedObject> read_objects(const std::filesystem::path& file);

}  // namespace brisance::io
