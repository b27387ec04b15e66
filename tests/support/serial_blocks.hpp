/// A whole mesh on one rank in the form for the element kernels: blocks of eight, one record per node. Node i of the
/// mesh has slot i + 1 (slot 0 is nobody), element e slot e.
#pragma once

#include "brisance/core/aligned.hpp"
#include "brisance/dynamics/critical_step.hpp"
#include "brisance/mesh/tet_mesh.hpp"

#include <algorithm>
#include <vector>

namespace brisance::test {

struct SerialBlocks {
  core::AlignedVector<dist::ElementBlock> blocks;
  std::vector<material::Index> material_of;
  core::AlignedVector<dynamics::PlasticBlock> plastic;  ///< empty unless asked for
  core::AlignedVector<dist::NodeMotion> nodes;          ///< at rest
  core::AlignedVector<dist::NodeForce> forces;
  std::vector<material::Material> materials;
  std::vector<double> mass;  ///< lumped, per node slot [kg]; 1 for slot 0
  int num_elements = 0;

  SerialBlocks(const mesh::TetMesh& mesh, std::vector<material::Material> laws, bool with_plastic = false)
      : material_of((mesh.tets.size() + 7) / 8 * 8, 0),
        nodes(mesh.nodes.size() + 1),
        forces(mesh.nodes.size() + 1),
        materials(std::move(laws)),
        mass(mesh.nodes.size() + 1, 0.0),
        num_elements(static_cast<int>(mesh.tets.size())) {
    blocks.resize(material_of.size() / 8, dist::ElementBlock{});
    if (with_plastic) plastic.resize(blocks.size(), dynamics::PlasticBlock{});
    for (std::size_t i = 0; i < mesh.nodes.size(); ++i) place(i, mesh.nodes[i], Vec3::Zero());
    for (int e = 0; e < num_elements; ++e) set_element(e, mesh);
    mass[0] = 1;
  }

  [[nodiscard]] dynamics::ElementSpans spans() const { return {blocks, material_of, plastic}; }
  [[nodiscard]] std::size_t num_nodes() const { return nodes.size() - 1; }

  void place(std::size_t i, const Vec3& position, const Vec3& velocity) {
    for (int k = 0; k < 3; ++k) {
      nodes[i + 1].position[k] = position[k];
      nodes[i + 1].velocity[k] = velocity[k];
    }
  }
  [[nodiscard]] Vec3 position(std::size_t i) const { return Vec3(nodes[i + 1].position); }
  [[nodiscard]] Vec3 velocity(std::size_t i) const { return Vec3(nodes[i + 1].velocity); }
  [[nodiscard]] Vec3 force(std::size_t i) const { return Vec3(forces[i + 1].force); }
  [[nodiscard]] Vec3 viscous(std::size_t i) const { return Vec3(forces[i + 1].viscous); }

  /// As a step does: plastic flow, then forces.
  void update_forces(const dynamics::ForceOptions& options = {}) {
    dynamics::flow_and_internal_forces(spans(), materials, nodes, plastic, forces, options);
  }

  [[nodiscard]] std::vector<dynamics::ElementState> states() const {
    std::vector<std::int32_t> slots(num_elements);
    for (int e = 0; e < num_elements; ++e) slots[e] = e;
    std::vector<dynamics::ElementState> result(slots.size());
    dynamics::element_states(spans(), materials, nodes, slots, result);
    return result;
  }

  /// Both passes of the step bound.
  struct StepBound {
    dynamics::CriticalStep shortest;
    std::vector<float> strain, stiffening;  ///< by slot
    std::vector<double> added_stiffness;    ///< W_n/m_n, slot 0 included
    std::vector<double> steps;              ///< by slot [s]
  };
  [[nodiscard]] StepBound step_bound() const {
    StepBound bound{{},
                    std::vector<float>(material_of.size()),
                    std::vector<float>(material_of.size()),
                    std::vector<double>(nodes.size()),
                    std::vector<double>(material_of.size())};
    const dynamics::Strains strains{bound.strain, bound.stiffening};
    dynamics::strains_and_stiffness(spans(), materials, nodes, strains, bound.added_stiffness);
    for (std::size_t n = 0; n < nodes.size(); ++n) bound.added_stiffness[n] /= mass[n];
    bound.shortest = dynamics::critical_step(spans(), materials, strains, bound.added_stiffness, bound.steps);
    return bound;
  }
  [[nodiscard]] double critical_step_s() const { return step_bound().shortest.step_s; }

  /// v += dt f/m, then p += dt v.
  void symplectic_euler_step(double dt) {
    update_forces({.viscous_split = false, .separation_bound = false, .since_flow_s = dt});
    for (std::size_t n = 1; n < nodes.size(); ++n)
      for (int k = 0; k < 3; ++k) {
        nodes[n].velocity[k] += dt * forces[n].force[k] / mass[n];
        nodes[n].position[k] += dt * nodes[n].velocity[k];
      }
  }

  [[nodiscard]] double elastic_energy() const {
    double sum = 0;
    for (const auto& state : states()) sum += state.elastic_energy;
    return sum;
  }
  [[nodiscard]] double kinetic_energy() const {
    double sum = 0;
    for (std::size_t i = 0; i < num_nodes(); ++i) sum += 0.5 * mass[i + 1] * velocity(i).squaredNorm();
    return sum;
  }

private:
  void set_element(int e, const mesh::TetMesh& mesh) {
    const auto& tet = mesh.tets[e];
    dist::ElementBlock& block = blocks[e / 8];
    const int lane = e % 8;
    Mat3 edges;
    for (int j = 0; j < 3; ++j) edges.col(j) = mesh.nodes[tet[j + 1]] - mesh.nodes[tet[0]];
    const Mat3 gradient = edges.inverse();
    for (int j = 0; j < 4; ++j) block.corner[j][lane] = tet[j] + 1;
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) block.gradient[j][k][lane] = gradient(j, k);
    block.volume[lane] = edges.determinant() / 6;
    block.damping_scale[lane] = 1;
    if (!mesh.region.empty()) material_of[e] = static_cast<material::Index>(mesh.region[e]);
    for (int j = 0; j < 4; ++j) mass[tet[j] + 1] += materials[material_of[e]].density * block.volume[lane] / 4;
  }
};

}  // namespace brisance::test
