/// The breaking plate of two materials, whose strength scatters and whose stiffness follows a formula.
#pragma once

#include "sim/setup/factors.hpp"
#include "support/breaking_plate.hpp"

namespace brisance::test {

inline sim::Scene graded_scene() {
  sim::Scene scene = breaking_plate();
  scene.materials.push_back(scene.materials[0]);
  scene.materials[1].name = "mortar";
  scene.materials[1].toughness *= 0.7;
  sim::FactorParameters scatter, formula;
  scatter.weibull_modulus = 4;
  formula.of = sim::FactorOf::stiffness;
  formula.formula = "0.7 + x";
  scene.factors = {scatter, formula};
  sim::ObjectParameters object;
  object.material = scene.materials[0].name;
  scene.objects = {object};
  return scene;
}

/// A plate with the factors of that scene; each fifth column of cubes is of its second material.
inline mesh::TetMesh graded_plate(const sim::Scene& scene) {
  mesh::TetMesh plate = falling_plate();
  for (const auto& tet : plate.tets) {
    double x = 0;
    for (const std::int32_t n : tet) x += plate.nodes[n].x() / 4;
    plate.region.push_back(static_cast<int>(x / 0.075) % 5 == 2 ? 1 : 0);
  }
  const std::vector<Vec3> own = plate.nodes;
  const core::Comm alone(MPI_COMM_SELF);
  dist::MeshShare share = dist::share_on_root(alone, std::move(plate));
  const sim::PlacedObject placed{scene.objects[0], "the plate", share.mesh, own};
  sim::FactorCounts concerned;
  std::vector<std::string> report;
  sim::apply_factors(scene, placed, concerned, report);
  sim::scatter_strength(scene, std::vector<std::size_t>{0}, share, concerned);
  sim::grade_regions(alone, scene, share.mesh);
  return std::move(share.mesh);
}

}  // namespace brisance::test
