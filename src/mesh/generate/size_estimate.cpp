#include "mesh/generate/size_estimate.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/memory.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

namespace brisance::mesh {
namespace {

constexpr double kTetsPerCubedEdge = 7.4;         // approximate number of tets in a cube of that edge length
constexpr double kTrianglesPerSquaredEdge = 2.3;  // equilateral triangles on a surface
constexpr double kTetsPerTriangle = 1.5;          // in a plate of one layer: three for a prism of two triangles
constexpr double kMostCells = 1 << 29;            // corners are numbered with 31 bits
constexpr double kBytesPerCell = 700;             // peak memory of TetGen and of this program
constexpr double kFlattest = 2000;                // edge over thickness: TetGen is known to handle it
constexpr double kMostSlender = 5e4;              // length over thickness; TetGen crashes on bars of 2e5
constexpr double kLongestEdgeInStrip = 3;         // over its width: the most with angles of 20.7°

/// Largest number of tets or triangles that can be numbered and that fit into memory.
double most_cells() {
  return std::min(kMostCells, static_cast<double>(core::available_memory_bytes()) / kBytesPerCell);
}

}  // namespace

double least_area_m2(double volume_m3) { return std::cbrt(36 * std::numbers::pi * volume_m3 * volume_m3); }

double estimated_tets(const BodySize& body, double edge_m) {
  return std::max(kTetsPerCubedEdge * body.volume_m3 / (edge_m * edge_m * edge_m),
                  kTetsPerTriangle * kTrianglesPerSquaredEdge * body.area_m2 / (edge_m * edge_m));
}

double estimated_edge_m(const BodySize& body, double num_tets) {
  return std::max(std::cbrt(kTetsPerCubedEdge * body.volume_m3 / num_tets),
                  std::sqrt(kTetsPerTriangle * kTrianglesPerSquaredEdge * body.area_m2 / num_tets));
}

void require_feasible(const BodySize& body, double edge_m, const std::string& name) {
  const double num_tets = estimated_tets(body, edge_m);
  const double room = most_cells();
  if (!(num_tets <= room))
    throw core::BadInput(
        fmt::format("{}: an edge of {:.3g} m makes about {:.2g} tets of its {:.3g} m³; this machine can hold about "
                    "{:.2g}. Ask for an edge above {:.2g} m, or for fewer tets.",
                    name, edge_m, num_tets, body.volume_m3, room, estimated_edge_m(body, room)));
  if (body.length_m > kMostSlender * body.thickness_m())
    throw core::BadInput(
        fmt::format("{}: it is {:.3g} m long and only about {:.2g} m thick, too slender to be filled with tets (1:{:g} "
                    "is the most). Shorten it, or make it thicker.",
                    name, body.length_m, body.thickness_m(), kMostSlender));
  const double longest = kFlattest * body.thickness_m();
  if (edge_m > longest)
    throw core::BadInput(
        fmt::format("{}: it is only about {:.2g} m thick, too thin for tets of {:.2g} m: they would be flatter than "
                    "1:{:g}. Ask for an edge below {:.2g} m, which is about {:.2g} tets, or for a thicker or smaller "
                    "body.",
                    name, body.thickness_m(), edge_m, kFlattest, longest, estimated_tets(body, longest)));
}

void require_feasible_plane(double area_m2, double outline_m, double edge_m, const std::string& name) {
  const double width = 2 * area_m2 / outline_m, edge = std::min(edge_m, kLongestEdgeInStrip * width);
  const double num_triangles = kTrianglesPerSquaredEdge * area_m2 / (edge * edge);
  const double room = most_cells();
  if (!(num_triangles <= room))
    throw core::BadInput(
        fmt::format("{}: an edge of {:.3g} m in a flat body about {:.2g} m wide makes about {:.2g} triangles; this "
                    "machine can hold "
                    "about {:.2g}. Ask for a longer edge or fewer triangles, or for a shorter or wider body.",
                    name, edge_m, width, num_triangles, room));
}

}  // namespace brisance::mesh
