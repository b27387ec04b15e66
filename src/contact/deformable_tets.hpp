/// What DeformableContact knows of each tet and of each body, and the trees of their boxes.
#pragma once

#include "brisance/contact/deformable_contact.hpp"

#include <BulletCollision/BroadphaseCollision/btDbvt.h>

namespace brisance::contact {

struct DeformableContact::Tet {
  SkinTet skin;
  btDbvtNode* leaf = nullptr;
  double sum = 0;              ///< S, while it is among touching_ [m³]
  Pressing pressing;           ///< likewise
  std::int32_t num_pairs = 0;  ///< likewise
  bool guest = false;
  std::int64_t seen_at = -1;                      ///< guests: exchange in which they were last shown
  std::array<Vec3, 4> position = {}, velocity{};  ///< guests; velocities while they touch
};

/// Boxes around the tets of a body, larger than they are so that they last a while, seen from a frame that follows the
/// body's nodes.
struct DeformableContact::Body {
  btDbvt held, guests;
  Vec3 frame = Vec3::Zero();                             ///< where it is [m]
  Vec3 drift = Vec3::Zero(), last_drift = Vec3::Zero();  ///< what it moves next, what it moved last [m]
  double guest_travel = 0;                               ///< likewise, of guests [m]
  double size = 0;                                       ///< of boxes, about [m]
  Vec3 moved = Vec3::Zero();                             ///< sum over its nodes in the last step [m]
  std::int64_t num_nodes = 0;

  [[nodiscard]] btDbvt& tree(bool guest) { return guest ? guests : held; }
  [[nodiscard]] static btDbvtVolume volume(const Box& box) {
    return btDbvtVolume::FromMM(btVector3(box.low.x(), box.low.y(), box.low.z()),
                                btVector3(box.high.x(), box.high.y(), box.high.z()));
  }
  [[nodiscard]] static Box box_of(const btDbvtNode* node) {
    const auto vec = [](const btVector3& v) { return Vec3(v.x(), v.y(), v.z()); };
    return {vec(node->volume.Mins()), vec(node->volume.Maxs())};
  }
  [[nodiscard]] static std::int32_t tet_of(const btDbvtNode* leaf) { return leaf->dataAsInt; }
  /// Calls found(tet) for each whose box meets this one, in the body's frame.
  template <class Found>
  void each_at(const Box& box, bool guest, const Found& found) {
    struct Visitor : btDbvt::ICollide {
      explicit Visitor(const Found& to) : report(to) {}
      void Process(const btDbvtNode* leaf) override { report(tet_of(leaf)); }
      const Found& report;
    } visitor(found);
    if (tree(guest).m_root != nullptr) tree(guest).collideTV(tree(guest).m_root, volume(box), visitor);
  }
  template <class Found>
  void each_at(const Box& box, const Found& found) {
    each_at(box, false, found);
    each_at(box, true, found);
  }
};

}  // namespace brisance::contact
