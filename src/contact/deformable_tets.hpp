/// What DeformableContact knows of each tet, and the trees of their boxes.
#pragma once

#include "brisance/contact/deformable_contact.hpp"

#include <limits>

#include <BulletCollision/BroadphaseCollision/btDbvt.h>

namespace brisance::contact {

struct DeformableContact::Tet {
  SkinTet skin;
  std::vector<std::int32_t> candidates;  ///< numbers of those it is part of
  btDbvtNode* leaf = nullptr;
  double calm_until = 0;        ///< of travelled_: till then it stays inside its box [m]
  double sum = 0;               ///< S, while it is among touching_ [m³]
  double stiffness = 0;         ///< κ, likewise [Pa]
  std::int32_t num_pairs = 0;   ///< likewise
  std::int32_t placed = -1;     ///< in placed_, if `placed_at` is now
  std::int64_t placed_at = -1;  ///< moment
  bool used = false, guest = false;
  std::int64_t seen_at = -1;  ///< guests: moment they were last shown
  // Guests alone; velocities while they touch.
  std::array<Vec3, 4> position{}, velocity{};

  [[nodiscard]] double pressure() const { return stiffness * sum / skin.volume; }  ///< p [Pa]
};

/// Boxes around tets, larger than they are so that they last a while, in the frame that follows the bulk of the nodes.
class DeformableContact::Boxes {
public:
  struct Box {
    Vec3 low, high;
  };

  [[nodiscard]] btDbvtNode* insert(const Box& box, std::int32_t tet, bool guest) {
    return tree(guest).insert(volume(box), reinterpret_cast<void*>(static_cast<std::intptr_t>(tet)));
  }
  void move(btDbvtNode* leaf, const Box& box, bool guest) {
    btDbvtVolume bounds = volume(box);
    tree(guest).update(leaf, bounds);
  }
  void remove(btDbvtNode* leaf, bool guest) { tree(guest).remove(leaf); }
  [[nodiscard]] static Box box_of(const btDbvtNode* node) {
    const auto vec = [](const btVector3& v) { return Vec3(v.x(), v.y(), v.z()); };
    return {vec(node->volume.Mins()), vec(node->volume.Maxs())};
  }
  /// Calls found(tet) for each whose box meets this one.
  template <class Found>
  void each_at(const Box& box, bool guests, const Found& found) {
    struct Visitor : btDbvt::ICollide {
      const Found* report;
      void Process(const btDbvtNode* leaf) override { (*report)(tet_of(leaf)); }
    } visitor;
    visitor.report = &found;
    if (tree(guests).m_root != nullptr) tree(guests).collideTV(tree(guests).m_root, volume(box), visitor);
  }
  /// At most `most` boxes that hold all tets that are no guests.
  [[nodiscard]] std::vector<Box> cover(std::size_t most) const;
  /// A little better balanced.
  void tidy() { held_.optimizeIncremental(64); }

private:
  [[nodiscard]] static std::int32_t tet_of(const btDbvtNode* leaf) {
    return static_cast<std::int32_t>(reinterpret_cast<std::intptr_t>(leaf->data));
  }
  [[nodiscard]] static btDbvtVolume volume(const Box& box) {
    return btDbvtVolume::FromMM(btVector3(box.low.x(), box.low.y(), box.low.z()),
                                btVector3(box.high.x(), box.high.y(), box.high.z()));
  }
  [[nodiscard]] btDbvt& tree(bool guests) { return guests ? guests_ : held_; }

  btDbvt held_, guests_;
};

}  // namespace brisance::contact
