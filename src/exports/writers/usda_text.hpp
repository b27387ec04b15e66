/// Parts of USD text.
#pragma once

#include "brisance/exports/export.hpp"
#include "brisance/exports/fragments.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
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

/// One time code a frame interval; irregular times have codes between. Steps end a little after the time of a frame:
/// codes within a hundredth of a whole number are whole, or readers that sample whole codes would show the frame
/// before.
struct Clock {
  double per_second = 1;
  explicit Clock(const std::vector<double>& times_s) {
    if (times_s.size() > 1 && times_s.back() > times_s.front())
      per_second = static_cast<double>(times_s.size() - 1) / (times_s.back() - times_s.front());
  }
  [[nodiscard]] std::string code(double time_s) const {
    constexpr double kWhole = 0.01;
    const double exact = time_s * per_second, whole = std::round(exact);
    return fmt::format("{:.9g}", std::abs(exact - whole) < kWhole ? whole : exact);
  }
};

/// The head of a stage, and the root prim with its materials, left open.
[[nodiscard]] std::string stage_begin(const std::vector<double>& times_s, Up up);
[[nodiscard]] std::string root_begin(const Vec3& origin, Up up, const std::vector<std::string>& materials);
/// The numbers of the faces of a material.
[[nodiscard]] std::string faces_text(const std::vector<std::int32_t>& material_of_face, std::size_t material);
/// A set of faces with a material, without its indices, left open; `indent` is before each line.
[[nodiscard]] std::string subset_begin(const std::string& material, const std::string& indent);
/// The faces of each material of a piece.
[[nodiscard]] std::string subsets_text(const Surface& s, const std::vector<std::string>& names);

}  // namespace brisance::exports
