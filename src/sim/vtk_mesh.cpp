#include "sim/vtk_mesh.hpp"

#include <cstdint>

namespace brisance::sim {

namespace {

constexpr std::uint8_t kVtkTriangle = 5, kVtkTetra = 10;

}  // namespace

void write_vtk_mesh(io::ArrayFileWriter& file, const modes::Simplices& mesh) {
  const auto num_corners = static_cast<std::int64_t>(mesh.corner.size());
  const std::uint8_t type = mesh.dimension() == 2 ? kVtkTriangle : kVtkTetra;
  std::vector<std::int64_t> offsets;
  for (std::int64_t first = 0; first <= num_corners; first += mesh.corners_per_cell) offsets.push_back(first);
  file.rows("/VTKHDF/NumberOfPoints", std::vector{static_cast<std::int64_t>(mesh.nodes.size())});
  file.rows("/VTKHDF/NumberOfCells", std::vector{std::int64_t{mesh.num_cells()}});
  file.rows("/VTKHDF/NumberOfConnectivityIds", std::vector{num_corners});
  file.rows("/VTKHDF/Points", flat<double>(mesh.nodes), 3);
  file.rows("/VTKHDF/Connectivity", std::vector<std::int64_t>(mesh.corner.begin(), mesh.corner.end()));
  file.rows("/VTKHDF/Offsets", offsets);
  file.rows("/VTKHDF/Types", std::vector<std::uint8_t>(mesh.num_cells(), type));
}

}  // namespace brisance::sim
