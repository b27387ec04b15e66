#include "brisance/la/star_forest.hpp"

#include "brisance/core/error.hpp"

#include <string>

namespace brisance::la {

void check(PetscErrorCode code, const char* call) {
  if (code == 0) return;
  const char* text = nullptr;
  PetscErrorMessage(code, &text, nullptr);
  throw core::Error(std::string(call) + " failed: " + (text != nullptr ? text : "unknown PETSc error") + ".");
}

StarForest::StarForest(MPI_Comm comm) { check(PetscSFCreate(comm, &sf_), "PetscSFCreate"); }

StarForest::~StarForest() {
  if (sf_ != nullptr) PetscSFDestroy(&sf_);
}

}  // namespace brisance::la
