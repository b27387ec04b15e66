// brisance-solids as a child process: its errors arrive word for word, and every other end gives one message. That
// results arrive bit for bit is covered by the tests of the operations themselves.
#include "brisance/core/error.hpp"
#include "brisance/mesh/shapes/shapes.hpp"
#include "brisance/mesh/surface/repair.hpp"
#include "brisance/mesh/tets/intersect.hpp"

#include "child_test.hpp"
#include "mesh/meshers/solids_child.hpp"
#include "mesh/meshers/solids_exchange.hpp"
#include "mesh/solids/operations.hpp"
#include "mesh/surface/unite.hpp"
#include "surface_files.hpp"

#include <gmock/gmock.h>

namespace brisance::mesh {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using SolidsChild = test::ChildTest;
using test::error_of;

/// Error message of remeshing a box with a replacement for the program.
std::string message_of(const SolidsOptions& options) {
  return error_of([&] {
    run_solids(
        "remesh", [](core::Outbox& out) { put_surface(out, make_shape({}, 0.5)); },
        [](core::Inbox& in) { (void)take_surface(in); }, options);
  });
}

TEST_F(SolidsChild, GivesTheBitsThatTheOperationGives) {
  Request ball;
  ball.shape = ShapeKind::torus;
  const Surface surface = make_shape(ball, 0.02);
  WrapReport here, there;
  const Surface wrapped_here = solids::wrap(surface, 0.05, 0.003, here), wrapped = wrap(surface, 0.05, 0.003, there);
  EXPECT_EQ(wrapped.vertices, wrapped_here.vertices);
  EXPECT_EQ(wrapped.triangles, wrapped_here.triangles);
  EXPECT_EQ(wrapped.source_face, wrapped_here.source_face);
  EXPECT_EQ(there.volume_ratio, here.volume_ratio);
  EXPECT_EQ(there.input_volume_m3, here.input_volume_m3);
  EXPECT_EQ(there.input_closed, here.input_closed);
}

TEST_F(SolidsChild, ErrorsCrossWordForWord) {
  WrapReport ignored;
  for (const double alpha : {0.0, 0.1})
    EXPECT_EQ(error_of([&] { (void)wrap(Surface{}, alpha, 0.01, ignored); }),
              error_of([&] { (void)solids::wrap(Surface{}, alpha, 0.01, ignored); }));
  Surface corner = make_shape({}, 0.5);  // two boxes that touch in an edge alone
  Surface other = corner;
  for (Vec3& x : other.vertices) x += Vec3(1, 1, 0);
  const std::vector<Surface> touching{corner, other};
  EXPECT_EQ(error_of([&] { (void)unite(touching); }), error_of([&] { (void)solids::unite(touching); }));
}

TEST_F(SolidsChild, HasNoMoreMemoryThanItMay) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the address sanitizer's own memory is beyond any bound, so the child has none";
#endif
  SolidsOptions options;
  options.memory_bound_byte = 20 << 20;
  EXPECT_THAT(error_of([&] {
                run_solids(
                    "wrap",
                    [](core::Outbox& out) {
                      put_surface(out, make_shape({}, 0.05));
                      put_value(out, 1.0 / 300);
                      put_value(out, 1.0 / 1000);
                    },
                    [](core::Inbox&) {}, options);
              }),
              HasSubstr("Wrapping the surface ran out of memory: it may have 0.02 GiB"));
}

TEST_F(SolidsChild, EndsWithItsParentLeavingNothing) {
  const Surface surface = make_shape({}, 0.1);
  expect_end_with_parent([&] { (void)wrap(surface, 0.001, 0.0005); });
}

TEST_F(SolidsChild, CrashesSignalsSilenceAndTimeOutBecomeMessages) {
  SolidsOptions options;
  options.program = script("kill -SEGV $$");
  EXPECT_THAT(message_of(options), HasSubstr("Remeshing crashed with signal 11"));
  (void)script("kill -KILL $$");
  EXPECT_THAT(message_of(options), AllOf(HasSubstr("Remeshing was ended from outside by signal 9"),
                                         HasSubstr("memory ran out"), Not(HasSubstr("mesh editor"))));
  (void)script("kill -TERM $$");
  EXPECT_THAT(message_of(options), HasSubstr("ended from outside by signal 15"));
  (void)script("echo CGAL error: assertion violation; exit 3");
  EXPECT_THAT(message_of(options), HasSubstr("gave up with code 3 (it said: CGAL error: assertion violation)"));
  (void)script("exit 0");
  EXPECT_THAT(message_of(options), HasSubstr("brisance-solids wrote no readable result"));
  (void)script("head -c 1000 /dev/zero >&4");
  EXPECT_THAT(message_of(options), HasSubstr("brisance-solids wrote no readable result"));
  (void)script("exec sleep 60");
  options.time_limit = std::chrono::milliseconds(200);
  EXPECT_THAT(message_of(options), HasSubstr("Remeshing did not finish within 0.2 s"));
  std::filesystem::remove(options.program);
  EXPECT_THAT(message_of(options), HasSubstr("cannot be started"));
}

TEST_F(SolidsChild, WhatIsTooShortIsRefused) {
  SolidsOptions options;
  options.program = script("exec \"$BRISANCE_SOLIDS\" remesh");
  setenv("BRISANCE_SOLIDS", core::find_program(kSolidsProgram, "The test").c_str(), 1);
  EXPECT_THAT(message_of(options), HasSubstr("brisance-solids could not read its task or leave its answer (it said: it "
                                             "ends early)"));  // no edge length
  unsetenv("BRISANCE_SOLIDS");
  std::filesystem::remove(options.program);
}

TEST(FindProgram, SaysWhereItLookedAndHowToBuildIt) {
  try {
    (void)core::find_program("brisance-absent", "Dreaming");
    FAIL() << "found";
  } catch (const core::MissingProgram& missing) {
    EXPECT_THAT(missing.what(), AllOf(HasSubstr("Dreaming needs the program brisance-absent, which is not there"),
                                      HasSubstr("libexec/brisance"), HasSubstr("cmake --build "),
                                      HasSubstr(" --target brisance-absent`")));
  }
}

}  // namespace
}  // namespace brisance::mesh
