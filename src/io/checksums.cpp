#include "brisance/io/checksums.hpp"

#include "brisance/core/blocks.hpp"
#include "brisance/core/error.hpp"
#include "brisance/io/atomic_file.hpp"
#include "brisance/io/json_text.hpp"

#include "io/posix_file.hpp"

#include <cstdint>
#include <vector>

#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>
#include <zlib.h>

namespace brisance::io {

namespace {

constexpr std::int64_t kBlockBytes = 1 << 20;

struct Sums {
  std::int64_t bytes = 0;
  std::vector<std::uint32_t> crc32;  ///< CRC-32 of each block
  bool operator==(const Sums&) const = default;
};

std::uint32_t crc_of_block(const PosixFile& in, const std::filesystem::path& file, std::int64_t block,
                           std::vector<unsigned char>& buffer) {
  std::size_t filled = 0;
  while (filled < buffer.size()) {
    const ssize_t got = ::pread(in.raw(), buffer.data() + filled, buffer.size() - filled,
                                static_cast<off_t>(block * kBlockBytes + static_cast<std::int64_t>(filled)));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw system_error("read", file, "Check the disk.");
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  return static_cast<std::uint32_t>(::crc32(0, buffer.data(), static_cast<uInt>(filled)));
}

/// Checksums of the file in its present state. Collective.
Sums sums_of(const core::Comm& comm, const std::filesystem::path& file) {
  Sums sums;
  std::vector<std::uint32_t> mine;
  core::agree(comm, [&] {
    if (!std::filesystem::is_regular_file(file)) throw core::Error(file.string() + ": no such file.");
    sums.bytes = static_cast<std::int64_t>(std::filesystem::file_size(file));
    const core::Block blocks = core::block_of((sums.bytes + kBlockBytes - 1) / kBlockBytes, comm.rank(), comm.size());
    const PosixFile in(file, O_RDONLY);
    std::vector<unsigned char> buffer(kBlockBytes);
    for (std::int64_t i = 0; i < blocks.count; ++i) mine.push_back(crc_of_block(in, file, blocks.first + i, buffer));
  });
  sums.crc32 = comm.all_gather(std::span<const std::uint32_t>(mine));
  return sums;
}

Sums read_sums(const std::filesystem::path& file) {
  try {
    const auto json = nlohmann::json::parse(read_text(checksums_name(file)));
    if (json.at("format") == "brisance-checksums" && json.at("block_bytes") == kBlockBytes)
      return {json.at("bytes"), json.at("crc32")};
  } catch (const nlohmann::json::exception&) {  // reported below
  }
  throw core::Error(checksums_name(file).string() + " is damaged.");
}

}  // namespace

std::filesystem::path checksums_name(const std::filesystem::path& file) {
  std::filesystem::path name = file;
  name += ".sums";
  return name;
}

void write_checksums(const core::Comm& comm, const std::filesystem::path& file, const std::filesystem::path& beside) {
  const Sums sums = sums_of(comm, file);
  core::agree(comm, [&] {
    if (!comm.is_root()) return;
    const nlohmann::ordered_json json{
        {"format", "brisance-checksums"}, {"bytes", sums.bytes}, {"block_bytes", kBlockBytes}, {"crc32", sums.crc32}};
    write_atomically(beside, json_text(json) + "\n");
  });
}

void require_checksums(const core::Comm& comm, const std::filesystem::path& file) {
  Sums wanted;
  core::agree(comm, [&] { wanted = read_sums(file); });
  const Sums found = sums_of(comm, file);
  if (found == wanted) return;
  if (found.bytes != wanted.bytes || found.crc32.size() != wanted.crc32.size())
    throw core::Error(fmt::format("{} has {} bytes, {} were written: it was cut short or changed.", file.string(),
                                  found.bytes, wanted.bytes));
  const auto differing = std::mismatch(found.crc32.begin(), found.crc32.end(), wanted.crc32.begin()).first;
  throw core::Error(fmt::format("{} is damaged: the block from byte {} on is not what was written.", file.string(),
                                (differing - found.crc32.begin()) * kBlockBytes));
}

}  // namespace brisance::io
