/// The names of materials of all frames.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace brisance::exports {

class FrameMaterials {
public:
  /// Rows of these names; new ones are appended.
  [[nodiscard]] std::vector<std::int32_t> rows(const std::vector<std::string>& names) {
    std::vector<std::int32_t> rows;
    for (const std::string& name : names) {
      const auto found = std::ranges::find(names_, name);
      rows.push_back(static_cast<std::int32_t>(found - names_.begin()));
      if (found == names_.end()) names_.push_back(name);
    }
    return rows;
  }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

private:
  std::vector<std::string> names_;
};

}  // namespace brisance::exports
