// Factors on strength and stiffness: formulas, chance, fields, and their effect on a run.
#include "brisance/core/error.hpp"
#include "brisance/sim/setup/formula.hpp"
#include "brisance/sim/setup/initial_mesh.hpp"
#include "brisance/sim/setup/material_shares.hpp"
#include "brisance/sim/simulation.hpp"

#include "sim/setup/factors.hpp"
#include "support/breaking_plate.hpp"
#include "support/simulated.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <unistd.h>

namespace brisance::sim {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;

std::string error_of(const auto& action) {
  try {
    action();
  } catch (const core::Error& e) {
    return e.what();
  }
  return "no error";
}

TEST(Formula, ReadsCoordinatesFunctionsAndChoices) {
  EXPECT_DOUBLE_EQ(Formula("1 - 0.5 * exp(-(z / 0.1)^2)")(Vec3(0, 0, 0.1)), 1 - 0.5 * std::exp(-1));
  EXPECT_EQ(Formula("x < 0.5 && y > 1 ? 0.25 : 4")(Vec3(0.2, 2, 0)), 0.25);
  EXPECT_EQ(Formula("x < 0.5 && y > 1 ? 0.25 : 4")(Vec3(0.7, 2, 0)), 4);
}

TEST(Formula, SaysWhatIsWrongWithItAndWhere) {
  EXPECT_THAT(error_of([] { Formula("1 + * x"); }), HasSubstr("the formula \"1 + * x\" is not understood: "));
  EXPECT_THAT(error_of([] { Formula("1 + w"); }), HasSubstr("character 5 of it"));
  EXPECT_THAT(error_of([] { Formula("1, 2"); }), HasSubstr("apart by commas"));
  EXPECT_THAT(error_of([] { Formula(""); }), HasSubstr("is not understood"));
  EXPECT_THAT(error_of([] { (void)Formula("sqrt(x)")(Vec3(-1, 2, 3)); }), HasSubstr("nan at x = -1, y = 2, z = 3 m"));
  EXPECT_THAT(error_of([] { (void)Formula("1 / y")(Vec3::Zero()); }), HasSubstr("the formula \"1 / y\" is inf at"));
}

class Factors : public ::testing::Test {
protected:
  Factors() {
    scene_.materials[0].name = "plate";
    ObjectParameters object;
    object.name = "plate";
    object.material = "plate";
    scene_.objects = {object};
  }
  FactorParameters& add(FactorOf of, const std::string& formula) {
    FactorParameters& factor = scene_.factors.emplace_back();
    factor.of = of;
    factor.formula = formula;
    return factor;
  }
  /// The plate with the scene's factors, its tets as they are.
  mesh::TetMesh graded(mesh::TetMesh plate = test::falling_plate()) const {
    const std::vector<Vec3> own = plate.nodes;
    if (plate.region.empty()) plate.region.assign(plate.tets.size(), 0);
    dist::MeshShare share = dist::share_on_root(comm_, std::move(plate));
    const PlacedObject placed{scene_.objects[0], "the plate", share.mesh, own};
    FactorCounts concerned;
    apply_factors(scene_, placed, concerned, report_);
    scatter_strength(scene_, std::vector<std::size_t>{0}, share, concerned);
    require_factors(comm_, scene_, concerned);
    grade_regions(comm_, scene_, share.mesh);
    return std::move(share.mesh);
  }
  [[nodiscard]] std::uint64_t digest_after(const Scene& scene, const mesh::TetMesh& plate, int steps,
                                           std::int64_t least_cracks) const {
    Simulation simulation(comm_, scene, plate, {});
    for (int i = 0; i < steps; ++i) simulation.step(scene.duration_s);
    EXPECT_GE(simulation.fracture_counters().cracks, least_cracks);
    return state_of(simulation);
  }
  /// Places and connectivity, whatever the materials and fields are called.
  static std::uint64_t state_of(const Simulation& simulation) {
    const dist::Mesh& mesh = simulation.mesh();
    std::uint64_t h = 0;
    for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
      for (const double x : mesh.motion[LocalNode(i)].position)
        h = core::hash_bits(h, std::bit_cast<std::uint64_t>(x), 1);
    for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i)
      for (const LocalNode n : mesh.corners(LocalElement(i)))
        h = core::hash_bits(h, static_cast<std::uint64_t>(mesh.node_id[n].value), 2);
    return h;
  }

