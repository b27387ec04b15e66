/// The page docs/FORMAT.md is enough to read a snapshot, and VTK's own reader opens it, on any number of ranks.
#include "brisance/io/snapshot.hpp"

#include "io/sample_frame.hpp"
#include "io/shared_folder.hpp"

#include <cstdlib>

#include <sys/wait.h>

namespace brisance {
namespace {

constexpr int kCubes = 8;
constexpr int kSkipped = 77;

class Format : public test::SharedFolder {
protected:
  /// Runs a script beside this source on a sample that all ranks wrote; its exit status, on every rank.
  int status_of(const std::string& script) const {
    const auto file = folder_ / "000003.hdf";
    io::write_snapshot(comm_, file, test::sample_header(), test::sample_part(kCubes, comm_.rank(), comm_.size()));
    std::int32_t status = 0;
    if (comm_.is_root()) {
      const auto path = std::filesystem::path(BRISANCE_SOURCE_DIR) / "tests/io" / script;
      // A clean environment: a Python module built with MPI must not take this for its own MPI job.
      const std::string command = "env -i /usr/bin/python3 '" + path.string() + "' '" + file.string() + "' " +
                                  std::to_string(kCubes) + " " + std::to_string(comm_.size());
      status = WEXITSTATUS(std::system(command.c_str()));
    }
    return comm_.max(status);
  }
};

TEST_F(Format, PythonReadsASnapshotByThePageAlone) {
  const int status = status_of("check_snapshot.py");
  if (status == kSkipped) GTEST_SKIP();
  EXPECT_EQ(status, 0);
}

TEST_F(Format, VtkReadsASnapshot) {
  const int status = status_of("check_snapshot_vtk.py");
  if (status == kSkipped) GTEST_SKIP();
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace brisance
