/// One frame as the contents of one file.
#pragma once

#include "brisance/exports/export.hpp"
#include "brisance/exports/fragments.hpp"

#include <string>

namespace brisance::exports {

/// OBJ text: a named object for each piece, with normals, texture coordinates where the frame has any, and materials by
/// name. Particles are left out.
/// @param library  name of the file of materials
[[nodiscard]] std::string obj_text(const FragmentFrame& frame, Up up, const std::string& library);
/// Its materials: colours for Phong shading.
[[nodiscard]] std::string mtl_text(const FragmentFrame& frame);

/// Binary PLY: vertices x y z nx ny nz, vx vy vz, s t and red green blue where there are any, piece; faces with
/// material, crack (0, 1) and piece. Positions are of double precision far from the origin.
[[nodiscard]] std::string ply_text(const FragmentFrame& frame, Up up);

/// VTK's XML PolyData (binary): points with normal, velocity, rest_position, texture; triangles with piece, parent,
/// crack and material; particles as vertices with radius.
[[nodiscard]] std::string vtp_text(const FragmentFrame& frame, Up up);

}  // namespace brisance::exports