  core::Comm comm_{MPI_COMM_SELF};
  Scene scene_ = test::breaking_plate();
  mutable std::vector<std::string> report_;  ///< of apply_factors
};

// Half as strong and half as stiff on one side: given by two materials, or by one and two formulas. Damping is limited
// by the smallest tets of a material, which here are equal but for rounding: these limits are left out.
TEST_F(Factors, AFormulaIsTheSameAsARegionThatSaysTheSame) {
  scene_.fracture.cap_damping_ratio = false;
  Scene regions = scene_;
  regions.materials.push_back(material::stiffened(scene_.materials[0], 0.5));
  regions.materials[1].toughness *= 0.5;
  mesh::TetMesh by_region = test::falling_plate();
  for (const auto& tet : by_region.tets) {
    Vec3 middle = Vec3::Zero();
    for (const std::int32_t n : tet) middle += by_region.nodes[n] / 4;
    by_region.region.push_back(middle.x() < 0.3 ? 1 : 0);
  }
  const std::uint64_t expected = digest_after(regions, by_region, 250, 50);
  add(FactorOf::strength, "x < 0.3 ? 0.5 : 1");
  add(FactorOf::stiffness, "x < 0.3 ? 0.5 : 1");
  const mesh::TetMesh plate = graded();
  ASSERT_EQ(plate.graded.size(), 1u);
  EXPECT_EQ(plate.graded[0].stiffness, 0.5);
  EXPECT_EQ(digest_after(scene_, plate, 250, 50), expected);
  scene_.factors.clear();
  EXPECT_NE(digest_after(scene_, test::falling_plate(), 250, 50), expected);
}

TEST_F(Factors, AFactorOfOneChangesNoBit) {
  const std::uint64_t expected = digest_after(scene_, test::falling_plate(), 150, 5);
  add(FactorOf::strength, "1");
  add(FactorOf::stiffness, "1");
  EXPECT_EQ(digest_after(scene_, graded(), 150, 5), expected);
}

TEST_F(Factors, SeveralMultiplyAndMayConcernOneMaterialOrObject) {
  scene_.materials.push_back(scene_.materials[0]);
  scene_.materials[1].name = "other";
  mesh::TetMesh plate = test::falling_plate();
  for (std::size_t t = 0; t < plate.tets.size(); ++t) plate.region.push_back(t % 2 == 0 ? 0 : 1);
  add(FactorOf::strength, "0.5");
  add(FactorOf::strength, "0.25").material = "other";
  plate = graded(plate);
  for (std::size_t t = 0; t < plate.tets.size(); ++t) EXPECT_EQ(plate.strength[t], t % 2 == 0 ? 0.5 : 0.125);
  scene_.factors[1].object = "cup";
  EXPECT_EQ(
      error_of([&] { (void)graded(); }),
      "[[factor]] 1 (counted from 0) concerns no tet: none of the object \"cup\" is made of \"other\". Correct the "
      "names, or leave it out.");
}

TEST_F(Factors, WhatIsNotAFactorIsRefusedWithItsPlace) {
  add(FactorOf::strength, "x - 0.3");
  EXPECT_THAT(error_of([&] { (void)graded(); }),
              ::testing::AllOf(HasSubstr("[[factor]]: the formula \"x - 0.3\" is -"), HasSubstr("at x = "),
                               HasSubstr("a factor on strength must be positive.")));
  scene_.factors.clear();
  add(FactorOf::stiffness, "x < 0.1 ? 2000 : 1");
  EXPECT_THAT(error_of([&] { (void)graded(); }), HasSubstr("a factor on stiffness must be positive, from 1/1000 to"));
}

