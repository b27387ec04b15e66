#include "glb_scene.hpp"

#include "brisance/core/error.hpp"
#include "brisance/io/atomic_file.hpp"

#include "exports/writers/byte_rows.hpp"
#include "exports/writers/material_colours.hpp"
#include "exports/writers/up_axis.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>  // used by tinygltf
#include <limits>
#include <map>
#include <numbers>
#include <sstream>

#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>

#define TINYGLTF_IMPLEMENTATION
#define TINYGLTF_NO_INCLUDE_JSON
#define TINYGLTF_NO_STB_IMAGE
#define TINYGLTF_NO_STB_IMAGE_WRITE
#define TINYGLTF_NO_EXTERNAL_IMAGE
#define TINYGLTF_NO_FS
#include <tiny_gltf.h>

namespace brisance::exports {

namespace {

constexpr std::size_t kMostBytes = std::numeric_limits<std::uint32_t>::max() - 1'000'000ULL;

Surface unit_ball() {
  constexpr int kRings = 8, kSectors = 12;
  Surface s;
  for (int r = 0; r <= kRings; ++r)
    for (int c = 0; c < kSectors; ++c) {
      const double polar = std::numbers::pi * r / kRings, azimuth = 2 * std::numbers::pi * c / kSectors;
      s.points.emplace_back(std::sin(polar) * std::cos(azimuth), std::sin(polar) * std::sin(azimuth), std::cos(polar));
    }
  for (int r = 0; r < kRings; ++r)
    for (int c = 0; c < kSectors; ++c) {
      const int right = (c + 1) % kSectors, upper = r * kSectors, lower = upper + kSectors;
      if (r > 0) s.triangles.push_back({upper + c, lower + right, upper + right});
      if (r + 1 < kRings) s.triangles.push_back({upper + c, lower + c, lower + right});
    }
  s.normals = s.points;
  return s;
}

/// Each triangle with vertices of its own.
Surface flat_shaded(const Surface& surface) {
  Surface flat;
  for (const auto& triangle : surface.triangles) {
    const auto at = [&](int k) -> const Vec3& { return surface.points[static_cast<std::size_t>(triangle[k])]; };
    const Vec3 normal = (at(1) - at(0)).cross(at(2) - at(0));
    const auto first = static_cast<std::int32_t>(flat.points.size());
    for (int k = 0; k < 3; ++k) {
      flat.points.push_back(at(k));
      flat.normals.push_back(normal.norm() > 0 ? Vec3(normal.normalized()) : Vec3(Vec3::UnitZ()));
    }
    flat.triangles.push_back({first, first + 1, first + 2});
  }
  return flat;
}

/// The vertices that one material's triangles use, and their corners among these.
struct PrimitiveRows {
  std::vector<std::int32_t> vertices;
  std::vector<std::uint32_t> corners;
};

PrimitiveRows rows_of(const Surface& surface, std::size_t material, std::size_t num_vertices) {
  PrimitiveRows rows;
  std::vector<std::int32_t> row(num_vertices, -1);
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    if (static_cast<std::size_t>(surface.material[t]) != material) continue;
    for (const std::int32_t corner : surface.triangles[t]) {
      std::int32_t& r = row[static_cast<std::size_t>(corner)];
      if (r < 0) {
        r = static_cast<std::int32_t>(rows.vertices.size());
        rows.vertices.push_back(corner);
      }
      rows.corners.push_back(static_cast<std::uint32_t>(r));
    }
  }
  return rows;
}

std::vector<Vec3> chosen(const std::vector<Vec3>& of, const std::vector<std::int32_t>& rows, const Vec3& about) {
  std::vector<Vec3> result;
  result.reserve(rows.size());
  for (const std::int32_t r : rows) result.push_back(of[static_cast<std::size_t>(r)] - about);
  return result;
}

tinygltf::Value number(double value) { return tinygltf::Value(value); }

}  // namespace

struct GlbScene::Document {
  tinygltf::Model model;
  std::size_t num_materials = 0;

  /// Appends the bytes as a view of their own and returns its accessor.
  int accessor(const std::string& bytes, int component, int type, std::size_t count, int target) {
    std::vector<unsigned char>& data = model.buffers.front().data;
    tinygltf::BufferView view;
    view.buffer = 0;
    view.byteOffset = data.size();
    view.byteLength = bytes.size();
    view.target = target;
    data.insert(data.end(), bytes.begin(), bytes.end());
    data.resize((data.size() + 3) / 4 * 4, 0);
    if (data.size() > kMostBytes)
      throw core::Error("the GLB would exceed 4 GB, its limit: choose fewer frames (--frames) or --to usda.");
    model.bufferViews.push_back(std::move(view));
    tinygltf::Accessor row;
    row.bufferView = static_cast<int>(model.bufferViews.size()) - 1;
    row.componentType = component;
    row.type = type;
    row.count = count;
    model.accessors.push_back(std::move(row));
    return static_cast<int>(model.accessors.size()) - 1;
  }

