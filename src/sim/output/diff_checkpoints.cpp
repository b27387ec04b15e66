#include "brisance/sim/output/diff_checkpoints.hpp"

#include "brisance/sim/output/checkpoint.hpp"

#include "checkpoint_tables.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <sstream>
#include <string_view>

#include <spdlog/fmt/fmt.h>

namespace brisance::sim::checkpoint_file {

namespace {

/// Number of rows of a table that differ, and the first of them.
struct RowDifference {
  std::size_t count = 0, first = 0;
};
template <class T>
RowDifference differing_rows(const io::ArrayFileReader& a, const io::ArrayFileReader& b, const std::string& name,
                             std::size_t width) {
  const auto x = a.rows<T>(name, width), y = b.rows<T>(name, width);
  RowDifference difference;
  const std::size_t rows = std::max(x.size(), y.size()) / width;
  for (std::size_t i = rows; i-- > 0;) {
    const bool both = (i + 1) * width <= std::min(x.size(), y.size());
    if (both && std::memcmp(&x[i * width], &y[i * width], width * sizeof(T)) == 0) continue;
    ++difference.count;
    difference.first = i;
  }
  return difference;
}

RowDifference differing_rows(const io::ArrayFileReader& a, const io::ArrayFileReader& b, const std::string& name,
                             io::Scalar type, std::size_t width) {
  switch (type) {
    case io::Scalar::float64:
      return differing_rows<double>(a, b, name, width);
    case io::Scalar::int64:
      return differing_rows<std::int64_t>(a, b, name, width);
    case io::Scalar::int32:
      return differing_rows<std::int32_t>(a, b, name, width);
    case io::Scalar::uint8:
      break;
  }
  return differing_rows<std::uint8_t>(a, b, name, width);
}

bool depends_on_ranks(const std::string& table) {
  return table == in(kNodes, "owner") || table == in(kGroup, "run/reals") || table == in(kGroup, "run/shares") ||
         table == in(kGroup, "run/integers");
}

/// Numbers by name, without those that depend on the number of ranks.
std::vector<std::string> differing_numbers(const core::NamedState& a, const core::NamedState& b) {
  constexpr std::array<std::string_view, 5> kOfRanks{"cracks_across_ranks", "element_updates", "num_rebalances",
                                                     "busiest_work", "mean_work"};
  std::vector<std::string> lines;
  const auto compare = [&](const auto& names, const auto& x, const auto& y) {
    for (std::size_t i = 0; i < std::min({names.size(), x.size(), y.size()}); ++i)
      if (std::bit_cast<std::uint64_t>(x[i]) != std::bit_cast<std::uint64_t>(y[i]) &&
          std::find(kOfRanks.begin(), kOfRanks.end(), names[i]) == kOfRanks.end())
        lines.push_back(fmt::format("  {}: a has {}, b has {}", names[i], x[i], y[i]));
  };
  compare(a.real_names, a.reals, b.reals);
  compare(a.integer_names, a.integers, b.integers);
  compare(a.share_names, a.shares, b.shares);
  return lines;
}

}  // namespace

}  // namespace brisance::sim::checkpoint_file

namespace brisance::sim {

std::vector<std::string> diff_checkpoints(const std::filesystem::path& a, const std::filesystem::path& b) {
  using namespace checkpoint_file;
  require_checkpoint(a);
  require_checkpoint(b);
  const io::ArrayFileReader in_a(a), in_b(b);
  const std::string tables = read_text(in_a, in(kGroup, "tables"));
  if (tables != read_text(in_b, in(kGroup, "tables"))) return {"  the fields and tables that they have"};
  std::vector<std::string> lines =
      differing_numbers(read_state(in_a, in(kGroup, "run")), read_state(in_b, in(kGroup, "run")));
  for (const std::string& line : lines_of(tables)) {
    std::istringstream words(line);
    std::string name;
    int type = 0;
    std::size_t width = 1;
    words >> name >> type >> width;
    if (depends_on_ranks(name)) continue;
    if (const auto [count, first] = differing_rows(in_a, in_b, name, static_cast<io::Scalar>(type), width); count > 0)
      lines.push_back(fmt::format("  {}: {} rows differ, the first is row {}", name, count, first));
  }
  return lines;
}

}  // namespace brisance::sim
