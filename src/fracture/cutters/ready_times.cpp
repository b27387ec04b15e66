#include "ready_times.hpp"

#include "brisance/dist/mesh_fields.hpp"
#include "brisance/fracture/fields.hpp"

#include <algorithm>
#include <limits>

namespace brisance::fracture {

namespace {

double waiting_time(double distance, double share, double speed) { return share > 0 ? distance / (share * speed) : 0; }

}  // namespace

/// The slowest Rayleigh speed among the star's materials [m/s].
double ReadyTimes::rayleigh_speed(const dist::Mesh& mesh, LocalNode n) {
  if (speeds_.empty())
    for (const material::Material& m : mesh.materials) speeds_.push_back(material::rayleigh_wave_speed(m));
  double slowest = std::numeric_limits<double>::infinity();
  for (const std::int32_t e : mesh.star(n)) slowest = std::min(slowest, speeds_[mesh.material_of[LocalElement(e)]]);
  return slowest;
}

double ReadyTimes::of_copies(const dist::Mesh& mesh, LocalNode cut, double time_s) {
  return time_s +
         waiting_time(mesh.field(dist::kUncutEdgeLength)[cut], parameters_.copy_speed_share, rayleigh_speed(mesh, cut));
}

double ReadyTimes::of_front(const dist::Mesh& mesh, LocalNode cut, double distance_m, double time_s) {
  return time_s + waiting_time(distance_m, parameters_.crack_speed_share, rayleigh_speed(mesh, cut));
}

double ReadyTimes::crack_speed(const dist::Mesh& mesh, LocalNode cut) {
  return parameters_.crack_speed_share > 0 ? parameters_.crack_speed_share * rayleigh_speed(mesh, cut) : 0;
}

void set_ready(dist::Mesh& mesh, GlobalNode id, double ready_s) {
  const LocalNode n = mesh.find(id);
  if (!n.valid()) return;
  double& mine = mesh.field(kReadyTime)[n];
  mine = std::max(mine, ready_s);
}

}  // namespace brisance::fracture
