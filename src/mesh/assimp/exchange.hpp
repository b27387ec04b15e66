/// Exchange format of the reader of other programs' surfaces and its child process. Includes nothing of the project but
/// the child's side of a child process: the child links no MPI.
#pragma once

#include "brisance/core/child_side.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace brisance::mesh::assimp_child {

inline constexpr const char* kProgram = "brisance-assimp";
inline constexpr char kEndOfName = '\n';

/// A surface in the world of its file, z up. Vertices are those of the file, repeated for every node that shows them.
struct Output {
  std::string error;                      ///< why the file cannot be read; empty: it was
  std::vector<double> points;             ///< 3 for each vertex [unit of the file, or m where the format has one]
  std::vector<double> texture;            ///< 2 for each vertex; empty if no mesh has any
  std::vector<double> colours;            ///< 3 for each vertex, as in the file; empty if no mesh has any
  std::vector<std::int64_t> corners;      ///< vertices of the polygons
  std::vector<std::int64_t> num_corners;  ///< of each polygon
  std::vector<std::int32_t> has_texture;  ///< 1 for polygons with texture coordinates, else 0
  std::vector<std::int32_t> name_of;      ///< of each polygon, a row of `names`
  std::vector<std::int32_t> material_of;  ///< of each polygon, a row of `materials`
  std::string names;                      ///< of nodes, each with kEndOfName; may be empty
  std::string materials;                  ///< likewise
};

inline void put(core::Outbox& out, const Output& output) {
  out.put(output.error);
  out.put(output.points);
  out.put(output.texture);
  out.put(output.colours);
  out.put(output.corners);
  out.put(output.num_corners);
  out.put(output.has_texture);
  out.put(output.name_of);
  out.put(output.material_of);
  out.put(output.names);
  out.put(output.materials);
}

[[nodiscard]] inline Output take_output(core::Inbox& in) {
  Output output;
  in.take(output.error);
  in.take(output.points);
  in.take(output.texture);
  in.take(output.colours);
  in.take(output.corners);
  in.take(output.num_corners);
  in.take(output.has_texture);
  in.take(output.name_of);
  in.take(output.material_of);
  in.take(output.names);
  in.take(output.materials);
  return output;
}

}  // namespace brisance::mesh::assimp_child
