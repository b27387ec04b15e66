/// The child's side of a child process (child_process.hpp is the parent's), and what both sides share. It needs the C++
/// runtime alone, so a child program need not link MPI.
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

/// Descriptors open in a child when it starts: unnamed files, gone with the last process that has them open.
inline constexpr int kRequestDescriptor = 3, kAnswerDescriptor = 4;

/// Exit codes of a child; any other means that it gave up.
enum ChildExit : int { kChildDone = 0, kChildBadExchange = 2, kChildGaveUp = 3, kChildOutOfMemory = 4 };

/// Bounds that a child enforces itself, so that they also hold when its parent is gone.
struct ChildBounds {
  std::int64_t parent = 0;       ///< process that started it: the child ends with it
  std::int64_t memory_byte = 0;  ///< most memory it may allocate
  std::int64_t time_s = 0;       ///< time after which it ends by itself [s]
};

/// A request or an answer that cannot be written or read.
class BadExchange : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// Writes arrays: their length, then their elements as they lie in memory (both ends are the same build on the same
/// machine).
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

/// Reads what an Outbox wrote, in the same order.
class Inbox {
public:
  explicit Inbox(int descriptor) : descriptor_(descriptor) {
    struct stat file {};
    if (fstat(descriptor, &file) == 0) left_ = static_cast<std::uint64_t>(file.st_size);
  }
  /// The length of the next array, whose elements are to be read next.
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

/// Every request begins with the bounds.
inline void put_bounds(Outbox& request, const ChildBounds& bounds) { request.put(&bounds, 1); }

[[nodiscard]] inline ChildBounds take_bounds(Inbox& request) {
  if (request.count<ChildBounds>() != 1) throw BadExchange("it does not begin with the bounds");
  ChildBounds bounds;
  request.read(&bounds, sizeof bounds);
  return bounds;
}

/// Was this process started by a parent (not by hand)?
[[nodiscard]] inline bool has_request() { return lseek(kRequestDescriptor, 0, SEEK_SET) == 0; }

/// Makes the process end with its parent, however that ends, and enforce the bounds. A signal of the terminal reaches
/// the parent alone, which then ends the child: the child has a process group of its own.
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
