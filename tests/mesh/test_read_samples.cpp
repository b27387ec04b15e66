/// Numbers at points from each format, and refusals.
#include "brisance/core/error.hpp"
#include "brisance/mesh/formats/read_samples.hpp"
#include "brisance/mesh/formats/write_vtu.hpp"

#include <array>
#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace brisance::mesh {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class ReadSamples : public testing::Test {
protected:
  ReadSamples()
      : folder_(std::filesystem::temp_directory_path() / ("brisance_read_samples" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~ReadSamples() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  static std::string failure(const std::filesystem::path& file) {
    try {
      (void)read_samples(file, "eta");
    } catch (const core::Error& e) {
      return e.what();
    }
    return "read without complaint";
  }

  std::filesystem::path folder_;
};

TEST_F(ReadSamples, CsvByTheNamesOfItsColumns) {
  const Samples s = read_samples(write("a.csv", "# paint\neta,z,y,x\n0.5, 3, 2, 1\r\n2,6,5,4\n"), "eta");
  EXPECT_THAT(s.values, ElementsAre(0.5, 2));
  EXPECT_EQ(s.points[0], Vec3(1, 2, 3));
  EXPECT_EQ(s.points[1], Vec3(4, 5, 6));
}

TEST_F(ReadSamples, PlyVertexProperty) {
  const Samples s = read_samples(write("a.ply",
                                       "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
                                       "property float eta\nproperty float z\nelement face 1\n"
                                       "property list uchar int vertex_indices\nend_header\n"
                                       "0 0 1.5 0\n1 0 2.5 0\n0 1 3.5 7\n3 0 1 2\n"),
                                 "eta");
  EXPECT_THAT(s.values, ElementsAre(1.5, 2.5, 3.5));
  EXPECT_EQ(s.points[2], Vec3(0, 1, 7));
}

TEST_F(ReadSamples, VtuPointArray) {
  TetMesh mesh;
  mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  mesh.tets = {{0, 1, 2, 3}};
  const std::vector<double> eta{1, 2, 3, 4};
  const std::array<NamedArray, 1> arrays{NamedArray{"eta", 1, eta}};
  write_vtu(folder_ / "a.vtu", mesh, arrays);
  const Samples s = read_samples(folder_ / "a.vtu", "eta");
  EXPECT_EQ(s.values, eta);
  EXPECT_EQ(s.points, mesh.nodes);
  EXPECT_THAT(failure((write_vtu(folder_ / "b.vtu", mesh), folder_ / "b.vtu")), HasSubstr("no point array 'eta'"));
}

TEST_F(ReadSamples, WhatIsMissingOrNotANumberIsNamed) {
  EXPECT_THAT(failure(write("a.csv", "x,y,z\n1,2,3\n")), HasSubstr("a.csv:1: there is no column 'eta'"));
  EXPECT_THAT(failure(write("b.csv", "x,y,z,eta\n1,2,3,nan\n")), HasSubstr("b.csv:2"));
  EXPECT_THAT(failure(write("c.csv", "x,y,z,eta\n1,2,3\n")), HasSubstr("3 columns, the header has 4"));
  EXPECT_THAT(failure(write("a.ply",
                            "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n"
                            "property float z\nend_header\n0 0 0\n")),
              HasSubstr("no number 'eta'"));
  EXPECT_THAT(failure(write("a.stl", "solid")), HasSubstr("PLY, VTU and CSV"));
  EXPECT_THAT(failure(folder_ / "missing.csv"), HasSubstr("missing.csv"));
}

}  // namespace
}  // namespace brisance::mesh
