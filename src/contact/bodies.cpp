#include "brisance/contact/bodies.hpp"

#include "brisance/contact/fields.hpp"
#include "brisance/dist/pieces.hpp"

namespace brisance::contact {

void note_bodies(dist::Mesh& mesh) {
  const dist::Pieces pieces = dist::find_pieces(mesh);
  for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i)
    if (const LocalElement e(i); mesh.is_held(e)) {
      const auto piece = static_cast<std::size_t>(pieces.of_node[mesh.corner(e, 0)]);
      mesh.field(kBody)[e] = pieces.list[piece].lowest_node.value;
    }
}

}  // namespace brisance::contact
