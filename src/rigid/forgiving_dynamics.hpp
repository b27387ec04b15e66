/// Bullet's dynamics for pieces whose hulls overlap when they come into being.
#pragma once

#include "brisance/rigid/world.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <btBulletDynamicsCommon.h>

namespace brisance::rigid {

/// Pieces that were one body overlap at birth: their hulls are not their shapes. That overlap is forgiven, hull by
/// hull or body by body, for as long as it lasts: they may not go deeper, but nothing pushes them apart.
class ForgivingDynamics : public btDiscreteDynamicsWorld {
public:
  using btDiscreteDynamicsWorld::btDiscreteDynamicsWorld;

  bool forgives_whole_bodies = false;

  void note_piece(BodyNumber number) {
    pieces_.insert(number);
    newborn_.insert(number);
  }
  /// Hulls touch a half space as what they stand for does: nothing to forgive.
  void note_plane(BodyNumber number) { planes_.insert(number); }
  void forget_piece(BodyNumber number) {
    pieces_.erase(number);
    newborn_.erase(number);
  }
  [[nodiscard]] btScalar deepest_overlap() const { return deepest_; }

private:
  static constexpr double kFading = 0.9;  ///< a step
  using HullPair = std::array<int, 4>;    ///< body, hull, body, hull

  [[nodiscard]] HullPair pair_of(int a, int hull_of_a, int b, int hull_of_b) const {
    if (forgives_whole_bodies) return {std::min(a, b), 0, std::max(a, b), 0};
    return {a, hull_of_a, b, hull_of_b};
  }
  [[nodiscard]] bool are_forgiven(int a, int b) const {
    if (!forgives_whole_bodies) return pieces_.count(a) + pieces_.count(b) >= 2;
    return !planes_.contains(a) && !planes_.contains(b);
  }
  [[nodiscard]] btScalar forgiven_before(const HullPair& pair, btScalar depth) const {
    if (newborn_.count(pair[0]) + newborn_.count(pair[2]) > 0) return depth;
    const auto found = forgiven_.find(pair);
    return found == forgiven_.end() ? 0 : found->second;
  }

  /// Pairs that are near each other but without a contact in this step forget by and by.
  void fade(std::map<HullPair, btScalar>& depth) {
    for (int m = 0; m < getDispatcher()->getNumManifolds(); ++m) {
      const btPersistentManifold& manifold = *getDispatcher()->getManifoldByIndexInternal(m);
      const HullPair pair = pair_of(manifold.getBody0()->getUserIndex(), 0, manifold.getBody1()->getUserIndex(), 0);
      const auto before = forgiven_.find(pair);
      if (before != forgiven_.end()) depth.try_emplace(pair, kFading * before->second);
    }
  }

  void solveConstraints(btContactSolverInfo& info) override {
    struct Contact {
      HullPair pair;
      btManifoldPoint* point;
    };
    std::vector<Contact> contacts;
    std::map<HullPair, btScalar> depth;
    deepest_ = 0;
    for (int m = 0; m < getDispatcher()->getNumManifolds(); ++m) {
      btPersistentManifold& manifold = *getDispatcher()->getManifoldByIndexInternal(m);
      const int a = manifold.getBody0()->getUserIndex(), b = manifold.getBody1()->getUserIndex();
      for (int c = 0; c < manifold.getNumContacts(); ++c) {
        btManifoldPoint& point = manifold.getContactPoint(c);
        deepest_ = std::max(deepest_, -point.getDistance());
        if (point.getDistance() >= 0 || !are_forgiven(a, b)) continue;
        contacts.push_back({pair_of(a, point.m_index0, b, point.m_index1), &point});
        btScalar& deepest = depth[contacts.back().pair];
        deepest = std::max(deepest, -point.getDistance());
      }
    }
    for (auto& [pair, forgiven] : depth) forgiven = std::min(forgiven, forgiven_before(pair, forgiven));
    if (forgives_whole_bodies) fade(depth);
    for (const Contact& contact : contacts)
      contact.point->setDistance(std::min(contact.point->getDistance() + depth[contact.pair], btScalar(0)));
    forgiven_ = std::move(depth);
    newborn_.clear();
    btDiscreteDynamicsWorld::solveConstraints(info);
  }

  std::set<BodyNumber> pieces_, newborn_, planes_;
  std::map<HullPair, btScalar> forgiven_;
  btScalar deepest_ = 0;
};

}  // namespace brisance::rigid