TEST_F(Factors, StiffnessComesInStepsOfOnePercent) {
  add(FactorOf::stiffness, "0.5 + 1.5 * x");
  const mesh::TetMesh plate = graded();
  EXPECT_GT(plate.graded.size(), 10u);
  for (std::size_t t = 0; t < plate.tets.size(); ++t) {
    double x = 0;
    for (const std::int32_t n : plate.tets[t]) x += plate.nodes[n].x() / 4;
    const double factor = plate.region[t] == 0 ? 1 : plate.graded[plate.region[t] - 1].stiffness;
    EXPECT_NEAR(factor / (0.5 + 1.5 * x), 1, 0.0055);
  }
  const auto shares = material_shares(comm_, scene_, plate);
  ASSERT_EQ(shares.size(), 1u);
  EXPECT_DOUBLE_EQ(shares[0].volume_share, 1);
  EXPECT_NEAR(shares[0].stiffness.mean, 0.5 + 1.5 * 0.3, 0.003);
  EXPECT_LT(shares[0].stiffness.smallest, 0.55);
  EXPECT_GT(shares[0].stiffness.largest, 1.35);
  EXPECT_EQ(shares[0].strength.largest, 1);
}

// P(f ≤ s) = 1 − exp(−(V/V₀) sᵐ): of 28800 tets, within four standard deviations.
TEST_F(Factors, ChanceFollowsWeibullsLaw) {
  FactorParameters& factor = add(FactorOf::strength, "");
  factor.weibull_modulus = 5;
  const mesh::TetMesh fine = test::kuhn_box(40, 4, 30, 0.6, 0.06, 0.45);
  for (const double volume_ratio : {1.0, 2.0, 0.1}) {
    SCOPED_TRACE(volume_ratio);
    scene_.factors[0].reference_volume_m3 = volume_ratio == 1 ? 0 : 0.6 * 0.06 * 0.45 / 28800 / volume_ratio;
    const mesh::TetMesh plate = graded(fine);
    for (const double s : {0.6, 0.8, 1.0, 1.2}) {
      const double p = 1 - std::exp(-volume_ratio * std::pow(s, 5));
      const double below = static_cast<double>(std::ranges::count_if(plate.strength, [&](double f) { return f <= s; }));
      EXPECT_NEAR(below / 28800, p, 4 * std::sqrt(p * (1 - p) / 28800) + 1e-4) << s;
    }
    EXPECT_GT(*std::ranges::min_element(plate.strength), 0);
  }
}

TEST_F(Factors, ChanceGoesByIdAndSeed) {
  FactorParameters& factor = add(FactorOf::strength, "");
  factor.weibull_modulus = 5;
  const std::vector<double> first = graded().strength;
  EXPECT_EQ(graded().strength, first);
  scene_.factors[0].seed = 2;
  EXPECT_NE(graded().strength, first);
  scene_.factors[0].seed = 1;
  // A longer plate has other tets, of which those of the same id are as strong.
  const mesh::TetMesh longer = graded(test::kuhn_box(9, 1, 6, 0.675, 0.06, 0.45));
  EXPECT_TRUE(std::equal(first.begin(), first.end(), longer.strength.begin()));
}

