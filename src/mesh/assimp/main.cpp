// brisance-assimp: reads one file of another program through Assimp and ends. A damaged file may crash it: that ends
// this process only, and read_assimp.cpp turns it into a message.
#include "mesh/assimp/exchange.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <new>

#include <assimp/Importer.hpp>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

namespace {

namespace core = brisance::core;
using namespace brisance::mesh::assimp_child;

/// Position x of a node is M x + t in the world.
struct Affine {
  std::array<std::array<double, 3>, 3> m{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  std::array<double, 3> t{0, 0, 0};

  [[nodiscard]] std::array<double, 3> operator()(const std::array<double, 3>& x) const {
    std::array<double, 3> y = t;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < 3; ++k) y[i] += m[i][k] * x[k];
    return y;
  }
  [[nodiscard]] Affine after(const Affine& first) const {
    Affine both;
    both.t = (*this)(first.t);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        both.m[i][j] = 0;
        for (std::size_t k = 0; k < 3; ++k) both.m[i][j] += m[i][k] * first.m[k][j];
      }
    return both;
  }
  [[nodiscard]] double determinant() const {
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
  }
};

/// A turn by right angles, exactly: a quaternion in single precision gives 6e-8 in place of 0.
double squared_away(double entry) {
  constexpr double kSinglePrecision = 3e-7;
  return std::abs(entry - std::round(entry)) < kSinglePrecision && std::abs(entry) < 1.5 ? std::round(entry) : entry;
}

Affine affine_of(const aiMatrix4x4& a) {
  Affine affine;
  affine.m = {{{a.a1, a.a2, a.a3}, {a.b1, a.b2, a.b3}, {a.c1, a.c2, a.c3}}};
  for (auto& row : affine.m)
    for (double& entry : row) entry = squared_away(entry);
  affine.t = {a.a4, a.b4, a.c4};
  return affine;
}

/// From Assimp's world, whose y is up, to one whose z is.
Affine turned_up() {
  Affine affine;
  affine.m = {{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}};
  return affine;
}

/// The world of a file, z up. Assimp turns and scales COLLADA and 3DS itself, but not FBX, whose unit is a centimetre
/// times a factor, and whose axis that is up is written in the file. 3MF has z up.
Affine world_of(const aiScene& scene, const std::string& file) {
  if (file.ends_with(".3mf") || file.ends_with(".3MF")) return {};
  if (scene.mMetaData == nullptr) return turned_up();
  constexpr std::int32_t kZ = 2;
  std::int32_t up = 1;
  scene.mMetaData->Get("UpAxis", up);
  Affine world = up == kZ ? Affine() : turned_up();
  double unit_cm = 0;
  float single = 0;
  if (!scene.mMetaData->Get("UnitScaleFactor", unit_cm) && scene.mMetaData->Get("UnitScaleFactor", single))
    unit_cm = single;
  if (unit_cm <= 0) return world;
  for (auto& row : world.m)
    for (double& value : row) value *= unit_cm / 100;
  return world;
}

std::string name_of(const aiString& name) {
  std::string text(name.C_Str());
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ') c = '?';
  return text;
}

class Collector {
public:
  explicit Collector(const aiScene& scene) : scene_(scene) {
    for (unsigned m = 0; m < scene.mNumMeshes; ++m) {
      has_texture_ = has_texture_ || scene.mMeshes[m]->HasTextureCoords(0);
      has_colours_ = has_colours_ || scene.mMeshes[m]->HasVertexColors(0);
    }
    for (unsigned m = 0; m < scene.mNumMaterials; ++m) {
      aiString name;
      const bool has_name = scene.mMaterials[m]->Get(AI_MATKEY_NAME, name) == aiReturn_SUCCESS;
      out_.materials += (has_name && name != aiString(AI_DEFAULT_MATERIAL_NAME) ? name_of(name) : "") + kEndOfName;
    }
  }

