/// Fragments from labelled tets: of modes, or of a run's frame with its cracks closed again.
#include "brisance/breaking/fragment_set.hpp"

#include "brisance/breaking/prefracture.hpp"
#include "brisance/core/error.hpp"
#include "brisance/core/random.hpp"
#include "brisance/modes/pieces/pieces_surface.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <utility>

namespace brisance::breaking {

namespace {

FragmentSet fragments_from(const mesh::TetMesh& mesh, const modes::PieceLabels& labels) {
  FragmentSet set;
  set.pieces = modes::piece_surfaces(mesh, labels.of_cell, labels.num_pieces());
  set.solids = modes::atom_shapes(modes::simplices(mesh), labels);
  set.poses.assign(set.pieces.size(), Eigen::Isometry3d::Identity());
  return set;
}

/// A frame's tets at rest with both sides of each crack joined.
struct ClosedMesh {
  mesh::TetMesh mesh;
  std::vector<std::int32_t> row;  ///< in mesh.nodes, of each node of the frame
};

/// Both sides of a crack have bitwise the same positions at rest.
ClosedMesh closed_mesh(const RunFrame& frame) {
  ClosedMesh closed;
  std::map<std::array<double, 3>, std::int32_t> rows;
  for (const Vec3& x : frame.rest_position) {
    const auto [found, is_new] =
        rows.try_emplace({x[0], x[1], x[2]}, static_cast<std::int32_t>(closed.mesh.nodes.size()));
    if (is_new) closed.mesh.nodes.push_back(x);
    closed.row.push_back(found->second);
  }
  const auto key_of = [&](std::array<std::int32_t, 3> corners) {
    std::sort(corners.begin(), corners.end());
    return corners;
  };
  std::map<std::array<std::int32_t, 3>, std::int32_t> source;
  for (std::size_t t = 0; t < frame.triangles.size(); ++t) {
    const auto& [a, b, c] = frame.triangles[t];
    if (frame.source_triangle[t] >= 0)
      source[key_of({closed.row[a], closed.row[b], closed.row[c]})] =
          static_cast<std::int32_t>(frame.source_triangle[t]);
  }
  for (const auto& tet : frame.tets) {
    auto& corners = closed.mesh.tets.emplace_back();
    for (int k = 0; k < 4; ++k) corners[k] = closed.row[tet[k]];
    auto& faces = closed.mesh.face_source.emplace_back();
    for (int k = 0; k < 4; ++k) {
      const auto& f = mesh::kFaceCorners[k];
      const auto found = source.find(key_of({corners[f[0]], corners[f[1]], corners[f[2]]}));
      faces[k] = found == source.end() ? mesh::kNoSourceTriangle : found->second;
    }
  }
  return closed;
}

/// The rigid motion nearest to what the nodes of each piece did.
std::vector<Eigen::Isometry3d> rigid_poses(const RunFrame& frame, const modes::PieceLabels& labels) {
  std::vector<std::vector<std::int32_t>> nodes(labels.num_pieces());
  for (std::size_t t = 0; t < frame.tets.size(); ++t)
    nodes[labels.of_cell[t]].insert(nodes[labels.of_cell[t]].end(), frame.tets[t].begin(), frame.tets[t].end());
  std::vector<Eigen::Isometry3d> poses;
  for (auto& of_piece : nodes) {
    std::sort(of_piece.begin(), of_piece.end());
    of_piece.erase(std::unique(of_piece.begin(), of_piece.end()), of_piece.end());
    Eigen::Matrix3Xd from(3, of_piece.size()), to(3, of_piece.size());
    for (std::size_t i = 0; i < of_piece.size(); ++i) {
      from.col(static_cast<Eigen::Index>(i)) = frame.rest_position[of_piece[i]];
      to.col(static_cast<Eigen::Index>(i)) = frame.position[of_piece[i]];
    }
    poses.emplace_back(Eigen::umeyama(from, to, false));
  }
  return poses;
}

/// A rotation uniform over all, from three numbers in [0, 1).
Eigen::Quaterniond uniform_rotation(double u, double v, double w) {
  const double two_pi = 2 * std::numbers::pi, p = std::sqrt(1 - u), q = std::sqrt(u);
  return {q * std::cos(two_pi * w), p * std::sin(two_pi * v), p * std::cos(two_pi * v), q * std::sin(two_pi * w)};
}

Vec3 centre_of(const FragmentSet& set, std::size_t piece) {
  return {set.solids[piece].centre[0], set.solids[piece].centre[1], set.solids[piece].centre[2]};
}

}  // namespace

FragmentSet fragments_after(const Breakable& object, const runtime::Answer& answer, double smallest_share,
                            double smoothing) {
  modes::PieceLabels labels;
  labels.volume.assign(static_cast<std::size_t>(answer.num_pieces), 0);
  for (const std::int32_t atom : object.atoms.of_cell) labels.of_cell.push_back(answer.piece_of_atom[atom]);
  const TetPieces pieces = tet_pieces(object.mesh, labels, {0, smallest_share, smoothing_m2(object.atoms, smoothing)});
  return fragments_from(pieces.mesh, pieces.parts);
}

FragmentSet fragments_of(const RunFrame& frame, double smallest_share) {
  const ClosedMesh closed = closed_mesh(frame);
  const modes::CellGraph graph = modes::cell_graph(closed.mesh);
  const modes::PieceLabels labels =
      modes::join_slivers(graph, modes::split_into_parts(graph, frame.piece), smallest_share);
  FragmentSet set = fragments_from(closed.mesh, labels);
  set.poses = rigid_poses(frame, labels);
  return set;
}

void scatter(FragmentSet& set, std::uint64_t seed) {
  double largest = 0;
  for (std::size_t p = 0; p < set.pieces.size(); ++p)
    for (const Vec3& x : set.pieces[p].surface.vertices) largest = std::max(largest, (x - centre_of(set, p)).norm());
  std::size_t across = 1;
  while (across * across * across < set.pieces.size()) ++across;
  for (std::size_t p = 0; p < set.pieces.size(); ++p) {
    const auto number = [&](std::uint64_t purpose) { return core::hash_uniform(seed, p, purpose); };
    const Vec3 cell(static_cast<double>(p % across), static_cast<double>(p / across % across),
                    static_cast<double>(p / across / across));
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    pose.linear() = uniform_rotation(number(1), number(2), number(3)).toRotationMatrix();
    pose.translation() = 2 * largest * cell - pose.linear() * centre_of(set, p);
    set.poses[p] = pose;
  }
}

}  // namespace brisance::breaking
