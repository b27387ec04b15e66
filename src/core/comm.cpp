#include "brisance/core/comm.hpp"

namespace brisance::core {

Comm::Comm(MPI_Comm comm) : comm_(comm) {
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm_size(comm_, &size_);
}

}  // namespace brisance::core
