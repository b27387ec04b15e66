#include "app/modes/obstacle_arguments.hpp"

#include "brisance/core/error.hpp"

#include "app/cli/numbers.hpp"

#include <spdlog/fmt/fmt.h>

namespace brisance::app {

namespace {

constexpr std::size_t kMotion = 4;  ///< numbers of velocity and mass, which may follow a shape

/// `count` numbers of a shape, optionally followed by its velocity and mass.
std::vector<double> shape_numbers(const std::string& text, std::size_t count, const std::string& option,
                                  rigid::Obstacle& obstacle) {
  const bool moves = numbers(text, option).size() == count + kMotion;
  std::vector<double> v = numbers(text, moves ? count + kMotion : count, option);
  if (!moves) return v;
  obstacle.velocity = Vec3(v[count], v[count + 1], v[count + 2]);
  obstacle.mass = v[count + 3];
  if (!(obstacle.mass > 0))
    throw core::BadInput(fmt::format("{} {}: the mass of what moves must be above 0.", option, text));
  return v;
}

rigid::Obstacle wall(const std::string& text) {
  const std::vector<double> v = numbers(text, 6, "--wall");
  rigid::Obstacle wall;
  wall.centre = Vec3(v[0], v[1], v[2]);
  wall.size = Vec3(v[3], v[4], v[5]);
  if (!(wall.size.norm() > 0)) throw core::BadInput(fmt::format("--wall {}: its normal must not be zero.", text));
  wall.size.normalize();
  return wall;
}

rigid::Obstacle box(const std::string& text) {
  rigid::Obstacle box;
  box.kind = rigid::Obstacle::Kind::box;
  const std::vector<double> v = shape_numbers(text, 6, "--box", box);
  const Vec3 low(v[0], v[1], v[2]), high(v[3], v[4], v[5]);
  if ((low.array() >= high.array()).any())
    throw core::BadInput(fmt::format("--box {}: give the lowest corner first, then the highest.", text));
  box.centre = (low + high) / 2;
  box.size = high - low;
  return box;
}

rigid::Obstacle ball(const std::string& text) {
  rigid::Obstacle ball;
  ball.kind = rigid::Obstacle::Kind::ball;
  const std::vector<double> v = shape_numbers(text, 4, "--ball", ball);
  if (!(v[3] > 0)) throw core::BadInput(fmt::format("--ball {}: the radius must be above 0.", text));
  ball.centre = Vec3(v[0], v[1], v[2]);
  ball.size = Vec3(v[3], 0, 0);
  return ball;
}

}  // namespace

void add_obstacle_arguments(CLI::App& command, ObstacleArguments& arguments) {
  const auto add = [&](const char* name, std::vector<std::string>& value, const char* type, const char* text) {
    command.add_option(name, value, text)->type_name(type)->allow_extra_args(false);
  };
  add("--wall", arguments.walls, "X,Y,Z,NX,NY,NZ", "plane through a point [m], solid behind its normal; repeatable");
  add("--box", arguments.boxes, "X0,Y0,Z0,X1,Y1,Z1[,VX,VY,VZ,KG]",
      "box between two corners [m]; fixed unless a velocity [m/s] and a mass follow; repeatable");
  add("--ball", arguments.balls, "X,Y,Z,RADIUS[,VX,VY,VZ,KG]",
      "ball [m]; fixed unless a velocity [m/s] and a mass follow; repeatable");
}

std::vector<rigid::Obstacle> obstacles(const ObstacleArguments& arguments) {
  std::vector<rigid::Obstacle> all;
  for (const std::string& text : arguments.walls) all.push_back(wall(text));
  for (const std::string& text : arguments.boxes) all.push_back(box(text));
  for (const std::string& text : arguments.balls) all.push_back(ball(text));
  return all;
}

}  // namespace brisance::app
