#include "brisance/modes/strength/strength.hpp"

#include "brisance/core/error.hpp"

#include "modes/body/face_normal.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <spdlog/fmt/fmt.h>

namespace brisance::modes {

namespace {

void require_positive(double eta, const std::string& of_what) {
  if (!(eta > 0) || !std::isfinite(eta))
    throw core::BadInput(
        fmt::format("The strength factor eta = {:g} {} must be positive and finite. For parts that never break there "
                    "is --no-break.",
                    eta, of_what));
}

}  // namespace

std::vector<double> region_strength(const DividedBody& body, const std::map<std::int32_t, double>& eta_of_region) {
  const std::set<std::int32_t> here(body.region.begin(), body.region.end());
  const std::vector<std::int32_t> all =
      body.comm.all_gather(std::span<const std::int32_t>(std::vector<std::int32_t>(here.begin(), here.end())));
  const std::set<std::int32_t> there(all.begin(), all.end());
  for (const auto& [name, eta] : eta_of_region) {
    require_positive(eta, fmt::format("of region {}", name));
    if (!there.contains(name))
      throw core::BadInput(
          fmt::format("A strength is given for region {}, but the mesh has no such region (it has {}).", name,
                      fmt::join(there, ", ")));
  }
  const auto eta_of = [&](std::int32_t cell) {
    const auto found = eta_of_region.find(body.region[cell]);
    return found == eta_of_region.end() ? 1.0 : found->second;
  };
  std::vector<double> eta;
  eta.reserve(body.local.graph.faces.size());
  for (const Face& face : body.local.graph.faces) eta.push_back(std::min(eta_of(face.a), eta_of(face.b)));
  return eta;
}

std::vector<double> normal_strength(const Simplices& mesh, const CellGraph& graph, const Vec3& along_axes) {
  for (int axis = 0; axis < mesh.dimension(); ++axis)
    require_positive(along_axes[axis], fmt::format("along {}", "xyz"[axis]));
  std::vector<double> eta;
  eta.reserve(graph.faces.size());
  for (const Face& face : graph.faces) eta.push_back(along_axes.cwiseProduct(face_normal(mesh, face)).norm());
  return eta;
}

std::vector<Mat3> sliding_tensors(const Simplices& mesh, const CellGraph& graph, double opening, double sliding) {
  require_positive(opening, "of opening");
  require_positive(sliding, "of sliding");
  std::vector<Mat3> tensors;
  tensors.reserve(graph.faces.size());
  for (const Face& face : graph.faces) {
    const Vec3 n = face_normal(mesh, face);
    tensors.emplace_back(sliding * Mat3::Identity() + (opening - sliding) * n * n.transpose());
  }
  return tensors;
}

std::vector<std::int32_t> cells_not_to_break(const DividedBody& body, const NoBreak& where) {
  if (where.empty()) return {};
  const Simplices& mesh = body.local.mesh;
  std::vector<std::int32_t> marked(mesh.num_cells(), 0);
  const auto mark = [&](const std::string& what, const auto& is_inside) {
    bool found = false;
    for (std::int32_t c = 0; c < mesh.num_cells(); ++c)
      if (is_inside(c)) {
        marked[c] = 1;
        found = true;
      }
    if (!body.comm.any(found))
      throw core::BadInput(
          fmt::format("No element of the mesh is in the {} that must not break. Check its numbers "
                      "against the mesh.",
                      what));
  };
  for (const std::int32_t r : where.regions)
    mark(fmt::format("region {}", r), [&](std::int32_t c) { return body.region[c] == r; });
  for (const auto& sphere : where.spheres)
    mark(fmt::format("sphere of radius {:g}", sphere.radius),
         [&](std::int32_t c) { return (cell_centre(mesh, c) - sphere.centre).norm() <= sphere.radius; });
  for (const auto& box : where.boxes)
    mark("box", [&](std::int32_t c) {
      const Vec3 centre = cell_centre(mesh, c);
      return (centre.array() >= box.low.array()).all() && (centre.array() <= box.high.array()).all();
    });
  if (!body.comm.any(std::find(marked.begin(), marked.end(), 0) != marked.end()))
    throw core::BadInput(
        fmt::format("All {} elements of the mesh are in the places that must not break: nothing is left to break. Make "
                    "them smaller.",
                    body.num_cells));
  return marked;
}

}  // namespace brisance::modes
