/// What nodes remember for the sake of contact.
#pragma once

#include "brisance/contact/contact_spring.hpp"
#include "brisance/dist/fields.hpp"

#include <cstdint>

namespace brisance::contact {

/// Penetration of a collider that is not punished, since the node was born there.
inline constexpr dist::NodeFieldDeclaration<double> kContactOffset{
    .name = "forgiven_depth", .unit = "m", .birth = dist::AtBirth::mean, .ghosts = dist::Ghosts::refreshed};

/// Pressure wave speed of the material around the node in the uncut mesh: with the edges there it sets the stiffness of
/// the node's contacts.
inline constexpr dist::NodeFieldDeclaration<double> kWaveSpeed{
    .name = "wave_speed", .unit = "m/s", .birth = dist::AtBirth::larger, .ghosts = dist::Ghosts::refreshed};

/// Which connected body an element was part of at the start: its lowest node.
inline constexpr dist::ElementFieldDeclaration<std::int64_t> kBody{.name = "body", .unit = "node"};

/// While an element presses on others by overlaps: κ of its pressure. It gets no stiffer before it is free again, so
/// that nothing bounces off harder than it came. 0: it presses on nothing.
inline constexpr dist::ElementFieldDeclaration<double> kContactStiffness{.name = "contact_stiffness", .unit = "Pa"};

/// Contact offset of an element: the share of its volume that others may occupy without being pressed, because they did
/// so at the start or when it came to take part. It shrinks to what they do occupy. Where nodes count, of what its own
/// nodes in others add up to.
inline constexpr dist::ElementFieldDeclaration<double> kOverlapOffset{.name = "overlap_offset", .unit = "-"};

/// Share beyond that, at the last detection: what its pressure is for.
inline constexpr dist::ElementFieldDeclaration<double> kPressedShare{.name = "pressed_share", .unit = "-"};

/// Not 0: the element shares so much with another that those around it take part in contact (contact_layer).
inline constexpr dist::ElementFieldDeclaration<std::uint8_t> kSharesMuch{.name = "shares_much", .unit = "-"};

/// Of a point in contact by criterion `surface`.
inline constexpr dist::NodeFieldDeclaration<ContactSpring> kContactSpring{.name = "contact_spring",
                                                                          .unit = "m, m, N/m, m, -"};

/// By criterion `surface`: what pressed on a node in the last step, in masses of points by their weights, over the
/// node's own mass.
inline constexpr dist::NodeFieldDeclaration<double> kContactCrowding{.name = "contact_crowding", .unit = "-"};

/// When a point looks for its nearest facet again by criterion `surface`, and which facet it keeps to until then.
struct FacetSearch {
  double next_s = 0;        ///< time, if nothing happens before [s]
  std::int64_t facet = -1;  ///< ContactFacet::key; −1: it is near none
  bool operator==(const FacetSearch&) const = default;
};
inline constexpr dist::NodeFieldDeclaration<FacetSearch> kFacetSearch{
    .name = "facet_search", .unit = "s, -", .copy = dist::AtCopy::initial, .touch = dist::AtTouch::initial};

/// Of runs whose bodies touch each other by criterion `surface`.
[[nodiscard]] inline dist::FieldList surface_fields() {
  return dist::FieldList().add(kBody).add(kContactSpring).add(kContactCrowding).add(kFacetSearch);
}

/// Of runs whose bodies touch each other by overlaps of tets.
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