  void set_bounds(int index, const std::vector<double>& low, const std::vector<double>& high) {
    model.accessors[static_cast<std::size_t>(index)].minValues = low;
    model.accessors[static_cast<std::size_t>(index)].maxValues = high;
  }

  int vectors(const std::vector<Vec3>& rows, int target, bool with_bounds) {
    std::string bytes;
    std::vector<double> low(3, std::numeric_limits<double>::max()), high(3, std::numeric_limits<double>::lowest());
    for (const Vec3& row : rows)
      for (int k = 0; k < 3; ++k) {
        const auto value = static_cast<float>(row[k]);
        append<float>(bytes, value);
        low[static_cast<std::size_t>(k)] = std::min(low[static_cast<std::size_t>(k)], static_cast<double>(value));
        high[static_cast<std::size_t>(k)] = std::max(high[static_cast<std::size_t>(k)], static_cast<double>(value));
      }
    const int index = accessor(bytes, TINYGLTF_COMPONENT_TYPE_FLOAT, TINYGLTF_TYPE_VEC3, rows.size(), target);
    if (with_bounds) set_bounds(index, low, high);
    return index;
  }

  /// Vectors that are in the buffer.
  [[nodiscard]] std::vector<Vec3> stored_vectors(int index) const {
    const tinygltf::Accessor& row = model.accessors[static_cast<std::size_t>(index)];
    const unsigned char* at =
        model.buffers.front().data.data() + model.bufferViews[static_cast<std::size_t>(row.bufferView)].byteOffset;
    std::vector<Vec3> vectors(row.count);
    for (Vec3& v : vectors) {
      std::array<float, 3> x{};
      std::memcpy(x.data(), at, sizeof x);
      at += sizeof x;
      v = {x[0], x[1], x[2]};
    }
    return vectors;
  }

  void add_channel(int node, int times, int values, const char* path, const char* interpolation) {
    if (model.animations.empty()) model.animations.emplace_back().name = "run";
    tinygltf::Animation& animation = model.animations.front();
    tinygltf::AnimationSampler sampler;
    sampler.input = times;
    sampler.output = values;
    sampler.interpolation = interpolation;
    animation.samplers.push_back(std::move(sampler));
    tinygltf::AnimationChannel channel;
    channel.sampler = static_cast<int>(animation.samplers.size()) - 1;
    channel.target_node = node;
    channel.target_path = path;
    animation.channels.push_back(std::move(channel));
  }

  tinygltf::Node& node(int index) { return model.nodes[static_cast<std::size_t>(index)]; }
};

GlbScene::GlbScene(const std::vector<std::string>& materials, const Vec3& origin, Up up)
    : document_(std::make_unique<Document>()) {
  tinygltf::Model& model = document_->model;
  model.asset.version = "2.0";
  model.asset.generator = "brisance";
  model.buffers.emplace_back();
  document_->num_materials = materials.size();
  for (std::size_t m = 0; m < materials.size(); ++m) {
    tinygltf::Material material;
    material.name = materials[m];
    const Vec3 colour = material_colour(m, materials.size());
    material.pbrMetallicRoughness.baseColorFactor = {colour.x(), colour.y(), colour.z(), 1};
    material.pbrMetallicRoughness.metallicFactor = 0;
    material.pbrMetallicRoughness.roughnessFactor = 0.7;
    model.materials.push_back(std::move(material));
  }
  tinygltf::Material collider;
  collider.name = "collider";
  collider.pbrMetallicRoughness.baseColorFactor = {0.35, 0.37, 0.4, 1};
  collider.pbrMetallicRoughness.metallicFactor = 0;
  collider.pbrMetallicRoughness.roughnessFactor = 0.9;
  model.materials.push_back(std::move(collider));
  tinygltf::Node root;
  root.name = up == Up::z ? "z_up" : "y_up";
  if (up == Up::z) root.rotation = {-std::sqrt(0.5), 0, 0, std::sqrt(0.5)};
  const Vec3 place = turned(origin, up == Up::z ? Up::y : Up::z);
  if (!origin.isZero(0)) root.translation = {place.x(), place.y(), place.z()};
  model.nodes.push_back(std::move(root));
  model.scenes.emplace_back().nodes = {0};
  model.defaultScene = 0;
}

GlbScene::~GlbScene() = default;

