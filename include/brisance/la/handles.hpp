/// Owning handles of PETSc and SLEPc objects: freed with their owner, otherwise used through the library's own
/// interface.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/la/star_forest.hpp"

#include <utility>
#include <vector>

#include <petscksp.h>
#include <slepceps.h>

namespace brisance::la {

/// Move-only owner of one object; pass `out()` to the library's …Create function, `raw()` to everything else.
/// Destroying an object that several ranks share is collective.
template <class Object, PetscErrorCode (*Destroy)(Object*)>
class Handle {
public:
  Handle() = default;
  ~Handle() { Destroy(&object_); }
  Handle(Handle&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  [[nodiscard]] Object raw() const { return object_; }
  [[nodiscard]] Object* out() { return &object_; }

private:
  Object object_ = nullptr;
};

using Matrix = Handle<Mat, MatDestroy>;
using Vector = Handle<Vec, VecDestroy>;
using LinearSolver = Handle<KSP, KSPDestroy>;
using NullSpace = Handle<MatNullSpace, MatNullSpaceDestroy>;
using EigenSolver = Handle<EPS, EPSDestroy>;

/// A vector of the same layout, without values. Collective.
[[nodiscard]] Vector like(const Vector& vector);
/// A copy. Collective.
[[nodiscard]] Vector copy_of(const Vector& vector);

/// A square matrix from this rank's rows in compressed form; column numbers run over all ranks. Collective.
[[nodiscard]] Matrix matrix_from_rows(const core::Comm& comm, const std::vector<PetscInt>& row_begin,
                                      const std::vector<PetscInt>& column, const std::vector<double>& value);

}  // namespace brisance::la
