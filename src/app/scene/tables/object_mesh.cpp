/// Keys of [object.mesh]: a file or a shape, and its resolution.
#include "app/scene/binding.hpp"
#include "app/scene/tables/tables.hpp"

#include <numbers>

namespace brisance::app {

namespace {

using mesh::Request;
using sim::Scene;

constexpr auto kMesh = [](auto& s, std::size_t i) -> auto& { return s.objects.at(i).mesh; };

Key mesh_file() {
  return bind_computed(
      kMesh, Kind::file, 0, [](const Request& r) -> std::optional<Value> { return r.file.string(); },
      [](Request& r, const Value& v) {
        r.file = std::get<std::string>(v);
        if (!r.file.empty()) r.shape = mesh::ShapeKind::file;
      },
      {.name = "file",
       .sentence =
           "Surface (OBJ, STL, PLY, OFF, GLB ...) to fill with tets, or tetrahedral mesh (TetGen, Gmsh, VTU, .hdf), "
           "relative to "
           "the scene file. It makes the shape \"file\". Region r (physical group) is made of the scene's material r, "
           "counted from 0. A mesh with all tets inverted is read, one with some inverted is refused.",
       .displaces = "shape"});
}

Key opening_angle_deg() {
  return bind_computed(
      kMesh, Kind::real, 0, kNotWritten,
      [](Request& r, const Value& v) { r.opening_angle_rad = std::get<double>(v) * (std::numbers::pi / 180); },
      {.name = "opening_angle_deg",
       .unit = "°",
       .sentence = "bowl: polar angle of the rim in degrees, in place of opening_angle_rad.",
       .example = "80",
       .range = {.low = 0, .high = 180, .low_open = true, .high_open = true},
       .group = "opening",
       .form = "degrees"});
}

}  // namespace

Table mesh_table() {
  return {
      .path = "object.mesh",
      .sentence =
          "The object's mesh: a file or a parametric shape, and its resolution. Without target_tets and edge_length_m "
          "it has about 20 000 tets.",
      .keys =
          {
              mesh_file(),
              bind_choice(
                  kMesh, &Request::shape,
                  {"file", "box", "slab", "wall", "sheet", "bowl", "hollow_ball", "solid_cylinder", "hollow_cylinder",
                   "torus", "notched_block", "dumbbell", "goblet", "bone", "mug", "chair", "amphora", "head"},
                  {.name = "shape",
                   .sentence = "Shape to mesh, centred on the origin. A key described as \"box, slab: …\" applies to "
                               "these shapes alone."}),
              bind(kMesh, &Request::size,
                   {.name = "size_m",
                    .unit = "m",
                    .sentence = "box, slab, wall, sheet, notched_block, chair: edge lengths along x, y, z. A chair has "
                                "its back at the +y side.",
                    .example = "[1, 1, 0.04]",
                    .range = kPositive}),
              bind(kMesh, &Request::radius_m,
                   {.name = "radius_m",
                    .unit = "m",
                    .sentence = "bowl, hollow_ball, cylinders, goblet, mug, amphora: outer radius; torus: radius of "
                                "the centre circle; dumbbell, bone: radius of the balls.",
                    .example = "0.15",
                    .range = kPositive}),
              bind(kMesh, &Request::thickness_m,
                   {.name = "thickness_m",
                    .unit = "m",
                    .sentence =
                        "bowl, hollow_ball, hollow_cylinder, goblet, mug, amphora: wall thickness; chair: thickness of "
                        "the seat and width of the legs.",
                    .example = "0.02",
                    .range = kPositive}),
              bind(kMesh, &Request::tube_radius_m,
                   {.name = "tube_radius_m",
                    .unit = "m",
                    .sentence = "torus: radius of the tube; dumbbell: of the neck; bone: of the shaft; goblet: of the "
                                "stem; mug: of the handle; amphora: of the neck, outside.",
                    .example = "0.05",
                    .range = kPositive}),
              bind(kMesh, &Request::length_m,
                   {.name = "length_m",
                    .unit = "m",
                    .sentence =
                        "cylinders, goblet, mug, amphora, head: length along z; dumbbell, bone: distance between the "
                        "balls' centres.",
                    .example = "0.3",
                    .range = kPositive}),
              opening_angle_deg(),
              bind(kMesh, &Request::opening_angle_rad,
                   {.name = "opening_angle_rad",
                    .unit = "rad",
                    .sentence = "bowl: polar angle of the rim, measured from the downward axis (π/2: a half sphere).",
                    .example = "1.4",
                    .range = {.low = 0, .high = std::numbers::pi, .low_open = true, .high_open = true},
                    .group = "opening",
                    .form = "radians"}),
              bind(kMesh, &Request::notch_depth_m,
                   {.name = "notch_depth_m",
                    .unit = "m",
                    .sentence = "notched_block: depth of the notch.",
                    .example = "0.1",
                    .range = kPositive}),
              bind(kMesh, &Request::notch_width_m,
                   {.name = "notch_width_m",
                    .unit = "m",
                    .sentence = "notched_block: width of the notch at its mouth.",
                    .example = "0.02",
                    .range = kPositive}),
              bind(kMesh, &Request::layers,
                   {.name = "layers",
                    .unit = "–",
                    .sentence = "Least number of tets through the thickness of a shape.",
                    .example = "3",
                    .range = {.low = 1, .high = 1000}}),
              bind(kMesh, &Request::target_tets,
                   {.name = "target_tets",
                    .unit = "–",
                    .sentence = "Approximate number of tets. 0: use edge_length_m.",
                    .example = "20000",
                    .range = {.low = 0, .high = 1e10},
                    .displaces = "edge_length_m"}),
              bind(kMesh, &Request::edge_length_m,
                   {.name = "edge_length_m",
                    .unit = "m",
                    .sentence = "Approximate edge length. 0: use target_tets.",
                    .example = "0.02",
                    .range = kNotNegative,
                    .displaces = "target_tets"}),
              bind(kMesh, &Request::refine,
                   {.name = "refine",
                    .unit = "–",
                    .sentence = "How many times each tet is divided into eight after the mesh is distributed, so that "
                                "no rank holds the whole. 2 makes 64 times the tets of target_tets or of the file. "
                                "Must be the same for all objects.",
                    .example = "1",
                    .range = {.low = 0, .high = 6}}),
              bind(
                  kMesh, &Request::follow_surface,
                  {.name = "follow_surface",
                   .sentence = "With refine: moves new surface nodes onto the ideal shape or the file's surface, and "
                               "those of sharp edges onto its creases, where tets stay well shaped. false, and always "
                               "for cages and tets from files: edges stay straight, so curved surfaces stay faceted."}),
              bind(kMesh, &Request::scale,
                   {.name = "scale",
                    .unit = "–",
                    .sentence = "Factor that turns the file's lengths into metres.",
                    .example = "0.001 for millimetres",
                    .range = kPositive}),
              bind(kMesh, &Request::feature_angle_deg,
                   {.name = "feature_angle_deg",
                    .unit = "°",
                    .sentence = "Files, bone, mug, chair: edges where two triangles meet at a larger angle are kept, "
                                "sampled at the edge length. 180 rounds them all.",
                    .example = "30",
                    .range = {.low = 0, .high = 180, .low_open = true}}),
              bind(kMesh, &Request::keep_triangles,
                   {.name = "keep_triangles",
                    .sentence = "Files: keeps surface triangles that, with their neighbours, have edges of 2/3 to 4/3 "
                                "of the wanted length and no angle below 30°. Only the rest is remeshed."}),
              bind(kMesh, &Request::quality,
                   {.name = "quality",
                    .unit = "–",
                    .sentence = "TetGen's bound on a tet's circumradius over its shortest edge.",
                    .example = "1.414",
                    .range = {.low = 1, .high = 10}}),
              bind(kMesh, &Request::cavity_scale,
                   {.name = "cavity_scale",
                    .unit = "–",
                    .sentence = "Makes a cavity: the outside shrunk by this factor about its centroid. 0: none. Walls "
                                "of all cavities are the group \"cavity\".",
                    .example = "0.6",
                    .range = {.low = 0, .high = 1, .high_open = true},
                    .displaces = "cavity_file"}),
              bind(kMesh, &Request::cavity_file,
                   {.name = "cavity_file",
                    .sentence = "Makes a cavity from a closed surface (a file as above) inside the outside, with "
                                "the same scale.",
                    .displaces = "cavity_scale"}),
              bind(kMesh, &Request::repair,
                   {.name = "repair",
                    .sentence = "Wraps an open or self-intersecting surface in a closed one instead of refusing it."}),
              bind(kMesh, &Request::allowed_volume_error,
                   {.name = "allowed_volume_error",
                    .unit = "–",
                    .sentence =
                        "Files: largest relative difference between the volume of the tets and that of the surface "
                        "they fill. Beyond it the mesh is refused, beyond 0.02 there is a warning. 1: never.",
                    .example = "0.1",
                    .range = {.low = 0, .high = 1}}),
              bind(kMesh, &Request::least_altitude,
                   {.name = "least_altitude",
                    .unit = "–",
                    .sentence =
                        "Files: smallest altitude of a tet over the mean one. A mesh with a thinner tet is refused, "
                        "since that tet would set the time step; below 0.001 there is a warning. 0: never.",
                    .example = "1e-8",
                    .range = {.low = 0, .high = 1}}),
              bind(kMesh, &Request::cage,
                   {.name = "cage",
                    .sentence = "Fills a cage around the surface instead of the surface: a closed surface of triangles "
                                "of the wanted edge length that strictly contains it. For input with defects, or with "
                                "detail finer than the tets."}),
              bind_choice(kMesh, &Request::cage_method, {"wrap", "offset"},
                          {.name = "cage_method",
                           .sentence = "How the cage is made. wrap: an alpha wrap; offset: the level set of the "
                                       "distance to the surface, decimated, at the smallest distance that works."}),
          },
      .count = [](const Scene& s) { return s.objects.size(); },
  };
}

}  // namespace brisance::app
