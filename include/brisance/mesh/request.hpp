/// What to mesh and how finely: a file or a parametric shape. Filled by app from [object.mesh] or the command line.
#pragma once

#include "brisance/core/types.hpp"

#include <cstdint>
#include <filesystem>
#include <string>

namespace brisance::mesh {

/// Every shape is centred on the origin; a bowl has the centre of its sphere there (its lowest point is z = −radius).
enum class ShapeKind : std::uint8_t {
  file,         ///< OBJ, STL, PLY, OFF surface; TetGen .node/.ele, Gmsh .msh, VTU, our own .hdf/.h5 tet mesh
  box,          ///< size
  slab,         ///< size; lies in x-y: z is the thickness; at least `layers` elements through the smallest size
  wall,         ///< size; stands in x-z: y is the thickness; layers as slab
  sheet,        ///< size; may be much thinner than the edge length: then one element through the smallest size
  bowl,         ///< radius (outer), thickness, opening_angle: part of a spherical shell, rounded rim, opening up (+z)
  hollow_ball,  ///< radius (outer), thickness
  solid_cylinder,   ///< radius, length along z
  hollow_cylinder,  ///< radius (outer), thickness, length along z
  torus,            ///< radius (of the centre circle), tube_radius, axis z
  /// size, and a V-shaped notch cut down from the middle of the +y face (x = 0), notch_width wide there, its tip
  /// notch_depth below, running through the block along z. A notch_width far below the edge length makes a sharp crack.
  notched_block,
  dumbbell,  ///< two balls of radius, their centres length apart along z, and a neck of tube_radius between them
  /// radius (outer, of the bowl), thickness, length (the height, along z), tube_radius (of the stem); the foot has 0.8
  /// of the radius
  goblet,
  bone,  ///< shaft of tube_radius along z, with a pair of balls of radius at each end; length between their centres
  mug,   ///< radius (outer), thickness (wall and bottom), length (the height, along z), tube_radius (of the handle, +x)
  chair,  ///< size (back at +y, z up), thickness (of the seat, and width of the legs)
  /// radius (outer, of the body), thickness, length (the height, along z), tube_radius (outer, of the neck); hollow and
  /// open, with a flat foot, a wall of uniform thickness and a flared, rounded rim
  amphora,
  head,  ///< length (its height, along z), facing −y: a skull, a face and a neck, cut off flat
};

/// Method of making a cage.
enum class CageMethod : std::uint8_t {
  wrap,    ///< alpha wrap (repair.hpp), a tenth of its edges away from the surface
  offset,  ///< decimated level set of the distance, at the smallest offset that a search finds: [S22] Algorithm 2
};

struct Request {
  ShapeKind shape = ShapeKind::box;
  std::filesystem::path file;
  // shape dimensions [m]
  Vec3 size = Vec3::Constant(1);
  double radius_m = 0.15, thickness_m = 0.02, tube_radius_m = 0.035, length_m = 0.6;
  double opening_angle_rad = 1.4;  ///< bowl: polar angle of the rim, from the downward axis
  double notch_depth_m = 0.5, notch_width_m = 0.02;
  int layers = 1;  ///< least number of elements through the thickness of slab, wall, sheet and shells
  // resolution: one of the two; both 0 chooses about 20 000 tets
  std::int64_t target_tets = 0;
  double edge_length_m = 0;
  int refine = 0;  ///< times that the solver divides each tet into eight; generate makes the tets before that
  /// Refinement in the solver moves new boundary nodes onto the surface that the tets approximate (reference.hpp).
  bool follow_surface = true;
  double scale = 1;        ///< applied to files when read (0.001 for millimetres)
  double quality = 1.414;  ///< TetGen's radius–edge bound (-q)
  /// Files: fill a cage, of the wanted edge length, that strictly contains the surface, instead of the surface itself.
  /// For input with defects, or with detail finer than the wanted tets.
  bool cage = false;
  CageMethod cage_method = CageMethod::wrap;
  /// Files and shapes of several parts: edges at which two triangles turn by more are preserved (remesh.hpp) [°].
  double feature_angle_deg = 30;
  bool keep_triangles = true;  ///< files: keeps triangles of the surface that fit (RemeshOptions)
  /// A cavity in a body that is not a cage: the outside scaled about its centroid, or the surface of a file in the
  /// place and scale of the outside. Its walls have the name kCavityName (name_cavities.hpp).
  double cavity_scale = 0;  ///< 0: none
  std::filesystem::path cavity_file;
  bool repair = false;  ///< files: wrap unclosed or self-intersecting input (CGAL alpha wrap) instead of refusing it
  double allowed_volume_error = 0.05;  ///< files: bound on the relative volume error of the tets (mesh_bounds.hpp)
  double least_altitude = 1e-6;        ///< bound on the smallest altitude over the mean altitude (mesh_bounds.hpp)
};

}  // namespace brisance::mesh
