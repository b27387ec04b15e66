#include "brisance/core/named_state.hpp"

namespace brisance::core {

void NamedState::reduce(const Comm& comm) {
  if (!shares.empty())
    MPI_Allreduce(MPI_IN_PLACE, shares.data(), static_cast<int>(shares.size()), MPI_INT64_T, MPI_SUM, comm.raw());
  ExactSum::reduce(comm, sums);
  for (ExactSum& sum : sums) sum.add(ExactSum());  // normalises the carries, so that equal totals are equal integers
}

void StateReader::require_done() const {
  if (real_ != state_.reals.size()) refuse(state_.real_names[real_]);
  if (integer_ != state_.integers.size()) refuse(state_.integer_names[integer_]);
  if (share_ != state_.shares.size()) refuse(state_.share_names[share_]);
  if (sum_ != state_.sums.size()) refuse(state_.sum_names[sum_]);
}

void StateReader::refuse(const std::string& name) {
  throw Error("the checkpoint and this run do not have the same state: \"" + name +
              "\" is in one of them only. Resume with the scene and the version of brisance that wrote it.");
}

}  // namespace brisance::core
