/// Work in a process of its own, for libraries that may abort or need much memory; and for parts of the program that
/// are long to compile and seldom used. The other side is child_side.hpp.
#pragma once

#include "brisance/core/child_side.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace brisance::core {

/// A program to start, and what its errors are called.
struct ChildProgram {
  std::string name;               ///< of its file: "brisance-tetgen"
  std::string argument = {};      ///< its only one, if any
  std::string who;                ///< subject of every message: "TetGen"
  std::string less;               ///< how to need less time and memory: "Ask for fewer tets"
  std::string when_slow = {};     ///< what to do where it did not end: a sentence
  std::string when_broken = {};   ///< what to do where it crashed or gave up: a sentence
  std::filesystem::path at = {};  ///< where it is; empty: beside the running program
  std::chrono::duration<double> time_limit{86400};
  std::int64_t memory_bound_byte = 0;  ///< 0: nine tenths of what the machine has free
};

/// Starts a program by posix_spawn, hands it what `ask` writes, waits, and has `take` read its answer. Both go through
/// files in memory that have no name, so that nothing is left of them however either process ends. The child has a
/// process group of its own and ends when this process ends. Safe in an MPI rank: local, no communication. Throws
/// core::MissingProgram if the program is not there; core::FailedMeshing when it crashes or gives up; core::Error when
/// it is ended by somebody (which is said, and by which signal), exceeds its memory or time, or leaves no readable
/// answer; and what `take` throws.
void run_child(const ChildProgram& program, const std::function<void(Outbox&)>& ask,
               const std::function<void(Inbox&)>& take);

/// Where a program of ours is: beside the running one, in the folder above, or in libexec/brisance there.
/// @param who  needs it, for the message
/// Throws core::MissingProgram, which says where it was looked for and how to build it. Local.
[[nodiscard]] std::filesystem::path find_program(const std::string& name, const std::string& who);

}  // namespace brisance::core
