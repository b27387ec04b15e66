/// A run restarted from a checkpoint continues with the same bits, for any numbers of ranks that write and read it.
#include "brisance/contact/edge_points.hpp"
#include "brisance/core/error.hpp"
#include "brisance/io/checksums.hpp"
#include "brisance/sim/fields.hpp"
#include "brisance/sim/implicit/implicit_equations.hpp"
#include "brisance/sim/output/checkpoint.hpp"
#include "brisance/sim/output/diff_checkpoints.hpp"

#include "../io/shared_folder.hpp"
#include "support/breaking_plate.hpp"
#include "support/graded_plate.hpp"
#include "support/over_ranks.hpp"

#include <algorithm>
#include <fstream>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

namespace brisance::sim {
namespace {

/// Ranks 0 … n−1 of the world; null on the others.
class FirstRanks {
public:
  explicit FirstRanks(int n) {
    const core::Comm world;
    MPI_Comm_split(world.raw(), world.rank() < n ? 0 : MPI_UNDEFINED, world.rank(), &raw_);
  }
  ~FirstRanks() {
    if (raw_ != MPI_COMM_NULL) MPI_Comm_free(&raw_);
  }
  FirstRanks(const FirstRanks&) = delete;
  FirstRanks& operator=(const FirstRanks&) = delete;
  [[nodiscard]] MPI_Comm raw() const { return raw_; }

private:
  MPI_Comm raw_ = MPI_COMM_NULL;
};

void write(const Simulation& simulation, const std::filesystem::path& file) {
  write_checkpoint(simulation.comm(), file, {simulation.save(), {}, "past"}, fields(simulation.scene()));
}

std::unique_ptr<Simulation> taken_up(const core::Comm& comm, const Scene& scene, const std::filesystem::path& file) {
  io::require_checksums(comm, file);
  return std::make_unique<Simulation>(comm, scene, read_checkpoint(comm, file, fields(scene)).run);
}

/// On ranks 0 … n−1: a run from the start, or from a file, to a step; it leaves a file there.
/// @param regions  of the nodes; empty: none
void run_part(int n, const Scene& scene, const mesh::TetMesh& plate, const std::filesystem::path& from,
              std::int64_t until_step, const std::filesystem::path& to, std::span<const std::uint32_t> regions = {}) {
  const FirstRanks ranks(n);
  if (ranks.raw() != MPI_COMM_NULL) {
    const core::Comm comm(ranks.raw());
    const auto simulation =
        from.empty() ? std::make_unique<Simulation>(comm, scene, plate, regions) : taken_up(comm, scene, from);
    while (simulation->num_steps() < until_step) simulation->step();
    write(*simulation, to);
  }
  core::Comm().barrier();
}

class Checkpoint : public test::SharedFolder {
protected:
  void expect_no_bit_changes(const Scene& scene, const mesh::TetMesh& plate, const std::vector<std::int64_t>& stops,
                             std::int64_t end, std::span<const std::uint32_t> regions = {}) const;
};

/// Numbers of ranks that write and then read a checkpoint: all r here, and r with one less, either way.
std::vector<std::pair<int, int>> writers_and_readers() {
  const int r = core::Comm().size();
  if (r == 1) return {{1, 1}};
  return {{r, r}, {r, r - 1}, {r - 1, r}};
}

/// Runs n → m over one stop at each of these steps.
void Checkpoint::expect_no_bit_changes(const Scene& scene, const mesh::TetMesh& plate,
                                       const std::vector<std::int64_t>& stops, std::int64_t end,
                                       std::span<const std::uint32_t> regions) const {
  const auto at = [&](const std::string& name) { return folder_ / name; };
  run_part(1, scene, plate, {}, end, at("straight"), regions);
  for (const std::int64_t stop : stops) {
    int written_by = 0;
    for (const auto& [n, m] : writers_and_readers()) {
      SCOPED_TRACE(std::to_string(n) + " ranks to step " + std::to_string(stop) + ", then " + std::to_string(m));
      if (n != written_by) run_part(n, scene, plate, {}, stop, at("stopped"), regions);
      written_by = n;
      run_part(m, scene, plate, at("stopped"), end, at("resumed"));
      EXPECT_THAT(diff_checkpoints(at("straight"), at("resumed")), testing::IsEmpty());
    }
  }
}

/// Cracks, plastic flow, a free ball and sub-cycling.
Scene plate_of_several_clocks() {
  Scene scene = test::breaking_plate();
  scene.time.step_classes = 10;
  scene.fracture.altitude_floor = 0.3;  // pieces thin enough for sub-steps
  return scene;
}

Scene plate_that_turns_to_powder() {
  Scene scene = test::breaking_plate();
  scene.time.watch_energy = true;
  scene.time.energy_watch_limit = 1.5;
  scene.materials[0].crush_below = 0.98;
  scene.materials[0].elastic_law = material::ElasticLaw::neo_hookean;
  scene.materials[0].plastic_limit = 0;
  scene.fracture.evaluate_interval_share = 0.1;
  return scene;
}

TEST_F(Checkpoint, APlateThatCracksAndFlowsGoesOnWithTheSameBits) {
  expect_no_bit_changes(test::breaking_plate(), test::falling_plate(), {1, 97, 143}, 165);
}

TEST_F(Checkpoint, APlateWithVirtualNodesGoesOnWithTheSameBits) {
  Scene scene = test::breaking_plate();
  scene.fracture.cutter = "virtual_nodes";
  scene.fracture.dust = fracture::Dust::particles;  // the real nodes of some vertices leave
  scene.fracture.dust_max_tets = 12;
  expect_no_bit_changes(scene, test::falling_plate(), {97, 143}, 165);
}

TEST_F(Checkpoint, PiecesOfVirtualNodesInContactGoOnWithTheSameBits) {
  Scene scene = test::plate_on_a_step();
  scene.fracture.cutter = "virtual_nodes";
  Simulation simulation(core::Comm(MPI_COMM_SELF), scene, test::falling_plate(), {});
  const auto edges = [&] {
    std::array<int, 2> touching{};  // by facets, by colliders
    for (const contact::EdgePointStates& states : simulation.mesh().field(contact::kEdgePoints).span())
      for (const contact::EdgePointState& point : states.state) {
        touching[0] += point.spring.exists() ? 1 : 0;
        touching[1] += point.collider_offset_m >= 0 ? 1 : 0;
      }
    return touching;
  };
  while (simulation.num_steps() < 400 && !(edges()[0] > 3 && edges()[1] > 3)) simulation.step();
  ASSERT_GT(edges()[0], 3);
  ASSERT_GT(edges()[1], 3);
  expect_no_bit_changes(scene, test::falling_plate(), {simulation.num_steps()}, simulation.num_steps() + 30);
}

// A stop among cracks in the hierarchical basis: nodes around them are free, and functions are chosen anew before and
// after.
TEST_F(Checkpoint, ActiveFunctionsAroundCracksGoOnWithTheSameBits) {
  if (core::Comm().size() > 2) GTEST_SKIP() << "other ranks: BasisRuns";
  Scene scene = test::implicit_breaking_plate();
  scene.time.basis = dynamics::BasisKind::hierarchical;
  scene.time.basis_active_share = 0.3;
  scene.time.basis_renew_every = 4;
  Simulation simulation(core::Comm(MPI_COMM_SELF), scene, test::falling_plate(), {});
  while (simulation.num_steps() < 40 && simulation.fracture_counters().cracks < 2) simulation.step();
  const std::int64_t stop = simulation.num_steps(), cracks = simulation.fracture_counters().cracks;
  const std::int64_t active = simulation.equations().active_functions();
  for (int i = 0; i < 5; ++i) simulation.step();
  ASSERT_LT(simulation.equations().active_share(), 0.9);
  ASSERT_NE(simulation.equations().active_functions(), active);
  ASSERT_GT(simulation.fracture_counters().cracks, cracks);
  expect_no_bit_changes(scene, test::falling_plate(), {stop}, stop + 5);
}

TEST_F(Checkpoint, LipsThatHoldOnToEachOtherGoOnWithTheSameBits) {
  Scene scene = test::breaking_plate();
  scene.fracture.cohesive = true;
  scene.fracture.tips = {{2, 0}};
  Simulation simulation(core::Comm(MPI_COMM_SELF), scene, test::falling_plate(), {});
  while (simulation.num_steps() < 300 && !(simulation.energies().cohesive > 0 && simulation.cohesive_area().torn > 0))
    simulation.step();
  ASSERT_GT(simulation.cohesive_area().tied, 0);
  ASSERT_GT(simulation.cohesive_area().torn, 0);
  expect_no_bit_changes(scene, test::falling_plate(), {simulation.num_steps()}, simulation.num_steps() + 40);
}

TEST_F(Checkpoint, AFreeMeshThatPressesOnABreakingPlateGoesOnWithTheSameBits) {
  const Scene scene = test::plate_on_a_step();
  Simulation simulation(core::Comm(MPI_COMM_SELF), scene, test::falling_plate(), {});
  const auto presses = [&] {
    const auto contacts = simulation.colliders().contacts();
    return std::ranges::any_of(contacts, [](const contact::NodeContact& c) { return c.body == 1; });
  };
  while (simulation.num_steps() < 300 && !(presses() && simulation.fracture_counters().cracks > 0)) simulation.step();
  ASSERT_TRUE(presses());
  expect_no_bit_changes(scene, test::falling_plate(), {simulation.num_steps()}, simulation.num_steps() + 60);
}

TEST_F(Checkpoint, NamesGoOnWithTheSameBits) {
  expect_no_bit_changes(test::breaking_plate(), test::named_plate(), {97}, 150);
  run_part(1, test::breaking_plate(), test::named_plate(), {}, 97, folder_ / "named");
  const core::Comm world;
  const auto again = taken_up(world, test::breaking_plate(), folder_ / "named");
  EXPECT_EQ(again->mesh().facts.groups, test::named_plate().groups);
}

TEST_F(Checkpoint, ScatterAndGradesGoOnWithTheSameBits) {
  const Scene scene = test::graded_scene();
  expect_no_bit_changes(scene, test::graded_plate(scene), {97, 143}, 165);
}

TEST_F(Checkpoint, DustGoesOnWithTheSameBits) {
  Scene scene = test::breaking_plate();
  scene.fracture.dust = fracture::Dust::particles;
  scene.fracture.dust_max_tets = 12;
  Simulation simulation(core::Comm(MPI_COMM_SELF), scene, test::falling_plate(), {});
  while (simulation.num_steps() < 400 && simulation.dust().particles().size() < 3) simulation.step();
  ASSERT_GE(simulation.dust().particles().size(), 3U);
  const std::int64_t born = simulation.num_steps();
  expect_no_bit_changes(scene, test::falling_plate(), {born, born + 5}, born + 60);
}

TEST_F(Checkpoint, SeveralClocksGoOnWithTheSameBits) {
  expect_no_bit_changes(plate_of_several_clocks(), test::finer_plate(), {190}, 200);
}

// No initial guess and no preconditioner remains from earlier steps.
TEST_F(Checkpoint, ImplicitStepsByTheLatticeGoOnWithTheSameBits) {
  expect_no_bit_changes(test::implicit_breaking_plate(), test::falling_plate(), {3, 30}, 40);
}

// While something cracks steps are short, and several follow each other: their number and length are part of the state.
TEST_F(Checkpoint, ShortStepsOfACrackGoOnWithTheSameBits) {
  Scene scene = test::pulled_scene(0.01);
  scene.time.solver = dynamics::Solver::lattice;
  const mesh::TetMesh bar = test::waisted_bar();
  const std::vector<std::uint32_t> regions = test::both_ends(bar);
  Simulation simulation(core::Comm(MPI_COMM_SELF), scene, bar, regions);
  int in_a_row = 0;
  while (simulation.num_steps() < 100 && in_a_row < 2) {
    simulation.step();
    in_a_row = simulation.last_step_s() < 0.5 * scene.time.step_s ? in_a_row + 1 : 0;
  }
  ASSERT_GT(simulation.fracture_counters().cracks, 0);
  ASSERT_EQ(in_a_row, 2);
  const std::int64_t stop = simulation.num_steps();
  while (simulation.last_step_s() < scene.time.step_s) simulation.step();
  expect_no_bit_changes(scene, bar, {stop}, simulation.num_steps(), regions);
}

// PETSc's solver does not give the same bits on any ranks: positions to 1e-8 of the bar's length before the first
// crack, and after it the same cracks, since the bar breaks where it is thinnest.
TEST_F(Checkpoint, ImplicitStepsByPetscGoOnToTheTolerance) {
  const Scene scene = test::pulled_scene(1e-3);
  const mesh::TetMesh bar = test::waisted_bar();
  const std::vector<std::uint32_t> regions = test::both_ends(bar);
  std::int64_t first_crack = 0;
  {
    Simulation alone(core::Comm(MPI_COMM_SELF), scene, bar, regions);
    while (alone.fracture_counters().cracks == 0) alone.step();
    first_crack = alone.num_steps();
  }
  ASSERT_GT(first_crack, 4);
  const core::Comm world;
  const auto count = static_cast<std::int64_t>(bar.nodes.size());
  const std::int64_t end = first_crack + 12;
  const auto state = [&](const std::string& name) { return taken_up(world, scene, folder_ / name); };
  run_part(1, scene, bar, {}, first_crack - 1, folder_ / "straight", regions);
  run_part(1, scene, bar, {}, end, folder_ / "cracked", regions);
  EXPECT_GT(state("cracked")->fracture_counters().cracks, 5);
  for (const auto& [n, m] : writers_and_readers()) {
    SCOPED_TRACE(std::to_string(n) + " ranks, then " + std::to_string(m));
    run_part(n, scene, bar, {}, first_crack / 2, folder_ / "stopped", regions);
    run_part(m, scene, bar, folder_ / "stopped", first_crack - 1, folder_ / "resumed");
    EXPECT_LT(test::largest_distance(test::positions_by_id(*state("resumed"), count),
                                     test::positions_by_id(*state("straight"), count)),
              1e-8);
    run_part(m, scene, bar, folder_ / "resumed", end, folder_ / "broken");
    EXPECT_EQ(test::topology_digest(state("broken")->mesh()), test::topology_digest(state("cracked")->mesh()));
  }
}

/// A transient pressure, a blast that arrives, an impulse.
Scene under_loads(Scene scene) {
  LoadParameters gust;
  gust.profile = {{0, 0}, {1e-3, 4e4}, {5e-3, 0}};
  gust.shape = LoadShape::box;
  gust.low = Vec3(-1, -1e-3, 0.2);
  gust.high = Vec3(2, 1e-3, 1);
  LoadParameters blast;
  blast.kind = LoadKind::blast;
  blast.point = Vec3(0.3, -0.5, 0.2);
  blast.peak_pressure_pa = 2e5;
  blast.positive_phase_s = 2e-3;
  blast.reference_distance_m = 0.3;
  LoadParameters impulse;
  impulse.kind = LoadKind::impulse;
  impulse.start_s = 4.1e-3;
  impulse.point = Vec3(0.1, 0.5, 0.1);
  impulse.speed_m_s = 2;
  scene.loads = {gust, blast, impulse};
  return scene;
}

// Stopped while loads act and after it, with cracks; HHT also hands on accelerations.
TEST_F(Checkpoint, ImplicitStepsUnderLoadsGoOnWithTheSameBits) {
  Scene scene = under_loads(test::implicit_breaking_plate());
  expect_no_bit_changes(scene, test::falling_plate(), {18}, 36);
  scene.time.integrator = dynamics::Integrator::hht;
  scene.time.hht_alpha = -0.1;
  expect_no_bit_changes(scene, test::falling_plate(), {30}, 36);
  const core::Comm world;
  const auto end = taken_up(world, scene, folder_ / "straight");
  EXPECT_GT(end->fracture_counters().cracks, 10);
  EXPECT_GT(end->energies().load_work, 1);
}

TEST_F(Checkpoint, LoadStepsUnderAPressureGoOnWithTheSameBits) {
  material::Material m = test::breaking_plate().materials[0];
  m.plastic_limit = m.yield_strain = m.damping_phi = m.damping_psi = 0;
  m.toughness = 5e4;
  Scene scene = test::breaking_plate();
  scene.materials = {m};
  scene.colliders.clear();
  scene.time = {};
  scene.time.integrator = dynamics::Integrator::statics;
  scene.time.solver = dynamics::Solver::lattice;
  scene.time.load_steps = 8;
  LoadParameters load;
  load.pressure_pa = 1e4;
  load.shape = LoadShape::half_space;
  load.centre = Vec3(0, 0.001, 0);
  load.normal = Vec3(0, 1, 0);
  scene.loads = {load};
  RegionParameters clamp;
  scene.regions = {clamp};
  mesh::TetMesh plate = test::falling_plate();
  plate.velocity.clear();
  std::vector<std::uint32_t> regions;
  for (const Vec3& x : plate.nodes) regions.push_back(x[2] == 0 ? 1 : 0);
  expect_no_bit_changes(scene, plate, {1, 5}, 8, regions);
  const core::Comm world;
  const auto end = taken_up(world, scene, folder_ / "straight");
  EXPECT_EQ(end->time_s(), scene.duration_s);
  EXPECT_GT(end->fracture_counters().cracks, 3);
}

TEST_F(Checkpoint, PowderAndAWatchOnEnergyGoOnWithTheSameBits) {
  expect_no_bit_changes(plate_that_turns_to_powder(), test::falling_plate(), {60, 121}, 140);
}

TEST_F(Checkpoint, FrontsGoOnWithTheSameBits) {
  expect_no_bit_changes(test::plate_with_fronts(), test::falling_plate(), {97}, 150);
}

TEST_F(Checkpoint, AChainOverAllNumbersOfRanksEndsAsOneRun) {
  const core::Comm world;
  const Scene scene = test::breaking_plate();
  const auto at = [&](int i) { return folder_ / std::to_string(i); };
  run_part(1, scene, test::falling_plate(), {}, 240, at(9));
  std::filesystem::path from;
  const std::array<int, 4> ranks{4, 1, 3, 2};
  for (int i = 0; i < 4; ++i) {
    run_part(std::min(ranks[static_cast<std::size_t>(i)], world.size()), scene, test::falling_plate(), from,
             60 * (i + 1), at(i));
    from = at(i);
  }
  EXPECT_THAT(diff_checkpoints(at(9), at(3)), testing::IsEmpty());
}

// The ledger of a restarted run agrees at once, too.
TEST_F(Checkpoint, TheLedgerIsTheSameBeforeTheNextStep) {
  const core::Comm world;
  const Scene scene = plate_of_several_clocks();
  Simulation simulation(world, scene, test::finer_plate(), {});
  const auto cracks_on_several_clocks = [&] {
    return simulation.fracture_counters().cracks > 10 && simulation.step_bound().finest_class > 0;
  };
  for (int i = 0; i < 300 && !cracks_on_several_clocks(); ++i) simulation.step();
  EXPECT_GT(simulation.fracture_counters().cracks, 10);
  EXPECT_GT(simulation.step_bound().finest_class, 0);
  write(simulation, folder_ / "file");
  const auto again = taken_up(world, scene, folder_ / "file");
  EXPECT_EQ(test::digest_of(*again), test::digest_of(simulation));
  EXPECT_EQ(again->fracture_counters().cracks, simulation.fracture_counters().cracks);
  EXPECT_EQ(again->element_updates(), simulation.element_updates());
}

TEST_F(Checkpoint, AnotherStepIsFound) {
  const Scene scene = test::breaking_plate();
  run_part(1, scene, test::falling_plate(), {}, 30, folder_ / "a");
  run_part(1, scene, test::falling_plate(), folder_ / "a", 31, folder_ / "b");
  EXPECT_THAT(diff_checkpoints(folder_ / "a", folder_ / "b"), testing::Contains(testing::HasSubstr("nodes/position")));
}

TEST_F(Checkpoint, AnotherVersionAndOtherFilesAreRefusedInOneSentence) {
  const core::Comm world;
  const auto file = folder_ / "file";
  run_part(1, test::breaking_plate(), test::falling_plate(), {}, 2, file);
  on_root([&] {
    const char* const group = "/brisance/checkpoint";
    const hid_t opened = H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), one = H5Screate(H5S_SCALAR);
    H5Adelete_by_name(opened, group, "format_version", H5P_DEFAULT);
    const hid_t version =
        H5Acreate_by_name(opened, group, "format_version", H5T_STD_I64LE, one, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const std::int64_t later = kCheckpointVersion + 1;
    H5Awrite(version, H5T_NATIVE_INT64, &later);
    H5Aclose(version);
    H5Sclose(one);
    H5Fclose(opened);
    std::ofstream(folder_ / "text") << "no checkpoint";
  });
  const dist::FieldList list = fields(test::breaking_plate());
  EXPECT_THAT(failure_of([&] { (void)read_checkpoint(world, file, list); }),
              testing::HasSubstr("is a checkpoint of format " + std::to_string(kCheckpointVersion + 1) +
                                 ", this program reads format " + std::to_string(kCheckpointVersion) + "."));
  EXPECT_THAT(failure_of([&] { (void)read_checkpoint(world, folder_ / "text", list); }),
              testing::HasSubstr("is not a checkpoint of brisance"));
}

/// The error message of opening a file on this rank; empty if there is none.
std::string complaint(const core::Comm& comm, const std::filesystem::path& file) {
  try {
    io::require_checksums(comm, file);
  } catch (const core::Error& e) {
    return e.what();
  }
  return "";
}

TEST_F(Checkpoint, ABitFlippedAnywhereIsRecognised) {
  const core::Comm world;
  const auto file = folder_ / "file";
  run_part(world.size(), test::breaking_plate(), test::falling_plate(), {}, 20, file);
  EXPECT_EQ(complaint(world, file), "");
  const auto bytes = static_cast<std::int64_t>(std::filesystem::file_size(file));
  for (std::int64_t at = 0; at < bytes; at += bytes / 40) {
    const auto flip = [&] {
      if (world.is_root()) {
        std::fstream io(file, std::ios::in | std::ios::out | std::ios::binary);
        io.seekg(at);
        const char byte = static_cast<char>(io.get() ^ 4);
        io.seekp(at);
        io.put(byte);
      }
      world.barrier();
    };
    flip();
    EXPECT_THAT(complaint(world, file), testing::HasSubstr("is damaged: the block from byte "));
    flip();
  }
  EXPECT_EQ(complaint(world, file), "");
  world.barrier();
  if (world.is_root()) std::filesystem::resize_file(file, static_cast<std::uintmax_t>(bytes - 1));
  world.barrier();
  EXPECT_THAT(complaint(world, file), testing::HasSubstr("cut short"));
}

}  // namespace
}  // namespace brisance::sim
