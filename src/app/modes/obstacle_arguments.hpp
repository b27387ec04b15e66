/// Options of `play` for obstacles.
#pragma once

#include "brisance/rigid/body.hpp"

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace brisance::app {

struct ObstacleArguments {
  std::vector<std::string> walls, boxes, balls;
};

/// --wall, --box, --ball, each repeatable.
void add_obstacle_arguments(CLI::App& command, ObstacleArguments& arguments);

/// Walls, then boxes, then balls. Throws core::BadInput.
[[nodiscard]] std::vector<rigid::Obstacle> obstacles(const ObstacleArguments& arguments);

}  // namespace brisance::app
