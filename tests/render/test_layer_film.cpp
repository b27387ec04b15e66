#include "render/film/layer_film.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace brisance::render {
namespace {

class Layers : public ::testing::Test {
protected:
  static CryptoNames named(const char* layer, std::initializer_list<const char*> all) {
    CryptoNames names(layer);
    for (const char* name : all) (void)names.add(name);
    return names;
  }

  [[nodiscard]] float value(const std::string& name) const {
    const auto& names = film_.names();
    const auto found = std::find(names.begin(), names.end(), name);
    EXPECT_NE(found, names.end()) << name;
    return found == names.end() ? 0 : pixel_.at(static_cast<std::size_t>(found - names.begin()));
  }

  LayerFilm film_{named("crypto_object", {"bowl", "ground"}), named("crypto_piece", {"piece_0", "piece_7"})};
  std::vector<float> pixel_ = std::vector<float>(film_.names().size(), -5);
};

TEST_F(Layers, APixelAtTheEdgeOfAPiece) {
  std::vector<Seen> seen(4);
  seen[0] = {.depth = 3,
             .albedo = Rgb(0.4F, 0.2F, 0),
             .normal = Vec3f::UnitX(),
             .velocity = Vec3f(1, 2, 3),
             .object = 0,
             .piece = 1,
             .piece_number = 7};
  seen[1] = {.depth = 2,
             .albedo = Rgb(0.4F, 0.2F, 0),
             .normal = Vec3f::UnitZ(),
             .velocity = Vec3f(4, 5, 6),
             .object = 0,
             .piece = 0,
             .piece_number = 0};
  seen[2] = seen[1];
  seen[2].depth = 2.5F;
  seen[3].depth = std::numeric_limits<float>::infinity();
  film_.fill({.radiance = Rgb(3, 3, 4), .background = Rgb(0, 0, 1), .coverage = 3, .num_samples = 4}, seen, pixel_);
  EXPECT_EQ(value("R"), 0.75F);
  EXPECT_EQ(value("A"), 0.75F);
  EXPECT_EQ(value("background.B"), 0.25F);
  EXPECT_FLOAT_EQ(value("albedo.R"), 0.3F);
  EXPECT_EQ(value("normal.X"), 0.25F);
  EXPECT_EQ(value("normal.Z"), 0.5F);
  EXPECT_EQ(value("Z"), 2);
  EXPECT_EQ(value("velocity.Y"), 5);
  EXPECT_EQ(value("piece.X"), 0);
  EXPECT_EQ(value("samples.X"), 4);
  EXPECT_EQ(value("crypto_object00.R"), crypto_id("bowl"));
  EXPECT_EQ(value("crypto_object00.G"), 0.75F);
  EXPECT_EQ(value("crypto_object00.B"), 0);
  EXPECT_EQ(value("crypto_piece00.R"), crypto_id("piece_0"));
  EXPECT_EQ(value("crypto_piece00.G"), 0.5F);
  EXPECT_EQ(value("crypto_piece00.B"), crypto_id("piece_7"));
  EXPECT_EQ(value("crypto_piece00.A"), 0.25F);
}

TEST_F(Layers, ABackgroundPixelHasNoDepthAndNoPiece) {
  const std::vector<Seen> seen(2, {.depth = std::numeric_limits<float>::infinity()});
  film_.fill({.radiance = Rgb::Constant(1), .background = Rgb::Constant(1), .num_samples = 2}, seen, pixel_);
  EXPECT_EQ(value("A"), 0);
  EXPECT_EQ(value("Z"), 1e10F);
  EXPECT_EQ(value("piece.X"), -1);
  EXPECT_EQ(value("crypto_piece00.G"), 0);
}

TEST_F(Layers, ImageHasEveryChannelOnceAndTheManifests) {
  const std::size_t channels = film_.names().size();
  std::vector<float> pixels(6 * channels);
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<float>(i);
  const LayeredImage image = film_.image(3, 2, pixels);
  ASSERT_EQ(image.channels.size(), channels);
  ASSERT_NE(image.find("Z"), nullptr);
  EXPECT_EQ(image.find("Z")->values[5], static_cast<float>(5 * channels + 13));
  EXPECT_FALSE(image.find("Z")->is_half);
  EXPECT_TRUE(image.find("R")->is_half);
  EXPECT_EQ(std::ranges::count_if(image.notes, [](const auto& note) { return note.first.ends_with("/manifest"); }), 2);
}

}  // namespace
}  // namespace brisance::render
