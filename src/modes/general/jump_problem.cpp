#include "modes/general/jump_problem.hpp"

#include "brisance/la/sums.hpp"
#include "brisance/la/vector_view.hpp"

#include "modes/general/cell_strain.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace brisance::modes {

namespace {

using la::check;

int unknowns_per_cell(CellField field, int dimension) {
  if (field == CellField::scalar) return 1;
  return field == CellField::vector ? dimension : dimension * (dimension + 1);
}

la::Matrix empty_matrix(const core::Comm& comm, PetscInt rows, PetscInt columns, PetscInt row_length) {
  la::Matrix matrix;
  check(MatCreate(comm.raw(), matrix.out()), "MatCreate");
  check(MatSetSizes(matrix.raw(), rows, columns, PETSC_DETERMINE, PETSC_DETERMINE), "MatSetSizes");
  check(MatSetType(matrix.raw(), MATAIJ), "MatSetType");
  check(MatSeqAIJSetPreallocation(matrix.raw(), row_length, nullptr), "MatSeqAIJSetPreallocation");
  check(MatMPIAIJSetPreallocation(matrix.raw(), row_length, nullptr, row_length, nullptr), "MatMPIAIJSetPreallocation");
  return matrix;
}

void assemble(la::Matrix& matrix) {
  check(MatAssemblyBegin(matrix.raw(), MAT_FINAL_ASSEMBLY), "MatAssemblyBegin");
  check(MatAssemblyEnd(matrix.raw(), MAT_FINAL_ASSEMBLY), "MatAssemblyEnd");
}

/// One face's rows for its two cells; with one value for each cell they are w·W for the one and −w·W for the other.
class FaceRows {
public:
  FaceRows(CellField field, int dimension) : field_(field), dimension_(dimension) {}

  [[nodiscard]] int size() const { return field_ == CellField::scalar ? 1 : dimension_ * points(); }

  void add(const FaceShare& face, const Mat3& tensor, PetscInt first_row, int cell_size, Mat matrix) const {
    if (field_ == CellField::scalar) {
      set(matrix, first_row, face.a, face.weight);
      set(matrix, first_row, face.b, -face.weight);
      return;
    }
    const double scale = field_ == CellField::corners ? face.weight / std::sqrt(face.area) : face.weight;
    for (int i = 0; i < points(); ++i)
      for (int j = 0; j < points(); ++j)
        for (int x = 0; x < dimension_; ++x)
          for (int y = 0; y < dimension_; ++y) {
            const double value = scale * root_mass(face, i, j) * tensor(x, y);
            if (value == 0) continue;
            const PetscInt row = first_row + i * dimension_ + x;
            set(matrix, row, column(face.a, face.corner_a[j], cell_size, y), value);
            set(matrix, row, column(face.b, face.corner_b[j], cell_size, y), -value);
          }
  }

private:
  [[nodiscard]] int points() const { return field_ == CellField::corners ? dimension_ : 1; }

  [[nodiscard]] PetscInt column(PetscInt cell, int corner, int cell_size, int axis) const {
    return cell * cell_size + (field_ == CellField::corners ? corner * dimension_ : 0) + axis;
  }

  /// Root of the mass matrix of a face with n corners, area/(n(n+1))·(I + 11ᵀ).
  [[nodiscard]] double root_mass(const FaceShare& face, int i, int j) const {
    if (field_ != CellField::corners) return 1;
    const double n = dimension_;
    return std::sqrt(face.area / (n * (n + 1))) * ((i == j ? 1 : 0) + (std::sqrt(1 + n) - 1) / n);
  }

  static void set(Mat matrix, PetscInt row, PetscInt column, double value) {
    check(MatSetValue(matrix, row, column, value, INSERT_VALUES), "MatSetValue");
  }

