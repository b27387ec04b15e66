#include "brisance/core/error.hpp"

#include "brisance/core/out_of_memory.hpp"

#include <array>
#include <optional>

namespace brisance::core {

void agree(const Comm& comm, const std::function<void()>& work) {
  std::optional<std::string> failure;
  bool is_missing_program = false;
  try {
    work();
  } catch (const MissingProgram& e) {
    failure = e.what();
    is_missing_program = true;
  } catch (const std::exception& e) {
    failure = text_for_user(e);
  }
  const int first = comm.min<std::int32_t>(failure ? comm.rank() : comm.size());
  if (first == comm.size()) return;
  std::array<int, 2> head{comm.rank() == first ? static_cast<int>(failure->size()) : 0, is_missing_program ? 1 : 0};
  MPI_Bcast(head.data(), 2, MPI_INT, first, comm.raw());
  std::string text = comm.rank() == first ? *failure : std::string(head[0], ' ');
  MPI_Bcast(text.data(), head[0], MPI_CHAR, first, comm.raw());
  if (head[1] != 0) throw MissingProgram(text);
  throw Error(text);
}

void agree_on_input(const Comm& comm, const std::function<void()>& work) {
  try {
    agree(comm, work);
  } catch (const MissingProgram&) {
    throw;
  } catch (const Error& e) {
    throw BadInput(e.what());
  }
}

}  // namespace brisance::core
