#include "brisance/la/row_forest.hpp"

#include <algorithm>

namespace brisance::la {

namespace {

/// An MPI datatype of this many bytes, for as long as it lives.
class Record {
public:
  explicit Record(std::size_t bytes) {
    MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &type_);
    MPI_Type_commit(&type_);
  }
  ~Record() { MPI_Type_free(&type_); }
  Record(const Record&) = delete;
  Record& operator=(const Record&) = delete;

  [[nodiscard]] MPI_Datatype raw() const { return type_; }

private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

}  // namespace

RowForest::RowForest(const core::Comm& comm, std::size_t num_rows, std::span<const PetscInt> held)
    : forest_(comm.raw()), num_rows_(num_rows), num_held_(held.size()) {
  PetscLayout layout = nullptr;
  check(PetscLayoutCreateFromSizes(comm.raw(), static_cast<PetscInt>(num_rows), PETSC_DETERMINE, 1, &layout),
        "PetscLayoutCreateFromSizes");
  const PetscErrorCode code = PetscSFSetGraphLayout(forest_.raw(), layout, static_cast<PetscInt>(held.size()), nullptr,
                                                    PETSC_COPY_VALUES, held.data());
  PetscLayoutDestroy(&layout);
  check(code, "PetscSFSetGraphLayout");
  check(PetscSFSetUp(forest_.raw()), "PetscSFSetUp");
}

void RowForest::broadcast(const void* rows, void* held, std::size_t bytes_each) const {
  const Record record(bytes_each);
  check(PetscSFBcastBegin(forest_.raw(), record.raw(), rows, held, MPI_REPLACE), "PetscSFBcastBegin");
  check(PetscSFBcastEnd(forest_.raw(), record.raw(), rows, held, MPI_REPLACE), "PetscSFBcastEnd");
}

void RowForest::replace(const void* held, void* rows, std::size_t bytes_each) const {
  const Record record(bytes_each);
  check(PetscSFReduceBegin(forest_.raw(), record.raw(), held, rows, MPI_REPLACE), "PetscSFReduceBegin");
  check(PetscSFReduceEnd(forest_.raw(), record.raw(), held, rows, MPI_REPLACE), "PetscSFReduceEnd");
}

/// Works column by column: MPI has no sums of derived types.
std::vector<double> RowForest::sum(const std::vector<double>& held, int width) const {
  std::vector<double> rows(num_rows_ * width), column(num_held_), total(num_rows_);
  for (int k = 0; k < width; ++k) {
    for (std::size_t i = 0; i < num_held_; ++i) column[i] = held[i * width + k];
    std::fill(total.begin(), total.end(), 0.0);
    check(PetscSFReduceBegin(forest_.raw(), MPI_DOUBLE, column.data(), total.data(), MPI_SUM), "PetscSFReduceBegin");
    check(PetscSFReduceEnd(forest_.raw(), MPI_DOUBLE, column.data(), total.data(), MPI_SUM), "PetscSFReduceEnd");
    for (std::size_t i = 0; i < num_rows_; ++i) rows[i * width + k] = total[i];
  }
  return rows;
}

}  // namespace brisance::la
