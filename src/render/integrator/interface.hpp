/// Interfaces between media: which of the surfaces that a ray crosses change what it travels in.
#pragma once

#include "render/integrator/enclosing_media.hpp"
#include "render/integrator/stage.hpp"

#include <optional>

namespace brisance::render {

/// Surfaces within Tracer::closed_gap() of a hit, taken as one. Two pieces of one glass that touch have none: light
/// passes the closed crack between them.
struct Interface {
  EnclosingMedia media_before, media_beyond;
  float reach = 0;                    ///< distance along the ray from the hit to beyond the last surface [m]
  std::optional<Crossing> contact{};  ///< an opaque surface in contact, which ends the ray

  /// Does light change its medium?
  [[nodiscard]] bool is_optical() const;
  [[nodiscard]] float relative_index() const {
    return index_of(media_beyond.current()) / index_of(media_before.current());
  }
};

/// The interface at a hit of a surface with an interior. A surface of a solid that is left without having been entered,
/// or entered without having been left, corrects the media before. Local.
[[nodiscard]] Interface interface_at(const Stage& stage, const Hit& hit, const Ray& ray, const EnclosingMedia& media);

/// The hit of an opaque surface in contact with the glass that was hit. Local.
[[nodiscard]] Hit contact_hit(const Stage& stage, Hit glass, const Crossing& contact);

}  // namespace brisance::render
