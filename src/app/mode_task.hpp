/// What a search for modes begins with: an object to be meshed, or a file to go on with.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/mesh/tet_mesh.hpp"
#include "brisance/modes/divided_body.hpp"
#include "brisance/sim/mode_file.hpp"

#include "app/modes_arguments.hpp"

namespace brisance::app {

/// The file as far as it is there, in the ranks' blocks, and the body that it is of, with its strengths.
struct ModeTask {
  sim::ModeFile file;
  modes::DividedBody body;
};

/// Makes the object of the arguments, or reads what --resume goes on with. One rank makes the mesh (TetGen is serial)
/// and then keeps only its part. Collective; throws core::BadInput on all ranks.
[[nodiscard]] ModeTask prepare(const core::Comm& comm, const ModesArguments& arguments);

/// The tets of the arguments. Local; throws core::BadInput.
[[nodiscard]] mesh::TetMesh make_mesh(const MeshArguments& arguments, bool report_it);

}  // namespace brisance::app
