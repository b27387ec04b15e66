/// The runtime file: what goes in comes out, and whatever happens to the bytes is noticed.
#include "brisance/runtime/error.hpp"
#include "brisance/runtime/impact_file.hpp"

#include "runtime/sample_set.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brisance::runtime {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

std::string sample() { return encode(test::row_of_cubes(5, 3)); }

auto refused_for(const char* part) { return ThrowsMessage<Error>(HasSubstr(part)); }

TEST(ImpactFile, RoundTripKeepsEveryByte) {
  const ImpactSet set = test::row_of_cubes(5, 3);
  const std::string bytes = encode(set);
  const ImpactSet back = decode(bytes, "x");
  EXPECT_EQ(encode(back), bytes);
  EXPECT_EQ(back.num_atoms(), 5);
  EXPECT_EQ(back.mode_value, set.mode_value);
  EXPECT_EQ(back.vertices, set.vertices);
  ASSERT_TRUE(back.elastic && back.gaussian);
  EXPECT_EQ(back.elastic->share, set.elastic->share);
  EXPECT_EQ(back.gaussian->length_m, 0.5);
  EXPECT_EQ(back.faces[2].b, set.faces[2].b);
}

TEST(ImpactFile, AStrengthByAxisIsKept) {
  ImpactSet set = test::row_of_cubes(5, 3);
  const std::string plain = encode(set);
  set.axis_strength = {10, 10, 1};
  EXPECT_EQ(decode(encode(set), "x").axis_strength, set.axis_strength);
  EXPECT_EQ(decode(plain, "x").axis_strength, (std::array<double, 3>{1, 1, 1}));
  set.axis_strength[1] = 0;
  EXPECT_THAT([&] { (void)decode(encode(set), "x"); }, refused_for("axis_strength"));
}

TEST(ImpactFile, ASmearMayBeMissing) {
  ImpactSet set = test::row_of_cubes(5, 3);
  set.gaussian.reset();
  EXPECT_FALSE(decode(encode(set), "x").gaussian);
}

TEST(ImpactFile, EveryTruncationIsRefused) {
  const std::string bytes = sample();
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_THAT([&] { (void)decode(bytes.substr(0, size), "cup.impact"); },
                refused_for(size < 8 ? "no runtime file" : "truncated"))
        << size;
}

TEST(ImpactFile, EveryFlippedByteOfTheContentIsRefused) {
  const std::string bytes = sample();
  int unused = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x40);
    try {
      EXPECT_EQ(encode(decode(damaged, "x")), bytes);  // only bytes that hold nothing may go unnoticed
      ++unused;
    } catch (const Error& e) {
      EXPECT_THAT(e.what(), HasSubstr("x "));
    }
  }
  EXPECT_LT(unused, 40) << "padding";
}

TEST(ImpactFile, OtherVersionsAndOtherFilesSayWhatTheyAre) {
  std::string bytes = sample();
  bytes[8] = 2;
  EXPECT_THAT([&] { (void)decode(bytes, "x"); }, refused_for("version 2, this library reads version 1"));
  EXPECT_THAT([&] { (void)decode("\x89HDF\r\n\x1a\n plus something", "x"); }, refused_for("no runtime file"));
  EXPECT_THAT([&] { (void)decode(sample() + "more", "x"); }, refused_for("damaged"));
  EXPECT_THAT([&] { (void)read_impact_file("/nowhere/cup.impact"); }, refused_for("cannot be opened"));
}

TEST(ImpactFile, AFaceToAnAtomThatIsNotThereIsRefused) {
  ImpactSet set = test::row_of_cubes(5, 3);
  set.faces[1].b = 5;
  EXPECT_THAT([&] { (void)decode(encode(set), "x"); }, refused_for("face_atoms"));
  set = test::row_of_cubes(5, 3);
  set.atoms[1].volume = -1;
  EXPECT_THAT([&] { (void)decode(encode(set), "x"); }, refused_for("atom_shape"));
}

}  // namespace
}  // namespace brisance::runtime
