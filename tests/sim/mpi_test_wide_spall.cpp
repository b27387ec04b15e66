// exploration
#include "brisance/dist/pieces.hpp"
#include "brisance/fracture/criterion.hpp"
#include "brisance/fracture/fields.hpp"
#include "brisance/dist/mesh_fields.hpp"
#include "brisance/dynamics/internal_forces.hpp"
#include "support/kuhn.hpp"
#include "support/simulated.hpp"
#include "support/digest.hpp"
#include "support/topology.hpp"
#include "brisance/core/random.hpp"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <gtest/gtest.h>
namespace brisance::sim {
namespace {
double env(const char* n, double d) { const char* v = getenv(n); return v ? atof(v) : d; }
TEST(WideSpall, Explore) {
  const auto begin = std::chrono::steady_clock::now();
  const int cells = int(env("CELLS", 16)), wide = int(env("WIDE", 4));
  const double speed = 1e-3, gap = 1e-6, share = 1 / env("OVER", 1.5), jitter = env("JITTER", 0);
  const double h = 1.0 / cells, width = wide * h;
  material::Material law = test::solid(1, 0.3, 1, 0.02 / cells);
  const double c = material::pressure_wave_speed(law), stress = 0.5 * c * speed;
  law.toughness = share * stress;
  law.toughness_mode = material::ToughnessMode::stress;
  const auto shaken = [&](mesh::TetMesh m, double length) {
    for (std::size_t i = 0; i < m.nodes.size(); ++i) {
      Vec3& x = m.nodes[i];
      const Vec3 box(length, width, width);
      const Vec3 at = x;
      for (int k = 0; k < 3; ++k)
        if (at[k] > 1e-9 && at[k] < box[k] - 1e-9)
          x[k] += jitter * h * (double(core::hash_bits(5, i, k) >> 11) * 0x1p-53 - 0.5) * 2;
    }
    return m;
  };
  mesh::TetMesh flyer = shaken(test::kuhn_box(cells, wide, wide, 1, width, width), 1);
  mesh::TetMesh both = shaken(test::kuhn_box(2 * cells, wide, wide, 2, width, width), 2);
  both.velocity.assign(both.nodes.size(), Vec3::Zero());
  for (auto tet : flyer.tets) {
    for (auto& n : tet) n += static_cast<std::int32_t>(both.nodes.size());
    both.tets.push_back(tet);
  }
  both.face_source.insert(both.face_source.end(), flyer.face_source.begin(), flyer.face_source.end());
  for (const Vec3& x : flyer.nodes) {
    both.nodes.emplace_back(x - Vec3(1 + gap, 0, 0));
    both.velocity.emplace_back(speed, 0, 0);
  }
  std::vector<std::uint32_t> masks;
  const auto at = [&](double a, double b) { return std::abs(a - b) < 1e-12; };
  for (const Vec3& x : both.nodes)
    masks.push_back((at(x.y(), 0) || at(x.y(), width) ? 1U : 0U) | (at(x.z(), 0) || at(x.z(), width) ? 2U : 0U));
  Scene scene = test::bare_scene(law);
  scene.regions = {test::grip({false, true, false}), test::grip({false, false, true})};
  scene.contact.enabled = contact::ContactSwitch::on;
  scene.contact.restitution = 1;
  scene.contact.friction = 0;
  scene.fracture.least_area_share = env("LEAST", 1);
  scene.fracture.refusal_growth = env("GROWTH", 0);
  scene.fracture.crack_speed_share = env("CSPEED", 0.6);
  Simulation run(core::Comm(), scene, both, masks);
  const double expected = gap / speed + 3 / c;
  double first = 0;
  while (run.time_s() < expected + env("AFTER", 1.5) / c) {
    run.step(1000);
    if (!first && run.mesh().facts.num_cracks > 0) first = run.time_s();
  }
  const auto whole = test::whole_mesh(run.mesh());
  const auto topology = test::topology(whole);
  double area = 0;
  for (const auto& f : topology.surface)
    if (f.is_crack) area += 0.5 * f.area().norm();
  const dist::Pieces pieces = dist::find_pieces(run.mesh());
  std::vector<double> momentum(pieces.list.size());
  for (std::int32_t i = 1; i < run.mesh().num_node_slots(); ++i)
    if (const LocalNode n(i); run.mesh().is_owned(n))
      momentum[pieces.of_node[n]] += run.mesh().mass[n] * run.mesh().motion[n].velocity[0];
  MPI_Allreduce(MPI_IN_PLACE, momentum.data(), int(momentum.size()), MPI_DOUBLE, MPI_SUM, run.mesh().comm().raw());
  double near = 0, far = 0, mn = 0, mf = 0;
  for (std::int32_t i = 1; i < run.mesh().num_node_slots(); ++i)
    if (const LocalNode n(i); run.mesh().is_owned(n)) {
      const double x = run.mesh().rest[n].x(), m = run.mesh().mass[n], v = run.mesh().motion[n].velocity[0];
      if (x > 0 && x < 0.7) near += m * v, mn += m;
      if (x > 1.3) far += m * v, mf += m;
    }
  if (run.mesh().comm().size() == 1) std::printf("first_ near %.3f far %.3f\n", near / mn / speed, far / mf / speed);
  double total = 0;
  for (const auto& p : pieces.list) total += p.mass;
  const Energies e = run.energies();
  if (run.mesh().comm().rank() == 0) {
    std::printf("first %.3f area %.2f sections, %zu pieces, cracks %ld, %.0f s;", first / expected, area / width / width,
                pieces.list.size(), long(run.mesh().facts.num_cracks),
                std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    double dust = 0;
    for (const auto& p : pieces.list) {
      if (p.mass < 0.05 * total) { dust += p.mass / total; continue; }
      std::printf(" [%.3f v %.3f]", p.mass / total * 3, momentum[&p - pieces.list.data()] / p.mass / speed);
    }
    std::printf(" small %.4f digest %lx\n", dust*3, 0L);
  }
  (void)e;
  if (env("DIAG", 0) > 0) {
    const auto& mesh = run.mesh();
    const auto corner_forces = [&](std::span<const std::int32_t> chosen, std::span<dist::CornerForces> into) {
      dynamics::corner_forces(run.element_spans(), mesh.materials, mesh.motion.span(), chosen, into);
    };
    fracture::Criterion criterion(mesh, scene.fracture, {}, corner_forces);
    std::vector<LocalNode> owned;
    for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
      if (const LocalNode n(i); mesh.is_owned(n) && std::abs(mesh.rest[n].x() - 1) < 0.4) owned.push_back(n);
    const auto sev = criterion.severities(mesh, owned);
    for (std::size_t i = 0; i < owned.size(); ++i) {
      const LocalNode n = owned[i];
      const bool refused = Vec3(mesh.field(fracture::kRefusal)[n].data()).norm() > 0;
      if (sev[i].share > 0.8)
        std::printf("  x %.3f %.3f %.3f share %.2f normal %.2f %.2f %.2f refused %d cut %d front %d waits %.2f..%.2f area %.2f of %.2f tets %zu\n", mesh.rest[n].x(), mesh.rest[n].y() / width, mesh.rest[n].z() / width, sev[i].share,
          sev[i].normal.x(), sev[i].normal.y(), sev[i].normal.z(), int(refused), int(mesh.field(fracture::kCut)[n]), int(mesh.field(fracture::kFront)[n]),
          (mesh.field(fracture::kWaitsFrom)[n] - run.time_s()) * c * cells, (mesh.field(fracture::kReadyTime)[n] - run.time_s()) * c * cells,
          fracture::projected_area(mesh, n, sev[i].normal) / h / h, mesh.field(fracture::kUncutArea)[n] / h / h, mesh.star(n).size());
    }
    const auto k = run.fracture_counters();
    std::printf("one sided %ld off plane %ld back %ld\n", long(k.refused_one_sided), long(k.refused_off_plane), long(k.back_cracks));
  }
  const auto d = test::digest(run.mesh());
  if (run.mesh().comm().rank() == 0) std::printf("digest %lx\n", long(d));
}
}  // namespace
}  // namespace brisance::sim
