#include "app/modes/general_arguments.hpp"

#include "brisance/core/error.hpp"
#include "brisance/modes/strength/strength.hpp"

#include "app/cli/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <Eigen/Eigenvalues>
#include <spdlog/fmt/fmt.h>

namespace brisance::app {

namespace {

const std::map<std::string, modes::StrainEnergy> kStrainEnergies{{"none", modes::StrainEnergy::none},
                                                                 {"laplacian", modes::StrainEnergy::laplacian},
                                                                 {"elastic", modes::StrainEnergy::elastic}};

std::string name_of(modes::StrainEnergy strain) {
  return std::find_if(kStrainEnergies.begin(), kStrainEnergies.end(), [&](const auto& s) { return s.second == strain; })
      ->first;
}

/// XX,YY,ZZ,XY,YZ,XZ, in the plane XX,YY,XY.
Mat3 tensor_from(const std::string& text, int dimension) {
  const std::vector<double> v = numbers(text, dimension == 3 ? 6 : 3, "--eta-tensor");
  Mat3 tensor = Mat3::Identity();
  if (dimension == 2)
    tensor.topLeftCorner<2, 2>() << v[0], v[2], v[2], v[1];
  else
    tensor << v[0], v[3], v[5], v[3], v[1], v[4], v[5], v[4], v[2];
  if (Eigen::SelfAdjointEigenSolver<Mat3>(tensor).eigenvalues().minCoeff() <= 0)
    throw core::BadInput(fmt::format("--eta-tensor {}: the tensor must be positive definite.", text));
  return tensor;
}

/// Sliding, then the tensor of --eta-tensor, then the axes of --eta.
std::vector<Mat3> tensors(const GeneralArguments& arguments, const std::array<double, 3>& axes,
                          const modes::Body& body) {
  std::vector<Mat3> all;
  if (arguments.sliding != 1) all = modes::sliding_tensors(body.mesh, body.graph, 1, arguments.sliding);
  Mat3 common = Mat3::Identity();
  if (!arguments.tensor.empty()) common = tensor_from(arguments.tensor, body.mesh.dimension());
  const bool scalar = all.empty() && arguments.tensor.empty() && arguments.strain == modes::StrainEnergy::none;
  if (scalar) return {};
  common = common * Eigen::Vector3d(axes[0], axes[1], axes[2]).asDiagonal();
  if (all.empty()) return {common};
  for (Mat3& w : all) w = w * common;
  return all;
}

}  // namespace

void add_general_arguments(CLI::App& command, GeneralArguments& arguments) {
  const std::string group = "General problem (docs/MODES.md)";
  command
      .add_option("--method", arguments.method,
                  "exact; admm: divided over all ranks, to a gap of 1e-3; auto (default): exact if that fits into the "
                  "memory of a node. The options below need admm and choose it")
      ->group(group)
      ->option_text("auto|exact|admm")
      ->transform(CLI::CheckedTransformer(std::map<std::string, SearchMethod>{
          {"auto", SearchMethod::automatic}, {"exact", SearchMethod::exact}, {"admm", SearchMethod::admm}}));
  command
      .add_option(
          "--strain", arguments.strain,
          "energy of deforming the elements: none (default: they do not), laplacian, or elastic (shear modulus 1)")
      ->group(group)
      ->option_text("none|laplacian|elastic")
      ->transform(CLI::CheckedTransformer(kStrainEnergies));
  command
      .add_option("--omega", arguments.omega,
                  "weight of breaking against deforming, ω of [S22] eq. (15) [1/m^2.5; flat bodies: 1/m²]")
      ->group(group)
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command.add_option("--poisson", arguments.poisson, "Poisson's ratio of --strain elastic")
      ->group(group)
      ->capture_default_str()
      ->check(CLI::Range(0.0, 0.49));
  command.add_option("--sliding", arguments.sliding, "what a crack that slides costs, one that opens being 1")
      ->group(group)
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command
      .add_option("--eta-tensor", arguments.tensor,
                  "a jump d costs ‖W d‖: six numbers of the symmetric W; flat bodies: XX,YY,XY")
      ->group(group)
      ->type_name("XX,YY,ZZ,XY,YZ,XZ");
}

std::string method_of(const GeneralArguments& arguments) {
  if (!arguments.given()) return "exact";
  std::string text = "admm strain=" + name_of(arguments.strain);
  if (arguments.strain != modes::StrainEnergy::none) text += fmt::format(" omega={:.17g}", arguments.omega);
  if (arguments.strain == modes::StrainEnergy::elastic) text += fmt::format(" poisson={:.17g}", arguments.poisson);
  if (arguments.sliding != 1) text += fmt::format(" sliding={:.17g}", arguments.sliding);
  if (!arguments.tensor.empty()) text += " tensor=" + arguments.tensor;
  return text;
}

modes::GeneralProblem general_problem(const GeneralArguments& arguments, const std::array<double, 3>& axis_strength,
                                      modes::DividedBody body) {
  modes::GeneralProblem problem;
  problem.strain = arguments.strain;
  problem.omega = arguments.omega;
  problem.poisson = arguments.poisson;
  problem.tensor = tensors(arguments, axis_strength, body.local);
  if (const std::int64_t num_parts = modes::count_parts(body); num_parts != 1)
    throw core::BadInput(fmt::format(
        "The mesh falls into {} connected parts. With --method admm, --strain, --sliding or --eta-tensor give one at a "
        "time.",
        num_parts));
  if (problem.strain != modes::StrainEnergy::none && body.comm.any(!body.local.no_break.empty()))
    throw core::BadInput("--no-break... is for elements that do not deform: leave it or --strain out.");
  problem.body = std::move(body);
  return problem;
}

}  // namespace brisance::app
