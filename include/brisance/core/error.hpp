/// Errors that a user can act on: the text says what happened, where, and what to do. An error is thrown where it is
/// found, agreed between ranks, and shown once.
#pragma once

#include "brisance/core/comm.hpp"

#include <functional>
#include <stdexcept>
#include <string>

namespace brisance::core {

/// A bad input, or a run that cannot continue. The text is one message for the user, without a prefix.
class Error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// An error in what the user gave (command line, scene, mesh), found before the first step.
class BadInput : public Error {
public:
  using Error::Error;
};

/// A run that was asked to stop and has written a checkpoint: no fault, but not finished.
class Stopped : public Error {
public:
  using Error::Error;
};

/// A required program of ours is missing; the text says how to build it (child_process.hpp).
class MissingProgram : public Error {
public:
  using Error::Error;
};

/// Runs `work` on every rank; if it throws anywhere, every rank throws core::Error with the text of the lowest rank
/// that failed (core::MissingProgram if that is what failed there). For local work that may fail between two
/// collectives, so that no rank waits for one that has left. Collective; `work` itself must not communicate.
void agree(const Comm& comm, const std::function<void()>& work);

/// As `agree`, for reading the user's input: if `work` throws anywhere, all ranks throw BadInput, or MissingProgram
/// where that was thrown. Collective.
void agree_on_input(const Comm& comm, const std::function<void()>& work);

}  // namespace brisance::core
