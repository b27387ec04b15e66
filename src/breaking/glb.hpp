/// A glTF 2.0 document in one file (GLB) and its one buffer.
#pragma once

#include "brisance/core/types.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace brisance::breaking {

using Json = nlohmann::ordered_json;

class Glb {
public:
  static constexpr int kFloat = 5126, kUnsignedInt = 5125, kUnsignedByte = 5121;
  static constexpr int kVertices = 34962, kIndices = 34963, kNoTarget = 0;

  Json document;

  /// A document with the materials original_surface (0) and crack_surface (1), and a root node (0) "z_up" that turns
  /// our z up into glTF's y up.
  [[nodiscard]] static Json start();

  /// Appends rows of `width` values of a kind; glTF requires each to begin at a multiple of four bytes, which all kinds
  /// here satisfy. Returns the number of the accessor.
  template <class T>
  int accessor(std::span<const T> values, const char* type, std::size_t width, int component, int target,
               Json more = Json::object()) {
    Json view{{"buffer", 0}, {"byteOffset", binary_.size()}, {"byteLength", values.size_bytes()}};
    if (target != kNoTarget) view["target"] = target;
    document["bufferViews"].push_back(std::move(view));
    binary_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
    Json row{{"bufferView", document["bufferViews"].size() - 1},
             {"type", type},
             {"componentType", component},
             {"count", values.size() / width}};
    row.update(more);
    document["accessors"].push_back(std::move(row));
    return static_cast<int>(document["accessors"].size()) - 1;
  }

  /// A primitive for each kind of surface that occurs, original and crack, with the points they use.
  /// @param is_crack  for each triangle
  /// @param number    chooses the tint
  [[nodiscard]] Json primitives(std::span<const Vec3> points, std::span<const std::array<std::int32_t, 3>> triangles,
                                const std::vector<bool>& is_crack, std::size_t number);

  /// The file's contents. Throws core::Error if a GLB cannot hold so much.
  /// @param advice  how to need less, for the message
  [[nodiscard]] std::string bytes(const std::filesystem::path& file, const std::string& advice);

private:
  std::string binary_;
};

}  // namespace brisance::breaking