  CellField field_;
  int dimension_;
};

la::Matrix jump_matrix(const core::Comm& comm, const BodyShare& share, int cell_size) {
  const CellField field = share.field;
  const FaceRows rows(field, share.dimension);
  const auto num_faces = static_cast<PetscInt>(share.faces.size());
  const PetscInt row_length = field == CellField::scalar ? 2 : 2 * rows.size();
  la::Matrix jumps =
      empty_matrix(comm, num_faces * rows.size(), static_cast<PetscInt>(share.volume.size()) * cell_size, row_length);
  const int block = field == CellField::scalar ? 1 : share.dimension;
  check(MatSetBlockSizes(jumps.raw(), block, block), "MatSetBlockSizes");
  PetscInt row = 0;
  check(MatGetOwnershipRange(jumps.raw(), &row, nullptr), "MatGetOwnershipRange");
  for (std::size_t f = 0; f < share.faces.size(); ++f) {
    rows.add(share.faces[f], share.tensor[share.tensor.size() == 1 ? 0 : f], row, cell_size, jumps.raw());
    row += rows.size();
  }
  assemble(jumps);
  return jumps;
}

la::Matrix strain_matrix(const core::Comm& comm, const BodyShare& share, int cell_size) {
  const auto local = static_cast<PetscInt>(share.volume.size()) * cell_size;
  la::Matrix strain = empty_matrix(comm, local, local, cell_size);
  check(MatSetBlockSizes(strain.raw(), share.dimension, share.dimension), "MatSetBlockSizes");
  const std::size_t corners = share.dimension + 1;
  std::vector<PetscInt> index(cell_size);
  for (std::size_t c = 0; c < share.volume.size(); ++c) {
    const Eigen::MatrixXd q =
        cell_strain_energy({share.corners.data() + c * corners, corners}, share.strain, share.poisson) / share.omega;
    std::iota(index.begin(), index.end(), static_cast<PetscInt>(share.first_cell + c) * cell_size);
    check(MatSetValues(strain.raw(), cell_size, index.data(), cell_size, index.data(), q.data(), INSERT_VALUES),
          "MatSetValues");  // symmetric: row- and column-major order are the same
  }
  assemble(strain);
  return strain;
}

la::Vector vector_like(const la::Matrix& matrix) {
  la::Vector vector;
  check(MatCreateVecs(matrix.raw(), vector.out(), nullptr), "MatCreateVecs");
  return vector;
}

la::Vector mass_vector(const la::Matrix& jumps, const BodyShare& share, int cell_size) {
  la::Vector mass = vector_like(jumps);
  const int shares = share.field == CellField::corners ? share.dimension + 1 : 1;
  const la::WriteView values(mass.raw());
  for (std::size_t c = 0; c < share.volume.size(); ++c)
    for (int k = 0; k < cell_size; ++k) values[c * cell_size + k] = share.volume[c] / shares;
  return mass;
}

/// Displacement at a point by a rotation about axis `axis` through the origin; in the plane there is only that about z.
double turn(const Vec3& point, int axis, int component) { return Vec3::Unit(axis).cross(point)[component]; }

/// Translations, and rotations if these cause no strain; not yet orthonormal.
std::vector<la::Vector> free_fields(const JumpProblem& problem, const BodyShare& share) {
  const int d = problem.dimension, components = problem.field == CellField::scalar ? 1 : d;
  std::vector<la::Vector> fields;
  for (int k = 0; k < components; ++k) {
    fields.push_back(vector_like(problem.jumps));
    const la::WriteView values(fields.back().raw());
    for (std::size_t i = 0; i < values.values().size(); ++i) values[i] = static_cast<int>(i % components) == k ? 1 : 0;
  }
  if (share.strain != StrainEnergy::elastic) return fields;
  for (int axis = d == 3 ? 0 : 2; axis < 3; ++axis) {
    fields.push_back(vector_like(problem.jumps));
    const la::WriteView values(fields.back().raw());
    for (std::size_t corner = 0; corner < share.corners.size(); ++corner)
      for (int k = 0; k < d; ++k) values[corner * d + k] = turn(share.corners[corner], axis, k);
  }
  return fields;
}

/// Gram–Schmidt in M, twice for full accuracy.
void orthonormalise(const JumpProblem& problem, std::vector<la::Vector>& fields) {
  for (std::size_t k = 0; k < fields.size(); ++k) {
    for (int pass = 0; pass < 2; ++pass)
      for (std::size_t j = 0; j < k; ++j)
        check(VecAXPY(fields[k].raw(), -mass_dot(problem, fields[j], fields[k]), fields[j].raw()), "VecAXPY");
    check(VecScale(fields[k].raw(), 1 / mass_norm(problem, fields[k])), "VecScale");
  }
}

}  // namespace

double mass_dot(const JumpProblem& problem, const la::Vector& x, const la::Vector& y) {
  const la::ReadView a(x.raw()), b(y.raw()), m(problem.mass.raw());
  double sum = 0;
  for (std::size_t i = 0; i < m.values().size(); ++i) sum += m[i] * a[i] * b[i];
  return la::sum_over_ranks(problem.comm, sum);
}

double mass_norm(const JumpProblem& problem, const la::Vector& x) { return std::sqrt(mass_dot(problem, x, x)); }

JumpProblem jump_problem(const core::Comm& comm, const BodyShare& share) {
  const int cell_size = unknowns_per_cell(share.field, share.dimension);
  const int jump_size = FaceRows(share.field, share.dimension).size();
  JumpProblem problem{comm, share.field, share.dimension, cell_size, jump_size, jump_matrix(comm, share, cell_size), {},
                      {},   {}};
  if (share.strain != StrainEnergy::none) problem.strain = strain_matrix(comm, share, cell_size);
  problem.mass = mass_vector(problem.jumps, share, cell_size);
  problem.rigid = free_fields(problem, share);
  orthonormalise(problem, problem.rigid);
  return problem;
}

}  // namespace brisance::modes
