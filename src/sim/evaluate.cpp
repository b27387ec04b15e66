#include "brisance/sim/evaluate.hpp"

#include "brisance/core/error.hpp"
#include "brisance/dist/home_elements.hpp"
#include "brisance/fracture/criteria/failure_search.hpp"
#include "brisance/fracture/criteria/separation.hpp"
#include "brisance/sim/output/frame.hpp"

#include "sim/setup/assign_materials.hpp"
#include "sim/setup/factors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace brisance::sim {

namespace {

constexpr const char* kFiniteAdvice = "Are positions and displacements in metres, velocities in metres a second?";
constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();

/// The scene reduced to its materials and its regions, whose nodes do not fail.
Scene materials_only(Scene scene) {
  scene.colliders.clear();
  scene.loads.clear();
  scene.gravity = Vec3::Zero();
  scene.fracture.enabled = false;
  scene.time.watch_energy = false;
  return scene;
}

/// Appends one row a node or tet to an array.
void append(io::GridArray& array, std::span<const double> row) {
  array.values.insert(array.values.end(), row.begin(), row.end());
}
template <int kRows>
void append(io::GridArray& array, const Eigen::Matrix<double, kRows, 1>& row) {
  append(array, std::span(row.data(), kRows));
}
void append(io::GridArray& array, double value) { array.values.push_back(value); }

std::vector<LocalNode> owned_by_id(const dist::Mesh& mesh) {
  std::vector<LocalNode> owned;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (mesh.is_owned(LocalNode(i))) owned.emplace_back(i);
  std::sort(owned.begin(), owned.end(),
            [&](LocalNode a, LocalNode b) { return mesh.node_id[a].value < mesh.node_id[b].value; });
  return owned;
}

/// This rank's share of the totals of the mesh.
struct LocalTotals {
  core::ExactSum mass, damping_power;
  double largest_severity = 0;
  std::int64_t most_severe_node = kNone, lowest_inverted_tet = kNone;
};

void evaluate_nodes(Simulation& simulation, Evaluation& result, LocalTotals& totals, io::GridPart& fields) {
  const dist::Mesh& mesh = simulation.mesh();
  AlignedNodeField<dist::NodeForce> forces(mesh.node_id.size());
  dynamics::flow_and_internal_forces(simulation.element_spans(), mesh.materials, mesh.motion.span(),
                                     simulation.mesh().field(dynamics::kPlasticState), forces.span(),
                                     {.viscous_split = true, .separation_bound = false});
  const auto corner_forces = [&](std::span<const std::int32_t> chosen, std::span<dist::CornerForces> into) {
    dynamics::corner_forces(simulation.element_spans(), mesh.materials, mesh.motion.span(), chosen, into);
  };
  fields.point_arrays = {
      {"displacement", 3, {}}, {"velocity", 3, {}},          {"force", 3, {}},      {"viscous_force", 3, {}},
      {"mass", 1, {}},         {"separation_tensor", 6, {}}, {"separation", 1, {}}, {"separation_normal", 3, {}},
      {"severity", 1, {}}};
  const Scene& scene = simulation.scene();
  const std::vector<LocalNode> owned = owned_by_id(mesh);
  fracture::FailureSearch search(mesh, scene.fracture, regions_constrained_at(scene, 0), corner_forces);
  const std::vector<fracture::Severity> severities = search.severities(mesh, owned);
  const std::vector<fracture::NodeSeparation> separations = fracture::separations(mesh, owned, corner_forces);
  for (std::size_t i = 0; i < owned.size(); ++i) {
    const fracture::NodeSeparation& s = separations[i];
    const LocalNode n = s.node;
    const auto& [severity, normal] = severities[i];
    const Vec3 displacement = Vec3(mesh.motion[n].position) - mesh.rest[n];
    auto array = fields.point_arrays.begin();
    append(*array++, displacement);
    append(*array++, std::span(mesh.motion[n].velocity, 3));
    append(*array++, std::span(forces[n].force, 3));
    append(*array++, std::span(forces[n].viscous, 3));
    append(*array++, mesh.mass[n]);
    append(*array++, symmetric_part(s.zeta));
    append(*array++, s.principal.force);
    append(*array++, normal);
    append(*array++, severity);
    fields.point_id.push_back(mesh.node_id[n].value);
    fields.points.push_back(mesh.rest[n]);
    totals.mass.add(mesh.mass[n]);
    result.num_failing_nodes += severity > 1 ? 1 : 0;
    if (severity <= totals.largest_severity) continue;
    totals.largest_severity = severity;
    totals.most_severe_node = mesh.node_id[n].value;
  }
}

void evaluate_elements(const Simulation& simulation, Evaluation& result, LocalTotals& totals, io::GridPart& fields) {
  const dist::Mesh& mesh = simulation.mesh();
  const std::vector<std::int32_t> home = dist::home_elements(mesh);
  std::vector<dynamics::ElementState> states(home.size());
  dynamics::element_states(simulation.element_spans(), mesh.materials, mesh.motion.span(), home, states);
  fields.cell_arrays = {{"stress", 6, {}}, {"green_strain", 6, {}}, {"volume", 1, {}}};
  for (std::size_t k = 0; k < home.size(); ++k) {
    const LocalElement e(home[k]);
    append(fields.cell_arrays[0], cauchy_stress(states[k]));
    append(fields.cell_arrays[1], states[k].strain);
    append(fields.cell_arrays[2], mesh.volume(e));
    fields.cell_id.push_back(mesh.element_id[e].value);
    std::array<std::int64_t, 4> tet;
    for (int i = 0; i < 4; ++i) tet[i] = mesh.node_id[mesh.corner(e, i)].value;
    fields.tets.push_back(tet);
    totals.damping_power.add(states[k].damping_power);
    if (states[k].determinant > 0) continue;
    ++result.num_inverted_tets;
    totals.lowest_inverted_tet = std::min(totals.lowest_inverted_tet, mesh.element_id[e].value);
  }
}

/// Throws core::Error at the first entry of `arrays` that is not finite, with its row's id.
void require_finite(const std::vector<io::GridArray>& arrays, const std::vector<std::int64_t>& id, const char* what) {
  for (const io::GridArray& array : arrays)
    for (std::size_t i = 0; i < array.values.size(); ++i)
      if (!std::isfinite(array.values[i]))
        throw core::Error(std::string(what) + " " + std::to_string(id[i / array.components]) + ": its " + array.name +
                          " is beyond what a number can hold. " + kFiniteAdvice);
}

/// Takes overflow for an error of the input. Collective; throws core::BadInput on all ranks.
void require_finite(const core::Comm& comm, const Evaluation& result, const io::GridPart& fields) {
  core::agree_on_input(comm, [&] {
    require_finite(fields.point_arrays, fields.point_id, "node");
    require_finite(fields.cell_arrays, fields.cell_id, "tet");
    if (!std::isfinite(result.mass_kg + result.elastic_energy_j + result.kinetic_energy_j + result.damping_power_w))
      throw core::Error(std::string("the mesh's mass or energy is beyond what a number can hold. ") + kFiniteAdvice);
  });
}

/// Totals of the mesh from those of all ranks. Collective.
void add_up(const Simulation& simulation, Evaluation& result, LocalTotals& totals, const io::GridPart& fields) {
  const core::Comm& comm = simulation.comm();
  const auto or_none = [](std::int64_t id) { return id == kNone ? -1 : id; };
  result.num_nodes = comm.sum(static_cast<std::int64_t>(fields.point_id.size()));
  result.num_tets = comm.sum(static_cast<std::int64_t>(fields.cell_id.size()));
  totals.mass.reduce(comm);
  totals.damping_power.reduce(comm);
  result.mass_kg = totals.mass.value();
  result.damping_power_w = totals.damping_power.value();
  const Energies energies = simulation.energies();
  result.elastic_energy_j = energies.elastic;
  result.kinetic_energy_j = energies.kinetic;
  result.plastic_work_j = energies.plastic_loss;
  result.critical_step_s = simulation.step_bound().element_step_s;
  result.limiting_element = simulation.step_bound().limiting_element;
  result.largest_severity = comm.max(totals.largest_severity);
  // Of equally severe nodes the lowest id is named.
  const bool here = totals.largest_severity == result.largest_severity;
  result.most_severe_node = or_none(comm.min(here ? totals.most_severe_node : kNone));
  result.num_failing_nodes = comm.sum(result.num_failing_nodes);
  result.num_inverted_tets = comm.sum(result.num_inverted_tets);
  result.lowest_inverted_tet = or_none(comm.min(totals.lowest_inverted_tet));
}

}  // namespace

