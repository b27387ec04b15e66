#include "brisance/io/image_module.hpp"

#include "brisance/core/child_process.hpp"
#include "brisance/core/error.hpp"

#include <dlfcn.h>

namespace brisance::io {
namespace {

[[noreturn]] void fail(const std::filesystem::path& file, const std::string& advice) {
  const char* const reason = ::dlerror();
  throw core::Error("cannot load " + file.string() + ", which reads and writes pictures: " +
                    (reason == nullptr ? "unknown error" : reason) + ". " + advice);
}

const ImageFunctions& loaded() {
  const std::filesystem::path file = core::find_module(kImageModule, "Reading and writing pictures");
  void* const library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) fail(file, "Install OpenImageIO (Debian: libopenimageio2.4).");
  void* const symbol = ::dlsym(library, kImageFunctions);
  if (symbol == nullptr) fail(file, "It is of another version: build or install it together with brisance.");
  return *reinterpret_cast<const ImageFunctions* (*)()>(symbol)();
}

}  // namespace

const ImageFunctions& image_functions() {
  static const ImageFunctions& functions = loaded();
  return functions;
}

}  // namespace brisance::io
