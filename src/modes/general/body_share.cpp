#include "modes/general/body_share.hpp"

#include "brisance/core/blocks.hpp"

#include <algorithm>

namespace brisance::modes {

namespace {

/// For each local cell of the body the number of the shares' cell that contains it.
std::vector<PetscInt> share_cells(const GeneralProblem& problem, BodyShare& share) {
  const DividedBody& body = problem.body;
  const std::vector<std::int32_t>& no_break = body.local.no_break;
  std::vector<PetscInt> set = body.cell_number;
  if (problem.strain == StrainEnergy::none && body.comm.any(!no_break.empty())) {
    std::vector<std::uint8_t> joins;
    for (const Face& face : body.local.graph.faces)
      joins.push_back(no_break[face.a] != 0 && no_break[face.b] != 0 ? 1 : 0);
    set = joined_cells(body, joins);
  }
  std::int64_t count = 0;
  for (const std::int32_t c : body.own_cells) count += set[c] == body.cell_number[c] ? 1 : 0;
  share.first_cell = core::rows_before(body.comm, count);
  std::vector<PetscInt> number;  // numbers of own cells that are the lowest of a set
  auto next = static_cast<PetscInt>(share.first_cell);
  for (const std::int32_t c : body.own_cells) number.push_back(set[c] == body.cell_number[c] ? next++ : -1);
  std::vector<PetscInt> share_cell = la::RowForest(body.comm, number.size(), set).fetch(number);
  share.cells = {body.comm, static_cast<std::size_t>(count), DividedBody::pick(share_cell, body.own_cells)};
  return share_cell;
}

/// The corners of the face as corners of its cells, in cell a's order.
void find_corners(const Simplices& mesh, const Face& face, FaceShare& share) {
  const auto a = mesh.cell(face.a), b = mesh.cell(face.b);
  int count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto found = std::find(b.begin(), b.end(), a[i]);
    if (found == b.end()) continue;
    share.corner_a[count] = static_cast<std::int8_t>(i);
    share.corner_b[count++] = static_cast<std::int8_t>(found - b.begin());
  }
}

void add_faces(const GeneralProblem& problem, const std::vector<PetscInt>& share_cell, BodyShare& share) {
  const Body& local = problem.body.local;
  const bool one_for_all = problem.tensor.size() <= 1;
  if (one_for_all) share.tensor = {problem.tensor.empty() ? Mat3(Mat3::Identity()) : problem.tensor.front()};
  for (std::size_t k = 0; k < problem.body.own_faces.size(); ++k) {
    const std::int32_t f = problem.body.own_faces[k];
    const Face& face = local.graph.faces[f];
    FaceShare mine{share_cell[face.a], share_cell[face.b], local.face_weight[f], face.area, {}, {}};
    if (mine.a == mine.b) continue;
    find_corners(local.mesh, face, mine);
    share.faces.push_back(mine);
    share.own_face.push_back(static_cast<std::int32_t>(k));
    if (!one_for_all) share.tensor.push_back(problem.tensor[f]);
  }
}

/// A point of the body, the same on all ranks: rotations about a far one would lose digits.
Vec3 nearby_point(const DividedBody& body) {
  Vec3 low = Vec3::Constant(HUGE_VAL);
  for (const Vec3& x : body.local.mesh.nodes) low = low.cwiseMin(x);
  for (double& v : low) v = body.comm.min(v);
  return low;
}

}  // namespace

CellField cell_field(const GeneralProblem& problem) {
  if (problem.strain != StrainEnergy::none) return CellField::corners;
  return problem.couples_axes() ? CellField::vector : CellField::scalar;
}

BodyShare share_of(const GeneralProblem& problem) {
  const DividedBody& body = problem.body;
  const Body& local = body.local;
  BodyShare share;
  share.field = cell_field(problem);
  share.strain = problem.strain;
  share.omega = problem.omega;
  share.poisson = problem.poisson;
  share.dimension = local.mesh.dimension();
  const std::vector<PetscInt> share_cell = share_cells(problem, share);
  add_faces(problem, share_cell, share);
  share.own_cell_volume = DividedBody::pick(local.graph.volume, body.own_cells);
  share.volume = share.cells.sum(share.own_cell_volume);
  if (problem.strain == StrainEnergy::none) return share;
  const Vec3 origin = nearby_point(body);
  for (const std::int32_t c : body.own_cells)
    for (const std::int32_t corner : local.mesh.cell(c)) share.corners.push_back(local.mesh.nodes[corner] - origin);
  return share;
}

std::vector<double> BodyShare::from_own_cells(const std::vector<double>& values, int width) const {
  std::vector<double> weighted = values;
  for (std::size_t i = 0; i < weighted.size(); ++i) weighted[i] *= own_cell_volume[i / width];
  std::vector<double> mean = cells.sum(weighted, width);
  for (std::size_t i = 0; i < mean.size(); ++i) mean[i] /= volume[i / width];
  return mean;
}

std::vector<double> BodyShare::on_own_cells(std::span<const double> values, int width) const {
  return cells.fetch(values, width);
}

}  // namespace brisance::modes
