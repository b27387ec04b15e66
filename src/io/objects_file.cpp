#include "brisance/io/objects_file.hpp"

#include "brisance/core/error.hpp"
#include "brisance/io/atomic_file.hpp"
#include "brisance/io/json_text.hpp"

#include <cmath>

namespace brisance::io {

std::filesystem::path objects_file(const std::filesystem::path& run_folder) { return run_folder / "objects.json"; }

void write_objects(const std::filesystem::path& file, const std::vector<PlacedObject>& objects) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const PlacedObject& object : objects) {
    const Mat3& r = object.rotation;
    list.push_back(
        {{"name", object.name},
         {"file", object.file.string()},
         {"scale", object.scale},
         {"rotation", {{r(0, 0), r(0, 1), r(0, 2)}, {r(1, 0), r(1, 1), r(1, 2)}, {r(2, 0), r(2, 1), r(2, 2)}}},
         {"shift_m", {object.shift.x(), object.shift.y(), object.shift.z()}}});
  }
  const nlohmann::ordered_json all{{"format", "brisance-objects"}, {"version", 1}, {"objects", list}};
  write_atomically(file, json_text(all, 2) + "\n");
}

std::vector<PlacedObject> read_objects(const std::filesystem::path& file) {
  std::vector<PlacedObject> objects;
  if (!std::filesystem::exists(file)) return objects;
  try {
    const auto all = nlohmann::json::parse(read_text(file));
    if (all.at("format") != "brisance-objects" || all.at("version") != 1) throw core::Error("another version");
    for (const auto& one : all.at("objects")) {
      PlacedObject& object = objects.emplace_back();
      object.name = one.at("name");
      object.file = one.at("file").get<std::string>();
      object.scale = one.at("scale");
      for (int i = 0; i < 3; ++i) {
        object.shift[i] = one.at("shift_m").at(i);
        for (int j = 0; j < 3; ++j) object.rotation(i, j) = one.at("rotation").at(i).at(j);
      }
      if (!object.shift.allFinite() || !object.rotation.allFinite() || !(object.scale > 0))
        throw core::Error("a number out of range");
    }
  } catch (const std::exception& error) {
    throw core::Error(file.string() + " is damaged (" + error.what() +
                      "). Copy it from the run again, or run the scene anew.");
  }
  return objects;
}

}  // namespace brisance::io
