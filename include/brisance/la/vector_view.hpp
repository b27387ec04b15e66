/// A rank's share of a PETSc vector as a span, released at the end of its scope.
#pragma once

#include "brisance/la/star_forest.hpp"

#include <span>

#include <petscvec.h>

namespace brisance::la {

/// The values, for reading. Local.
class ReadView {
public:
  explicit ReadView(Vec vector) : vector_(vector) {
    check(VecGetLocalSize(vector, &size_), "VecGetLocalSize");
    check(VecGetArrayRead(vector, &data_), "VecGetArrayRead");
  }
  ~ReadView() { VecRestoreArrayRead(vector_, &data_); }
  ReadView(const ReadView&) = delete;
  ReadView& operator=(const ReadView&) = delete;

  [[nodiscard]] std::span<const double> values() const { return {data_, static_cast<std::size_t>(size_)}; }
  [[nodiscard]] double operator[](std::size_t i) const { return data_[i]; }

private:
  Vec vector_;
  PetscInt size_ = 0;
  const PetscScalar* data_ = nullptr;
};

/// The values, for reading and writing. Local.
class WriteView {
public:
  explicit WriteView(Vec vector) : vector_(vector) {
    check(VecGetLocalSize(vector, &size_), "VecGetLocalSize");
    check(VecGetArray(vector, &data_), "VecGetArray");
  }
  ~WriteView() { VecRestoreArray(vector_, &data_); }
  WriteView(const WriteView&) = delete;
  WriteView& operator=(const WriteView&) = delete;

  [[nodiscard]] std::span<double> values() const { return {data_, static_cast<std::size_t>(size_)}; }
  [[nodiscard]] double& operator[](std::size_t i) const { return data_[i]; }

private:
  Vec vector_;
  PetscInt size_ = 0;
  PetscScalar* data_ = nullptr;
};

}  // namespace brisance::la
