/// Small vectors and matrices used everywhere. Floor 0; includes nothing of ours.
#pragma once

#include <cstdint>

#include <Eigen/Dense>

namespace brisance {

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;

/// A symmetric 3×3 tensor as six numbers, in the order xx, yy, zz, xy, yz, zx (tensor shears, not engineering ones).
using SymMat3 = Eigen::Matrix<double, 6, 1>;

/// The full matrix of a symmetric tensor.
[[nodiscard]] inline Mat3 full_matrix(const SymMat3& s) {
  Mat3 m;
  m << s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2];
  return m;
}

/// The six numbers of a symmetric matrix (its upper triangle is read).
[[nodiscard]] inline SymMat3 symmetric_part(const Mat3& m) {
  SymMat3 s;
  s << m(0, 0), m(1, 1), m(2, 2), m(0, 1), m(1, 2), m(0, 2);
  return s;
}

}  // namespace brisance
