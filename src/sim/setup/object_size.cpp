#include "object_size.hpp"

#include "brisance/core/exact_sum.hpp"

#include "box_of.hpp"

#include <array>

#include <fmt/format.h>

namespace brisance::sim {

namespace {

constexpr double kOddlyLarge_m = 20, kOddlySmall_m = 1e-3;

}  // namespace

ObjectSize object_size(const core::Comm& comm, const Scene& scene, const ObjectParameters& object,
                       const mesh::TetMesh& mesh, std::span<const Vec3> own_nodes) {
  std::array<core::ExactSum, 2> sums;  // volume, mass
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    const auto& [a, b, c, d] = mesh.tets[t];
    const double volume = mesh::tet_volume(mesh.nodes[a], mesh.nodes[b], mesh.nodes[c], mesh.nodes[d]);
    sums[0].add(volume);
    sums[1].add(volume * scene.materials[static_cast<std::size_t>(mesh.region[t])].density);
  }
  core::ExactSum::reduce(comm, sums);
  return {object.name,       object.mesh.shape == mesh::ShapeKind::file,
          object.mesh.scale, box_of(comm, own_nodes).sizes(),
          sums[0].value(),   sums[1].value()};
}

std::string describe(const ObjectSize& size) {
  const Vec3& extent = size.extent_m;
  return fmt::format("object \"{}\": {:.3g} x {:.3g} x {:.3g} m, {:.3g} m³, {:.3g} kg", size.name, extent.x(),
                     extent.y(), extent.z(), size.volume_m3, size.mass_kg);
}

std::optional<std::string> doubt_of_units(const ObjectSize& size) {
  const double longest_m = size.extent_m.maxCoeff();
  if (!size.is_file || (longest_m <= kOddlyLarge_m && longest_m >= kOddlySmall_m)) return std::nullopt;
  const std::string what =
      fmt::format("object \"{}\" is {:.3g} m long, with object.mesh.scale = {:g}. ", size.name, longest_m, size.scale);
  return what + (longest_m > kOddlyLarge_m
                     ? "Is the file in millimetres (scale = 0.001), centimetres (0.01) or inches (0.0254)?"
                     : "Is the file in metres already (scale = 1), or in larger units?");
}

}  // namespace brisance::sim
