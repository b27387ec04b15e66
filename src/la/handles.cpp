#include "brisance/la/handles.hpp"

namespace brisance::la {

Vector like(const Vector& vector) {
  Vector other;
  check(VecDuplicate(vector.raw(), other.out()), "VecDuplicate");
  return other;
}

Vector copy_of(const Vector& vector) {
  Vector copy = like(vector);
  check(VecCopy(vector.raw(), copy.raw()), "VecCopy");
  return copy;
}

Matrix matrix_from_rows(const core::Comm& comm, const std::vector<PetscInt>& row_begin,
                        const std::vector<PetscInt>& column, const std::vector<double>& value) {
  const auto num_rows = static_cast<PetscInt>(row_begin.size()) - 1;
  Matrix matrix;
  check(MatCreate(comm.raw(), matrix.out()), "MatCreate");
  check(MatSetSizes(matrix.raw(), num_rows, num_rows, PETSC_DETERMINE, PETSC_DETERMINE), "MatSetSizes");
  check(MatSetType(matrix.raw(), MATAIJ), "MatSetType");
  check(MatSeqAIJSetPreallocationCSR(matrix.raw(), row_begin.data(), column.data(), value.data()),
        "MatSeqAIJSetPreallocationCSR");
  check(MatMPIAIJSetPreallocationCSR(matrix.raw(), row_begin.data(), column.data(), value.data()),
        "MatMPIAIJSetPreallocationCSR");
  return matrix;
}

}  // namespace brisance::la