int GlbScene::add_mesh(const std::string& name, const Surface& surface, const Vertices& vertices) {
  Document& d = *document_;
  tinygltf::Mesh mesh;
  mesh.name = name;
  for (std::size_t m = 0; m <= d.num_materials; ++m) {
    const PrimitiveRows rows = rows_of(surface, m, vertices.positions.size());
    if (rows.vertices.empty()) continue;
    const auto pairs = [&](const std::vector<std::array<double, 2>>& of, bool turn_v) {
      std::string bytes;
      for (const std::int32_t v : rows.vertices) {
        const auto& uv = of[static_cast<std::size_t>(v)];
        append<float>(bytes, uv[0]);
        append<float>(bytes, turn_v ? 1 - uv[1] : uv[1]);
      }
      return d.accessor(bytes, TINYGLTF_COMPONENT_TYPE_FLOAT, TINYGLTF_TYPE_VEC2, rows.vertices.size(),
                        TINYGLTF_TARGET_ARRAY_BUFFER);
    };
    tinygltf::Primitive primitive;
    primitive.mode = TINYGLTF_MODE_TRIANGLES;
    primitive.material = static_cast<int>(m);
    primitive.attributes["POSITION"] =
        d.vectors(chosen(vertices.positions, rows.vertices, vertices.about), TINYGLTF_TARGET_ARRAY_BUFFER, true);
    primitive.attributes["NORMAL"] =
        d.vectors(chosen(vertices.normals, rows.vertices, Vec3::Zero()), TINYGLTF_TARGET_ARRAY_BUFFER, false);
    if (!surface.texture.empty()) primitive.attributes["TEXCOORD_0"] = pairs(surface.texture, true);
    for (std::size_t k = 0; k < vertices.more_texture.size(); ++k)
      primitive.attributes["TEXCOORD_" + std::to_string(k + 1)] = pairs(vertices.more_texture[k], false);
    if (!surface.colours.empty()) {
      std::string colours;
      for (const std::int32_t v : rows.vertices)
        for (const double c : surface.colours[static_cast<std::size_t>(v)])
          append<float>(colours, std::clamp(c, 0.0, 1.0));
      primitive.attributes["COLOR_0"] = d.accessor(colours, TINYGLTF_COMPONENT_TYPE_FLOAT, TINYGLTF_TYPE_VEC3,
                                                   rows.vertices.size(), TINYGLTF_TARGET_ARRAY_BUFFER);
    }
    std::string corners;
    for (const std::uint32_t c : rows.corners) append<std::uint32_t>(corners, c);
    primitive.indices = d.accessor(corners, TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT, TINYGLTF_TYPE_SCALAR,
                                   rows.corners.size(), TINYGLTF_TARGET_ELEMENT_ARRAY_BUFFER);
    mesh.primitives.push_back(std::move(primitive));
  }
  d.model.meshes.push_back(std::move(mesh));
  return static_cast<int>(d.model.meshes.size()) - 1;
}

void GlbScene::add_target(int mesh, const Surface& surface, const Vertices& vertices) {
  Document& d = *document_;
  std::size_t number = 0;
  for (std::size_t m = 0; m <= d.num_materials; ++m) {
    const PrimitiveRows rows = rows_of(surface, m, vertices.positions.size());
    if (rows.vertices.empty()) continue;
    tinygltf::Primitive& primitive = d.model.meshes[static_cast<std::size_t>(mesh)].primitives[number++];
    const auto moved = [&](const char* name, const std::vector<Vec3>& now, const Vec3& about) {
      std::vector<Vec3> shift = chosen(now, rows.vertices, about);
      const std::vector<Vec3> base = d.stored_vectors(primitive.attributes[name]);
      for (std::size_t i = 0; i < shift.size(); ++i) shift[i] -= base[i];
      return d.vectors(shift, TINYGLTF_TARGET_ARRAY_BUFFER, std::string_view(name) == "POSITION");
    };
    std::map<std::string, int> target;
    target["POSITION"] = moved("POSITION", vertices.positions, vertices.about);
    target["NORMAL"] = moved("NORMAL", vertices.normals, Vec3::Zero());
    primitive.targets.push_back(std::move(target));
  }
  d.model.meshes[static_cast<std::size_t>(mesh)].weights.push_back(0);
}

int GlbScene::add_ball() {
  Surface s = unit_ball();
  s.material.assign(s.triangles.size(), static_cast<std::int32_t>(document_->num_materials) - 1);
  return add_mesh("ball", s, {s.points, s.normals});
}

