/// What a search for modes begins with: an object to be meshed, or a file to go on with.
#pragma once

#include "brisance/breaking/mode_file.hpp"
#include "brisance/core/comm.hpp"
#include "brisance/mesh/tet_mesh.hpp"
#include "brisance/modes/body/divided_body.hpp"

#include "app/modes/modes_arguments.hpp"

namespace brisance::app {

/// The file as far as it is there, in the ranks' blocks, and the body that it is of, with its strengths. One rank makes
/// the mesh (TetGen is serial) and then keeps only its part.
struct ModeTask {
  breaking::ModeFile file;
  modes::DividedBody body;
};

/// Refuses an --out that is one of the arguments' inputs, and one that exists unless `overwrite`. Local; throws
/// core::BadInput.
void guard_modes_file(const ModesArguments& arguments, bool overwrite);

/// True if the arguments go on with a file that is there. Collective; throws core::BadInput on all ranks if it is in
/// the way.
[[nodiscard]] bool goes_on(const core::Comm& comm, const ModesArguments& arguments);

/// The object that the arguments ask for: a file with a mesh or flat body only. Local; throws core::BadInput.
[[nodiscard]] breaking::ModeFile make_object(const ModesArguments& arguments);

/// A task without modes yet, from the object that rank 0 has; afterwards no rank has more than its part. Collective;
/// throws core::BadInput on all ranks.
[[nodiscard]] ModeTask begin(const core::Comm& comm, const ModesArguments& arguments, breaking::ModeFile whole);

/// The task as it was left, for as many modes as are asked for now. Collective; throws core::BadInput on all ranks.
[[nodiscard]] ModeTask take_up(const core::Comm& comm, const ModesArguments& arguments);

/// The tets of the arguments. Local; throws core::BadInput.
[[nodiscard]] mesh::TetMesh make_mesh(const MeshArguments& arguments, bool report_it);

}  // namespace brisance::app
