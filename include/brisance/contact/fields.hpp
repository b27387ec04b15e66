/// What nodes remember for the sake of contact.
#pragma once

#include "brisance/dist/fields.hpp"

#include <array>
#include <cstdint>

namespace brisance::contact {

/// Penetration of a collider that is not punished, since the node was born there.
inline constexpr dist::NodeFieldDeclaration<double> kForgivenDepth{
    .name = "forgiven_depth", .unit = "m", .birth = dist::AtBirth::mean, .ghosts = dist::Ghosts::refreshed};

/// Pressure wave speed of the material around the node in the uncut mesh: with the edges there it sets the stiffness of
/// the node's contacts.
inline constexpr dist::NodeFieldDeclaration<double> kWaveSpeed{
    .name = "wave_speed", .unit = "m/s", .birth = dist::AtBirth::larger, .ghosts = dist::Ghosts::refreshed};

/// Which connected body an element was part of at the start: its lowest node.
inline constexpr dist::ElementFieldDeclaration<std::int64_t> kBody{.name = "body", .unit = "node"};

/// While an element presses on others: the finest class of step it has had since they met, by which its stiffness in
/// contact is chosen. It gets no stiffer before it is free again, so that nothing bounces off harder than it came.
inline constexpr std::uint8_t kPressesNothing = 255;
inline constexpr dist::ElementFieldDeclaration<std::uint8_t> kContactClass{
    .name = "contact_class", .unit = "-", .initial = kPressesNothing};

/// What pressures in short steps push a node with at the end of a coarse one, by the overlaps that they were taken for,
/// as far as that counts (short_pressures.hpp): the next step has what they are by then in its place. An acceleration,
/// so that cuts keep its momentum.
inline constexpr dist::NodeFieldDeclaration<std::array<double, 3>> kPushAtEnd{
    .name = "push_at_end", .unit = "m/s2", .birth = dist::AtBirth::mean, .ghosts = dist::Ghosts::refreshed};

/// Where a node was when pairs were last looked at: overlaps of tets, and how they change, are of there.
inline constexpr dist::NodeFieldDeclaration<std::array<double, 3>> kLookPosition{
    .name = "look_position", .unit = "m", .birth = dist::AtBirth::mean, .ghosts = dist::Ghosts::refreshed};

/// Share of an element that others may occupy without being pressed, because a cut left it so or because they came
/// there between two looks: it shrinks to what they
/// do occupy, and is 0 once the element is free. Where nodes count, of what its own nodes in others add up to.
inline constexpr dist::ElementFieldDeclaration<double> kForgivenOverlap{.name = "forgiven_overlap", .unit = "-"};

/// Share beyond that: what its pressure is for, at the last look or, of what changes linearly since, at the last step's
/// end.
inline constexpr dist::ElementFieldDeclaration<double> kPressedShare{.name = "pressed_share", .unit = "-"};

/// How fast that share changed in the last step, of what changes linearly.
inline constexpr dist::ElementFieldDeclaration<double> kPressedRate{.name = "pressed_rate", .unit = "1/s"};

/// How far contact reaches into an element (sim::SkinContacts): it takes part though it has little on the surface, as
/// long as it touches anything; those around it do as well, since it shares much with another.
inline constexpr std::uint8_t kTouches = 1, kSharesMuch = 2;
inline constexpr dist::ElementFieldDeclaration<std::uint8_t> kReach{.name = "contact_reach", .unit = "-"};

/// Of a point in contact by criterion `surface`: the part of its penetration that presses nothing. Negative: it was not
/// in contact in the last step.
inline constexpr dist::NodeFieldDeclaration<double> kContactOffset{
    .name = "contact_offset", .unit = "m", .initial = -1};

/// Of the same point: how far it has slipped along the facet that it presses on, as far as friction holds it.
inline constexpr dist::NodeFieldDeclaration<std::array<double, 3>> kContactSlip{.name = "contact_slip", .unit = "m"};

/// Of runs whose bodies touch each other by criterion `surface`.
[[nodiscard]] inline dist::FieldList surface_fields() {
  return dist::FieldList().add(kBody).add(kContactOffset).add(kContactSlip);
}

/// Of runs whose bodies touch each other by overlaps of tets.
[[nodiscard]] inline dist::FieldList deformable_fields() {
  return dist::FieldList()
      .add(kBody)
      .add(kContactClass)
      .add(kForgivenOverlap)
      .add(kPressedShare)
      .add(kPressedRate)
      .add(kReach)
      .add(kPushAtEnd)
      .add(kLookPosition);
}

[[nodiscard]] inline dist::FieldList fields() { return dist::FieldList().add(kForgivenDepth).add(kWaveSpeed); }

}  // namespace brisance::contact
