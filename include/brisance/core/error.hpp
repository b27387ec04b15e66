/// Errors a user can act on. What happened, where, what to do; thrown where found, agreed between ranks, shown once.
#pragma once

#include "brisance/core/comm.hpp"

#include <functional>
#include <stdexcept>
#include <string>

namespace brisance::core {

/// A bad input or a run that cannot go on. The text is one message for the user, without a prefix.
class Error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// An error in what the user gave (command line, scene, mesh), found before the first step.
class BadInput : public Error {
public:
  using Error::Error;
};

/// A run that was asked to stop and has left a checkpoint: not a fault, but not done either.
class Stopped : public Error {
public:
  using Error::Error;
};

/// A program of ours that is needed is not there; the text says how to build it (child_process.hpp).
class MissingProgram : public Error {
public:
  using Error::Error;
};

/// Runs `work` on every rank; if it throws anywhere, every rank throws core::Error with the text of the lowest rank
/// that failed (core::MissingProgram if that is what failed there). Put around local work that may fail between two
/// collectives, so that no rank waits for one that left. Collective; `work` itself must not communicate.
void agree(const Comm& comm, const std::function<void()>& work);

/// The same for reading what the user gave: if `work` throws anywhere, all ranks throw BadInput, but a MissingProgram
/// stays one. Collective.
void agree_on_input(const Comm& comm, const std::function<void()>& work);

}  // namespace brisance::core
