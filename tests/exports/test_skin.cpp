#include "brisance/exports/fragments.hpp"
#include "brisance/mesh/formats/read_surface.hpp"
#include "brisance/mesh/formats/texture.hpp"
#include "brisance/mesh/surface.hpp"
#include "brisance/mesh/surface/check.hpp"

#include "exports/cracked_crate.hpp"
#include "exports/skin/triangle_search.hpp"
#include "exports/surface_checks.hpp"

#include <random>

#include <gtest/gtest.h>

namespace brisance::exports {
namespace {

using test::num_open_edges;
using test::signed_outside_m2;
using test::volume_m3;

class Folder {
public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("skin." + std::to_string(::getpid()))) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_ / "snapshots");
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
  std::filesystem::path path_;
};

std::int64_t nearest_seed(const Vec3& x, int count) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> place(-1, 1);
  std::int64_t best = 0;
  double nearest = 1e9;
  for (int s = 0; s < count; ++s) {
    const Vec3 seed(place(random), place(random), place(random));
    if ((x - seed).norm() < nearest) nearest = (x - seed).norm(), best = s;
  }
  return best;
}

/// A crate in tets and pieces, three frames: whole, in two, in seven.
struct Crate {
  explicit Crate(int squares, double bulge, std::int64_t num_tets) {
    surface = folder.path() / "crate.obj";
    test::write_crate(surface, squares, bulge);
    const mesh::TetMesh mesh = test::tets_of(surface, num_tets);
    const auto frame = [&](int f) { return folder.path() / io::RunFolder::snapshot_name(f); };
    test::write_frame(
        frame(0), mesh, [](const Vec3&) { return 0; }, 0, 0);
    test::write_frame(
        frame(1), mesh, [](const Vec3& x) { return nearest_seed(x, 2); }, 0.3, 0.1);
    test::write_frame(
        frame(2), mesh, [](const Vec3& x) { return nearest_seed(x, 7); }, 0.6, 0.2);
    io::write_objects(io::objects_file(folder.path()), {{"crate", surface}});
  }
  Folder folder;
  std::filesystem::path surface;
};

void expect_skin(const Crate& crate) {
  const FragmentReader reader(crate.folder.path(), {});
  const mesh::Surface input = mesh::read_surface(crate.surface);
  const mesh::Texture texture = mesh::Texture::read(crate.surface);
  const TriangleSearch search(input.vertices, input.triangles);
  const double area = mesh::check_surface(input).area_m2, volume = mesh::enclosed_volume_m3(input);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> share(0, 1);
  for (std::size_t f = 0; f < reader.num_frames(); ++f) {
    const FragmentFrame frame = reader.read(f);
    double outside = 0, enclosed = 0, moved = 0, worst_texture = 0, farthest = 0;
    std::int64_t num_samples = 0;
    for (const Fragment& fragment : frame.fragments) {
      const Surface& s = fragment.surface;
      EXPECT_EQ(num_open_edges(s, s.rest), 0) << "frame " << f << ", " << fragment.name;
      EXPECT_EQ(num_open_edges(s, s.points), 0) << "frame " << f << ", " << fragment.name;
      outside += signed_outside_m2(s, input, search);
      enclosed += volume_m3(s, s.rest);
      moved += volume_m3(s, s.points);
      for (std::size_t t = 0; t < s.triangles.size(); ++t) {
        if (s.kinds[t] != FaceKind::outside) continue;
        const auto& [a, b, c] = s.triangles[t];
        // Points of a needle lie on the faces on both sides, whose coordinates may differ.
        if ((s.rest[b] - s.rest[a]).cross(s.rest[c] - s.rest[a]).norm() < 1e-6) continue;
        ++num_samples;
        const double u = share(random), v = (1 - u) * share(random);
        const Vec3 x = (1 - u - v) * s.rest[a] + u * s.rest[b] + v * s.rest[c];
        const auto found = search.nearest(x);
        farthest = std::max(farthest, std::sqrt(found.at.distance_squared));
        const std::int32_t face = input.source_face[found.triangle];
        const auto expected = texture.at(face, x);
        for (std::size_t i = 0; i < 2; ++i) {
          const double here = (1 - u - v) * s.texture[a][i] + u * s.texture[b][i] + v * s.texture[c][i];
          worst_texture = std::max(worst_texture, std::abs(here - expected[i]));
        }
      }
      for (const Vec3& n : s.normals) EXPECT_NEAR(n.norm(), 1, 1e-9);
    }
    EXPECT_NEAR(outside, area, 1e-9 * area) << f;
    EXPECT_NEAR(enclosed, volume, 1e-9 * volume) << f;
    EXPECT_NEAR(moved, volume, 1e-6 * volume) << f;
    EXPECT_GT(num_samples, 10) << f;
    EXPECT_LT(farthest, 1e-12) << f;
    EXPECT_LT(worst_texture, 1e-9) << f;
  }
}

TEST(Skin, CoversPiecesExactlyWhereTetsFollowTheInput) {
  const Crate crate(6, 0, 2000);
  expect_skin(crate);
}

TEST(Skin, CoversPiecesExactlyWhereTheInputIsFinerThanTheTets) {
  const Crate crate(24, 0.5, 600);
  expect_skin(crate);
}

TEST(Skin, CoversPiecesExactlyWhereTheInputIsCoarserThanTheTets) {
  const Crate crate(1, 0, 3000);
  expect_skin(crate);
}

TEST(Skin, KeepsMaterialsAndWholeTriangles) {
  const Crate crate(6, 0, 600);
  const FragmentReader reader(crate.folder.path(), {});
  const FragmentFrame frame = reader.read(0);
  ASSERT_EQ(frame.fragments.size(), 1U);
  EXPECT_EQ(frame.fragments[0].surface.triangles.size(), 12U * 36U);
  EXPECT_EQ(frame.materials, (std::vector<std::string>{"wood", "lid", "outside", "crack"}));
  double lid = 0;
  const FragmentFrame broken = reader.read(2);
  for (const Fragment& fragment : broken.fragments)
    for (std::size_t t = 0; t < fragment.surface.triangles.size(); ++t) {
      if (fragment.surface.material[t] != 1) continue;
      const auto& rest = fragment.surface.rest;
      const auto& [a, b, c] = fragment.surface.triangles[t];
      lid += (rest[b] - rest[a]).cross(rest[c] - rest[a]).norm() / 2;
      EXPECT_NEAR(rest[a].z(), 1, 1e-12);
    }
  EXPECT_NEAR(lid, 4, 1e-9);
}

TEST(Names, TheLargestPartKeepsTheName) {
  const Crate crate(6, 0, 2000);
  const FragmentReader reader(crate.folder.path(), {});
  const FragmentFrame two = reader.read(1), seven = reader.read(2);
  ASSERT_EQ(two.fragments.size(), 2U);
  ASSERT_EQ(seven.fragments.size(), 7U);
  EXPECT_EQ(two.fragments[0].name, "piece_0000");
  EXPECT_EQ(two.fragments[1].parent, 0);
  EXPECT_GE(two.fragments[0].volume_m3, two.fragments[1].volume_m3);
  double mass = 0;
  for (const Fragment& fragment : seven.fragments) {
    mass += fragment.mass_kg;
    const bool is_new = fragment.id >= 2;
    EXPECT_TRUE(!is_new || fragment.parent == 0 || fragment.parent == 1);
  }
  EXPECT_NEAR(mass, 2000 * 8, 1e-6);
  EXPECT_EQ(reader.pieces().size(), 7U);
  EXPECT_EQ(reader.pieces()[0].last_frame, 2);
}

}  // namespace
}  // namespace brisance::exports
