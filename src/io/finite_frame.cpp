#include "brisance/io/finite_frame.hpp"

#include "brisance/core/error.hpp"

#include <cmath>
#include <span>

#include <spdlog/fmt/fmt.h>

namespace brisance::io {

namespace {

/// @param ids    of the rows
/// @param width  numbers in each row
void require_finite_rows(const std::filesystem::path& file, const std::string& what, const char* owner,
                         std::span<const std::int64_t> ids, std::span<const double> values, std::size_t width) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      throw core::Error(
          fmt::format("{}: the {} of {} {} is {}. The run came to nothing, or the file is damaged: take an earlier "
                      "snapshot or write it again.",
                      file.string(), what, owner, ids[i / width], values[i]));
}

template <class Row>
std::span<const double> numbers_in(const std::vector<Row>& rows) {
  static_assert(sizeof(Row) % sizeof(double) == 0);
  return {reinterpret_cast<const double*>(rows.data()), rows.size() * (sizeof(Row) / sizeof(double))};
}

}  // namespace

void require_finite(const std::filesystem::path& file, const SnapshotPart& part) {
  const auto nodes = [&](const std::string& what, std::span<const double> values, std::size_t width) {
    require_finite_rows(file, what, "node", part.node_id, values, width);
  };
  const auto tets = [&](const std::string& what, std::span<const double> values, std::size_t width) {
    require_finite_rows(file, what, "tet", part.element_id, values, width);
  };
  nodes("rest position", numbers_in(part.rest_position), 3);
  nodes("position", numbers_in(part.position), 3);
  nodes("velocity", numbers_in(part.velocity), 3);
  tets("stress", numbers_in(part.stress), 6);
  tets("plastic strain", numbers_in(part.plastic_strain), 6);
}

}  // namespace brisance::io
