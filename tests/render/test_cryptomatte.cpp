#include "render/film/cryptomatte.hpp"

#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace brisance::render {
namespace {

TEST(Cryptomatte, HashIsMurmur3) {  // published values, seed 0
  EXPECT_EQ(murmur3_32(""), 0U);
  EXPECT_EQ(murmur3_32("a"), 0x3C2569B2U);
  EXPECT_EQ(murmur3_32("aaaa"), 0x7EEED987U);
  EXPECT_EQ(murmur3_32("abc"), 0xB3DD93FAU);
  EXPECT_EQ(murmur3_32("hello"), 0x248BFA47U);
  EXPECT_EQ(murmur3_32("hello, world"), 0x149BBB7FU);
  EXPECT_EQ(murmur3_32("The quick brown fox jumps over the lazy dog"), 0x2E4FF723U);
}

TEST(Cryptomatte, IdsAreOrdinaryNumbers) {
  for (int i = 0; i < 20000; ++i) EXPECT_TRUE(std::isnormal(crypto_id("piece_" + std::to_string(i)))) << i;
}

TEST(Cryptomatte, RanksByCoverage) {
  CryptoNames names("crypto_piece");
  for (const char* name : {"bowl", "ball", "floor"}) (void)names.add(name);
  const std::vector<std::uint32_t> seen{2, 1, 0, 1, 0};
  const auto values = names.ranked(seen, 8);  // three samples saw the background
  EXPECT_EQ(values[0], crypto_id("bowl"));
  EXPECT_EQ(values[1], 0.25F);
  EXPECT_EQ(values[2], crypto_id("ball"));
  EXPECT_EQ(values[3], 0.25F);
  EXPECT_EQ(values[4], crypto_id("floor"));
  EXPECT_EQ(values[5], 0.125F);
  EXPECT_EQ(values[6], 0);
  EXPECT_EQ(values[7], 0);
}

TEST(Cryptomatte, MetadataNamesLayerAndIds) {
  CryptoNames names("crypto_piece");
  (void)names.add("a \"quoted\" name");
  (void)names.add("bowl");
  Notes notes;
  names.add_notes(notes);
  ASSERT_EQ(notes.size(), 4U);
  char key[32];
  std::snprintf(key, sizeof key, "cryptomatte/%07x/", murmur3_32("crypto_piece") >> 4);
  EXPECT_EQ(notes[0].first, std::string(key) + "name");
  EXPECT_EQ(notes[0].second, "crypto_piece");
  const auto manifest = nlohmann::json::parse(notes[3].second);
  ASSERT_EQ(manifest.size(), 2U);
  for (const char* name : {"a \"quoted\" name", "bowl"}) {
    const auto bits = static_cast<std::uint32_t>(std::stoul(manifest.at(name).get<std::string>(), nullptr, 16));
    EXPECT_EQ(std::bit_cast<float>(bits), crypto_id(name));
  }
  EXPECT_EQ(names.channels()[0], "crypto_piece00.R");
  EXPECT_EQ(names.channels()[11], "crypto_piece02.A");
}

}  // namespace
}  // namespace brisance::render
