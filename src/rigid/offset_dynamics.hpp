/// Bullet's dynamics for pieces whose hulls overlap initially.
#pragma once

#include "brisance/rigid/world.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <btBulletDynamicsCommon.h>

namespace brisance::rigid {

/// Pieces of one body overlap initially, since their hulls are larger than their shapes. The overlap becomes a contact
/// offset, for each pair of hulls or of bodies, for as long as it lasts: they may not go deeper, but no force separates
/// them. With a parting time, pieces that initially approach each other are not stopped at once, since the normals of
/// overlapping hulls are not meaningful: they may go deeper at their initial speed, which decays.
class OffsetDynamics : public btDiscreteDynamicsWorld {
public:
  using btDiscreteDynamicsWorld::btDiscreteDynamicsWorld;

  bool offsets_whole_bodies = false;
  btScalar parting_time_s = 0;  ///< time in which the allowed speed of approach falls to 1/e; 0: none is allowed

  void note_piece(BodyNumber number) {
    pieces_.insert(number);
    newborn_.insert(number);
  }
  /// The hulls of a body touch a half space as the body does: no contact offset is needed.
  void note_plane(BodyNumber number) { planes_.insert(number); }
  void forget_piece(BodyNumber number) {
    pieces_.erase(number);
    newborn_.erase(number);
  }
  [[nodiscard]] btScalar deepest_overlap() const { return deepest_; }

private:
  static constexpr double kFading = 0.9;       ///< decay in a step
  static constexpr double kLeastSpeed = 1e-3;  ///< speeds of approach below this become zero [lengths/s]
  using HullPair = std::array<int, 4>;         ///< body, hull, body, hull

  /// Allowed overlap of a pair.
  struct Offset {
    btScalar depth = 0;  ///< allowed depth
    btScalar speed = 0;  ///< speed at which the depth may grow
  };
  struct Contact {
    HullPair pair;
    btManifoldPoint* point;
  };

  [[nodiscard]] HullPair pair_of(int a, int hull_of_a, int b, int hull_of_b) const {
    if (offsets_whole_bodies) return {std::min(a, b), 0, std::max(a, b), 0};
    return {a, hull_of_a, b, hull_of_b};
  }
  [[nodiscard]] bool has_offset(int a, int b) const {
    if (!offsets_whole_bodies) return pieces_.count(a) + pieces_.count(b) >= 2;
    return !planes_.contains(a) && !planes_.contains(b);
  }
  [[nodiscard]] bool is_newborn(const HullPair& pair) const {
    return newborn_.count(pair[0]) + newborn_.count(pair[2]) > 0;
  }
  /// @param now  present depth of the pair, and relative speed of its contact points
  [[nodiscard]] Offset offset_now(const HullPair& pair, const Offset& now, btScalar step_s) const {
    if (is_newborn(pair)) return {now.depth, pieces_.count(pair[0]) + pieces_.count(pair[2]) == 2 ? now.speed : 0};
    const auto found = offset_.find(pair);
    if (found == offset_.end()) return {};
    Offset offset = found->second;
    if (offset.speed > 0) {
      offset.depth = std::max(offset.depth, now.depth);  // growth within the allowed speed
      offset.speed *= std::exp(-step_s / parting_time_s);
      if (offset.speed < kLeastSpeed) offset.speed = 0;
    }
    offset.depth = std::min(offset.depth, now.depth);
    return offset;
  }

  /// Relative speed of the two bodies at a contact point.
  [[nodiscard]] static btScalar relative_speed(const btPersistentManifold& manifold, const btManifoldPoint& point) {
    const auto velocity = [](const btCollisionObject* object, const btVector3& at) -> btVector3 {
      const btRigidBody* const body = btRigidBody::upcast(object);
      if (body == nullptr) return {0, 0, 0};
      return body->getVelocityInLocalPoint(at - body->getCenterOfMassPosition());
    };
    return (velocity(manifold.getBody0(), point.getPositionWorldOnA()) -
            velocity(manifold.getBody1(), point.getPositionWorldOnB()))
        .length();
  }

  /// Reduces the offset of pairs that are near each other but without a contact in this step.
  void fade(std::map<HullPair, Offset>& now) {
    for (int m = 0; m < getDispatcher()->getNumManifolds(); ++m) {
      const btPersistentManifold& manifold = *getDispatcher()->getManifoldByIndexInternal(m);
      const HullPair pair = pair_of(manifold.getBody0()->getUserIndex(), 0, manifold.getBody1()->getUserIndex(), 0);
      const auto before = offset_.find(pair);
      if (before != offset_.end()) now.try_emplace(pair, Offset{kFading * before->second.depth, 0});
    }
  }

  void solveConstraints(btContactSolverInfo& info) override {
    std::vector<Contact> contacts;
    std::map<HullPair, Offset> now;
    deepest_ = 0;
    for (int m = 0; m < getDispatcher()->getNumManifolds(); ++m) {
      btPersistentManifold& manifold = *getDispatcher()->getManifoldByIndexInternal(m);
      const int a = manifold.getBody0()->getUserIndex(), b = manifold.getBody1()->getUserIndex();
      for (int c = 0; c < manifold.getNumContacts(); ++c) {
        btManifoldPoint& point = manifold.getContactPoint(c);
        deepest_ = std::max(deepest_, -point.getDistance());
        if (point.getDistance() >= 0 || !has_offset(a, b)) continue;
        contacts.push_back({pair_of(a, point.m_index0, b, point.m_index1), &point});
        Offset& of_pair = now[contacts.back().pair];
        of_pair.depth = std::max(of_pair.depth, -point.getDistance());
        if (parting_time_s > 0 && is_newborn(contacts.back().pair))
          of_pair.speed = std::max(of_pair.speed, relative_speed(manifold, point));
      }
    }
    for (auto& [pair, offset] : now) offset = offset_now(pair, offset, info.m_timeStep);
    if (offsets_whole_bodies) fade(now);
    for (const Contact& contact : contacts) {
      btManifoldPoint& point = *contact.point;
      const Offset& offset = now[contact.pair];
      // The gap that the allowed speed covers in this step is closed without an impulse, restitution included.
      const btScalar gap = (1 + point.m_combinedRestitution) * offset.speed * info.m_timeStep;
      point.setDistance(std::min(point.getDistance() + offset.depth, btScalar(0)) + gap);
    }
    offset_ = std::move(now);
    newborn_.clear();
    btDiscreteDynamicsWorld::solveConstraints(info);
  }

  std::set<BodyNumber> pieces_, newborn_, planes_;
  std::map<HullPair, Offset> offset_;
  btScalar deepest_ = 0;
};

}  // namespace brisance::rigid
