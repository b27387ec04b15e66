/// The child's side of a child process that computes one answer (child_process.hpp is the parent's side), and what both
/// sides share. The parent writes a request into a file, the child an answer into another. It needs the C++ runtime
/// alone, so that a child program does not link MPI. Everything here is local to a process.
#pragma once

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace brisance::core {

/// Descriptors of request and answer, open when a child starts. They are unnamed files, deleted when the last process
/// closes them.
inline constexpr int kRequestDescriptor = 3, kAnswerDescriptor = 4;

/// Exit codes of a child; any other code means the same as kChildGaveUp.
enum ChildExit : int { kChildDone = 0, kChildBadExchange = 2, kChildGaveUp = 3, kChildOutOfMemory = 4 };

/// Bounds that a child enforces on itself, so that they also hold when its parent is gone.
struct ChildBounds {
  std::int64_t parent = 0;       ///< process id of the parent; the child ends with it
  std::int64_t memory_byte = 0;  ///< most memory that the child may allocate [byte]
  std::int64_t time_s = 0;       ///< wall-clock time after which the child ends [s]
};

/// Thrown where a request or an answer cannot be written or read.
class BadExchange : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// Writes arrays to a descriptor: the length, then the elements as they lie in memory, as both sides are the same build
/// on the same machine. Throws BadExchange.
class Outbox {
public:
  explicit Outbox(int descriptor) : descriptor_(descriptor) {}
  template <class T>
  void put(const T* data, std::size_t size) {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::uint64_t count = size;
    write(&count, sizeof count);
    write(data, size * sizeof(T));
  }
  template <class Array>
  void put(const Array& array) {
    put(array.data(), array.size());
  }

private:
  void write(const void* data, std::size_t size) const {
    for (const char* next = static_cast<const char*>(data); size > 0;) {
      const ssize_t done = ::write(descriptor_, next, size);
      if (done < 0 && errno == EINTR) continue;
      if (done <= 0) throw BadExchange(std::string("cannot write it: ") + std::strerror(errno));
      next += done;
      size -= static_cast<std::size_t>(done);
    }
  }

  int descriptor_;
};

/// Reads the arrays that an Outbox wrote, in the same order. Throws BadExchange.
class Inbox {
public:
  explicit Inbox(int descriptor) : descriptor_(descriptor) {
    struct stat file {};
    if (fstat(descriptor, &file) == 0) left_ = static_cast<std::uint64_t>(file.st_size);
  }
  /// The length of the next array of T; the caller then reads its elements with read().
  template <class T>
  [[nodiscard]] std::size_t count() {
    std::uint64_t count = 0;
    read(&count, sizeof count);
    if (count > left_ / sizeof(T)) throw BadExchange("it ends early");
    return count;
  }
  void read(void* data, std::size_t size) {
    if (size > left_) throw BadExchange("it ends early");
    left_ -= size;
    for (char* next = static_cast<char*>(data); size > 0;) {
      const ssize_t done = ::read(descriptor_, next, size);
      if (done < 0 && errno == EINTR) continue;
      if (done <= 0) throw BadExchange("it ends early");
      next += done;
      size -= static_cast<std::size_t>(done);
    }
  }
  template <class Array>
  [[nodiscard]] Array take() {
    using T = typename Array::value_type;
    static_assert(std::is_trivially_copyable_v<T>);
    Array array;
    array.resize(count<T>());
    read(array.data(), array.size() * sizeof(T));
    return array;
  }
  template <class Array>
  void take(Array& array) {
    array = take<Array>();
  }

private:
  int descriptor_;
  std::uint64_t left_ = 0;  ///< bytes not yet read
};

/// Writes and reads the bounds, with which every request begins.
inline void put_bounds(Outbox& request, const ChildBounds& bounds) { request.put(&bounds, 1); }

[[nodiscard]] inline ChildBounds take_bounds(Inbox& request) {
  if (request.count<ChildBounds>() != 1) throw BadExchange("it does not begin with the bounds");
  ChildBounds bounds;
  request.read(&bounds, sizeof bounds);
  return bounds;
}

/// Whether a parent started this process, and not a user. Rewinds the request.
[[nodiscard]] inline bool has_request() { return lseek(kRequestDescriptor, 0, SEEK_SET) == 0; }

/// Enforces the bounds: the kernel kills this process when its parent ends, limits its memory, and sends SIGALRM after
/// the time. A child has a process group of its own, so a signal from the terminal reaches the parent alone, which then
/// ends the child.
inline void keep_to(const ChildBounds& bounds) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != bounds.parent) std::_Exit(kChildBadExchange);  // it ended before the line above
#ifndef BRISANCE_SANITIZE  // the address sanitizer's own memory is beyond any bound
  const auto memory = static_cast<rlim_t>(bounds.memory_byte);
  const rlimit limit{memory, memory};
  setrlimit(RLIMIT_DATA, &limit);
#endif
  alarm(static_cast<unsigned>(bounds.time_s));
}

}  // namespace brisance::core
