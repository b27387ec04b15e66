// Names in files are assigned to faces and tets: by every reader, and through cleaning, remeshing and TetGen.
#include "brisance/mesh/formats/read_surface.hpp"
#include "brisance/mesh/formats/read_tet_mesh.hpp"
#include "brisance/mesh/generate/generate.hpp"

#include "surface_files.hpp"

#include <gmock/gmock.h>

namespace brisance::mesh {
namespace {

using test::error_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Names = std::vector<std::string>;

/// The names of a group, none for kNoGroup.
Names names_of(const Groups& groups, std::int32_t group) { return group == kNoGroup ? Names{} : groups.names[group]; }

/// OBJ text of a surface, a line `names[i]` before triangle i where there is one.
std::string obj_text(const Surface& surface, const std::map<std::size_t, std::string>& names, std::size_t first = 1) {
  std::string text;
  for (const Vec3& x : surface.vertices) text += fmt::format("v {:.17g} {:.17g} {:.17g}\n", x.x(), x.y(), x.z());
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    if (const auto named = names.find(t); named != names.end()) text += named->second + "\n";
    const auto& [a, b, c] = surface.triangles[t];
    text += fmt::format("f {} {} {}\n", a + first, b + first, c + first);
  }
  return text;
}

class Group : public test::FileTest {
protected:
  TetMesh filled(const std::string& obj, double edge_length_m) const {
    Request request;
    request.shape = ShapeKind::file;
    request.file = write("body.obj", obj);
    request.edge_length_m = edge_length_m;
    MeshReport report;
    return generate(request, report);
  }
};

TEST_F(Group, ObjFacesHaveTheNamesOfObjectGroupsAndMaterial) {
  std::string text = test::cube_obj();
  for (const auto& [before, names] : {std::pair("f 1 4", "o my cup \ng rim  lid\nusemtl glaze\n"),
                                      std::pair("f 1 2", "g\n"), std::pair("f 3 4", "usemtl clay\no\n")})
    text.insert(text.find(before), names);
  const Groups groups = read_surface(write("cube.obj", text)).groups;
  ASSERT_EQ(groups.of_source.size(), 6u);
  EXPECT_THAT(names_of(groups, groups.of_source[0]), ElementsAre("glaze", "lid", "my cup", "rim"));
  EXPECT_EQ(groups.of_source[0], groups.of_source[1]);
  EXPECT_THAT(names_of(groups, groups.of_source[2]), ElementsAre("glaze", "my cup"));
  EXPECT_THAT(names_of(groups, groups.of_source[4]), ElementsAre("clay"));
  EXPECT_EQ(groups.names.size(), 3u);
}

TEST_F(Group, ObjFacesBeforeAnyNameHaveNone) {
  std::string text = test::cube_obj();
  EXPECT_TRUE(read_surface(write("cube.obj", text)).groups.empty());
  text.insert(text.find("f 4 1"), "g last\n");
  const Groups groups = read_surface(write("cube.obj", text)).groups;
  EXPECT_THAT(groups.of_source, ElementsAre(-1, -1, -1, -1, -1, 0));
}

TEST_F(Group, ObjNamesThatAreTooLongKeepTheirEnds) {
  const auto names = [&](const std::string& line) {
    return read_surface(write("cube.obj", line + "\n" + test::cube_obj())).groups.names.at(0);
  };
  EXPECT_THAT(names("o begin" + std::string(300, 'a') + "end"),
              ElementsAre("begin" + std::string(93, 'a') + "..." + std::string(95, 'a') + "end"));
  // Never within a character of two bytes.
  const std::string letters = names("usemtl x" + test::repeated("\xC3\xA9", 150)).at(0);
  EXPECT_LE(letters.size(), 200u);
  EXPECT_EQ(letters, "x" + test::repeated("\xC3\xA9", 48) + "..." + test::repeated("\xC3\xA9", 49));
  std::string many = "g";
  for (int i = 0; i < 200; ++i) many += fmt::format(" n{:03}", i);
  EXPECT_EQ(names(many).size(), 120u);  // of five bytes each with its blank
  EXPECT_EQ(names(many).back(), "n119");
}

TEST_F(Group, ObjNamesMayHoldAHash) {
  const std::string text = "o part #3\nusemtl Material#2\ng a#1 #b\n" + test::cube_obj();
  EXPECT_THAT(read_surface(write("cube.obj", text)).groups.names.at(0),
              ElementsAre("#b", "Material#2", "a#1", "part #3"));
}

TEST_F(Group, ObjNamesOfAContinuedLine) {
  const Groups groups = read_surface(write("cube.obj", "g left\\\r\n right \\\r\nlast\r\n" + test::cube_obj())).groups;
  EXPECT_THAT(groups.names.at(0), ElementsAre("last", "left", "right"));
}

TEST_F(Group, NamesThatAreNotUtf8AreTakenAsLatin1) {
  const auto name = [&](const std::string& bytes) {
    return read_surface(write("cube.obj", "o " + bytes + "\n" + test::cube_obj())).groups.names.at(0).at(0);
  };
  EXPECT_EQ(name("caf\xE9"), "caf\xC3\xA9");
  EXPECT_EQ(name("caf\xC3\xA9"), "caf\xC3\xA9");
  EXPECT_EQ(name("a\x92\x9B\x1B[1m"), "a???[1m");  // no control characters
  EXPECT_EQ(name("a\xC2\x9B"), "a?");
}

TEST_F(Group, MoreGroupsThanAreTakenLeaveNone) {
  std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  for (std::size_t i = 0; i <= kMostGroups; ++i) text += fmt::format("g {}\nf 1 2 3\n", i);
  EXPECT_EQ(read_surface(write("many.obj", text)).groups, Groups{});
}

TEST_F(Group, StlSolidsAreGroups) {
  const std::string facet =
      "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n";
  const Groups groups =
      read_surface(write("two.stl", "solid the left\n" + facet + facet + "endsolid the left\nsolid\n" + facet +
                                        "endsolid\nsolid right\n" + facet + "endsolid right\n"))
          .groups;
  EXPECT_THAT(groups.names, ElementsAre(Names{"the left"}, Names{"right"}));
  EXPECT_THAT(groups.of_source, ElementsAre(0, 0, -1, 1));
}

/// Two tets on a shared face; a triangle on the boundary, one inside, each with a physical group.
std::string gmsh2(const std::string& names) {
  return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n" + names +
         "$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n$EndNodes\n$Elements\n4\n1 2 2 8 1 1 3 2\n"
         "2 2 2 8 1 2 3 4\n3 4 2 3 1 1 2 3 4\n4 4 2 5 1 2 3 4 5\n$EndElements\n";
}

/// Number of boundary faces with each name, and the name of each tet.
void expect_core_and_lid(const TetMesh& mesh, const std::string& second) {
  ASSERT_EQ(mesh.group.size(), 2u);
  EXPECT_THAT(names_of(mesh.groups, mesh.group[0]), ElementsAre("core of it"));
  EXPECT_THAT(names_of(mesh.groups, mesh.group[1]), ElementsAre(second));
  int lids = 0;
  for (std::size_t t = 0; t < 2; ++t)
    for (int f = 0; f < 4; ++f) {
      const std::int32_t group = mesh.groups.group_of_source(mesh.face_source[t][f]);
      if (group == kNoGroup) continue;
      ++lids;
      EXPECT_THAT(names_of(mesh.groups, group), ElementsAre("lid"));
      EXPECT_EQ(mesh.nodes[mesh.tets[t][f]], Vec3(0, 0, 1));  // opposite the face z = 0
    }
  EXPECT_EQ(lids, 1);
}

TEST_F(Group, GmshPhysicalGroupsNameTetsAndTheTrianglesOnTheBoundary) {
  const std::string names = "$PhysicalNames\n3\n2 8 \"lid\"\n3 3 \"core of it\"\n3 8 \"no lid\"\n$EndPhysicalNames\n";
  expect_core_and_lid(read_tet_mesh(write("two.msh", gmsh2(names))), "5");
}

TEST_F(Group, Gmsh41EntitiesMayHaveSeveralPhysicalGroups) {
  const TetMesh mesh = read_tet_mesh(write(
      "two.msh",
      "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 8 \"lid\"\n3 3 \"core of it\"\n$EndPhysicalNames\n"
      "$Entities\n0 0 1 2\n1 0 0 0 1 1 1 1 -8 0\n1 0 0 0 1 1 1 1 3 0\n2 0 0 0 1 1 1 2 5 3 0\n$EndEntities\n"
      "$Nodes\n1 5 1 5\n3 1 0 5\n1\n2\n3\n4\n5\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n1 1 1\n$EndNodes\n"
      "$Elements\n3 3 1 3\n2 1 2 1\n1 1 3 2\n3 1 4 1\n2 1 2 3 4\n3 2 4 1\n3 2 3 4 5\n$EndElements\n"));
  EXPECT_THAT(mesh.region, ElementsAre(3, 5));
  EXPECT_THAT(names_of(mesh.groups, mesh.group[1]), ElementsAre("5", "core of it"));
  TetMesh one_name = mesh;
  one_name.groups.names[mesh.group[1]] = {"5"};
  expect_core_and_lid(one_name, "5");
}

TEST_F(Group, GmshNamesWithoutQuotesNameTheLine) {
  EXPECT_THAT(error_of([&] {
                (void)read_tet_mesh(write("two.msh", gmsh2("$PhysicalNames\n1\n2 8 lid\n$EndPhysicalNames\n")));
              }),
              HasSubstr("two.msh:6: the name of a physical group stands in quotes"));
}

TEST_F(Group, RegionsWithoutNamesAreNamedByTheirNumbers) {
  write("two.node", "5 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n4 1 1 1\n");
  write("two.ele", "2 4 1\n0 0 1 2 3 0\n1 1 2 3 4 12\n");
  const TetMesh mesh = read_tet_mesh(folder_ / "two.ele");
  EXPECT_THAT(mesh.groups.names, ElementsAre(Names{"12"}));
  EXPECT_THAT(mesh.group, ElementsAre(-1, 0));
}

TEST_F(Group, TetsInsideAClosedShellHaveItsName) {
  const Surface left = test::sphere(1), right = test::sphere(1, Vec3(2.05, 0, 0));
  std::string text = obj_text(left, {{0, "o left\ng top"}, {90, "g bottom"}});
  text += obj_text(right, {{0, "o right\ng"}}, left.vertices.size() + 1);
  const TetMesh mesh = filled(text, 0.3);
  ASSERT_EQ(mesh.group.size(), mesh.tets.size());
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    const bool is_left = mesh.nodes[mesh.tets[t][0]].x() < 1.025;
    ASSERT_THAT(names_of(mesh.groups, mesh.group[t]), ElementsAre(is_left ? "left" : "right"));
    for (const std::int32_t source : mesh.face_source[t])
      if (source != kNoSourceTriangle) {
        ASSERT_TRUE(has_name(mesh.groups, mesh.groups.group_of_source(source), is_left ? "left" : "right"));
      }
  }
}

