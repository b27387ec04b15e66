#include "brisance/breaking/divided_modes.hpp"

#include "brisance/core/blocks.hpp"
#include "brisance/core/error.hpp"
#include "brisance/modes/search/scalar_modes.hpp"

#include "breaking/mode_file_layout.hpp"

namespace brisance::breaking {

ModeFile scatter_cells(const core::Comm& comm, const ModeFile& whole) {
  ModeFile block;
  block.modes.dimension = comm.max(comm.is_root() ? whole.modes.dimension : 0);
  if (block.modes.dimension == 2) {
    block.plane.surface.vertices = core::scatter_blocks(comm, whole.plane.surface.vertices);
    block.plane.surface.triangles = core::scatter_blocks(comm, whole.plane.surface.triangles);
    block.plane.surface.source_face = core::scatter_blocks(comm, whole.plane.surface.source_face);
    block.plane.region = core::scatter_blocks(comm, whole.plane.region);
    return block;
  }
  block.mesh.nodes = core::scatter_blocks(comm, whole.mesh.nodes);
  block.mesh.tets = core::scatter_blocks(comm, whole.mesh.tets);
  block.mesh.face_source = core::scatter_blocks(comm, whole.mesh.face_source);
  block.mesh.region = core::scatter_blocks(comm, whole.mesh.region);
  return block;
}

modes::DividedBody divided_body(const core::Comm& comm, const ModeFile& block) {
  return modes::divide(comm, simplices_of(block), region_of(block));
}

void take_strengths(const std::filesystem::path& file, const ModeFile& block, modes::DividedBody& body) {
  modes::Body& local = body.local;
  core::agree(body.comm, [&] {
    check_volumes(file, local.graph.volume);
    check_num_faces(file, block, body.face_block.num_rows());
  });
  local.face_weight = body.faces.fetch(body.face_block.fetch(block.face_weight));
  local.eta = modes::strength_factors(local.graph, block.modes.weighting, local.face_weight);
  if (body.comm.any(!block.no_break.empty())) local.no_break = body.cells.fetch(body.cell_block.fetch(block.no_break));
}

void keep_strengths(const modes::DividedBody& body, ModeFile& block) {
  using modes::DividedBody;
  block.face_weight = body.face_block.store(DividedBody::pick(body.local.face_weight, body.own_faces));
  block.no_break.clear();
  if (body.comm.any(!body.local.no_break.empty()))
    block.no_break = body.cell_block.store(DividedBody::pick(body.local.no_break, body.own_cells));
}

modes::CellGraph graph_blocks(const modes::DividedBody& body) {
  using modes::DividedBody;
  const modes::CellGraph& graph = body.local.graph;
  std::vector<modes::Face> faces;
  for (const std::int32_t f : body.own_faces) {
    const modes::Face& face = graph.faces[f];
    faces.push_back({body.cell_id[face.a], body.cell_id[face.b], face.area});
  }
  return {body.cell_block.store(DividedBody::pick(graph.volume, body.own_cells)), body.face_block.store(faces)};
}

}  // namespace brisance::breaking