Evaluation evaluate(const core::Comm& comm, const Scene& scene, dist::MeshShare share, io::GridPart& fields) {
  const std::vector<Vec3> own = share.mesh.nodes;
  const PlacedObject placed{scene.objects.front(), "the mesh", share.mesh, own};
  PartCounts picked;
  FactorCounts concerned;
  if (std::ranges::any_of(scene.factors, is_painted))
    throw core::BadInput(
        "painted [[factor]]s are of an input surface, and evaluate has tets only. Leave them out, or give a formula.");
  assign_materials(comm, scene, placed, picked);
  require_parts(comm, scene, share.mesh, picked);
  core::agree_on_input(comm, [&] {
    std::vector<std::string> report;  // of paint only
    apply_factors(scene, placed, concerned, report);
    scatter_strength(scene, std::vector<std::size_t>{0}, share, concerned);
  });
  grade_regions(comm, scene, share.mesh);
  std::vector<std::uint32_t> regions;
  for (const Vec3& x : share.mesh.nodes) regions.push_back(regions_at(scene, x));
  Simulation simulation(comm, materials_only(scene), std::move(share), regions);
  Evaluation result;
  LocalTotals totals;
  evaluate_nodes(simulation, result, totals, fields);
  evaluate_elements(simulation, result, totals, fields);
  add_up(simulation, result, totals, fields);
  require_finite(comm, result, fields);
  return result;
}

}  // namespace brisance::sim