// The name of a cavity's wall is not that of the body's tets, however large the wall is.
TEST_F(Group, ACavityDoesNotNameTheTetsAroundIt) {
  const Surface outer = test::sphere(1);
  Surface inner = test::sphere(0.8);
  for (auto& [a, b, c] : inner.triangles) std::swap(b, c);
  const TetMesh mesh =
      filled(obj_text(outer, {{0, "g skin"}}) + obj_text(inner, {{0, "g hole"}}, outer.vertices.size() + 1), 0.25);
  for (std::size_t t = 0; t < mesh.tets.size(); ++t)
    ASSERT_THAT(names_of(mesh.groups, mesh.group[t]), ElementsAre("skin"));
}

// A cube of nine squares per side with a named top: the name ends at the top's edges, for any triangles.
TEST_F(Group, FacesKnowTheGroupOfTheNearestInput) {
  std::string text = test::cube_obj();
  text.insert(text.find("f 5 6"), "g lid\n");
  text.insert(text.find("f 1 2 6"), "g side\n");
  const TetMesh mesh = filled(text, 0.11);
  double lid_m2 = 0;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t)
    for (int f = 0; f < 4; ++f) {
      const std::int32_t source = mesh.face_source[t][f];
      if (source == kNoSourceTriangle) continue;
      const auto& [a, b, c] = kFaceCorners[f];
      const Vec3 &x = mesh.nodes[mesh.tets[t][a]], &y = mesh.nodes[mesh.tets[t][b]], &z = mesh.nodes[mesh.tets[t][c]];
      const bool on_top = std::min({x.z(), y.z(), z.z()}) > 1 - 1e-9;
      ASSERT_EQ(has_name(mesh.groups, mesh.groups.group_of_source(source), "lid"), on_top);
      if (on_top) lid_m2 += (y - x).cross(z - x).norm() / 2;
    }
  EXPECT_NEAR(lid_m2, 1, 1e-9);
  EXPECT_THAT(mesh.group, ::testing::Each(kNoGroup));  // no name covers the whole shell
}

TEST(Groups, JoinedOnesKeepTheirNamesAndSources) {
  Groups whole{{{"a"}, {"b"}}, {0, 1}};
  const Groups part{{{"b"}, {"c"}}, {1, -1, 0}};
  EXPECT_THAT(join(whole, part, 4), ElementsAre(1, 2));
  EXPECT_EQ(whole, (Groups{{{"a"}, {"b"}, {"c"}}, {0, 1, -1, -1, 2, -1, 1}}));
  EXPECT_THAT(join(whole, {}, 9), IsEmpty());
  EXPECT_EQ(whole.of_source.size(), 7u);
}

}  // namespace
}  // namespace brisance::mesh
