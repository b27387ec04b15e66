#include "app/modes/plane_input.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/words.hpp"
#include "brisance/mesh/generate/generate_plane.hpp"

#include <iostream>
#include <numbers>

#include <spdlog/fmt/fmt.h>

namespace brisance::app {

namespace {

void print_plane_report(const mesh::PlaneReport& report) {
  std::cout << fmt::format("flat: {}, {}", core::counted(report.num_triangles, "triangle"),
                           core::counted(report.num_nodes, "node"));
  if (report.target_triangles > 0)
    std::cout << fmt::format(" (asked for {})", core::counted(report.target_triangles, "triangle"));
  std::cout << fmt::format("\narea {:.6g} m² in the plane z = {:g} m\n", report.area_m2, report.z_m);
  std::cout << fmt::format("smallest angle {:.1f}°, mean edge {:.3g} m\n",
                           report.smallest_angle_rad * 180 / std::numbers::pi, report.mean_edge_m);
}

}  // namespace

mesh::PlaneMesh read_flat_body(const MeshArguments& arguments, double num_triangles, bool report_it) {
  if (arguments.num_tets > 0)
    throw core::BadInput("A flat body (--plane) is made of triangles: give --triangles instead of --tets.");
  MeshArguments with_count = arguments;
  with_count.num_tets = num_triangles;
  mesh::PlaneReport report;
  mesh::PlaneMesh plane = mesh::generate_plane(read_request(with_count), report);
  if (report_it) print_plane_report(report);
  return plane;
}

}  // namespace brisance::app
