/// Planning a crack at one node: the edges to cut, the elements that get a copy of the node, or the reason for a
/// refusal. A pure function of the node's neighbourhood, without side effects or messages.
#pragma once

#include "brisance/core/ids.hpp"
#include "brisance/core/types.hpp"
#include "brisance/fracture/parameters.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace brisance::fracture {

struct LinkNode {
  GlobalNode id;
  Vec3 rest;      ///< [m]
  Vec3 position;  ///< [m]
};

/// An element of the neighbourhood. Corners outside the star and link need a rest position too.
struct PlanElement {
  GlobalElement id;
  std::array<GlobalNode, 4> corners;
  std::array<Vec3, 4> rest;
  double uncut_altitude = 0;  ///< altitude of the uncut tets there, to which the floor refers [m]
};

/// The front through the node that fails, world coordinates.
struct PlanFront {
  Vec3 tangent, growth;                ///< unit, perpendicular to each other
  std::vector<GlobalNode> neighbours;  ///< link nodes along it
};

struct Neighbourhood {
  LinkNode node;                        ///< the node that fails
  double edge_length = 0;               ///< its h_0 [m]
  Vec3 normal = Vec3::UnitX();          ///< of the crack plane, world coordinates
  std::vector<LinkNode> link;           ///< the other corners of the star, ascending id
  std::vector<PlanElement> star;        ///< in the order of their slots, the same on all ranks
  std::vector<PlanElement> around;      ///< elements outside the star that hold a crossing link edge, ascending id
  std::optional<PlanFront> front = {};  ///< if there is one
};

/// New entities have no id yet: the k-th has the negative number −1−k until ids are assigned.
[[nodiscard]] constexpr std::int64_t provisional_id(std::int64_t k) { return -1 - k; }

struct EdgeCut {
  GlobalNode a, b;                                                ///< a < b
  double t = 0;                                                   ///< new node at (1−t) a + t b
  std::vector<std::pair<GlobalElement, GlobalElement>> children;  ///< (parent, child); either may be provisional
};

enum class Verdict : std::uint8_t {
  cut,
  one_sided,  ///< after snapping the whole star lies on one side: nothing would change
  off_plane,  ///< quality would move the cut farther off its plane than allowed
};

struct Plan {
  Verdict verdict = Verdict::one_sided;
  std::vector<EdgeCut> edges;  ///< ascending (a, b); the k-th creates node provisional_id(k)
  int num_children = 0;        ///< new elements, numbered in order of creation
  int num_copies = 0;          ///< copies of the node, provisional ids following those of the edges
  std::vector<std::pair<GlobalElement, GlobalNode>> assignments;  ///< elements that get a copy
  std::vector<std::pair<GlobalNode, double>>
      front;  ///< new crack front: node and its rest distance from the split node
  int num_snapped_for_quality = 0;
  bool cuts_back = false;  ///< some of the new crack's faces lie behind the front: more than 10° back (VALIDATION C10)
};

/// Link edges that cross the plane before any snapping for quality: elements around them must be in `around`.
[[nodiscard]] std::vector<std::pair<GlobalNode, GlobalNode>> crossing_edges(const Neighbourhood& neighbourhood,
                                                                            const Parameters& parameters);

/// If Parameters::suppress_back_cracking is set and the node lies on a front, the plane counts only ahead of the front;
/// behind it each element stays with the crack face to which it is attached; the front's own nodes lie on the plane.
/// Elements that a cut makes keep an altitude of `altitude_floor` times the `uncut_altitude` of their parent.
[[nodiscard]] Plan plan_crack(const Neighbourhood& neighbourhood, const Parameters& parameters);

/// Groups star elements (corner ids) into parts connected through faces that contain `node`; returns the part number of
/// each, parts numbered in order of their first element.
[[nodiscard]] std::vector<int> face_connected_parts(GlobalNode node,
                                                    const std::vector<std::array<GlobalNode, 4>>& elements);

}  // namespace brisance::fracture
