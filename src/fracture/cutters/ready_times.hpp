/// The limit of crack speed: the time before which a node of a cut may not fail (kReadyTime), for all cutters.
#pragma once

#include "brisance/dist/mesh.hpp"
#include "brisance/fracture/parameters.hpp"

#include <vector>

namespace brisance::fracture {

/// Ready times by the Rayleigh speed around the node that is cut.
class ReadyTimes {
public:
  explicit ReadyTimes(const Parameters& parameters) : parameters_(parameters) {}

  /// Time before which the copies of a node may not fail: now + h_0 / (copy_speed_share c_R) [s]. Local.
  [[nodiscard]] double of_copies(const dist::Mesh& mesh, LocalNode cut, double time_s);
  /// The same for a node of the new front at this rest distance: now + distance / (crack_speed_share c_R) [s]. Local.
  [[nodiscard]] double of_front(const dist::Mesh& mesh, LocalNode cut, double distance_m, double time_s);

  /// crack_speed_share c_R [m/s]; 0: no limit. Local.
  [[nodiscard]] double crack_speed(const dist::Mesh& mesh, LocalNode cut);

private:
  [[nodiscard]] double rayleigh_speed(const dist::Mesh& mesh, LocalNode n);

  Parameters parameters_;
  std::vector<double> speeds_;  ///< of each material [m/s]
};

/// The node, if held here, may not fail before this time, nor before that of an earlier call. Local.
void set_ready(dist::Mesh& mesh, GlobalNode id, double ready_s);

}  // namespace brisance::fracture