TEST_F(Factors, GradedMaterialsAreCrushedAndNamedAsWhatTheyAreFormsOf) {
  scene_.materials[0].crush_below = 0.98;
  scene_.materials[0].elastic_law = material::ElasticLaw::neo_hookean;
  scene_.materials[0].plastic_limit = 0;
  scene_.output.state_fields = true;
  add(FactorOf::stiffness, "0.5 + 1.5 * x");
  Simulation simulation(comm_, scene_, graded(), {});
  for (int i = 0; i < 250; ++i) simulation.step(scene_.duration_s);
  ASSERT_GT(simulation.num_crushed(), 5);
  const dist::Pieces pieces = dist::find_pieces(simulation.mesh());
  const io::FrameForm form = frame_form(scene_.output, false);
  const io::SnapshotPart part = snapshot_part(simulation, pieces, form);
  EXPECT_THAT(snapshot_header(simulation, pieces, form, 0, "").material_names,
              ::testing::ElementsAre("plate", "plate (crushed)"));
  EXPECT_EQ(std::ranges::count(part.material, 1), simulation.num_crushed());
  EXPECT_EQ(std::ranges::count(part.material, 0), std::ssize(part.material) - simulation.num_crushed());
  const auto column = std::ranges::find(part.element_state, "stiffness_factor", &io::StateColumn::name);
  ASSERT_NE(column, part.element_state.end());
  EXPECT_LT(*std::ranges::min_element(column->values), 0.6);
  EXPECT_GT(*std::ranges::max_element(column->values), 1.2);
}

class FileFields : public Factors {
protected:
  FileFields() {
    object().mesh.shape = mesh::ShapeKind::file;
    object().mesh.file = file(".vtu");
  }
  ~FileFields() override {
    for (const char* ending : {".vtu", ".msh"}) std::filesystem::remove(file(ending));
  }
  ObjectParameters& object() { return scene_.objects[0]; }
  static std::filesystem::path file(const char* ending) {
    return std::filesystem::temp_directory_path() / ("brisance_field" + std::to_string(getpid()) + ending);
  }
  /// The plate with `factor` x at its points or the middles of its tets.
  static void write_vtu(const std::string& where, const std::string& values) {
    const mesh::TetMesh plate = test::falling_plate();
    std::ofstream out(file(".vtu"));
    out.precision(17);
    out << "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\"><UnstructuredGrid><Piece NumberOfPoints=\""
        << plate.nodes.size() << "\" NumberOfCells=\"" << plate.tets.size()
        << "\"><Points><DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">";
    for (const Vec3& x : plate.nodes) out << x.x() << ' ' << x.y() << ' ' << x.z() << '\n';
    out << "</DataArray></Points><Cells><DataArray type=\"Int64\" Name=\"connectivity\" format=\"ascii\">";
    for (const auto& t : plate.tets) out << t[0] << ' ' << t[1] << ' ' << t[2] << ' ' << t[3] << '\n';
    out << "</DataArray><DataArray type=\"Int64\" Name=\"offsets\" format=\"ascii\">";
    for (std::size_t t = 1; t <= plate.tets.size(); ++t) out << 4 * t << ' ';
    out << "</DataArray><DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">";
    for (std::size_t t = 0; t < plate.tets.size(); ++t) out << "10 ";
    out << "</DataArray></Cells><" << where << "><DataArray type=\"Float64\" Name=\"softness\" format=\"ascii\">"
        << values << "</DataArray></" << where << "></Piece></UnstructuredGrid></VTKFile>\n";
  }
  static std::string text_of(const auto& numbers) {
    std::ostringstream text;
    text.precision(17);
    for (const double x : numbers) text << x << '\n';
    return text.str();
  }
  static std::vector<double> at_points() {
    std::vector<double> values;
    for (const Vec3& x : test::falling_plate().nodes) values.push_back(0.5 + x.x());
    return values;
  }
  static std::vector<double> at_tets() {
    const mesh::TetMesh plate = test::falling_plate();
    std::vector<double> values;
    for (const auto& t : plate.tets)
      values.push_back(
          0.5 + (plate.nodes[t[0]].x() + plate.nodes[t[1]].x() + plate.nodes[t[2]].x() + plate.nodes[t[3]].x()) / 4);
    return values;
  }
  void ask(const std::string& field) {
    scene_.factors.clear();
    add(FactorOf::strength, "").field = field;
  }
  [[nodiscard]] std::vector<double> strength() const { return build_initial_mesh(comm_, scene_).share.mesh.strength; }
  void expect_as_by_formula(const std::vector<double>& by_field) {
    scene_.factors.clear();
    add(FactorOf::strength, "0.5 + x");
    const std::vector<double> by_formula = strength();
    ASSERT_EQ(by_field.size(), by_formula.size());
    for (std::size_t t = 0; t < by_field.size(); ++t) EXPECT_NEAR(by_field[t], by_formula[t], 1e-12);
  }
};

