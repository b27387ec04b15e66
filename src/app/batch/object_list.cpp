#include "app/batch/object_list.hpp"

#include "brisance/core/error.hpp"
#include "brisance/mesh/formats/read_surface.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <string_view>

#include <spdlog/fmt/fmt.h>

namespace brisance::app {

namespace {

namespace fs = std::filesystem;

bool is_object_file(const fs::path& file) {
  std::string ending = file.extension().string();
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending == ".msh" || ending == ".vtu" || mesh::is_surface_file(file);
}

void require_name(const fs::path& file, const std::string& name) {
  const bool fits = !name.empty() && name.front() != '.' && name.front() != '-' &&
                    std::ranges::none_of(name, [](unsigned char c) { return c < ' ' || c == '"' || c == ','; });
  if (!fits)
    throw core::BadInput(file.string() +
                         ": what is made of it would be named like it, and this is no name for that: no commas, quotes "
                         "and control characters, no dot or dash in front. Rename the file.");
}

void add_files(const fs::path& folder, const std::string& category, std::vector<BatchObject>& objects) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (!entry.is_regular_file() || !is_object_file(entry.path())) continue;
    objects.push_back({entry.path(), category, entry.path().stem().string()});
    require_name(entry.path(), objects.back().name);
  }
}

}  // namespace

std::vector<BatchObject> list_objects(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored))
    throw core::BadInput("there is no folder " + folder.string() + ". Give the folder of the objects' files.");
  std::vector<BatchObject> objects;
  try {
    add_files(folder, "", objects);
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
      const std::string name = entry.path().filename().string();
      if (entry.is_directory() && name.front() != '.') add_files(entry.path(), name, objects);
    }
  } catch (const fs::filesystem_error& error) {
    throw core::BadInput(folder.string() + " cannot be read: " + error.code().message() + ".");
  }
  if (objects.empty())
    throw core::BadInput(
        folder.string() +
        " holds no object: no surface (OBJ, STL, PLY, OFF, GLB ...), .msh or .vtu file, nor do its subfolders.");
  std::ranges::sort(objects, {}, [](const BatchObject& o) { return std::tuple(o.category, o.name, o.file); });
  for (std::size_t i = 1; i < objects.size(); ++i)
    if (objects[i].key() == objects[i - 1].key())
      throw core::BadInput(fmt::format("{} and {} would have the same name. Rename one of them.",
                                       objects[i - 1].file.string(), objects[i].file.string()));
  return objects;
}

Slice read_slice(const std::string& text) {
  Slice slice;
  const std::size_t bar = text.find('/');
  const auto number = [&](std::string_view digits, std::int64_t& value) {
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc() && end == digits.data() + digits.size();
  };
  const std::string_view all(text);
  if (bar == std::string::npos || !number(all.substr(0, bar), slice.index) ||
      !number(all.substr(bar + 1), slice.count) || slice.index < 1 || slice.index > slice.count)
    throw core::BadInput("--slice " + text + " is not i/n with 1 ≤ i ≤ n: --slice 2/8 is the second of eight shares.");
  return slice;
}

}  // namespace brisance::app
