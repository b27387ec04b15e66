/// Exchange format of the mesher and its child process. Includes nothing of the project but the child's side of a child
/// process: the child links no MPI.
#pragma once

#include "brisance/core/child_side.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace brisance::mesh::tetgen_child {

inline constexpr const char* kProgram = "brisance-tetgen";

struct Input {
  std::string switches;                 ///< TetGen's command line
  std::vector<double> vertices;         ///< 3 for each vertex
  std::vector<std::int32_t> triangles;  ///< 3 vertex indices for each triangle
  std::vector<double> holes;            ///< 3 for each point inside a cavity
};

struct Output {
  std::vector<double> nodes;         ///< 3 for each node; the input vertices first
  std::vector<std::int32_t> tets;    ///< 4 corner indices for each tet
  std::vector<std::int32_t> faces;   ///< 3 corner indices for each boundary face
  std::vector<std::int32_t> marker;  ///< 0-based input triangle under each boundary face
};

inline void put(core::Outbox& out, const Input& input) {
  out.put(input.switches);
  out.put(input.vertices);
  out.put(input.triangles);
  out.put(input.holes);
}

[[nodiscard]] inline Input take_input(core::Inbox& in) {
  Input input;
  in.take(input.switches);
  in.take(input.vertices);
  in.take(input.triangles);
  in.take(input.holes);
  return input;
}

[[nodiscard]] inline Output take_output(core::Inbox& in) {
  Output output;
  in.take(output.nodes);
  in.take(output.tets);
  in.take(output.faces);
  in.take(output.marker);
  return output;
}

}  // namespace brisance::mesh::tetgen_child
