/// Node fields that fracture keeps.
#pragma once

#include "brisance/dist/fields.hpp"
#include "brisance/dist/mesh.hpp"

#include <array>
#include <cstdint>

namespace brisance::fracture {

/// A_0: mean over directions of A_n in the uncut mesh.
inline constexpr dist::NodeFieldDeclaration<double> kUncutArea{
    .name = "uncut_area", .unit = "m2", .birth = dist::AtBirth::mean, .ghosts = dist::Ghosts::refreshed};

/// The node may not fail before this time (crack speed limit).
inline constexpr dist::NodeFieldDeclaration<double> kReadyTime{
    .name = "ready_time", .unit = "s", .birth = dist::AtBirth::larger, .ghosts = dist::Ghosts::refreshed};

/// Normal of a cut that was refused at this node; zero: none. The node is not tried again until its star changes or the
/// normal turns. With Parameters::refusal_growth the length of the vector is the severity at the refusal.
inline constexpr dist::NodeFieldDeclaration<std::array<double, 3>> kRefusal{
    .name = "refused_normal", .unit = "-", .copy = dist::AtCopy::initial, .touch = dist::AtTouch::initial};

/// 1 once a crack has changed the node's star.
inline constexpr dist::NodeFieldDeclaration<std::uint32_t> kCut{.name = "cut", .unit = "-"};

/// Lower bound of the node's area over its rest area under the strain of the last check (FailureSearch::note_strain);
/// 0: there is no bound.
inline constexpr dist::NodeFieldDeclaration<float> kAreaLeft{
    .name = "area_left", .unit = "-", .copy = dist::AtCopy::initial, .touch = dist::AtTouch::initial};

/// The node was found sound and is not evaluated again before this time, under the conditions of
/// FailureSearch::failures.
inline constexpr dist::NodeFieldDeclaration<double> kSoundUntil{
    .name = "sound_until", .unit = "s", .copy = dist::AtCopy::initial, .touch = dist::AtTouch::initial};

/// Separation bound of the node above which it is evaluated again before kSoundUntil (FailureSearch::failures).
inline constexpr dist::NodeFieldDeclaration<float> kEvaluateAbove{
    .name = "separation_bound", .unit = "N", .copy = dist::AtCopy::initial, .touch = dist::AtTouch::initial};

/// Contact force on a surface node in the last step over its mass, so that cuts keep its momentum. The separation
/// tensor includes the force (SeparationTensor::add_push). In runs with contact alone.
inline constexpr dist::NodeFieldDeclaration<std::array<double, 3>> kContactAcceleration{
    .name = "contact_acceleration", .unit = "m/s2", .birth = dist::AtBirth::mean, .ghosts = dist::Ghosts::refreshed};

/// 1 where a crack front runs through the node, as long as its star has one (fronts.hpp).
inline constexpr dist::NodeFieldDeclaration<std::uint32_t> kFront{.name = "front", .unit = "-"};

/// Unit vector along that front, at rest; zero: none.
inline constexpr dist::NodeFieldDeclaration<std::array<double, 3>> kFrontTangent{.name = "front_tangent", .unit = "-"};

/// Unit vector in which the crack would grow straight on, at rest; zero: none.
inline constexpr dist::NodeFieldDeclaration<std::array<double, 3>> kFrontGrowth{.name = "front_growth", .unit = "-"};

/// Time at which the front reached the node; −1: there is no front.
inline constexpr dist::NodeFieldDeclaration<double> kFrontBorn{.name = "front_born", .unit = "s", .initial = -1};

/// From the node to that front, at rest; in meshes whose cracks end inside tets [m].
inline constexpr dist::NodeFieldDeclaration<std::array<double, 3>> kFrontOffset{.name = "front_offset", .unit = "m"};

/// Front fields that a frame has with output.front_fields.
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

/// Contact force on an owned node in the last step [N].
/// @param push  the mesh's field kContactAcceleration, or null in runs without contact, where the force is zero
/// Local.
[[nodiscard]] inline Vec3 contact_force(const dist::Mesh& mesh, const NodeField<std::array<double, 3>>* push,
                                        LocalNode n) {
  return push == nullptr ? Vec3(Vec3::Zero()) : Vec3(mesh.mass[n] * Vec3((*push)[n].data()));
}

/// Sets A_0 from a mesh that is not cut yet, at ghosts too. Collective.
void note_uncut_areas(dist::Mesh& mesh);

}  // namespace brisance::fracture
