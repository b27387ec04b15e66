/// Parts of USD text.
#pragma once

#include "brisance/exports/export.hpp"
#include "brisance/exports/fragments.hpp"

#include <array>
#include <cstddef>
#include <iterator>
#include <string>
#include <vector>

#include <spdlog/fmt/fmt.h>

namespace brisance::exports {

/// A name as USD allows: letters, digits and underscores, no digit first.
[[nodiscard]] std::string usd_name(const std::string& name);
/// Names of the materials, each once.
[[nodiscard]] std::vector<std::string> usd_materials(const std::vector<std::string>& materials);

/// Lists of values.
[[nodiscard]] std::string vectors_text(const std::vector<Vec3>& rows, Up up, const Vec3& about);
[[nodiscard]] std::string texture_text(const std::vector<std::array<double, 2>>& rows);
[[nodiscard]] std::string corners_text(const Surface& s, std::size_t first);
template <class Rows, class Value>
[[nodiscard]] std::string numbers_text(const Rows& rows, const Value& value) {
  std::string text = "[";
  const auto out = std::back_inserter(text);
  bool is_first = true;
  for (const auto& row : rows) {
    fmt::format_to(out, "{}{}", is_first ? "" : ", ", value(row));
    is_first = false;
  }
  return text + "]";
}

/// One time code a frame interval; irregular times have codes between.
struct Clock {
  double per_second = 1;
  explicit Clock(const std::vector<double>& times_s) {
    if (times_s.size() > 1 && times_s.back() > times_s.front())
      per_second = static_cast<double>(times_s.size() - 1) / (times_s.back() - times_s.front());
  }
  [[nodiscard]] std::string code(double time_s) const { return fmt::format("{:.9g}", time_s * per_second); }
};

/// The head of a stage, and the root prim with its materials, left open.
[[nodiscard]] std::string stage_begin(const std::vector<double>& times_s, Up up);
[[nodiscard]] std::string root_begin(const Vec3& origin, Up up, const std::vector<std::string>& materials);
/// The faces of each material of a piece.
[[nodiscard]] std::string subsets_text(const Surface& s, const std::vector<std::string>& names);

}  // namespace brisance::exports
