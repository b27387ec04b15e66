/// The task of a mode search: an object to be meshed, or a file to be continued.
#pragma once

#include "brisance/breaking/mode_file.hpp"
#include "brisance/core/comm.hpp"
#include "brisance/mesh/tet_mesh.hpp"
#include "brisance/modes/body/divided_body.hpp"

#include "app/modes/modes_arguments.hpp"

namespace brisance::app {

/// The file so far, in the ranks' blocks, and its body with its strengths. One rank makes the mesh (TetGen is serial)
/// and then keeps only its part.
struct ModeTask {
  breaking::ModeFile file;
  modes::DividedBody body;
};

/// Refuses an --out that is one of the arguments' inputs, and one that exists unless `overwrite`. Local; throws
/// core::BadInput.
void guard_modes_file(const ModesArguments& arguments, bool overwrite);

/// Is an existing file to be continued? Collective; throws core::BadInput on all ranks if the file exists and may be
/// neither continued nor replaced.
[[nodiscard]] bool goes_on(const core::Comm& comm, const ModesArguments& arguments);

/// The object of the arguments: a file with a mesh or flat body only. Local; throws core::BadInput.
[[nodiscard]] breaking::ModeFile make_object(const ModesArguments& arguments);

/// A task without modes from the object on rank 0; afterwards no rank has more than its part. Collective; throws
/// core::BadInput on all ranks.
[[nodiscard]] ModeTask begin(const core::Comm& comm, const ModesArguments& arguments, breaking::ModeFile whole);

/// The task continued from its file, for the number of modes now requested. Collective; throws core::BadInput on all
/// ranks.
[[nodiscard]] ModeTask take_up(const core::Comm& comm, const ModesArguments& arguments);

/// The tets of the arguments. Local; throws core::BadInput.
[[nodiscard]] mesh::TetMesh make_mesh(const MeshArguments& arguments, bool report_it);

}  // namespace brisance::app
