/// Finds test data that is not in the repository.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>

namespace brisance::test {

/// A file of the folder that an environment variable names (BRISANCE_TEST_DATA, BRISANCE_TEST_REFERENCE). Nothing where
/// the variable is not set: skip the test. Where it is set and has no such file, throws std::runtime_error, which fails
/// the test: a set variable means that those tests are wanted.
[[nodiscard]] inline std::optional<std::filesystem::path> data_file(const char* variable, const std::string& name) {
  const char* folder = std::getenv(variable);
  if (folder == nullptr) return std::nullopt;
  const auto file = std::filesystem::path(folder) / name;
  if (!std::filesystem::exists(file))
    throw std::runtime_error(std::string(variable) + " names " + folder + ", which has no " + name +
                             ". Name another folder, or none.");
  return file;
}

}  // namespace brisance::test
