/// Conversions of vectors and rotations to and from Bullet's types.
#pragma once

#include "brisance/core/types.hpp"

#include <LinearMath/btQuaternion.h>
#include <LinearMath/btVector3.h>

namespace brisance::rigid {

inline btVector3 to_bullet(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
inline Vec3 from_bullet(const btVector3& v) { return {v.x(), v.y(), v.z()}; }
inline btQuaternion to_bullet(const Eigen::Quaterniond& q) { return {q.x(), q.y(), q.z(), q.w()}; }
inline Eigen::Quaterniond from_bullet(const btQuaternion& q) { return {q.w(), q.x(), q.y(), q.z()}; }

}  // namespace brisance::rigid
