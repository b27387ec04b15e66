/// Mode files read back as written; damaged or foreign files are refused.
#include "brisance/breaking/breakable.hpp"
#include "brisance/breaking/mode_file.hpp"
#include "brisance/core/error.hpp"
#include "brisance/io/array_file.hpp"

#include "breaking/sample_mode_files.hpp"
#include "support/kuhn.hpp"

#include <cmath>
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <unistd.h>

namespace brisance::breaking {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class ModeFiles : public ::testing::Test {
protected:
  ModeFiles()
      : folder_(std::filesystem::temp_directory_path() / ("brisance_mode_files" + std::to_string(getpid()))),
        file_(folder_ / "a.h5") {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~ModeFiles() override { std::filesystem::remove_all(folder_); }

  std::string failure_of_reading() const {
    try {
      (void)read_mode_file(file_);
    } catch (const core::Error& e) {
      EXPECT_THAT(e.what(), HasSubstr(file_.string()));
      return e.what();
    }
    return "read without complaint";
  }

  static ModeFile sample() { return test::scalar_mode_file(test::kuhn_box(2, 1, 1, 2, 1, 1)); }

  std::filesystem::path folder_, file_;
};

TEST_F(ModeFiles, GiveBackWhatWasPutIn) {
  const ModeFile in = sample();
  write_mode_file(file_, in);
  EXPECT_FALSE(std::filesystem::exists(file_.string() + ".writing"));
  const ModeFile out = read_mode_file(file_);
  EXPECT_EQ(out.mesh.nodes, in.mesh.nodes);
  EXPECT_EQ(out.mesh.tets, in.mesh.tets);
  EXPECT_EQ(out.mesh.face_source, in.mesh.face_source);
  EXPECT_EQ(out.mesh.region, in.mesh.region);
  EXPECT_EQ(out.face_weight, in.face_weight);
  EXPECT_EQ(out.cpu_s, in.cpu_s);
  EXPECT_EQ(out.scalar_count, in.scalar_count);
  EXPECT_EQ(out.relative_gap, in.relative_gap);
  EXPECT_EQ(out.program, in.program);
  EXPECT_EQ(out.no_break, in.no_break);
  EXPECT_EQ(out.starts, in.starts);
  EXPECT_EQ(out.smallest_share, in.smallest_share);
  EXPECT_TRUE(out.refined);
  EXPECT_EQ(out.modes.axis_strength, in.modes.axis_strength);
  EXPECT_FALSE(out.complete);
  EXPECT_EQ(out.modes.weighting, in.modes.weighting);
  EXPECT_EQ(out.modes.components, 1);
  ASSERT_EQ(out.modes.modes.size(), in.modes.modes.size());
  for (std::size_t k = 0; k < in.modes.modes.size(); ++k) {
    EXPECT_EQ(out.modes.modes[k].value, in.modes.modes[k].value);
    EXPECT_EQ(out.modes.modes[k].energy, in.modes.modes[k].energy);
    EXPECT_EQ(out.modes.modes[k].relative_gap, in.modes.modes[k].relative_gap);
    EXPECT_EQ(out.modes.modes[k].settled, in.modes.modes[k].settled);
    EXPECT_EQ(out.modes.modes[k].part, in.modes.modes[k].part);
    EXPECT_EQ(out.modes.modes[k].convex_energies, in.modes.modes[k].convex_energies);
    EXPECT_EQ(out.modes.modes[k].convex_gaps, in.modes.modes[k].convex_gaps);
  }
}

TEST_F(ModeFiles, ModesOfTheGeneralProblemComeBackWithJumpsAndCorners) {
  ModeFile in = test::general_mode_file(test::kuhn_box(2, 1, 1, 2, 1, 1));
  write_mode_file(file_, in);
  const ModeFile out = read_mode_file(file_);
  EXPECT_EQ(out.method, in.method);
  EXPECT_EQ(out.modes.components, 3);
  for (std::size_t k = 0; k < in.modes.modes.size(); ++k) {
    EXPECT_EQ(out.modes.modes[k].value, in.modes.modes[k].value);
    EXPECT_EQ(out.modes.modes[k].jump, in.modes.modes[k].jump);
    EXPECT_EQ(out.modes.modes[k].corner_value, in.modes.modes[k].corner_value);
    EXPECT_EQ(out.modes.modes[k].strain_energy, in.modes.modes[k].strain_energy);
  }
  in.modes.modes[1].jump.pop_back();
  write_mode_file(file_, in);
  EXPECT_THROW(read_mode_file(file_), core::Error);
}

TEST_F(ModeFiles, NumbersThatNothingCouldBeDoneWithAreRefused) {
  const auto refused = [&](const char* what, const auto& damage) {
    ModeFile in = sample();
    damage(in);
    write_mode_file(file_, in);
    EXPECT_THAT(failure_of_reading(), HasSubstr(std::string(what) + " is missing, unreadable or does not fit"));
  };
  const double nan = std::nan("");
  refused("face_weight", [](ModeFile& f) { f.face_weight[3] = 0; });
  refused("face_weight", [&](ModeFile& f) { f.face_weight[3] = nan; });
  refused("mode_001", [&](ModeFile& f) { f.modes.modes[1].value[2] = nan; });
  refused("energy", [](ModeFile& f) { f.modes.modes[1].energy = -1; });
  refused("part", [](ModeFile& f) { f.modes.modes[1].part = 1000; });
  refused("axis_strength", [](ModeFile& f) { f.modes.axis_strength[2] = 0; });
  refused("Points", [&](ModeFile& f) { f.mesh.nodes[0].y() = nan; });
  refused("Connectivity", [](ModeFile& f) { std::swap(f.mesh.tets[4][0], f.mesh.tets[4][1]); });
  refused("scalar_count", [](ModeFile& f) { f.scalar_count = -3; });
  refused("scalar_count", [](ModeFile& f) { f.scalar_count = 2'000'000'000; });  // three axes each: beyond 32 bit
  refused("starts", [](ModeFile& f) { f.starts = 0; });
  refused("smallest_share", [&](ModeFile& f) { f.smallest_share = nan; });
  refused("relative_gap", [](ModeFile& f) { f.relative_gap = 0; });
}

TEST_F(ModeFiles, ASolidWithoutSurfaceGetsItsBoundaryNumbered) {
  ModeFile in = sample();
  in.mesh.face_source.clear();
  write_mode_file(file_, in);
  const ModeFile out = read_mode_file(file_);
  ASSERT_EQ(out.mesh.face_source.size(), out.mesh.tets.size());
  std::int32_t next = 0;
  for (const auto& faces : out.mesh.face_source)
    for (const std::int32_t face : faces) {
      if (face == mesh::kNoSourceTriangle) continue;
      EXPECT_EQ(face, next++);
    }
  EXPECT_EQ(next, 20);                                 // two triangles on each of the ten squares around two cubes
  const Breakable object = read_breakable(file_, {});  // as impact and play do: it used to read beyond the table
  EXPECT_FALSE(object.set.vertices.empty());
}

TEST_F(ModeFiles, AFlatBodyComesBackAsTriangles) {
  ModeFile in = test::flat_mode_file();
  write_mode_file(file_, in);
  const ModeFile out = read_mode_file(file_);
  EXPECT_EQ(out.modes.dimension, 2);
  EXPECT_TRUE(out.mesh.tets.empty());
  EXPECT_EQ(out.plane.surface.vertices, in.plane.surface.vertices);
  EXPECT_EQ(out.plane.surface.triangles, in.plane.surface.triangles);
  EXPECT_EQ(out.plane.surface.source_face, in.plane.surface.source_face);
  EXPECT_EQ(region_of(out), in.plane.region);
  EXPECT_EQ(body_of(out).graph.volume, (std::vector<double>{0.5, 0.5}));
  in.plane.surface.source_face.pop_back();
  write_mode_file(file_, in);
  EXPECT_THAT(failure_of_reading(), HasSubstr("source_face"));
}

TEST_F(ModeFiles, CutShortIsAnErrorAtAnyLength) {
  write_mode_file(file_, sample());
  const auto size = std::filesystem::file_size(file_);
  for (std::uintmax_t keep = 0; keep < size; keep += size / 17) {
    std::filesystem::resize_file(file_, keep);
    EXPECT_THAT(failure_of_reading(), HasSubstr("again")) << keep << " of " << size;
    write_mode_file(file_, sample());
  }
}

TEST_F(ModeFiles, MissingForeignAndLaterFilesAreErrors) {
  EXPECT_THAT(failure_of_reading(), HasSubstr("no such file"));
  {
    io::ArrayFileWriter writer(core::Comm(MPI_COMM_SELF), file_);
    writer.publish();
  }
  EXPECT_THAT(failure_of_reading(), HasSubstr("holds no fracture modes"));
  {
    io::ArrayFileWriter writer(core::Comm(MPI_COMM_SELF), file_);
    writer.group("/brisance_modes");
    writer.number("/brisance_modes", "format_version", std::int64_t{99});
    writer.text("/brisance_modes", "program", "brisance 9.0");
    writer.publish();
  }
  EXPECT_THAT(failure_of_reading(), HasSubstr("version 99"));
}

TEST_F(ModeFiles, ArraysThatDoNotFitAreErrors) {
  ModeFile f = sample();
  f.face_weight.pop_back();
  write_mode_file(file_, f);
  EXPECT_THAT(failure_of_reading(), HasSubstr("face_weight"));
  f = sample();
  f.modes.modes[1].value.pop_back();
  write_mode_file(file_, f);
  EXPECT_THAT(failure_of_reading(), HasSubstr("mode_001"));
}

TEST_F(ModeFiles, WhatTheGraphShowsIsRefusedByName) {
  const ModeFile f = sample();
  EXPECT_NO_THROW(check_volumes(file_, std::vector{0.5, 0.1}));
  EXPECT_NO_THROW(check_num_faces(file_, f, f.face_weight.size()));
  const auto text = [](const auto& check) {
    try {
      check();
    } catch (const core::Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_THAT(text([&] {
                check_volumes(file_, std::vector{0.5, 0.0});
              }),
              HasSubstr(file_.string() + ": /VTKHDF/Connectivity is missing"));
  EXPECT_THAT(text([&] { check_num_faces(file_, f, f.face_weight.size() + 1); }),
              HasSubstr(file_.string() + ": /brisance_modes/face_weight is missing"));
}

TEST_F(ModeFiles, ASmearThatDoesNotConvergeNamesTheFile) {
  ModeFile in = test::scalar_mode_file(test::kuhn_box(2, 2, 2, 1, 1, 1));
  for (std::size_t i = 0; i < in.mesh.nodes.size(); ++i) {  // uneven tets, so flat that no solver gets through
    Vec3& x = in.mesh.nodes[i];
    const auto k = static_cast<double>(i);
    x = Vec3(x.x() + 0.05 * std::sin(7 * k), x.y() + 0.05 * std::cos(5 * k), 1e-9 * x.z());
  }
  write_mode_file(file_, in);
  try {
    (void)read_breakable(file_, {});
    FAIL() << "read without complaint";
  } catch (const core::Error& e) {
    EXPECT_THAT(e.what(), AllOf(HasSubstr(file_.string()), HasSubstr("did not converge")));
  }
}

TEST_F(ModeFiles, AWriterThatIsGivenUpLeavesNothing) {
  write_mode_file(file_, sample());
  const auto size = std::filesystem::file_size(file_);
  {
    io::ArrayFileWriter writer(core::Comm(MPI_COMM_SELF), file_);
    writer.group("/half");
  }
  EXPECT_EQ(std::filesystem::file_size(file_), size);
  EXPECT_FALSE(std::filesystem::exists(file_.string() + ".writing"));
}

}  // namespace
}  // namespace brisance::breaking
