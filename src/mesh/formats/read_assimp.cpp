#include "mesh/formats/read_assimp.hpp"

#include "brisance/core/child_process.hpp"
#include "brisance/core/error.hpp"
#include "brisance/core/failed_meshing.hpp"
#include "brisance/core/input_file.hpp"
#include "brisance/mesh/limits.hpp"

#include "mesh/assimp/exchange.hpp"
#include "mesh/formats/file_bytes.hpp"
#include "mesh/formats/group_lines.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include <spdlog/fmt/fmt.h>

namespace brisance::mesh {
namespace {

constexpr std::array<std::string_view, 7> kAssimpEndings{".glb", ".gltf", ".fbx", ".dae", ".3ds", ".x3d", ".3mf"};

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find(assimp_child::kEndOfName);
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return lines;
}

assimp_child::Output read_in_child(const std::filesystem::path& file) {
  core::require_regular_file(file, "Give the path of a mesh file.");
  core::ChildProgram program{.name = assimp_child::kProgram, .who = "Reading " + file.string(), .less = "Export less"};
  program.when_slow = "Export it as OBJ.";
  program.when_broken = "The file may be damaged: export it again, or as OBJ.";
  program.time_limit = std::chrono::hours(1);
  assimp_child::Output output;
  const std::string path = std::filesystem::absolute(file).string();
  try {
    core::run_child(
        program, [&](core::Outbox& out) { out.put(path); },
        [&](core::Inbox& in) { output = assimp_child::take_output(in); });
  } catch (const core::FailedMeshing& error) {  // no other mesh would help
    throw core::Error(error.what());
  }
  return output;
}

/// Throws unless the answer is a surface.
void require_surface(const std::filesystem::path& file, const assimp_child::Output& output) {
  if (!output.error.empty()) {
    std::string reason = output.error.substr(0, 300);
    if (reason.starts_with("No suitable reader")) reason = "its content is not what its ending says";
    std::ranges::replace(reason, '\n', ' ');
    while (!reason.empty() && (reason.back() == ' ' || reason.back() == '.')) reason.pop_back();
    throw core::Error(fmt::format("{}: cannot be read: {}. Export it again, or as OBJ.", file.string(), reason));
  }
  if (output.num_corners.empty())
    throw core::Error(file.string() + ": holds no faces. Export the mesh itself, visible and not compressed.");
  const auto is_unreal = [](double x) { return !(std::abs(x) <= kLargestLength_m); };
  if (const auto bad = std::ranges::find_if(output.points, is_unreal); bad != output.points.end())
    throw core::Error(fmt::format("{}: a vertex lies at {:g}, beyond {:g} m. Correct it or export the file again.",
                                  file.string(), *bad, kLargestLength_m));
}

/// A group for each pair of a node's name and a material.
class NodeGroups {
public:
  NodeGroups(Groups& groups, std::vector<std::string> nodes, std::vector<std::string> materials)
      : numbers_(groups), nodes_(shortened(std::move(nodes))), materials_(shortened(std::move(materials))) {}

  [[nodiscard]] std::int32_t group(std::int32_t node, std::int32_t material) {
    const auto [known, is_new] = known_.try_emplace({node, material}, kNoGroup);
    if (!is_new) return known->second;
    std::vector<std::string> names;
    for (const std::string& name : {nodes_.at(static_cast<std::size_t>(node)), this->material(material)})
      if (!name.empty()) names.push_back(name);
    return known->second = numbers_.number(std::move(names));
  }
  [[nodiscard]] const std::string& material(std::int32_t row) const {
    return materials_.at(static_cast<std::size_t>(row));
  }
  void note_shortened(const std::filesystem::path& file) const { reader_.note_shortened(file); }

private:
  std::vector<std::string> shortened(std::vector<std::string> names) {
    for (std::string& name : names) name = reader_.one(name);
    return names;
  }

  NameReader reader_;
  GroupNumbers numbers_;
  std::vector<std::string> nodes_, materials_;
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> known_;
};

void add_polygons(const assimp_child::Output& output, ObjFile& surface, const std::filesystem::path& file) {
  NodeGroups groups(surface.polygons.groups, lines_of(output.names), lines_of(output.materials));
  std::map<std::string, std::int32_t> row_of_material;
  const std::int64_t* corner = output.corners.data();
  for (std::size_t p = 0; p < output.num_corners.size(); ++p) {
    for (std::int64_t k = 0; k < output.num_corners[p]; ++k, ++corner) {
      surface.polygons.corners.push_back(*corner);
      surface.texture_corners.push_back(output.has_texture[p] != 0 ? *corner : kNoTextureCorner);
    }
    surface.polygons.end_polygon(static_cast<std::int64_t>(p), groups.group(output.name_of[p], output.material_of[p]));
    const std::string& material = groups.material(output.material_of[p]);
    std::int32_t row = -1;
    if (!material.empty()) {
      const auto [known, is_new] =
          row_of_material.try_emplace(material, static_cast<std::int32_t>(surface.materials.size()));
      if (is_new) surface.materials.push_back(material);
      row = known->second;
    }
    surface.material_of_polygon.push_back(row);
  }
  groups.note_shortened(file);
}

}  // namespace

bool is_assimp_file(const std::filesystem::path& file) {
  return std::ranges::find(kAssimpEndings, lower_extension(file)) != kAssimpEndings.end();
}

ObjFile read_assimp(const std::filesystem::path& file) {
  const assimp_child::Output output = read_in_child(file);
  require_surface(file, output);
  ObjFile surface;
  const std::size_t num_vertices = output.points.size() / 3;
  for (std::size_t v = 0; v < num_vertices; ++v) {
    surface.polygons.points.emplace_back(output.points[3 * v], output.points[3 * v + 1], output.points[3 * v + 2]);
    if (!output.texture.empty()) surface.texture_points.push_back({output.texture[2 * v], output.texture[2 * v + 1]});
    if (!output.colours.empty())
      surface.colours.push_back({output.colours[3 * v], output.colours[3 * v + 1], output.colours[3 * v + 2]});
  }
  add_polygons(output, surface, file);
  return surface;
}

std::optional<ObjFile> read_appearance(const std::filesystem::path& file) {
  if (is_assimp_file(file)) return read_assimp(file);
  if (lower_extension(file) == ".obj") return parse_obj(file, read_whole_file(file), true);
  return std::nullopt;
}

}  // namespace brisance::mesh
