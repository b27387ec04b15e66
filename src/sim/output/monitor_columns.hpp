/// The table of the columns of monitor.csv, each with the function of its value.
#pragma once

#include "brisance/contact/deformable_report.hpp"
#include "brisance/fracture/services.hpp"
#include "brisance/sim/output/inverted.hpp"
#include "brisance/sim/simulation.hpp"

#include "piece_shares.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace brisance::sim {

/// The data of a row: the run, and sums over all ranks.
struct MonitorRow {
  const Simulation& run;
  Energies e;
  fracture::Counters cracks;
  PieceShares shares = {};
  contact::DeformableReport touching = {};
  InvertedTets inverted;
  std::int64_t nodes = 0, tets = 0, num_pieces = 0, contacts = 0, crushed = 0, dust_particles = 0, element_updates = 0;
  double dust_kg = 0;
  double ms_per_step = 0;  ///< since the last row [ms]
};

/// A column. Its name ends in its unit, if it has one.
struct MonitorColumn {
  const char* name;
  double (*value)(const MonitorRow&);
};

/// Names of all columns, in their order.
[[nodiscard]] std::vector<std::string> monitor_columns();
/// A row's values in the same order. Local.
[[nodiscard]] std::vector<double> values_of(const MonitorRow& row);

}  // namespace brisance::sim
