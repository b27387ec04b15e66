#include "io/write_together.hpp"

#include "brisance/core/error.hpp"
#include "brisance/io/atomic_file.hpp"

namespace brisance::io {

void write_together(const core::Comm& comm, const std::filesystem::path& file,
                    const std::function<void(const std::filesystem::path& temporary)>& lay_out,
                    const std::function<void(const std::filesystem::path& temporary)>& fill) {
  const std::filesystem::path temporary = temporary_name(file);
  try {
    core::agree(comm, [&] {
      if (comm.is_root()) lay_out(temporary);
    });
    fill(temporary);
    core::agree(comm, [&] {
      if (comm.is_root()) publish(temporary, file);
    });
  } catch (const core::Error&) {  // thrown on all ranks alike
    std::error_code ignored;
    if (comm.is_root()) std::filesystem::remove(temporary, ignored);
    throw;
  }
}

}  // namespace brisance::io
