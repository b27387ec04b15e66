#include "brisance/sim/setup/collider_meshes.hpp"

#include "brisance/contact/shapes/rigid_mesh.hpp"
#include "brisance/contact/shapes/shape_kinds.hpp"
#include "brisance/core/error.hpp"
#include "brisance/core/log.hpp"
#include "brisance/core/words.hpp"
#include "brisance/mesh/formats/read_surface.hpp"
#include "brisance/mesh/surface/check.hpp"
#include "brisance/mesh/surface/clean.hpp"

#include <fmt/format.h>

namespace brisance::sim {

namespace {

using contact::ColliderParameters;

mesh::Surface read_closed(const ColliderParameters& collider) {
  mesh::Surface read = mesh::read_surface(collider.file);
  for (Vec3& x : read.vertices) x *= collider.scale;
  mesh::CleanReport cleaned;
  mesh::Surface surface = mesh::clean(std::move(read), cleaned);
  const mesh::SurfaceReport report = mesh::check_surface(surface);
  if (const std::string faults = mesh::solid_faults(report); !faults.empty())
    throw core::Error(fmt::format(
        "{}: the surface of collider \"{}\" does not bound a solid: {}. Close and clean it in a mesh editor; a sheet "
        "needs a thickness.",
        collider.file.string(), collider.name, faults));
  spdlog::info("collider \"{}\": {}, volume {:.4g} m3{}", collider.name,
               core::counted(surface.triangles.size(), "triangle"), report.volume_m3,
               cleaned.num_turned > 0 ? fmt::format("; {} turned to face outwards", cleaned.num_turned) : "");
  return surface;
}

/// Rank 0's array on every rank. Collective.
template <class T>
std::vector<T> from_root(const core::Comm& comm, const std::vector<T>& mine) {
  return comm.all_gather(comm.is_root() ? std::span<const T>(mine) : std::span<const T>());
}

std::vector<Vec3> from_root(const core::Comm& comm, const std::vector<Vec3>& mine) {
  std::vector<double> flat;
  for (const Vec3& x : mine) flat.insert(flat.end(), x.begin(), x.end());
  flat = from_root(comm, flat);
  std::vector<Vec3> all;
  for (std::size_t i = 0; i < flat.size(); i += 3) all.emplace_back(flat[i], flat[i + 1], flat[i + 2]);
  return all;
}

}  // namespace

void read_collider_meshes(const core::Comm& comm, Scene& scene) {
  for (ColliderParameters& collider : scene.colliders) {
    if (!contact::shape_kind(collider.shape).reads_file || collider.mesh.mesh) continue;
    mesh::Surface surface;
    core::agree_on_input(comm, [&] {
      if (comm.is_root()) surface = read_closed(collider);
    });
    collider.mesh.mesh = std::make_shared<const contact::RigidMesh>(from_root(comm, surface.vertices),
                                                                    from_root(comm, surface.triangles));
  }
}

}  // namespace brisance::sim
