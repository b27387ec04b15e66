/// What pictures of a scene show. The solver only passes it on.
#pragma once

#include "brisance/core/named_values.hpp"

#include <string>
#include <vector>

namespace brisance::sim {

/// Camera of the renderer.
struct CameraParameters {
  /// The camera at a moment.
  struct Key {
    double time_s = 0;
    Vec3 eye = Vec3::Zero(), target = Vec3::Zero();  ///< [m]
    double field_of_view_deg = 0;                    ///< 0: that of the camera
  };

  bool automatic = true;  ///< frame the whole motion
  Vec3 eye = Vec3::Zero(), target = Vec3::Zero(), up = Vec3::UnitZ();
  double field_of_view_deg = 35;
  int width = 960, height = 720;
  double aperture_m = 0, focus_m = 0;  ///< lens: its diameter, the distance in focus (0: that of the target) [m]
  std::vector<Key> keys;               ///< in ascending time: a camera that moves
};

/// Which surfaces have which of the render materials.
struct RenderObjectParameters {
  std::string object;    ///< name of an object or a collider; empty: all objects
  std::string material;  ///< name of the only simulation material concerned; empty: all
  std::string outside;   ///< a render material for the original surface; empty: the usual colours
  std::string cracks;    ///< for crack surfaces
};

struct RenderParameters {
  int samples = 16;  ///< light paths a pixel
  double noise = 0;  ///< relative standard error at which a pixel ends before that; 0: never
  int min_samples = 16;
  double shutter = 0;  ///< share of the frame interval
  std::string frames;  ///< as of --frames; empty: all
  bool exr = false;    ///< layers beside each picture
  int threads = 1;     ///< of each rank
  std::string method = "roulette";
  int branching_depth = 2, max_depth = 24;
  bool caustics = false;
  Vec3 background_top = Vec3(0.24, 0.28, 0.34), background_bottom = Vec3(0.58, 0.59, 0.60);
  std::vector<core::Specification> materials, lights;
  std::vector<RenderObjectParameters> objects;
};

}  // namespace brisance::sim
