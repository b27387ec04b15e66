/// Fields of nodes and elements that contact keeps.
#pragma once

#include "brisance/contact/contact_spring.hpp"
#include "brisance/dist/fields.hpp"

#include <cstdint>

namespace brisance::contact {

/// Contact offset of a node: penetration of a collider that gives no force, since a cut has made the node there.
inline constexpr dist::NodeFieldDeclaration<double> kContactOffset{
    .name = "contact_offset", .unit = "m", .birth = dist::AtBirth::mean, .ghosts = dist::Ghosts::refreshed};

/// Pressure wave speed of the material around the node in the uncut mesh: with the edge lengths there it sets the
/// stiffness of the node's contacts.
inline constexpr dist::NodeFieldDeclaration<double> kWaveSpeed{
    .name = "wave_speed", .unit = "m/s", .birth = dist::AtBirth::larger, .ghosts = dist::Ghosts::refreshed};

/// The connected body that an element was part of at the start: the lowest id of that body's nodes.
inline constexpr dist::ElementFieldDeclaration<std::int64_t> kBody{.name = "body", .unit = "node"};

/// κ of the contact pressure of an element that overlaps others; 0: it overlaps none. It does not grow before the
/// element is free again, so that nothing rebounds faster than it came.
inline constexpr dist::ElementFieldDeclaration<double> kContactStiffness{.name = "contact_stiffness", .unit = "Pa"};

/// Contact offset of an element: the share of its volume that others may occupy without pressure, because they did so
/// at the start or when the element began to take part. It shrinks to the share that they do occupy. With criterion
/// node_penetration the share is that of the volume that the element's own nodes in others add up to (nodes_inside).
inline constexpr dist::ElementFieldDeclaration<double> kOverlapOffset{.name = "overlap_offset", .unit = "-"};

/// Share beyond the contact offset at the last detection; the pressure follows from it.
inline constexpr dist::ElementFieldDeclaration<double> kPressedShare{.name = "pressed_share", .unit = "-"};

/// Not 0: the element overlaps another so much that the elements around it take part in contact (contact_layer).
inline constexpr dist::ElementFieldDeclaration<std::uint8_t> kSharesMuch{.name = "shares_much", .unit = "-"};

/// Spring of a point in contact by criterion `surface`.
inline constexpr dist::NodeFieldDeclaration<ContactSpring> kContactSpring{.name = "contact_spring",
                                                                          .unit = "m, m, N/m, m, -"};

/// For criterion `surface`: masses of the points that pressed on a node in the last step, times their weights at the
/// node, over the node's own mass.
inline constexpr dist::NodeFieldDeclaration<double> kContactCrowding{.name = "contact_crowding", .unit = "-"};

/// Next narrow-phase search of a point by criterion `surface`, and the facet that the point uses until then.
struct FacetSearch {
  double next_s = 0;        ///< time of the next search, unless an event comes first [s]
  std::int64_t facet = -1;  ///< ContactFacet::key; −1: no facet is near
  bool operator==(const FacetSearch&) const = default;
};
inline constexpr dist::NodeFieldDeclaration<FacetSearch> kFacetSearch{
    .name = "facet_search", .unit = "s, -", .copy = dist::AtCopy::initial, .touch = dist::AtTouch::initial};

/// Fields of runs whose bodies are in contact by criterion `surface`.
[[nodiscard]] inline dist::FieldList surface_fields() {
  return dist::FieldList().add(kBody).add(kContactSpring).add(kContactCrowding).add(kFacetSearch);
}

/// Fields of runs whose bodies are in contact by overlaps of tets.
[[nodiscard]] inline dist::FieldList deformable_fields() {
  return dist::FieldList().add(kBody).add(kContactStiffness).add(kOverlapOffset).add(kPressedShare).add(kSharesMuch);
}

[[nodiscard]] inline dist::FieldList fields() { return dist::FieldList().add(kContactOffset).add(kWaveSpeed); }

}  // namespace brisance::contact

template <>
struct brisance::dist::Components<brisance::contact::ContactSpring> {
  static constexpr std::size_t width = 7;
  static void write(const contact::ContactSpring& spring, double* out) {
    const std::array<double, width> numbers{
        spring.offset_m,  spring.depth_m,   spring.stiffness_n_per_m,         spring.slip_m[0],
        spring.slip_m[1], spring.slip_m[2], static_cast<double>(spring.facet)};
    std::copy(numbers.begin(), numbers.end(), out);
  }
};

template <>
struct brisance::dist::Components<brisance::contact::FacetSearch> {
  static constexpr std::size_t width = 2;
  static void write(const contact::FacetSearch& search, double* out) {
    out[0] = search.next_s;
    out[1] = static_cast<double>(search.facet);
  }
};
