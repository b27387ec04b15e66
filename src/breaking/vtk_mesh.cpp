#include "breaking/vtk_mesh.hpp"

#include <cstdint>
#include <numeric>
#include <span>

namespace brisance::breaking {

namespace {

constexpr std::uint8_t kVtkTriangle = 5, kVtkTetra = 10;

/// Offsets of this rank's cells in the list of all corners; on the last rank also the end. Collective.
std::vector<std::int64_t> offsets(const core::Comm& comm, std::int64_t num_cells, std::int64_t num_corners) {
  const auto cells_of = comm.all_gather(std::span<const std::int64_t>(&num_cells, 1));
  const std::int64_t first = std::accumulate(cells_of.begin(), cells_of.begin() + comm.rank(), std::int64_t{0});
  const std::int64_t end = first + num_cells + (comm.rank() == comm.size() - 1 ? 1 : 0);
  std::vector<std::int64_t> result;
  for (std::int64_t cell = first; cell < end; ++cell) result.push_back(cell * num_corners);
  return result;
}

}  // namespace

void write_vtk_mesh(const core::Comm& comm, io::ArrayFileWriter& file, const modes::Simplices& mesh) {
  const std::int64_t num_corners = mesh.corners_per_cell;
  const std::int64_t num_cells = mesh.num_cells();
  const std::int64_t all_nodes = comm.sum(std::ssize(mesh.nodes)), all_cells = comm.sum(num_cells);
  file.rows_of_root("/VTKHDF/NumberOfPoints", std::vector{all_nodes});
  file.rows_of_root("/VTKHDF/NumberOfCells", std::vector{all_cells});
  file.rows_of_root("/VTKHDF/NumberOfConnectivityIds", std::vector{all_cells * num_corners});
  file.rows("/VTKHDF/Points", flat<double>(mesh.nodes), 3);
  file.rows("/VTKHDF/Connectivity", std::vector<std::int64_t>(mesh.corner.begin(), mesh.corner.end()));
  file.rows("/VTKHDF/Offsets", offsets(comm, num_cells, num_corners));
  file.rows("/VTKHDF/Types",
            std::vector<std::uint8_t>(mesh.num_cells(), mesh.dimension() == 2 ? kVtkTriangle : kVtkTetra));
}

}  // namespace brisance::breaking
