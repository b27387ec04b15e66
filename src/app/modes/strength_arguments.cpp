#include "app/modes/strength_arguments.hpp"

#include "brisance/core/error.hpp"
#include "brisance/mesh/formats/read_samples.hpp"
#include "brisance/modes/search/scalar_modes.hpp"
#include "brisance/modes/strength/strength.hpp"

#include "app/cli/numbers.hpp"

#include <charconv>
#include <cmath>
#include <functional>
#include <map>

#include <spdlog/fmt/fmt.h>

namespace brisance::app {

namespace {

std::map<std::int32_t, double> eta_of_regions(const std::vector<std::string>& given) {
  std::map<std::int32_t, double> eta;
  for (const std::string& text : given) {
    const std::size_t sign = text.find('=');
    if (sign == std::string::npos)
      throw core::BadInput(fmt::format("--eta-region {}: give REGION=ETA, as in --eta-region 2=0.5.", text));
    std::int32_t region = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + sign, region);
    if (error != std::errc() || stop != text.data() + sign)
      throw core::BadInput(fmt::format("--eta-region {}: a region is a whole number.", text));
    const double factor = numbers(text.substr(sign + 1), 1, "--eta-region " + text.substr(0, sign + 1)).front();
    if (!eta.emplace(region, factor).second)
      throw core::BadInput(fmt::format("--eta-region {}: region {} has a strength already.", text, region));
  }
  return eta;
}

modes::NoBreak no_break_places(const StrengthArguments& arguments) {
  modes::NoBreak where;
  where.regions = arguments.no_break;
  for (const std::string& text : arguments.no_break_spheres) {
    const std::vector<double> v = numbers(text, 4, "--no-break-sphere");
    if (!(v[3] > 0)) throw core::BadInput(fmt::format("--no-break-sphere {}: the radius must be positive.", text));
    where.spheres.push_back({Vec3(v[0], v[1], v[2]), v[3]});
  }
  for (const std::string& text : arguments.no_break_boxes) {
    const std::vector<double> v = numbers(text, 6, "--no-break-box");
    where.boxes.push_back({Vec3(v[0], v[1], v[2]), Vec3(v[3], v[4], v[5])});
    if ((where.boxes.back().low.array() > where.boxes.back().high.array()).any())
      throw core::BadInput(fmt::format("--no-break-box {}: give the lowest corner first, then the highest.", text));
  }
  return where;
}

/// Distinguishes an empty value from an option that was not given.
const CLI::Validator kNotEmpty([](const std::string& text) { return text.empty() ? "nothing was given" : ""; }, "");

std::vector<double> painted(const std::string& file, double scale, const modes::DividedBody& body) {
  mesh::Samples paint;
  core::agree_on_input(body.comm, [&] { paint = mesh::read_samples(file, "eta"); });
  for (Vec3& x : paint.points) x *= scale;
  try {
    return modes::painted_strength(body, paint.points, paint.values);
  } catch (const core::BadInput& e) {
    throw core::BadInput(file + ": " + e.what());
  }
}

}  // namespace

void add_strength_arguments(CLI::App& command, StrengthArguments& arguments) {
  const std::string group = "Strength (docs/MODES.md)";
  command
      .add_option("--eta", arguments.eta,
                  "strength factor of all faces, or three for opening along x, y, z ([S22] eq. 26; wood: 10,10,1); "
                  "flat bodies: two")
      ->check(kNotEmpty)
      ->group(group)
      ->type_name("ETA[,ETA,ETA]");
  command
      .add_option("--eta-normal", arguments.eta_normal,
                  "strength of a face by its normal: three factors, 1,1,10 splits along z and resists breaking across; "
                  "flat bodies: two")
      ->check(kNotEmpty)
      ->group(group)
      ->type_name("X,Y,Z");
  command
      .add_option("--eta-region", arguments.eta_regions,
                  "strength factor of one material region; a face between two has the lower one; repeatable")
      ->group(group)
      ->type_name("REGION=ETA")
      ->allow_extra_args(false);
  command
      .add_option("--eta-field", arguments.eta_field,
                  "painted strength: PLY vertex property, VTU point array or CSV column 'eta' (nearest point on the "
                  "outside, harmonic inside)")
      ->check(kNotEmpty)
      ->group(group)
      ->type_name("FILE");
  command.add_option("--no-break", arguments.no_break, "regions that stay whole")->group(group)->delimiter(',');
  command.add_option("--no-break-sphere", arguments.no_break_spheres, "what is inside stays whole [m]; repeatable")
      ->group(group)
      ->type_name("X,Y,Z,RADIUS")
      ->allow_extra_args(false);
  command.add_option("--no-break-box", arguments.no_break_boxes, "what is inside stays whole [m]; repeatable")
      ->group(group)
      ->type_name("X0,Y0,Z0,X1,Y1,Z1")
      ->allow_extra_args(false);
}

std::array<double, 3> axis_strength(const StrengthArguments& arguments, int dimension) {
  if (arguments.eta.empty()) return {1, 1, 1};
  const std::vector<double> eta = numbers(arguments.eta, "--eta");
  if (eta.size() != 1 && eta.size() != static_cast<std::size_t>(dimension))
    throw core::BadInput(fmt::format("--eta {}: give one number, or {} with commas between them.", arguments.eta,
                                     dimension == 2 ? "two (x and y)" : "three"));
  for (const double factor : eta)
    if (!(factor > 0) || !std::isfinite(factor))
      throw core::BadInput(fmt::format("--eta {}: the strength must be positive and finite.", arguments.eta));
  if (eta.size() == 2) return {eta[0], eta[1], 1};
  return {eta.front(), eta[eta.size() / 2], eta.back()};
}

void apply_strength(const StrengthArguments& arguments, double scale, modes::Weighting weighting,
                    modes::DividedBody& body) {
  modes::Body& local = body.local;
  std::vector<double> eta(local.graph.faces.size(), 1.0);
  const auto multiply = [&](const std::vector<double>& factor) {
    std::transform(eta.begin(), eta.end(), factor.begin(), eta.begin(), std::multiplies<>());
  };
  if (!arguments.eta_normal.empty()) {
    std::vector<double> v = numbers(arguments.eta_normal, local.mesh.dimension(), "--eta-normal");
    v.resize(3, 1.0);  // no edge of a flat body has a normal along z
    multiply(modes::normal_strength(local.mesh, local.graph, Vec3(v[0], v[1], v[2])));
  }
  if (!arguments.eta_regions.empty()) multiply(modes::region_strength(body, eta_of_regions(arguments.eta_regions)));
  if (!arguments.eta_field.empty()) multiply(painted(arguments.eta_field, scale, body));
  core::agree(body.comm, [&] { local.face_weight = modes::face_weights(local.graph, weighting, eta, body.cell_id); });
  local.eta = modes::strength_factors(local.graph, weighting, local.face_weight);
  local.no_break = modes::cells_not_to_break(body, no_break_places(arguments));
}

}  // namespace brisance::app
