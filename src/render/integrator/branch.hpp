/// A ray on its way from the camera.
#pragma once

#include "render/geometry/ray.hpp"
#include "render/integrator/enclosing_media.hpp"

#include <cstdint>

namespace brisance::render {

/// A ray on its way, with the weight of what it will find.
struct Branch {
  Ray ray;
  EnclosingMedia media{};
  Rgb throughput = Rgb::Ones();
  float share_of_plane = 1;            ///< part of throughput: weight of planes that fade into the background
  std::uint64_t place = 1;             ///< in the tree of specular rays: its root, then a bit for each branch
  int num_surfaces = 0;                ///< met so far
  int num_specular = 0;                ///< of those, mirrors and smooth glass
  float scatter_pdf = 0;               ///< density of its direction [1/sr]; 0: from the camera or a specular surface
  Vec3f entry_normal = Vec3f::Zero();  ///< unit, out of the solid that the ray starts in, at its surface; or zero
  bool is_wide = false;                ///< some surface has scattered it into wide angles
  bool is_view = true;                 ///< only specular surfaces so far: the camera's own view
  bool is_caustic = false;             ///< specular surfaces after scattering
};

}  // namespace brisance::render
