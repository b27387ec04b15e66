/// Runs work in a separate process: for libraries that may abort or need much memory, and for parts of the program that
/// take long to compile and are seldom used. The other side is child_side.hpp.
#pragma once

#include "brisance/core/child_side.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace brisance::core {

/// A program to start, and the texts of its errors.
struct ChildProgram {
  std::string name;               ///< file name: "brisance-tetgen"
  std::string argument = {};      ///< the only argument, if any
  std::string who;                ///< subject of every message: "TetGen"
  std::string less;               ///< how to need less time and memory: "Ask for fewer tets"
  std::string when_slow = {};     ///< advice where it exceeds its time: a sentence
  std::string when_broken = {};   ///< advice where it crashes or gives up: a sentence
  std::filesystem::path at = {};  ///< path of the program; empty: beside the running program
  std::chrono::duration<double> time_limit{86400};
  std::int64_t memory_bound_byte = 0;  ///< 0: nine tenths of what the machine has free
};

/// Starts a program by posix_spawn, hands it what `ask` writes, waits, and lets `take` read its answer. Both travel in
/// unnamed files in memory, so nothing is left of them however either process ends. The child has a process group of
/// its own and ends when this process ends. Safe in an MPI rank: no communication. Local. Throws core::MissingProgram
/// if the program is not there; core::FailedMeshing when it crashes or gives up; core::Error (with the signal's name)
/// when a signal from outside ends it, when it exceeds its memory or time, or when it leaves no readable answer; and
/// what `take` throws.
void run_child(const ChildProgram& program, const std::function<void(Outbox&)>& ask,
               const std::function<void(Inbox&)>& take);

/// Path of a program of ours: beside the running one, in the folder above, or in libexec/brisance there.
/// @param who  what needs the program, for the message
/// Throws core::MissingProgram, whose text says which folders were searched and how to build it. Local.
[[nodiscard]] std::filesystem::path find_program(const std::string& name, const std::string& who);

/// The same for a library that is loaded when first needed ("brisance_images.so").
[[nodiscard]] std::filesystem::path find_module(const std::string& name, const std::string& who);

}  // namespace brisance::core
