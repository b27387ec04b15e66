/// Surfaces and files made at run time for the tests of readers, cleaning and checks.
#pragma once

#include "brisance/core/error.hpp"
#include "brisance/mesh/surface.hpp"

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

namespace brisance::test {

/// A text repeated `count` times.
inline std::string repeated(const std::string& text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

/// A folder for each test, removed when the test ends.
class FileTest : public ::testing::Test {
protected:
  FileTest() {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() /
              (std::string("brisance_") + info->test_suite_name() + info->name() + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  ~FileTest() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return folder_ / name;
  }
  std::filesystem::path folder_;
};

/// The text of the core::Error that `work` throws; fails the test if it throws none.
template <class Work>
std::string error_of(Work work) {
  try {
    work();
  } catch (const core::Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "no core::Error was thrown";
  return {};
}

/// A latitude–longitude sphere, outward, 2·n·(n−1)·2 triangles; source_face the identity.
inline mesh::Surface sphere(double radius, Vec3 centre = Vec3::Zero(), int n = 8) {
  mesh::Surface s;
  const int m = 2 * n;
  s.vertices.push_back(centre + Vec3(0, 0, radius));
  for (int i = 1; i < n; ++i)
    for (int j = 0; j < m; ++j) {
      const double polar = std::numbers::pi * i / n, turn = 2 * std::numbers::pi * j / m;
      s.vertices.push_back(
          centre + radius * Vec3(std::sin(polar) * std::cos(turn), std::sin(polar) * std::sin(turn), std::cos(polar)));
    }
  s.vertices.push_back(centre - Vec3(0, 0, radius));
  const auto ring = [&](int i, int j) { return 1 + (i - 1) * m + j % m; };
  const auto south = static_cast<std::int32_t>(s.vertices.size()) - 1;
  for (int j = 0; j < m; ++j) {
    s.triangles.push_back({0, ring(1, j), ring(1, j + 1)});
    for (int i = 1; i + 1 < n; ++i) {
      s.triangles.push_back({ring(i, j), ring(i + 1, j), ring(i + 1, j + 1)});
      s.triangles.push_back({ring(i, j), ring(i + 1, j + 1), ring(i, j + 1)});
    }
    s.triangles.push_back({ring(n - 1, j), south, ring(n - 1, j + 1)});
  }
  for (std::size_t t = 0; t < s.triangles.size(); ++t) s.source_face.push_back(static_cast<std::int32_t>(t));
  return s;
}

/// The unit cube on [0, size]³ as six quads in OBJ text.
inline std::string cube_obj(const std::string& newline = "\n") {
  std::string text;
  for (const char* v : {"0 0 0", "1 0 0", "1 1 0", "0 1 0", "0 0 1", "1 0 1", "1 1 1", "0 1 1"})
    text += std::string("v ") + v + newline;
  for (const char* f : {"1 4 3 2", "5 6 7 8", "1 2 6 5", "2 3 7 6", "3 4 8 7", "4 1 5 8"})
    text += std::string("f ") + f + newline;
  return text;
}

/// Both surfaces side by side in one.
inline mesh::Surface joined(mesh::Surface a, const mesh::Surface& b) {
  const auto offset = static_cast<std::int32_t>(a.vertices.size());
  const auto faces = static_cast<std::int32_t>(a.triangles.size());
  a.vertices.insert(a.vertices.end(), b.vertices.begin(), b.vertices.end());
  for (const auto& t : b.triangles) a.triangles.push_back({t[0] + offset, t[1] + offset, t[2] + offset});
  for (const auto f : b.source_face) a.source_face.push_back(f + faces);
  return a;
}

/// Every triangle with its own three vertices.
inline mesh::Surface exploded(const mesh::Surface& s) {
  mesh::Surface soup;
  for (const auto& t : s.triangles) {
    const auto first = static_cast<std::int32_t>(soup.vertices.size());
    for (const auto v : t) soup.vertices.push_back(s.vertices[v]);
    soup.triangles.push_back({first, first + 1, first + 2});
  }
  soup.source_face = s.source_face;
  return soup;
}

inline double signed_volume(const mesh::Surface& s) {
  double volume = 0;
  for (const auto& [a, b, c] : s.triangles) volume += s.vertices[a].cross(s.vertices[b]).dot(s.vertices[c]) / 6;
  return volume;
}

/// The bytes of a number, in this machine's order or reversed.
template <class T>
std::string bytes_of(T value, bool reversed = false) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return reversed ? std::string(bytes.rbegin(), bytes.rend()) : bytes;
}

inline std::string to_obj(const mesh::Surface& s) {
  std::ostringstream text;
  text.precision(17);
  for (const auto& p : s.vertices) text << "v " << p[0] << ' ' << p[1] << ' ' << p[2] << '\n';
  for (const auto& t : s.triangles) text << "f " << t[0] + 1 << ' ' << t[1] + 1 << ' ' << t[2] + 1 << '\n';
  return text.str();
}

inline std::string to_binary_stl(const mesh::Surface& s, std::string header = "made by a test") {
  header.resize(80, ' ');
  std::string bytes = header + bytes_of(static_cast<std::uint32_t>(s.triangles.size()));
  for (const auto& t : s.triangles) {
    for (int i = 0; i < 3; ++i) bytes += bytes_of(0.0F);
    for (const auto v : t)
      for (int i = 0; i < 3; ++i) bytes += bytes_of(static_cast<float>(s.vertices[v][i]));
    bytes += bytes_of(std::uint16_t{0});
  }
  return bytes;
}

}  // namespace brisance::test
