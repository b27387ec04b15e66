/// Integrals of linear fields over the tets of each piece.
#include "brisance/breaking/handover.hpp"

#include "brisance/core/error.hpp"
#include "brisance/mesh/tet_mesh.hpp"

#include "atom_hulls.hpp"

#include <algorithm>
#include <cmath>

#include <spdlog/fmt/fmt.h>

namespace brisance::breaking {

namespace {

constexpr double kLeastMoment = 1e-6;  ///< least ratio to the largest moment: a thinner body counts as a line
constexpr double kLeastEdge = 0.02;    ///< least ratio to the longest edge of a small piece's box
/// A body with more tets gets more hulls, since it may be a shell.
constexpr std::size_t kManyTets = 2000;
constexpr std::size_t kFewHulls = 12, kManyHulls = 32;
constexpr int kDirections = 256;  ///< a node outside of its hulls sinks into the ground

/// ∫ over the tets of one piece, relative to a point near it.
struct Integrals {
  double mass = 0;
  Vec3 moment = Vec3::Zero();        ///< ∫ρ x [kg m]
  Mat3 second = Mat3::Zero();        ///< ∫ρ x xᵀ [kg m²]
  Vec3 momentum = Vec3::Zero();      ///< ∫ρ v [kg m/s]
  Vec3 angular = Vec3::Zero();       ///< ∫ρ x×v [kg m²/s]
  double energy = 0;                 ///< ∫½ρ v² [J]
  Vec3 node_angular = Vec3::Zero();  ///< Σ ¼m x×v over corners
  double node_energy = 0;            ///< Σ ⅛m v²
};

/// ∫ over a tet of a product of linear functions with corner values f, g: m/20 (Σ f g + Σf Σg).
void add_tet(double mass, const std::array<Vec3, 4>& x, const std::array<Vec3, 4>& v, Integrals& sum) {
  const Vec3 all_x = x[0] + x[1] + x[2] + x[3], all_v = v[0] + v[1] + v[2] + v[3];
  Mat3 second = all_x * all_x.transpose();
  Vec3 at_corners = Vec3::Zero();
  double squares = 0;
  for (int k = 0; k < 4; ++k) {
    second += x[k] * x[k].transpose();
    at_corners += x[k].cross(v[k]);
    squares += v[k].squaredNorm();
  }
  sum.mass += mass;
  sum.moment += mass / 4 * all_x;
  sum.second += mass / 20 * second;
  sum.momentum += mass / 4 * all_v;
  sum.angular += mass / 20 * (at_corners + all_x.cross(all_v));
  sum.energy += mass / 40 * (squares + all_v.squaredNorm());
  sum.node_angular += mass / 4 * at_corners;
  sum.node_energy += mass / 8 * squares;
}

/// The tensor with each moment raised to a share of the largest.
Mat3 with_thickness(const Mat3& inertia) {
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(inertia);
  const Vec3 moments = solver.eigenvalues();
  if (moments[0] >= kLeastMoment * moments[2]) return inertia;
  return solver.eigenvectors() * moments.cwiseMax(kLeastMoment * moments[2]).asDiagonal() *
         solver.eigenvectors().transpose();
}

/// Corners of the homogeneous box with this mass and inertia, in the rest frame.
std::vector<Vec3> box_of(const rigid::BodyShape& shape) {
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(shape.inertia);
  const Vec3 moments = solver.eigenvalues();
  Vec3 edges;  // I_i = m (a_j² + a_k²)/12
  for (int i = 0; i < 3; ++i) edges[i] = std::sqrt(std::max(6 / shape.mass * (moments.sum() - 2 * moments[i]), 0.0));
  edges = edges.cwiseMax(kLeastEdge * edges.maxCoeff());
  std::vector<Vec3> corners;
  for (int k = 0; k < 8; ++k)
    corners.push_back(shape.centre +
                      solver.eigenvectors() *
                          Vec3((k & 1) - 0.5, (k >> 1 & 1) - 0.5, (k >> 2 & 1) - 0.5).cwiseProduct(edges));
  return corners;
}

/// Mass, inertia and motion; hulls are added later.
RigidPiece rigid_piece(const Integrals& sum, const Vec3& reference) {
  RigidPiece piece;
  const Vec3 to_centre = sum.moment / sum.mass;
  const Mat3 central = sum.second - sum.mass * to_centre * to_centre.transpose();
  piece.shape.mass = sum.mass;
  piece.shape.centre = reference + to_centre;
  piece.shape.inertia = with_thickness(central.trace() * Mat3::Identity() - central);
  piece.motion.position = piece.shape.centre;
  piece.motion.velocity = sum.momentum / sum.mass;
  piece.motion.angular_velocity = piece.shape.inertia.ldlt().solve(sum.angular - to_centre.cross(sum.momentum));
  return piece;
}

/// Momenta about the origin.
rigid::Momenta momenta_of(const Integrals& sum, const Vec3& reference, const Vec3& angular, double energy) {
  rigid::Momenta m;
  const Vec3 orbit = reference.cross(sum.momentum);
  m.linear = sum.momentum;
  m.angular = orbit + angular;
  m.linear_scale = sum.momentum.norm();
  m.angular_scale = orbit.norm() + angular.norm();
  m.energy = energy;
  return m;
}

void require_densities(const RunFrame& frame, const HandoverParameters& p) {
  for (const std::int32_t material : frame.material)
    if (material < 0 || material >= std::ssize(p.density) || !(p.density[material] > 0))
      throw core::Error(
          fmt::format("the frame has tets of material {}, for which the run's scene has no density above "
                      "0. Is scene.toml the one of this run?",
                      material));
}

using Tets = std::vector<std::array<std::int32_t, 4>>;

void find_shape(const RunFrame& frame, Tets tets, RigidPiece& piece) {
  if (piece.is_small) {
    piece.shape.hulls = {box_of(piece.shape)};
    return;
  }
  const std::size_t most = tets.size() > kManyTets ? kManyHulls : kFewHulls;
  piece.shape.hulls = convex_parts(frame.position, std::move(tets),
                                   {.most_parts = most, .directions = kDirections, .kept_whole = kDirections});
}

}  // namespace

Handover hand_over(const RunFrame& frame, const HandoverParameters& parameters) {
  require_densities(frame, parameters);
  const auto num_pieces = static_cast<std::size_t>(frame.header.num_pieces);
  std::vector<Integrals> integrals(num_pieces);
  std::vector<Vec3> reference(num_pieces, Vec3::Zero());  // the first corner of each, to keep digits far away
  std::vector<std::int32_t> constraint(num_pieces, kUnconstrained), count(num_pieces, 0);
  double mass_of_all = 0;
  for (std::size_t t = 0; t < frame.tets.size(); ++t) {
    const auto& c = frame.tets[t];
    const auto p = static_cast<std::size_t>(frame.piece[t]);
    if (count[p]++ == 0) reference[p] = frame.position[c[0]];
    const auto& rest = frame.rest_position;
    const double mass = parameters.density[frame.material[t]] *
                        std::abs(mesh::tet_volume(rest[c[0]], rest[c[1]], rest[c[2]], rest[c[3]]));
    std::array<Vec3, 4> x, v;
    for (int k = 0; k < 4; ++k) {
      x[k] = frame.position[c[k]] - reference[p];
      v[k] = frame.velocity[c[k]];
      if (!parameters.constraint.empty()) constraint[p] = std::max(constraint[p], parameters.constraint[c[k]]);
    }
    add_tet(mass, x, v, integrals[p]);
    mass_of_all += mass;
  }

  Handover result;
  std::vector<std::int32_t> place(num_pieces, -1);  // index among the remaining pieces
  for (std::size_t p = 0; p < num_pieces; ++p) {
    const Integrals& sum = integrals[p];
    if (!(sum.mass > 0)) continue;
    RigidPiece piece = rigid_piece(sum, reference[p]);
    piece.number = static_cast<std::int32_t>(p);
    piece.constraint = constraint[p];
    piece.is_small = parameters.crumbs != Crumbs::full && sum.mass < parameters.small_share * mass_of_all &&
                     piece.constraint == kUnconstrained;
    HandoverSums& s = result.sums;
    const rigid::Momenta field = momenta_of(sum, reference[p], sum.angular, sum.energy);
    if (piece.is_small && parameters.crumbs == Crumbs::drop) {
      s.dropped_mass += sum.mass;
      s.dropped += field;
      ++s.num_dropped;
      continue;
    }
    s.mass += sum.mass;
    s.num_crumbs += piece.is_small ? 1 : 0;
    if (piece.constraint != kUnconstrained) {
      piece.motion.velocity.setZero();
      piece.motion.angular_velocity.setZero();
      ++s.num_constrained;
    } else {
      s.field += field;
      s.rigid += rigid::momenta(piece.shape, piece.motion, Vec3::Zero());
      s.nodes += momenta_of(sum, reference[p], sum.node_angular, sum.node_energy);
    }
    place[p] = static_cast<std::int32_t>(result.pieces.size());
    result.pieces.push_back(std::move(piece));
  }

  std::vector<Tets> tets(result.pieces.size());
  for (std::size_t i = 0; i < tets.size(); ++i)
    if (!result.pieces[i].is_small) tets[i].reserve(count[result.pieces[i].number]);
  for (std::size_t t = 0; t < frame.tets.size(); ++t) {
    const std::int32_t i = place[frame.piece[t]];
    if (i >= 0 && !result.pieces[i].is_small) tets[i].push_back(frame.tets[t]);
  }
  for (std::size_t i = 0; i < tets.size(); ++i) find_shape(frame, std::move(tets[i]), result.pieces[i]);
  return result;
}

}  // namespace brisance::breaking
