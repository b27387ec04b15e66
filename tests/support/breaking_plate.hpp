/// A plate that breaks within some hundred steps, and a digest that two runs share if all their bits are equal.
#pragma once

#include "brisance/sim/simulation.hpp"

#include "support/digest.hpp"
#include "support/kuhn.hpp"
#include "support/rigid_meshes.hpp"

#include <bit>

namespace brisance::test {

/// A plate thrown on its edge against a plane and a free ball; it breaks within some hundred steps. Its pieces pass
/// through each other, and small ones stay tets: tests run it hundreds of times.
inline sim::Scene breaking_plate() {
  sim::Scene scene;
  material::Material m;
  m.name = "plate";
  m.density = 1000;
  m.lame_lambda = m.lame_mu = 4e6;
  m.damping_phi = m.damping_psi = 100;
  m.toughness = 2e4;
  m.yield_strain = 0.02;
  m.plastic_limit = 0.01;
  scene.materials = {m};
  scene.duration_s = 1;
  scene.contact.enabled = contact::ContactSwitch::off;
  contact::ColliderParameters ground;
  ground.name = "ground";
  ground.position = Vec3(0, 0, -0.001);
  contact::ColliderParameters ball;
  ball.name = "ball";
  ball.shape = contact::ColliderShape::sphere;
  ball.motion = contact::ColliderMotion::free;
  ball.radius_m = 0.1;
  ball.mass_kg = 2;
  ball.position = Vec3(0.3, -0.101, 0.25);
  ball.velocity = Vec3(0, 6, 0);
  scene.colliders = {ground, ball};
  scene.fracture.dust = fracture::Dust::tets;
  scene.time.strain_refresh_steps = 8;
  scene.time.sort_after_tets = 1;  // once a fifth is new
  return scene;
}

/// The same thrown half on a step, which is a mesh, as the ball is; pieces meet.
inline sim::Scene plate_on_a_step() {
  sim::Scene scene = breaking_plate();
  scene.contact.enabled = contact::ContactSwitch::automatic;
  contact::ColliderParameters &floor = scene.colliders[0], &thrown = scene.colliders[1];
  floor.shape = thrown.shape = contact::ColliderShape::mesh;
  floor.mesh.mesh = step(1, 0.02).solid();
  floor.position = Vec3(0.3, 0, -0.001);
  thrown.mesh.mesh = ball(thrown.radius_m, 3).solid();
  return scene;
}

/// The plate of breaking_plate, with fronts by hoop stress and energy, without back cracking.
inline sim::Scene plate_with_fronts() {
  sim::Scene scene = breaking_plate();
  scene.fracture.direction = fracture::Direction::hoop;
  scene.fracture.front_toughness = fracture::FrontToughness::energy;
  scene.fracture.tips = {{10, 0}};
  scene.fracture.suppress_back_cracking = true;
  return scene;
}

/// breaking_plate against the ground alone, in implicit steps whose equations are solved with the same bits on any
/// ranks; it does not flow.
inline sim::Scene implicit_breaking_plate() {
  sim::Scene scene = breaking_plate();
  scene.materials[0].plastic_limit = 0;
  scene.materials[0].yield_strain = 0;
  scene.colliders.resize(1);
  scene.time.integrator = dynamics::Integrator::implicit_euler;
  scene.time.solver = dynamics::Solver::lattice;
  scene.time.step_s = 2e-4;
  return scene;
}

inline mesh::TetMesh falling_plate() {
  mesh::TetMesh plate = kuhn_box(8, 1, 6, 0.6, 0.06, 0.45);
  plate.velocity.assign(plate.nodes.size(), Vec3(0.1, 0, -4));
  return plate;
}

/// The same, with names: each of its eight columns of cubes is a group, and so are the faces that touch the first.
inline mesh::TetMesh named_plate() {
  mesh::TetMesh plate = falling_plate();
  for (int column = 0; column < 8; ++column) plate.groups.names.push_back({"column " + std::to_string(column)});
  plate.groups.names.push_back({"end"});
  for (std::size_t t = 0; t < plate.tets.size(); ++t) {
    double middle = 0;
    for (const std::int32_t n : plate.tets[t]) middle += plate.nodes[n].x() / 4;
    plate.group.push_back(static_cast<std::int32_t>(middle / 0.075));
    for (const std::int32_t source : plate.face_source[t])
      if (source >= 0 && plate.group.back() == 0) {
        plate.groups.of_source.resize(std::max(plate.groups.of_source.size(), source + std::size_t{1}), mesh::kNoGroup);
        plate.groups.of_source[static_cast<std::size_t>(source)] = 8;
      }
  }
  return plate;
}

inline mesh::TetMesh finer_plate() {
  mesh::TetMesh plate = kuhn_box(16, 2, 12, 0.6, 0.06, 0.45);
  plate.velocity.assign(plate.nodes.size(), Vec3(0.1, 0, -4));
  return plate;
}

/// Digest of the mesh with all fields and, of the run's own state, the data of the ledger: equal only for equal bits.
inline std::uint64_t digest_of(const sim::Simulation& simulation) {
  const sim::Energies e = simulation.energies();
  std::uint64_t h = digest(simulation.mesh());
  for (double x : {e.total(), e.viscous_loss, e.supplied, e.contact_loss, simulation.time_s()})
    h = core::hash_bits(h, std::bit_cast<std::uint64_t>(x), 11);
  return h;
}

}  // namespace brisance::test
