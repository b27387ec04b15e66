/// A scene that is as small as one can be, for tests that add to it, and what is said of one that is refused.
#pragma once

#include "brisance/core/error.hpp"

#include "app/scene/scene.hpp"

#include <string>

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

/// What reading it throws, or "no error".
inline std::string error_of_scene(const std::string& text) {
  try {
    (void)parse_scene(text, "scene.toml");
  } catch (const core::Error& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace brisance::app
