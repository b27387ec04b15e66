/// The runtime file reads back as written, and any damage to its bytes is detected.
#include "brisance/runtime/error.hpp"
#include "brisance/runtime/impact_answer.hpp"
#include "brisance/runtime/impact_file.hpp"

#include "runtime/crc32.hpp"
#include "runtime/sample_set.hpp"

#include <cstdio>
#include <cstring>
#include <random>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

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

TEST(ImpactFile, APipeIsNotWaitedFor) {
  const std::string pipe = testing::TempDir() + "impact_pipe";
  std::remove(pipe.c_str());
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT([&] { (void)read_impact_file(pipe); }, refused_for("not a regular file"));
  std::remove(pipe.c_str());
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

/// Puts the right checksums of sections and table where they belong.
std::string with_right_checksums(std::string bytes) {
  const auto number = [&](std::size_t at, std::size_t size) {
    std::uint64_t value = 0;
    if (at + size <= bytes.size()) std::memcpy(&value, bytes.data() + at, size);
    return value;
  };
  const auto put = [&](std::size_t at, std::string_view what) {
    const std::uint32_t sum = crc32(what);
    if (at + 4 <= bytes.size()) std::memcpy(bytes.data() + at, &sum, 4);
  };
  const std::size_t sections = std::min<std::uint64_t>(number(12, 4), (bytes.size() - 32) / 40);
  for (std::size_t s = 0; s < sections; ++s) {
    const std::uint64_t offset = number(32 + 40 * s + 16, 8), size = number(32 + 40 * s + 24, 8);
    if (offset > bytes.size() || size > bytes.size() - offset) continue;
    put(32 + 40 * s + 32, std::string_view(bytes).substr(offset, size));
  }
  put(24, std::string_view(bytes).substr(32, 40 * sections));
  return bytes;
}

/// Damage with correct checksums must not mislead the reader: numbers out of range are refused, others give a result.
TEST(ImpactFile, DamageWithRightChecksumsIsRefusedOrHarmless) {
  const std::string bytes = sample();
  int refused = 0;
  for (std::uint64_t draw = 0; draw < 20'000; ++draw) {
    std::mt19937_64 random(draw);
    std::string damaged = bytes;
    for (std::uint64_t flips = 1 + random() % 3; flips > 0; --flips) {
      const std::size_t most = random() % 2 == 0 ? 32 + 9 * 40 + 24 : bytes.size();  // header, table and sizes, or all
      damaged[random() % most] ^= static_cast<char>(1u << (random() % 8));
    }
    if (random() % 4 == 0) damaged.resize(random() % damaged.size() + 1);
    if (damaged.size() >= 32) damaged = with_right_checksums(damaged);
    try {
      const Target target(decode(damaged, "x"));
      const Answer answer = target.strike({});
      EXPECT_EQ(answer.piece_of_atom.size(), target.set().atoms.size());
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 5'000);
}

TEST(ImpactFile, OtherVersionsAndOtherFilesSayWhatTheyAre) {
  std::string bytes = sample();
  bytes[8] = 3;
  EXPECT_THAT([&] { (void)decode(bytes, "x"); }, refused_for("version 3, this library reads versions 1 and 2"));
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
