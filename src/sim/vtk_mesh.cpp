#include "sim/vtk_mesh.hpp"

#include <cstdint>

namespace brisance::sim {

namespace {

constexpr std::uint8_t kVtkTetra = 10;

}  // namespace

void write_vtk_mesh(io::ArrayFileWriter& file, const mesh::TetMesh& mesh) {
  const auto num_tets = static_cast<std::int64_t>(mesh.tets.size());
  std::vector<std::int64_t> offsets;
  for (std::int64_t e = 0; e <= num_tets; ++e) offsets.push_back(4 * e);
  file.rows("/VTKHDF/NumberOfPoints", std::vector{static_cast<std::int64_t>(mesh.nodes.size())});
  file.rows("/VTKHDF/NumberOfCells", std::vector{num_tets});
  file.rows("/VTKHDF/NumberOfConnectivityIds", std::vector{4 * num_tets});
  file.rows("/VTKHDF/Points", flat<double>(mesh.nodes), 3);
  file.rows("/VTKHDF/Connectivity", flat<std::int64_t>(mesh.tets));
  file.rows("/VTKHDF/Offsets", offsets);
  file.rows("/VTKHDF/Types", std::vector<std::uint8_t>(mesh.tets.size(), kVtkTetra));
}

}  // namespace brisance::sim
