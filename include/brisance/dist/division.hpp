/// Elements that cracks divide without cutting them: the tet of the uncut mesh stays whole, and every block of its
/// vertices has a copy with the material around them. Fields of runs whose cutter works so; other runs do not have
/// them.
#pragma once

#include "brisance/dist/fields.hpp"
#include "brisance/dist/mesh.hpp"
#include "brisance/elements/partitioned_tet.hpp"

#include <cstdint>
#include <vector>

namespace brisance::dist {

/// One copy of a tet of the uncut mesh. Corner i of every copy is at vertex i of the tet, or at a virtual node there.
struct Division {
  std::int64_t tet = -1;            ///< id of the tet, that of its first copy; −1: the element's own id
  std::int64_t block = 0;           ///< the lowest vertex of the copy's block
  elements::Partition partition{};  ///< of the tet, the same in all copies
};

static_assert(sizeof(Division) == 80);  // no bytes without a value

template <>
struct Components<Division> {
  static constexpr std::size_t width = 12;
  static void write(const Division& value, double* out) {
    *out++ = static_cast<double>(value.tet);
    *out++ = static_cast<double>(value.block);
    for (const std::uint8_t block : value.partition.block) *out++ = block;
    for (const double t : value.partition.cut_at) *out++ = t;
  }
};

inline constexpr ElementFieldDeclaration<Division> kDivision{.name = "division", .unit = "-"};

/// Node of the uncut mesh at the place of a virtual node; −1 for a node that is real.
inline constexpr NodeFieldDeclaration<std::int64_t> kVertex{.name = "vertex", .unit = "node", .initial = -1};

/// The node of the uncut mesh at this node's place: itself unless it is virtual. Any node held here of a mesh with
/// these fields. Local.
[[nodiscard]] inline GlobalNode vertex_of(const Mesh& mesh, LocalNode n) {
  const std::int64_t vertex = mesh.field(kVertex)[n];
  return vertex < 0 ? mesh.node_id[n] : GlobalNode(vertex);
}
[[nodiscard]] inline bool is_real(const Mesh& mesh, LocalNode n) { return mesh.field(kVertex)[n] < 0; }

/// The tet of the uncut mesh of which an element held here is a copy. Local.
[[nodiscard]] inline GlobalElement tet_of(const Mesh& mesh, LocalElement e) {
  const std::int64_t tet = mesh.field(kDivision)[e].tet;
  return tet < 0 ? mesh.element_id[e] : GlobalElement(tet);
}

[[nodiscard]] inline FieldList division_fields() { return FieldList().add(kDivision).add(kVertex); }

}  // namespace brisance::dist
