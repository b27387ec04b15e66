#include "mesh/generate/mesh_report.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include <fmt/format.h>

namespace brisance::mesh {
namespace {

constexpr double kSampleSpacing = 0.5;  // spacing of the samples of the distance, over the edge length
constexpr double kMostMissed = 0.02;    // lost share of the creases above which the report advises

/// A length, also as a multiple of the edge length.
std::string in_edges(double length_m, double edge_length_m) {
  return fmt::format("{:.3g} m ({:.2f} edge lengths)", length_m, length_m / edge_length_m);
}

std::string crease_sentence(double feature_angle_deg, const MeshReport& report) {
  const RemeshReport& creases = report.remeshed;
  std::string text = fmt::format("Creases: {:.3g} of {:.3g} m of edges sharper than {:g}° are kept",
                                 creases.kept_crease_m, creases.crease_m, feature_angle_deg);
  if (creases.kept_crease_m > 0)
    text += fmt::format(", as polylines at most {} off", in_edges(creases.crease_distance_m, report.edge_length_m));
  return text + fmt::format("; of all of them the surface is at most {} away, of {:.2g} % by more than {:g}.",
                            in_edges(creases.sharp_distance_m, report.edge_length_m), 100 * creases.missed_share,
                            kMissed);
}

std::string advice(const MeshReport& report) {
  const double edge = report.remeshed.keeping_edge_m;
  return fmt::format(
      "{:.0f} % of the creases are missed: they are too short, too near to each other or too jagged for edges of "
      "{:.3g} m. About {:.2g} m (some {:.1g} tets) would keep nine tenths; a larger feature angle asks for fewer.",
      100 * report.remeshed.missed_share, report.edge_length_m, edge,
      static_cast<double>(report.num_tets) * std::pow(report.edge_length_m / edge, 3));
}

}  // namespace

Surface outside_of(const TetMesh& mesh) {
  Surface outside;
  std::unordered_map<std::int32_t, std::int32_t> name;
  const auto vertex = [&](std::int32_t node) {
    const auto [found, is_new] = name.try_emplace(node, static_cast<std::int32_t>(outside.vertices.size()));
    if (is_new) outside.vertices.push_back(mesh.nodes[node]);
    return found->second;
  };
  for (std::size_t t = 0; t < mesh.tets.size(); ++t)
    for (int f = 0; f < 4; ++f) {
      if (mesh.face_source[t][f] == kNoSourceTriangle) continue;
      const auto& [a, b, c] = kFaceCorners[f];
      outside.triangles.push_back({vertex(mesh.tets[t][a]), vertex(mesh.tets[t][b]), vertex(mesh.tets[t][c])});
      outside.source_face.push_back(mesh.face_source[t][f]);
    }
  return outside;
}

void describe_shape(const TetMesh& mesh, const Surface& input, double feature_angle_deg, MeshReport& report) {
  report.surface_distance_m = hausdorff_distance_m(outside_of(mesh), input, kSampleSpacing * report.edge_length_m);
  report.notes.push_back(fmt::format("Its surface and the input's are at most {} apart.",
                                     in_edges(report.surface_distance_m, report.edge_length_m)));
  if (report.remeshed.kept_share > 0)
    report.notes.push_back(
        fmt::format("Of the input's surface {:.3g} % keeps its triangles.", 100 * report.remeshed.kept_share));
  if (report.remeshed.crease_m == 0) return;
  report.notes.push_back(crease_sentence(feature_angle_deg, report));
  if (report.remeshed.missed_share > kMostMissed && std::isfinite(report.remeshed.keeping_edge_m))
    report.notes.push_back(advice(report));
}

}  // namespace brisance::mesh