int GlbScene::add_collider(const io::Collider& collider) {
  Surface s;
  if (collider.kind == "sphere") {
    s = unit_ball();
    for (Vec3& x : s.points) x *= collider.size.x();
  } else if (collider.kind == "box") {
    for (int k = 0; k < 8; ++k)
      s.points.push_back(collider.size.cwiseProduct(Vec3((k >> 2 & 1) - 0.5, (k >> 1 & 1) - 0.5, (k & 1) - 0.5)));
    s.triangles = {{0, 1, 3}, {0, 3, 2}, {4, 6, 7}, {4, 7, 5}, {0, 4, 5}, {0, 5, 1},
                   {2, 3, 7}, {2, 7, 6}, {0, 2, 6}, {0, 6, 4}, {1, 5, 7}, {1, 7, 3}};
    s = flat_shaded(s);
  } else {
    s.points = collider.vertices;
    s.triangles = collider.triangles;
    s = flat_shaded(s);
  }
  s.material.assign(s.triangles.size(), static_cast<std::int32_t>(document_->num_materials));
  return add_mesh(collider.name, s, {s.points, s.normals});
}

int GlbScene::add_node(const std::string& name, int mesh, const Vec3& position, const Extras& extras) {
  tinygltf::Model& model = document_->model;
  tinygltf::Node node;
  node.name = name;
  node.mesh = mesh;
  if (!position.isZero(0)) node.translation = {position.x(), position.y(), position.z()};
  if (extras.id >= 0) {
    tinygltf::Value::Object values;
    values["id"] = number(static_cast<double>(extras.id));
    values["parent"] = number(static_cast<double>(extras.parent));
    values["mass_kg"] = number(extras.mass_kg);
    values["volume_m3"] = number(extras.volume_m3);
    node.extras = tinygltf::Value(values);
  }
  model.nodes.push_back(std::move(node));
  const int index = static_cast<int>(model.nodes.size()) - 1;
  model.nodes.front().children.push_back(index);
  return index;
}

int GlbScene::add_times(const std::vector<double>& times_s) {
  std::string bytes;
  for (const double t : times_s) append<float>(bytes, t);
  const int index = document_->accessor(bytes, TINYGLTF_COMPONENT_TYPE_FLOAT, TINYGLTF_TYPE_SCALAR, times_s.size(), 0);
  document_->set_bounds(index, {static_cast<double>(static_cast<float>(times_s.front()))},
                        {static_cast<double>(static_cast<float>(times_s.back()))});
  return index;
}

void GlbScene::animate_translation(int node, int times, const std::vector<Vec3>& values) {
  document_->node(node).translation = {values.front().x(), values.front().y(), values.front().z()};
  document_->add_channel(node, times, document_->vectors(values, 0, false), "translation", "LINEAR");
}

void GlbScene::animate_rotation(int node, int times, const std::vector<std::array<double, 4>>& values) {
  document_->node(node).rotation.assign(values.front().begin(), values.front().end());
  std::string bytes;
  for (const auto& q : values)
    for (const double c : q) append<float>(bytes, c);
  document_->add_channel(
      node, times, document_->accessor(bytes, TINYGLTF_COMPONENT_TYPE_FLOAT, TINYGLTF_TYPE_VEC4, values.size(), 0),
      "rotation", "LINEAR");
}

void GlbScene::animate_scale(int node, int times, const std::vector<double>& values) {
  std::vector<Vec3> rows;
  for (const double s : values) rows.push_back(Vec3::Constant(s));
  document_->node(node).scale.assign(3, values.front());
  document_->add_channel(node, times, document_->vectors(rows, 0, false), "scale", "STEP");
}

void GlbScene::animate_targets(int node, int times, std::size_t num_frames, std::size_t first) {
  const std::size_t count =
      document_->model.meshes[static_cast<std::size_t>(document_->node(node).mesh)].weights.size();
  std::string bytes;
  for (std::size_t i = 0; i < num_frames; ++i) {
    const std::size_t now = std::min(i, first + count);  // the last shape stays
    for (std::size_t k = 0; k < count; ++k) append<float>(bytes, now == first + k + 1 ? 1 : 0);
  }
  const int weights =
      document_->accessor(bytes, TINYGLTF_COMPONENT_TYPE_FLOAT, TINYGLTF_TYPE_SCALAR, num_frames * count, 0);
  document_->add_channel(node, times, weights, "weights", "LINEAR");
}

void GlbScene::write(const std::filesystem::path& file) {
  std::ostringstream stream;
  tinygltf::TinyGLTF writer;
  if (!writer.WriteGltfSceneToStream(&document_->model, stream, false, true))
    throw core::Error(file.string() + " could not be written: tinygltf refuses the scene. Please report it.");
  io::write_atomically(file, std::move(stream).str());
}

}  // namespace brisance::exports
