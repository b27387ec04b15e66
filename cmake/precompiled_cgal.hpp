/// Owns the precompiled header of the sources on CGAL (src/mesh/solids/CMakeLists.txt).
#pragma once

#include "precompiled.hpp"

#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/Constrained_Delaunay_triangulation_2.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Surface_mesh.h>
