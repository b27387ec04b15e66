/// Owners of HDF5 identifiers, a guard that silences HDF5's error output, and the table of C++ and HDF5 types.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include <hdf5.h>

namespace brisance::io {

/// Move-only owner of one identifier; `Close` runs in the destructor. An invalid identifier is allowed and not closed.
template <herr_t (*Close)(hid_t)>
class Hdf5Handle {
public:
  Hdf5Handle() = default;
  explicit Hdf5Handle(hid_t id) : id_(id) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~Hdf5Handle() {
    if (valid()) Close(id_);
  }

  [[nodiscard]] hid_t raw() const { return id_; }
  [[nodiscard]] bool valid() const { return id_ >= 0; }
  /// Closes it now, for objects whose closing may fail; true on success.
  bool close() { return Close(std::exchange(id_, H5I_INVALID_HID)) >= 0; }

private:
  hid_t id_ = H5I_INVALID_HID;
};

using Hdf5File = Hdf5Handle<H5Fclose>;
using Hdf5Group = Hdf5Handle<H5Gclose>;
using Hdf5Dataset = Hdf5Handle<H5Dclose>;
using Hdf5Attribute = Hdf5Handle<H5Aclose>;
using Hdf5Space = Hdf5Handle<H5Sclose>;
using Hdf5Type = Hdf5Handle<H5Tclose>;
using Hdf5Properties = Hdf5Handle<H5Pclose>;

/// While it lives HDF5 prints nothing: its messages go into our own errors (hdf5_reason).
class QuietHdf5 {
public:
  QuietHdf5() {
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~QuietHdf5() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }
  QuietHdf5(const QuietHdf5&) = delete;
  QuietHdf5& operator=(const QuietHdf5&) = delete;

private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

/// Is a message of HDF5 about a lock that it did not get?
[[nodiscard]] inline bool is_about_locks(const std::string& reason) {
  return reason.find("lock file") != std::string::npos;
}

/// The innermost message on HDF5's error stack ("unknown HDF5 error" if there is none), with advice where it is about
/// file locks. Call it right after the failure.
[[nodiscard]] inline std::string hdf5_reason() {
  std::string reason = "unknown HDF5 error";
  auto take_first = [](unsigned n, const H5E_error2_t* error, void* text) -> herr_t {
    if (n == 0 && error->desc != nullptr) *static_cast<std::string*>(text) = error->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_first, &reason);
  if (is_about_locks(reason))
    reason += " (where the file system has no locks, or another program holds one, set HDF5_USE_FILE_LOCKING=FALSE)";
  return reason;
}

/// The type of a T in memory.
template <class T>
[[nodiscard]] hid_t memory_type() {
  if constexpr (std::is_same_v<T, double>)
    return H5T_NATIVE_DOUBLE;
  else if constexpr (std::is_same_v<T, float>)
    return H5T_NATIVE_FLOAT;
  else if constexpr (std::is_same_v<T, std::int64_t>)
    return H5T_NATIVE_INT64;
  else if constexpr (std::is_same_v<T, std::int32_t>)
    return H5T_NATIVE_INT32;
  else
    return H5T_NATIVE_UINT8;
}

/// The type of a T in a file: the same little-endian type on every machine.
template <class T>
[[nodiscard]] hid_t file_type() {
  if constexpr (std::is_same_v<T, double>)
    return H5T_IEEE_F64LE;
  else if constexpr (std::is_same_v<T, float>)
    return H5T_IEEE_F32LE;
  else if constexpr (std::is_same_v<T, std::int64_t>)
    return H5T_STD_I64LE;
  else if constexpr (std::is_same_v<T, std::int32_t>)
    return H5T_STD_I32LE;
  else
    return H5T_STD_U8LE;
}

}  // namespace brisance::io
