/// The objects of a folder, for commands that process many alike.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace brisance::app {

struct BatchObject {
  std::filesystem::path file;
  std::string category;  ///< name of the subfolder it is in; empty for files of the folder itself
  std::string name;      ///< the file's name without ending

  /// "CATEGORY/NAME", or "NAME" without a category.
  [[nodiscard]] std::string key() const { return category.empty() ? name : category + '/' + name; }
};

/// The surfaces (mesh::is_surface_file) and tet meshes (.msh, .vtu) of a folder and of its subfolders, one level down,
/// by category and name. Local; throws core::BadInput if there is no folder, nothing in it, two files of one name, or a
/// name that is no name for a folder on every system.
[[nodiscard]] std::vector<BatchObject> list_objects(const std::filesystem::path& folder);

/// Every `count`th object, beginning with number `index` (from 1): the share of one task of an array. "2/8" as text.
struct Slice {
  std::int64_t index = 1, count = 1;
};

/// Throws core::BadInput unless the text is "i/n" with 1 ≤ i ≤ n. Local.
[[nodiscard]] Slice read_slice(const std::string& text);

}  // namespace brisance::app
