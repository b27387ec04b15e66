#include "modes/body_share.hpp"

#include "brisance/core/byte_stream.hpp"
#include "brisance/dist/sparse_exchange.hpp"
#include "brisance/la/star_forest.hpp"
#include "brisance/modes/merged_graph.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

namespace brisance::modes {

namespace {

int longest_axis(const std::vector<Vec3>& centre, std::span<const std::int32_t> cells) {
  Vec3 low = centre[cells.front()], high = low;
  for (const std::int32_t c : cells) {
    low = low.cwiseMin(centre[c]);
    high = high.cwiseMax(centre[c]);
  }
  int axis = 0;
  (high - low).maxCoeff(&axis);
  return axis;
}

/// Puts the cells of ranks [first, last) in place, each rank's in ascending order.
void bisect(const std::vector<Vec3>& centre, std::span<std::int32_t> cells, int first, int last,
            std::vector<std::int64_t>& rank_size) {
  if (last - first == 1 || cells.empty()) {
    std::sort(cells.begin(), cells.end());
    rank_size[first] = static_cast<std::int64_t>(cells.size());
    return;
  }
  const int middle = (first + last) / 2;
  const std::size_t below = cells.size() * static_cast<std::size_t>(middle - first) / (last - first);
  const int axis = longest_axis(centre, cells);
  std::nth_element(
      cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(below), cells.end(),
      [&](std::int32_t x, std::int32_t y) { return std::pair(centre[x][axis], x) < std::pair(centre[y][axis], y); });
  bisect(centre, cells.first(below), first, middle, rank_size);
  bisect(centre, cells.subspan(below), middle, last, rank_size);
}

/// The cells of the shares: those of the body, or sets of them.
struct SharedCells {
  std::vector<std::int32_t> set_of;
  std::vector<double> volume;
  std::vector<Vec3> centre;
};

SharedCells shared_cells(const GeneralProblem& problem) {
  const Body& body = problem.body;
  SharedCells cells;
  cells.set_of =
      unbreakable_sets(body.graph, problem.strain == StrainEnergy::none ? body.no_break : std::vector<std::int32_t>());
  const auto count = 1 + *std::max_element(cells.set_of.begin(), cells.set_of.end());
  cells.volume.assign(count, 0.0);
  cells.centre.assign(count, Vec3::Zero());
  for (std::int32_t c = 0; c < body.graph.num_cells(); ++c) {
    cells.volume[cells.set_of[c]] += body.graph.volume[c];
    cells.centre[cells.set_of[c]] += body.graph.volume[c] * cell_centre(body.mesh, c);
  }
  for (std::int32_t s = 0; s < count; ++s) cells.centre[s] /= cells.volume[s];
  return cells;
}

/// Corners of the face as corners of its cells, in the order in which cell a has them.
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

std::array<double, 9> tensor_of(const GeneralProblem& problem, std::size_t face) {
  const Mat3 identity = Mat3::Identity();
  const std::vector<Mat3>& all = problem.tensor;
  const Mat3& w = all.empty() ? identity : all[all.size() == 1 ? 0 : face];
  std::array<double, 9> rows;
  Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(rows.data()) = w;
  return rows;
}

/// Rank 0's part: everybody's share, packed.
std::map<int, std::vector<std::byte>> pack_shares(int num_ranks, const GeneralProblem& problem, CellOrder& order) {
  const Body& body = problem.body;
  const SharedCells cells = shared_cells(problem);
  std::vector<std::int32_t> at(cells.volume.size()), place(at.size());  // set at a place, place of a set
  std::iota(at.begin(), at.end(), 0);
  std::vector<std::int64_t> rank_size(num_ranks, 0);
  bisect(cells.centre, at, 0, num_ranks, rank_size);
  for (std::size_t k = 0; k < at.size(); ++k) place[at[k]] = static_cast<std::int32_t>(k);
  order.first_cell.assign(1, 0);
  for (const std::int64_t size : rank_size) order.first_cell.push_back(order.first_cell.back() + size);
  order.share_cell.clear();
  for (const std::int32_t set : cells.set_of) order.share_cell.push_back(place[set]);
  order.volume = body.graph.volume;
  order.num_body_faces = body.graph.faces.size();

  std::vector<std::vector<FaceShare>> faces(num_ranks);
  std::vector<std::vector<std::int32_t>> body_face(num_ranks);
  for (std::size_t f = 0; f < body.graph.faces.size(); ++f) {
    const Face& face = body.graph.faces[f];
    FaceShare share{order.share_cell[face.a],
                    order.share_cell[face.b],
                    body.face_weight[f],
                    face.area,
                    tensor_of(problem, f),
                    {},
                    {}};
    if (share.a == share.b) continue;
    find_corners(body.mesh, face, share);
    const auto rank =
        std::upper_bound(order.first_cell.begin(), order.first_cell.end(), share.a) - order.first_cell.begin() - 1;
    faces[rank].push_back(share);
    body_face[rank].push_back(static_cast<std::int32_t>(f));
  }
  order.body_face.clear();
  for (const auto& of_rank : body_face) order.body_face.insert(order.body_face.end(), of_rank.begin(), of_rank.end());
  const Vec3 origin = body.mesh.nodes.front();  // turns about a far point would lose digits
  std::map<int, std::vector<std::byte>> packed;
  for (int r = 0; r < num_ranks; ++r) {
    core::ByteWriter out;
    out.put(cell_field(problem));
    out.put(problem.strain);
    out.put(problem.omega);
    out.put(problem.poisson);
    out.put(body.mesh.dimension());
    out.put(order.first_cell.back());
    out.put(order.first_cell[r]);
    std::vector<double> volume, corners;
    for (std::int64_t k = order.first_cell[r]; k < order.first_cell[r + 1]; ++k) {
      volume.push_back(cells.volume[at[k]]);
      if (problem.strain == StrainEnergy::none) continue;
      for (const std::int32_t corner : body.mesh.cell(at[k]))
        for (int axis = 0; axis < 3; ++axis) corners.push_back(body.mesh.nodes[corner][axis] - origin[axis]);
    }
    out.put_all(volume);
    out.put_all(corners);
    out.put_all(faces[r]);
    packed[r] = std::move(out.bytes());
  }
  return packed;
}

/// Arrays of all ranks behind one another, on rank 0.
std::vector<double> gather(const core::Comm& comm, std::span<const double> mine) {
  const int size = static_cast<int>(mine.size());
  std::vector<int> sizes(comm.size()), offsets(comm.size(), 0);
  la::check(MPI_Gather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, 0, comm.raw()), "MPI_Gather");
  std::partial_sum(sizes.begin(), sizes.end() - 1, offsets.begin() + 1);
  std::vector<double> all(comm.is_root() ? offsets.back() + sizes.back() : 0);
  la::check(
      MPI_Gatherv(mine.data(), size, MPI_DOUBLE, all.data(), sizes.data(), offsets.data(), MPI_DOUBLE, 0, comm.raw()),
      "MPI_Gatherv");
  return all;
}

}  // namespace

