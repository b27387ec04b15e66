/// Owning handle of a PetscSF, and the check that turns a PETSc error code into an exception.
#pragma once

#include <utility>

#include <petscsf.h>

namespace brisance::la {

/// Throws core::Error with PETSc's own message unless `code` is 0.
void check(PetscErrorCode code, const char* call);

/// A PetscSF that is destroyed with its owner. Use PETSc's own interface on raw().
class StarForest {
public:
  StarForest() = default;
  explicit StarForest(MPI_Comm comm);  ///< collective
  ~StarForest();
  StarForest(StarForest&& other) noexcept : sf_(std::exchange(other.sf_, nullptr)) {}
  StarForest& operator=(StarForest&& other) noexcept {
    std::swap(sf_, other.sf_);
    return *this;
  }
  StarForest(const StarForest&) = delete;
  StarForest& operator=(const StarForest&) = delete;

  [[nodiscard]] PetscSF raw() const { return sf_; }
  [[nodiscard]] explicit operator bool() const { return sf_ != nullptr; }

private:
  PetscSF sf_ = nullptr;
};

}  // namespace brisance::la
