/// The readers of the program, each with initial files, a way to damage them, and conditions on accepted data.
#pragma once

#include "fuzz/random.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace brisance::fuzz {

struct Reader {
  std::string name;
  std::function<void(const std::filesystem::path& folder)> prepare;  ///< writes what it begins with; may be empty
  /// Writes damaged input into a folder. @return the file to read
  std::function<std::filesystem::path(Random&, const std::filesystem::path& folder)> damaged;
  /// Reads it, and uses the data as the program would. Throws what the reader throws.
  /// @return the error in accepted data; empty if there is none
  std::function<std::string(const std::filesystem::path& file)> read;
  bool has_places = false;  ///< an error names a line or a byte, or says that it is about the whole file
};

[[nodiscard]] std::vector<Reader> surface_readers();
[[nodiscard]] std::vector<Reader> tet_readers();
[[nodiscard]] std::vector<Reader> scene_readers();
[[nodiscard]] std::vector<Reader> hdf5_readers();
[[nodiscard]] std::vector<Reader> runtime_readers();

/// The files of a folder changed together: the same list of contents by file name.
struct Seed {
  std::vector<std::pair<std::string, std::string>> files;  ///< name, contents; the first is the one to read
  bool is_text = true;
};

/// Writes one of the seeds, damaged, into a folder. @return its first file
[[nodiscard]] std::filesystem::path write_damaged(Random& random, const std::vector<Seed>& seeds,
                                                  const std::filesystem::path& folder);
void write_file(const std::filesystem::path& file, const std::string& bytes);
[[nodiscard]] std::string contents_of(const std::filesystem::path& file);

}  // namespace brisance::fuzz
