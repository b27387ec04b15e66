/// A minimal scene, for tests that add to it, and the error message of one that is refused.
#pragma once

#include "brisance/core/error.hpp"

#include "app/scene/scene.hpp"

#include <string>
#include <vector>

namespace brisance::app {

inline const std::string kSmallScene = R"([[material]]
name = "soft"
density_kg_m3 = 1000
lame_lambda_pa = 1e6
lame_mu_pa = 2e6
[[object]]
[object.mesh]
shape = "box"
[time]
duration_s = 0.1
)";

/// The minimal scene with a title.
inline const std::string kMinimal = "title = \"drop\"\n" + kSmallScene;

/// The minimal scene with a further line.
inline std::string with_line(const std::string& after, const std::string& line) {
  std::string text = kMinimal;
  return text.insert(text.find(after) + after.size() + 1, line + "\n");
}

/// The error message of reading a scene, or "no error".
inline std::string error_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    (void)parse_scene(text, "scene.toml", overrides);
  } catch (const core::Error& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace brisance::app