  /// Adds a node and all below it, in the order of the file.
  void add(const aiNode& node, const Affine& above) {
    const Affine place = above.after(affine_of(node.mTransformation));
    for (unsigned i = 0; i < node.mNumMeshes; ++i) add(*scene_.mMeshes[node.mMeshes[i]], node, place);
    for (unsigned i = 0; i < node.mNumChildren; ++i) add(*node.mChildren[i], place);
  }
  [[nodiscard]] const Output& output() const { return out_; }

private:
  void add(const aiMesh& mesh, const aiNode& node, const Affine& place) {
    const double turn = place.determinant();
    if (turn == 0) return;  // hidden by a scale of zero
    const auto first = static_cast<std::int64_t>(out_.points.size() / 3);
    for (unsigned v = 0; v < mesh.mNumVertices; ++v) add_vertex(mesh, v, place);
    for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
      const aiFace& face = mesh.mFaces[f];
      if (face.mNumIndices < 3) continue;  // points and lines
      for (unsigned k = 0; k < face.mNumIndices; ++k)
        out_.corners.push_back(first + face.mIndices[turn > 0 ? k : face.mNumIndices - 1 - k]);
      out_.num_corners.push_back(face.mNumIndices);
      out_.has_texture.push_back(mesh.HasTextureCoords(0) ? 1 : 0);
      out_.name_of.push_back(num_names_);
      out_.material_of.push_back(static_cast<std::int32_t>(mesh.mMaterialIndex));
    }
    out_.names += name_of(node.mName) + kEndOfName;
    ++num_names_;
  }

  void add_vertex(const aiMesh& mesh, unsigned v, const Affine& place) {
    const aiVector3D& x = mesh.mVertices[v];
    for (const double value : place({x.x, x.y, x.z})) out_.points.push_back(value);
    if (has_texture_) {
      const aiVector3D uv = mesh.HasTextureCoords(0) ? mesh.mTextureCoords[0][v] : aiVector3D();
      out_.texture.insert(out_.texture.end(), {uv.x, uv.y});
    }
    if (has_colours_) {
      const aiColor4D colour = mesh.HasVertexColors(0) ? mesh.mColors[0][v] : aiColor4D(1, 1, 1, 1);
      out_.colours.insert(out_.colours.end(), {colour.r, colour.g, colour.b});
    }
  }

  const aiScene& scene_;
  Output out_;
  std::int32_t num_names_ = 0;
  bool has_texture_ = false, has_colours_ = false;
};

Output read(const std::string& file) {
  Assimp::Importer importer;
  // Surfaces alone.
  importer.SetPropertyInteger(AI_CONFIG_PP_RVC_FLAGS, aiComponent_ANIMATIONS | aiComponent_BONEWEIGHTS |
                                                          aiComponent_CAMERAS | aiComponent_LIGHTS |
                                                          aiComponent_TANGENTS_AND_BITANGENTS);
  const aiScene* const scene = importer.ReadFile(file, aiProcess_RemoveComponent | aiProcess_ValidateDataStructure);
  if (scene == nullptr || scene->mRootNode == nullptr) {
    Output failed;
    failed.error = importer.GetErrorString();
    if (failed.error.empty()) failed.error = "Assimp gives no reason";
    return failed;
  }
  Collector collector(*scene);
  collector.add(*scene->mRootNode, world_of(*scene, file));
  return collector.output();
}

}  // namespace

int main() {
  if (!core::has_request()) {
    std::puts("usage: brisance-assimp (started by brisance, not by hand)");
    return core::kChildBadExchange;
  }
  try {
    core::Inbox request(core::kRequestDescriptor);
    core::keep_to(core::take_bounds(request));
    const Output output = read(request.take<std::string>());
    core::Outbox answer(core::kAnswerDescriptor);
    put(answer, output);
    return core::kChildDone;
  } catch (const std::bad_alloc&) {
    return core::kChildOutOfMemory;
  } catch (const core::BadExchange& error) {
    std::puts(error.what());
    return core::kChildBadExchange;
  } catch (const std::exception& error) {
    std::puts(error.what());
    return core::kChildGaveUp;
  }
}
