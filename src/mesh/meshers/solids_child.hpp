/// Calls the operations of brisance-solids by name. Only for sources of this module: others call the functions of the
/// public headers (remesh.hpp, repair.hpp, intersect.hpp, solidify.hpp).
#pragma once

#include "brisance/core/child_process.hpp"

#include <string>

namespace brisance::mesh {

inline constexpr const char* kSolidsProgram = "brisance-solids";

/// Bounds and path of the child: the defaults except in tests.
struct SolidsOptions {
  std::filesystem::path program;  ///< empty: brisance-solids beside the running program
  std::chrono::duration<double> time_limit{86400};
  std::int64_t memory_bound_byte = 0;  ///< 0: nine tenths of the machine's free memory
};

/// Runs one operation as core::run_child does; an error thrown by the operation is thrown again here, with its text.
/// Local.
void run_solids(const std::string& operation, const std::function<void(core::Outbox&)>& ask,
                const std::function<void(core::Inbox&)>& take, const SolidsOptions& options = {});

}  // namespace brisance::mesh
