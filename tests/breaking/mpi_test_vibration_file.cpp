/// Vibration files written by all ranks are those of one.
#include "brisance/breaking/vibration_file.hpp"
#include "brisance/core/blocks.hpp"

#include "io/hdf5_contents.hpp"
#include "io/shared_folder.hpp"
#include "support/kuhn.hpp"

#include <vector>

namespace brisance::breaking {
namespace {

using VibrationFiles = test::SharedFolder;

template <class T>
std::vector<T> block_of(const std::vector<T>& rows, const core::Comm& comm) {
  const core::Block mine = core::block_of(std::ssize(rows), comm.rank(), comm.size());
  return {rows.begin() + mine.first, rows.begin() + mine.first + mine.count};
}

TEST_F(VibrationFiles, OfAllRanksAreThoseOfOne) {
  VibrationFile whole;
  whole.mesh = test::kuhn_box(3, 2, 1, 3, 2, 1);
  whole.solid = {1e9, 2e9, 2500};
  whole.program = "brisance 0.1.0";
  for (int k = 0; k < 3; ++k) {
    modes::VibrationMode mode{100.0 * k, whole.mesh.nodes};
    for (Vec3& u : mode.displacement) u *= 1 + k;
    whole.modes.push_back(mode);
  }
  on_root([&] { write_vibration_file(core::Comm(MPI_COMM_SELF), folder_ / "one.h5", whole); });
  VibrationFile block = whole;
  block.mesh.nodes = block_of(whole.mesh.nodes, comm_);
  block.mesh.tets = block_of(whole.mesh.tets, comm_);
  for (modes::VibrationMode& mode : block.modes) mode.displacement = block_of(mode.displacement, comm_);
  write_vibration_file(comm_, folder_ / "all.h5", block);
  test::expect_same_contents(folder_ / "one.h5", folder_ / "all.h5");
  comm_.barrier();
}

}  // namespace
}  // namespace brisance::breaking