CellField cell_field(const GeneralProblem& problem) {
  if (problem.strain != StrainEnergy::none) return CellField::corners;
  return problem.couples_axes() ? CellField::vector : CellField::scalar;
}

BodyShare share_out(const core::Comm& comm, const GeneralProblem& problem, CellOrder& order) {
  std::map<int, std::vector<std::byte>> packed;
  if (comm.is_root()) packed = pack_shares(comm.size(), problem, order);
  const auto messages = dist::sparse_exchange(comm, std::move(packed));
  core::ByteReader in(messages.front().bytes);
  BodyShare share;
  share.field = in.get<CellField>();
  share.strain = in.get<StrainEnergy>();
  share.omega = in.get<double>();
  share.poisson = in.get<double>();
  share.dimension = in.get<int>();
  share.num_cells = in.get<std::int64_t>();
  share.first_cell = in.get<std::int64_t>();
  share.volume = in.get_all<double>();
  const auto corners = in.get_all<double>();
  for (std::size_t i = 0; i < corners.size(); i += 3)
    share.corners.emplace_back(corners[i], corners[i + 1], corners[i + 2]);
  share.faces = in.get_all<FaceShare>();
  return share;
}

void scatter_cells(const core::Comm& comm, const CellOrder& order, const std::vector<double>& on_body, int width,
                   std::span<double> mine) {
  std::vector<double> all;
  std::vector<int> sizes, offsets;
  if (comm.is_root()) {
    all.assign(order.first_cell.back() * width, 0.0);
    std::vector<double> volume(order.first_cell.back(), 0.0);
    for (std::size_t c = 0; c < order.share_cell.size(); ++c) volume[order.share_cell[c]] += order.volume[c];
    for (std::size_t c = 0; c < order.share_cell.size(); ++c) {
      const std::int32_t at = order.share_cell[c];
      for (int k = 0; k < width; ++k) all[at * width + k] += order.volume[c] / volume[at] * on_body[c * width + k];
    }
    for (int r = 0; r < comm.size(); ++r) {
      offsets.push_back(static_cast<int>(order.first_cell[r] * width));
      sizes.push_back(static_cast<int>((order.first_cell[r + 1] - order.first_cell[r]) * width));
    }
  }
  la::check(MPI_Scatterv(all.data(), sizes.data(), offsets.data(), MPI_DOUBLE, mine.data(),
                         static_cast<int>(mine.size()), MPI_DOUBLE, 0, comm.raw()),
            "MPI_Scatterv");
}

std::vector<double> gather_cells(const core::Comm& comm, const CellOrder& order, std::span<const double> mine,
                                 int width) {
  const std::vector<double> all = gather(comm, mine);
  std::vector<double> on_body;
  if (!comm.is_root()) return on_body;
  on_body.reserve(order.share_cell.size() * width);
  for (const std::int32_t at : order.share_cell)
    for (int k = 0; k < width; ++k) on_body.push_back(all[static_cast<std::size_t>(at) * width + k]);
  return on_body;
}

std::vector<double> gather_faces(const core::Comm& comm, const CellOrder& order, std::span<const double> mine) {
  const std::vector<double> all = gather(comm, mine);
  std::vector<double> on_body(comm.is_root() ? order.num_body_faces : 0, 0.0);
  for (std::size_t k = 0; k < all.size(); ++k) on_body[order.body_face[k]] = all[k];
  return on_body;
}

}  // namespace brisance::modes