TEST_F(FileFields, VtuArraysOfPointsAndTetsAreFactors) {
  for (const auto& [where, values] : {std::pair("PointData", at_points()), std::pair("CellData", at_tets())}) {
    SCOPED_TRACE(where);
    write_vtu(where, text_of(values));
    ask("softness");
    expect_as_by_formula(strength());
  }
}

TEST_F(FileFields, GmshDataOfNodesAndElementsAreFactors) {
  const mesh::TetMesh plate = test::falling_plate();
  for (const bool on_nodes : {true, false}) {
    SCOPED_TRACE(on_nodes);
    std::ofstream out(file(".msh"));
    out.precision(17);
    out << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n" << plate.nodes.size() << '\n';
    for (std::size_t n = 0; n < plate.nodes.size(); ++n)
      out << n + 1 << ' ' << plate.nodes[n].x() << ' ' << plate.nodes[n].y() << ' ' << plate.nodes[n].z() << '\n';
    out << "$EndNodes\n$Elements\n" << plate.tets.size() << '\n';
    for (std::size_t t = 0; t < plate.tets.size(); ++t) {
      out << t + 10 << " 4 0";
      for (const std::int32_t n : plate.tets[t]) out << ' ' << n + 1;
      out << '\n';
    }
    const std::vector<double> values = on_nodes ? at_points() : at_tets();
    const char* section = on_nodes ? "NodeData" : "ElementData";
    out << "$EndElements\n$" << section << "\n1\n\"softness\"\n1\n0.0\n3\n0\n1\n" << values.size() << '\n';
    for (std::size_t i = values.size(); i-- > 0;) out << i + (on_nodes ? 1 : 10) << ' ' << values[i] << '\n';
    out << "$End" << section << '\n';
    out.close();
    object().mesh.file = file(".msh");
    ask("softness");
    expect_as_by_formula(strength());
    ask("hardness");
    EXPECT_THAT(error_of([&] { (void)strength(); }), HasSubstr("no $NodeData or $ElementData is called 'hardness'"));
  }
}

TEST_F(FileFields, FieldsThatAreNotThereOrNoNumbersAreRefused) {
  write_vtu("CellData", text_of(at_tets()));
  ask("hardness");
  EXPECT_THAT(error_of([&] { (void)strength(); }), HasSubstr("no point or cell array 'hardness'"));
  std::vector<double> values = at_tets();
  values[7] = std::nan("");
  write_vtu("CellData", text_of(values));
  ask("softness");
  EXPECT_THAT(error_of([&] { (void)strength(); }), HasSubstr("softness holds a number that is not finite"));
  values[7] = -1;
  write_vtu("CellData", text_of(values));
  EXPECT_THAT(error_of([&] { (void)strength(); }), HasSubstr("the field \"softness\" is -1 at x = "));
  write_vtu("PointData", text_of(at_tets()));
  EXPECT_THAT(error_of([&] { (void)strength(); }), HasSubstr("softness needs one number a point."));
  object().mesh = {};
  object().mesh.target_tets = 100;
  EXPECT_THAT(error_of([&] { (void)strength(); }),
              HasSubstr("plate has no field \"softness\": fields are read from tetrahedral meshes, VTU and Gmsh."));
}

}  // namespace
}  // namespace brisance::sim
