#include "brisance/core/error.hpp"

#include "brisance/core/out_of_memory.hpp"

#include <optional>

namespace brisance::core {

void agree(const Comm& comm, const std::function<void()>& work) {
  std::optional<std::string> failure;
  try {
    work();
  } catch (const std::exception& e) {
    failure = text_for_user(e);
  }
  const int first = comm.min<std::int32_t>(failure ? comm.rank() : comm.size());
  if (first == comm.size()) return;
  int length = comm.rank() == first ? static_cast<int>(failure->size()) : 0;
  MPI_Bcast(&length, 1, MPI_INT, first, comm.raw());
  std::string text = comm.rank() == first ? *failure : std::string(length, ' ');
  MPI_Bcast(text.data(), length, MPI_CHAR, first, comm.raw());
  throw Error(text);
}

void agree_on_input(const Comm& comm, const std::function<void()>& work) {
  try {
    agree(comm, work);
  } catch (const Error& e) {
    throw BadInput(e.what());
  }
}

}  // namespace brisance::core
