/// What nodes remember for the sake of fracture.
#pragma once

#include "brisance/dist/fields.hpp"
#include "brisance/dist/mesh.hpp"

#include <array>
#include <cstdint>

namespace brisance::fracture {

/// A_0: mean over directions of A_n in the uncut mesh.
inline constexpr dist::NodeFieldDeclaration<double> kUncutArea{
    .name = "uncut_area", .unit = "m2", .birth = dist::AtBirth::mean, .ghosts = dist::Ghosts::refreshed};

/// The node may not fail before (crack speed limit).
inline constexpr dist::NodeFieldDeclaration<double> kReadyTime{
    .name = "ready_time", .unit = "s", .birth = dist::AtBirth::larger, .ghosts = dist::Ghosts::refreshed};

/// Normal of a cut that was refused at this node, and is not tried again until its star changes or the normal turns;
/// zero: none. Where growth counts, too (Parameters::refusal_growth), as long as it was severe.
inline constexpr dist::NodeFieldDeclaration<std::array<double, 3>> kRefusal{
    .name = "refused_normal", .unit = "-", .copy = dist::AtCopy::initial, .touch = dist::AtTouch::initial};

/// 1 once a crack has changed the node's star.
inline constexpr dist::NodeFieldDeclaration<std::uint32_t> kCut{.name = "cut", .unit = "-"};

/// The share of the node's rest area that strain certainly leaves, as of the last check of strains
/// (Criterion::note_strain); 0: nothing is certain.
inline constexpr dist::NodeFieldDeclaration<float> kAreaLeft{
    .name = "area_left", .unit = "-", .copy = dist::AtCopy::initial, .touch = dist::AtTouch::initial};

/// The node was found sound, and is not looked at again before, as long as its sound lasts (Criterion::failures).
inline constexpr dist::NodeFieldDeclaration<double> kSoundUntil{
    .name = "sound_until", .unit = "s", .copy = dist::AtCopy::initial, .touch = dist::AtTouch::initial};

/// The largest the bound of the node's separation may become without a new look (Criterion::failures).
inline constexpr dist::NodeFieldDeclaration<float> kEvaluateAbove{
    .name = "calm_below", .unit = "N", .copy = dist::AtCopy::initial, .touch = dist::AtTouch::initial};

/// What contact pushed a node of the surface with in the last step, over its mass, so that cuts keep its momentum. The
/// separation tensor counts it (SeparationTensor::add_push). Of runs that have contact.
inline constexpr dist::NodeFieldDeclaration<std::array<double, 3>> kContactAcceleration{
    .name = "contact_push", .unit = "m/s2", .birth = dist::AtBirth::mean, .ghosts = dist::Ghosts::refreshed};

/// 1 where a crack front runs through the node, which is so as long as its star shows one (fronts.hpp).
inline constexpr dist::NodeFieldDeclaration<std::uint32_t> kFront{.name = "front", .unit = "-"};

/// Unit vector along that front, at rest; zero: none.
inline constexpr dist::NodeFieldDeclaration<std::array<double, 3>> kFrontTangent{.name = "front_tangent", .unit = "-"};

/// Unit vector in which the crack would go on straight, at rest; zero: none.
inline constexpr dist::NodeFieldDeclaration<std::array<double, 3>> kFrontGrowth{.name = "front_growth", .unit = "-"};

/// When the front reached the node; −1: there is none.
inline constexpr dist::NodeFieldDeclaration<double> kFrontBorn{.name = "front_born", .unit = "s", .initial = -1};

/// What a frame shows of fronts (output.front_fields).
inline constexpr std::array kFrontFieldNames{kFront.name, kFrontTangent.name, kFrontGrowth.name, kFrontBorn.name};

[[nodiscard]] inline dist::FieldList fields() {
  return dist::FieldList()
      .add(kUncutArea)
      .add(kReadyTime)
      .add(kRefusal)
      .add(kCut)
      .add(kAreaLeft)
      .add(kSoundUntil)
      .add(kEvaluateAbove)
      .add(kFront)
      .add(kFrontTangent)
      .add(kFrontGrowth)
      .add(kFrontBorn);
}

/// Force of contact on an owned node in the last step [N].
/// @param push  the mesh's field kContactAcceleration, or null in runs without contact, where it is zero. Local.
[[nodiscard]] inline Vec3 contact_push(const dist::Mesh& mesh, const NodeField<std::array<double, 3>>* push,
                                       LocalNode n) {
  return push == nullptr ? Vec3(Vec3::Zero()) : Vec3(mesh.mass[n] * Vec3((*push)[n].data()));
}

/// Takes A_0 from a mesh that is not cut yet; ghosts are told. Collective.
void note_uncut_areas(dist::Mesh& mesh);

}  // namespace brisance::fracture
