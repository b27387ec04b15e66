/// The operations of brisance-solids, asked for by name. Only for sources of this module: the functions of the public
/// headers (remesh.hpp, repair.hpp, intersect.hpp, solidify.hpp) are the way to call them.
#pragma once

#include "brisance/core/child_process.hpp"

#include <string>

namespace brisance::mesh {

inline constexpr const char* kSolidsProgram = "brisance-solids";

/// Bounds of the child, and where it is: the defaults but in tests.
struct SolidsOptions {
  std::filesystem::path program;  ///< empty finds brisance-solids beside the running program
  std::chrono::duration<double> time_limit{86400};
  std::int64_t memory_bound_byte = 0;  ///< 0: nine tenths of what the machine has free
};

/// Has one operation done: what core::run_child does, and an error thrown by the operation is thrown here again, with
/// its text. Local.
void run_solids(const std::string& operation, const std::function<void(core::Outbox&)>& ask,
                const std::function<void(core::Inbox&)>& take, const SolidsOptions& options = {});

}  // namespace brisance::mesh
