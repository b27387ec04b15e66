/// Errors that name the file they concern.
#pragma once

#include "brisance/core/error.hpp"

#include <filesystem>

namespace brisance::render {

/// Runs `work` on a file that was read; a core::Error inside names it.
template <class Work>
auto naming(const std::filesystem::path& file, const Work& work) {
  try {
    return work();
  } catch (const core::MissingProgram&) {
    throw;
  } catch (const core::Error& e) {
    throw core::Error(file.string() + ": " + e.what());
  }
}

}  // namespace brisance::render
