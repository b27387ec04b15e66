#include "monitor_columns.hpp"

#include "brisance/sim/implicit/implicit_equations.hpp"

#include <cmath>

namespace brisance::sim {

namespace {

double number(double x) { return x; }
double number(std::int64_t n) { return static_cast<double>(n); }
double number(int n) { return n; }

constexpr MonitorColumn kColumns[] = {
    {"time_s", [](const MonitorRow& r) { return number(r.run.time_s()); }},
    {"step", [](const MonitorRow& r) { return number(r.run.num_steps()); }},
    {"dt_s", [](const MonitorRow& r) { return number(r.run.last_step_s()); }},
    {"kinetic_energy_j", [](const MonitorRow& r) { return number(r.e.kinetic); }},
    {"elastic_energy_j", [](const MonitorRow& r) { return number(r.e.elastic); }},
    {"gravity_energy_j", [](const MonitorRow& r) { return number(r.e.gravity); }},
    {"contact_energy_j", [](const MonitorRow& r) { return number(r.e.contact); }},
    {"viscous_loss_j", [](const MonitorRow& r) { return number(r.e.viscous_loss); }},
    {"plastic_loss_j", [](const MonitorRow& r) { return number(r.e.plastic_loss); }},
    {"contact_loss_j", [](const MonitorRow& r) { return number(r.e.contact_loss); }},
    {"cut_loss_j", [](const MonitorRow& r) { return number(r.e.cut_loss); }},
    {"supplied_work_j", [](const MonitorRow& r) { return number(r.e.supplied); }},
    {"step_change_work_j", [](const MonitorRow& r) { return number(r.e.step_change); }},
    {"numerical_loss_j", [](const MonitorRow& r) { return number(r.e.numerical_loss); }},
    {"dust_loss_j", [](const MonitorRow& r) { return number(r.e.dust_loss); }},
    {"cohesive_energy_j", [](const MonitorRow& r) { return number(r.e.cohesive); }},
    {"cohesive_dissipated_j", [](const MonitorRow& r) { return number(r.e.cohesive_loss); }},
    {"total_energy_j", [](const MonitorRow& r) { return number(r.e.total()); }},
    {"momentum_x_kg_m_s", [](const MonitorRow& r) { return number(r.e.momentum.x()); }},
    {"momentum_y_kg_m_s", [](const MonitorRow& r) { return number(r.e.momentum.y()); }},
    {"momentum_z_kg_m_s", [](const MonitorRow& r) { return number(r.e.momentum.z()); }},
    {"collider_momentum_x_kg_m_s", [](const MonitorRow& r) { return number(r.e.collider_momentum.x()); }},
    {"collider_momentum_y_kg_m_s", [](const MonitorRow& r) { return number(r.e.collider_momentum.y()); }},
    {"collider_momentum_z_kg_m_s", [](const MonitorRow& r) { return number(r.e.collider_momentum.z()); }},
    {"cut_angular_momentum_loss_x_kg_m2_s",
     [](const MonitorRow& r) { return number(r.cracks.angular_momentum_lost[0].value()); }},
    {"cut_angular_momentum_loss_y_kg_m2_s",
     [](const MonitorRow& r) { return number(r.cracks.angular_momentum_lost[1].value()); }},
    {"cut_angular_momentum_loss_z_kg_m2_s",
     [](const MonitorRow& r) { return number(r.cracks.angular_momentum_lost[2].value()); }},
    {"load_work_j", [](const MonitorRow& r) { return number(r.e.load_work); }},
    {"load_impulse_x_n_s", [](const MonitorRow& r) { return number(r.e.load_impulse.x()); }},
    {"load_impulse_y_n_s", [](const MonitorRow& r) { return number(r.e.load_impulse.y()); }},
    {"load_impulse_z_n_s", [](const MonitorRow& r) { return number(r.e.load_impulse.z()); }},
    {"nodes", [](const MonitorRow& r) { return number(r.nodes); }},
    {"tets", [](const MonitorRow& r) { return number(r.tets); }},
    {"pieces", [](const MonitorRow& r) { return number(r.num_pieces); }},
    {"dust_mass_share", [](const MonitorRow& r) { return number(r.shares.dust); }},
    {"dust_particles", [](const MonitorRow& r) { return number(r.dust_particles); }},
    {"dust_mass_kg", [](const MonitorRow& r) { return number(r.dust_kg); }},
    {"largest_piece_share", [](const MonitorRow& r) { return number(r.shares.largest); }},
    {"cracks", [](const MonitorRow& r) { return number(r.cracks.cracks); }},
    {"cracks_across_ranks", [](const MonitorRow& r) { return number(r.cracks.cracks_across_ranks); }},
    {"front_splits", [](const MonitorRow& r) { return number(r.cracks.front_splits); }},
    {"edge_splits", [](const MonitorRow& r) { return number(r.cracks.edge_splits); }},
    {"refused_one_sided", [](const MonitorRow& r) { return number(r.cracks.refused_one_sided); }},
    {"refused_off_plane", [](const MonitorRow& r) { return number(r.cracks.refused_off_plane); }},
    {"quality_snaps", [](const MonitorRow& r) { return number(r.cracks.quality_snaps); }},
    {"rounds", [](const MonitorRow& r) { return number(r.cracks.rounds); }},
    {"contacts", [](const MonitorRow& r) { return number(r.contacts); }},
    {"tet_contacts", [](const MonitorRow& r) { return number(r.touching.pairs); }},
    {"tet_contacts_across_ranks", [](const MonitorRow& r) { return number(r.touching.across); }},
    {"deepest_tet_contact", [](const MonitorRow& r) { return number(r.touching.deepest); }},
    {"limiting_element", [](const MonitorRow& r) { return number(r.run.step_bound().limiting_element); }},
    {"max_strain", [](const MonitorRow& r) { return number(r.run.step_bound().max_strain); }},
    {"inverted_tets", [](const MonitorRow& r) { return number(r.inverted.count); }},
    {"crushed_tets", [](const MonitorRow& r) { return number(r.crushed); }},
    {"finest_step_s",
     [](const MonitorRow& r) { return number(std::ldexp(r.run.last_step_s(), -r.run.step_bound().finest_class)); }},
    {"step_without_worst_s", [](const MonitorRow& r) { return number(r.run.step_bound().without_worst_s); }},
    {"element_updates", [](const MonitorRow& r) { return number(r.element_updates); }},
    {"solver_iterations", [](const MonitorRow& r) { return number(r.run.equations().last().iterations); }},
    {"solver_residual", [](const MonitorRow& r) { return number(r.run.equations().last().residual); }},
    {"preconditioner_age", [](const MonitorRow& r) { return number(r.run.equations().last().preconditioner_age); }},
    {"step_halvings", [](const MonitorRow& r) { return number(r.run.num_halvings()); }},
    {"active_functions", [](const MonitorRow& r) { return number(r.run.equations().active_functions()); }},
    {"active_share", [](const MonitorRow& r) { return number(r.run.equations().active_share()); }},
    {"ms_per_step", [](const MonitorRow& r) { return number(r.ms_per_step); }},
};

}  // namespace

std::vector<std::string> monitor_columns() {
  std::vector<std::string> names;
  for (const MonitorColumn& column : kColumns) names.emplace_back(column.name);
  return names;
}

std::vector<double> values_of(const MonitorRow& row) {
  std::vector<double> values;
  for (const MonitorColumn& column : kColumns) values.push_back(column.value(row));
  return values;
}

}  // namespace brisance::sim
