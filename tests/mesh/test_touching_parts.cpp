// Solids of one file that touch: in a face, in part of one, in an edge, in a vertex; and similar cases without contact.
#include "brisance/mesh/generate/generate.hpp"

#include "mesh/surface/touching_parts.hpp"
#include "surface_files.hpp"

#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brisance::mesh {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// Boxes as objects of an OBJ file, their faces as quadrilaterals.
class Boxes {
public:
  Boxes& add(const std::string& name, const Vec3& low, const Vec3& high) {
    text_ += "o " + name + "\n";
    for (int i = 0; i < 8; ++i)
      text_ += fmt::format("v {} {} {}\n", ((i & 1) != 0 ? high : low).x(), ((i & 2) != 0 ? high : low).y(),
                           ((i & 4) != 0 ? high : low).z());
    for (const auto& [a, b, c, d] : std::initializer_list<std::array<int, 4>>{
             {1, 3, 4, 2}, {5, 6, 8, 7}, {1, 2, 6, 5}, {2, 4, 8, 6}, {4, 3, 7, 8}, {3, 1, 5, 7}})
      text_ += fmt::format("f {} {} {} {}\n", first_ + a, first_ + b, first_ + c, first_ + d);
    first_ += 8;
    return *this;
  }
  [[nodiscard]] const std::string& text() const { return text_; }

private:
  std::string text_;
  int first_ = 0;
};

class TouchingPartsOfAFile : public test::FileTest {
protected:
  /// The message when the file is meshed.
  std::string refusal(const Boxes& boxes, bool repair = false) const {
    Request request;
    request.shape = ShapeKind::file;
    request.file = write("parts.obj", boxes.text());
    request.target_tets = 500;
    request.repair = repair;
    MeshReport report;
    try {
      (void)generate(request, report);
    } catch (const core::Error& error) {
      return error.what();
    }
    return "accepted: " + (report.notes.empty() ? std::string() : report.notes.front());
  }
};

TEST_F(TouchingPartsOfAFile, AFaceInCommon) {
  const Boxes stack = Boxes().add("lower", {0, 0, 0}, {1, 1, 1}).add("upper", {0, 0, 1}, {1, 1, 2});
  EXPECT_THAT(refusal(stack), AllOf(HasSubstr("parts touch: \"lower\" and \"upper\" have a face in common"),
                                    HasSubstr("[[object]] of its own")));
}

TEST_F(TouchingPartsOfAFile, NamesThatBothHaveTellNothing) {
  Request request;
  request.shape = ShapeKind::file;
  std::string text = Boxes().add("lower", {0, 0, 0}, {1, 1, 1}).add("upper", {0, 0, 1}, {1, 1, 2}).text();
  request.file = write("clay.obj", "usemtl clay\n" + text);
  MeshReport report;
  EXPECT_THAT(test::error_of([&] { (void)generate(request, report); }), HasSubstr("\"lower\" and \"upper\""));
}

TEST_F(TouchingPartsOfAFile, PartOfAFace) {
  const Boxes stack = Boxes().add("table", {0, 0, 0}, {3, 3, 1}).add("cup", {1, 1, 1}, {2, 2, 2});
  EXPECT_THAT(refusal(stack), HasSubstr("\"table\" and \"cup\" have a face in common"));
  const Boxes wall = Boxes().add("left", {0, 0, 0}, {1, 2, 1}).add("right", {1, 1, 0}, {2, 3, 1});
  EXPECT_THAT(refusal(wall), HasSubstr("have a face in common"));
}

TEST_F(TouchingPartsOfAFile, AnEdgeInCommon) {
  const Boxes diagonal = Boxes().add("a", {0, 0, 0}, {1, 1, 1}).add("b", {1, 1, 0}, {2, 2, 1});
  EXPECT_THAT(refusal(diagonal), HasSubstr("\"a\" and \"b\" have an edge in common near (1, 1, 0.5)"));
}

TEST_F(TouchingPartsOfAFile, AVertexInCommon) {
  const Boxes diagonal = Boxes().add("a", {0, 0, 0}, {1, 1, 1}).add("b", {1, 1, 1}, {2, 2, 2});
  EXPECT_THAT(refusal(diagonal), HasSubstr("\"a\" and \"b\" have a vertex in common near (1, 1, 1)"));
}

TEST_F(TouchingPartsOfAFile, ManyPartsAreCounted) {
  Boxes row;
  for (int i = 0; i < 4; ++i) row.add("brick" + std::to_string(i), {1.0 * i, 0, 0}, {i + 1.0, 1, 1});
  EXPECT_THAT(refusal(row), HasSubstr("3 pairs of parts touch"));
}

TEST_F(TouchingPartsOfAFile, PartsThatCrossOrStandApartAreAnotherThing) {
  const Boxes crossing = Boxes().add("a", {0, 0, 0}, {1, 1, 1}).add("b", {0.5, 0.5, 0.5}, {2, 2, 2});
  EXPECT_THAT(refusal(crossing), AllOf(HasSubstr("it intersects itself"), ::testing::Not(HasSubstr("touch"))));
  const Boxes apart = Boxes().add("a", {0, 0, 0}, {1, 1, 1}).add("b", {1.5, 0, 0}, {2.5, 1, 1});
  EXPECT_THAT(refusal(apart), HasSubstr("accepted"));
}

TEST_F(TouchingPartsOfAFile, AWrapMeltsThemAndSaysSo) {
  const Boxes stack = Boxes().add("lower", {0, 0, 0}, {1, 1, 1}).add("upper", {0, 0, 1}, {1, 1, 2});
  EXPECT_THAT(refusal(stack, true), AllOf(HasSubstr("accepted"), HasSubstr("makes one body of them")));
}

TEST_F(TouchingPartsOfAFile, WithoutNamesTheyHaveNumbers) {
  const Surface both = test::joined(test::sphere(1, {0, 0, 1}), test::sphere(1, {0, 0, -1}));
  const TouchingParts found = find_touching_parts(both);
  EXPECT_EQ(found.num_pairs, 1);
  EXPECT_EQ(found.one, "part 1");
  EXPECT_EQ(found.other, "part 2");
  EXPECT_EQ(found.what, "a vertex");
  EXPECT_LT(found.place.norm(), 1e-9);
  EXPECT_EQ(find_touching_parts(test::sphere(1)).num_pairs, 0);
}

}  // namespace
}  // namespace brisance::mesh
