/// VTU files written by all ranks: order by id whoever holds what, whole or not at all.
#include "brisance/io/atomic_file.hpp"
#include "brisance/io/grid.hpp"

#include "io/file_size_limit.hpp"
#include "io/shared_folder.hpp"

#include <gmock/gmock.h>

namespace brisance {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Grids : public test::SharedFolder {
protected:
  /// A strip of points whose array is their id; point i and tet i belong to rank (i / run) mod size.
  [[nodiscard]] io::GridPart mine(std::int64_t num_points, std::int64_t run) const {
    io::GridPart part;
    part.point_arrays = {{"id", 1, {}}, {"twice", 2, {}}};
    part.cell_arrays = {{"id", 1, {}}};
    for (std::int64_t i = 0; i < num_points; ++i) {
      if (i / run % comm_.size() != comm_.rank()) continue;
      const auto x = static_cast<double>(i);
      part.point_id.push_back(i);
      part.points.emplace_back(x, -x, 0.5);
      part.point_arrays[0].values.push_back(x);
      part.point_arrays[1].values.insert(part.point_arrays[1].values.end(), {x, 2 * x});
      if (i + 3 >= num_points) continue;
      part.cell_id.push_back(i);
      part.tets.push_back({i, i + 1, i + 2, i + 3});
      part.cell_arrays[0].values.push_back(x);
    }
    return part;
  }

  [[nodiscard]] std::string failure_of_writing(const std::filesystem::path& file, const io::GridPart& part) const {
    return failure_of([&] { io::write_grid(comm_, file, part); });
  }
};

TEST_F(Grids, BytesDoNotDependOnWhoHoldsWhat) {
  for (std::int64_t run : {1, 7, 1000}) io::write_grid(comm_, folder_ / (std::to_string(run) + ".vtu"), mine(100, run));
  const std::string all_on_one = io::read_text(folder_ / "1000.vtu");
  EXPECT_EQ(io::read_text(folder_ / "1.vtu"), all_on_one);
  EXPECT_EQ(io::read_text(folder_ / "7.vtu"), all_on_one);
  EXPECT_THAT(names(folder_), ElementsAre("1.vtu", "1000.vtu", "7.vtu"));
  comm_.barrier();
}

TEST_F(Grids, FullDiskLeavesTheFileOfBefore) {
  io::write_grid(comm_, folder_ / "a.vtu", mine(10, 1));
  const std::string before = io::read_text(folder_ / "a.vtu");
  {
    const test::FileSizeLimit limit(16 << 10);
    EXPECT_THAT(failure_of_writing(folder_ / "a.vtu", mine(1000, 1)), HasSubstr("File too large"));
  }
  comm_.barrier();
  EXPECT_EQ(io::read_text(folder_ / "a.vtu"), before);
  EXPECT_THAT(names(folder_), ElementsAre("a.vtu"));
  comm_.barrier();
}

TEST_F(Grids, ArrayOfTheWrongLengthIsRefused) {
  io::GridPart part = mine(10, 1);
  if (comm_.is_root()) part.point_arrays[0].values.pop_back();
  EXPECT_THAT(failure_of_writing(folder_ / "a.vtu", part), HasSubstr("'id' has a wrong length"));
  EXPECT_TRUE(names(folder_).empty());
  comm_.barrier();
}

}  // namespace
}  // namespace brisance
