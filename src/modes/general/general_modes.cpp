/// The sequence of convex steps (ICCM, [S22] algorithm 1) around ADMM.
#include "brisance/modes/general/general_modes.hpp"

#include "brisance/core/error.hpp"
#include "brisance/la/sums.hpp"
#include "brisance/la/vector_view.hpp"

#include "modes/general/admm.hpp"
#include "modes/general/body_share.hpp"
#include "modes/general/coarea_rounding.hpp"
#include "modes/general/general_starts.hpp"
#include "modes/general/jump_problem.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <initializer_list>
#include <optional>
#include <span>
#include <utility>

#include <spdlog/fmt/fmt.h>

namespace brisance::modes {

namespace {

using la::check;

constexpr double kNothing = 1e-12;        ///< norm of a field that counts as zero, relative to about 1
constexpr double kSmallestChange = 1e-3;  ///< change of a mode in a convex step that ends its search

struct Energies {
  double all = 0, strain = 0;
};

class GeneralSearch {
public:
  GeneralSearch(const GeneralProblem& problem, const GeneralSettings& settings);

  [[nodiscard]] std::size_t num_rigid() const { return problem_.rigid.size(); }
  /// Converts a field on the body's own cells.
  [[nodiscard]] la::Vector from_own_cells(const std::vector<double>& field) const;
  /// Converts a mode in blocks.
  [[nodiscard]] la::Vector from_blocks(const Mode& mode) const;
  [[nodiscard]] Mode rigid_mode(std::size_t k) const;
  void add_known(la::Vector mode);
  /// Finds the next mode and adds it. The result is in blocks.
  [[nodiscard]] Mode next(la::Vector start);

private:
  double make_orthonormal(la::Vector& field, std::initializer_list<const std::vector<la::Vector>*> others) const;
  [[nodiscard]] Energies energies(const la::Vector& field) const;
  [[nodiscard]] Mode to_blocks(const la::Vector& field, const std::vector<double>& jumps) const;

  const DividedBody& body_;
  GeneralSettings settings_;
  BodyShare share_;
  JumpProblem problem_;
  Admm admm_;
  std::optional<CoareaRounding> rounding_;
  std::vector<la::Vector> known_;  ///< without the rigid ones
};

GeneralSearch::GeneralSearch(const GeneralProblem& problem, const GeneralSettings& settings)
    : body_(problem.body),
      settings_(settings),
      share_(share_of(problem)),
      problem_(jump_problem(problem.body.comm, share_)),
      admm_(problem_, settings.relative_gap, settings.most_iterations) {
  if (problem_.field == CellField::scalar) rounding_.emplace(share_, problem_);
}

la::Vector GeneralSearch::from_own_cells(const std::vector<double>& field) const {
  la::Vector vector = la::like(problem_.mass);
  const la::WriteView values(vector.raw());
  const std::vector<double> mine = share_.from_own_cells(field, problem_.cell_size);
  std::copy(mine.begin(), mine.end(), values.values().begin());
  return vector;
}

la::Vector GeneralSearch::from_blocks(const Mode& mode) const {
  const std::vector<double>& field = problem_.field == CellField::corners ? mode.corner_value : mode.value;
  if (body_.comm.any(field.size() != body_.cell_block.num_rows() * problem_.cell_size))
    throw core::Error(
        "The modes found so far are not of this problem: they have too few or too many values a cell. Was their file "
        "damaged or edited? Find them again.");
  return from_own_cells(body_.cell_block.fetch(field, problem_.cell_size));
}

/// Orthogonalises a field against `others` and normalises it. @return its norm before the normalisation
double GeneralSearch::make_orthonormal(la::Vector& field,
                                       std::initializer_list<const std::vector<la::Vector>*> others) const {
  for (int pass = 0; pass < 2; ++pass)
    for (const std::vector<la::Vector>* list : others)
      for (const la::Vector& other : *list)
        check(VecAXPY(field.raw(), -mass_dot(problem_, other, field), other.raw()), "VecAXPY");
  const double norm = mass_norm(problem_, field);
  if (!(norm > kNothing))
    throw core::Error(
        "A start vector has nothing new beside the modes found so far. Ask for fewer modes, or use a "
        "finer mesh.");
  check(VecScale(field.raw(), 1 / norm), "VecScale");
  return norm;
}

Energies GeneralSearch::energies(const la::Vector& field) const {
  la::Vector jumps;
  check(MatCreateVecs(problem_.jumps.raw(), nullptr, jumps.out()), "MatCreateVecs");
  check(MatMult(problem_.jumps.raw(), field.raw(), jumps.raw()), "MatMult");
  Energies energy;
  const la::ReadView values(jumps.raw());
  for (std::size_t first = 0; first < values.values().size(); first += problem_.jump_size) {
    double squared = 0;
    for (int k = 0; k < problem_.jump_size; ++k) squared += values[first + k] * values[first + k];
    energy.all += std::sqrt(squared);
  }
  energy.all = share_.omega * la::sum_over_ranks(body_.comm, energy.all);
  if (problem_.strain.raw() == nullptr) return energy;
  la::Vector force = la::like(field);
  PetscScalar product = 0;
  check(MatMult(problem_.strain.raw(), field.raw(), force.raw()), "MatMult");
  check(VecDot(field.raw(), force.raw(), &product), "VecDot");
  energy.strain = share_.omega * product / 2;
  energy.all += energy.strain;
  return energy;
}

/// @param jumps  ‖z_f‖ of this rank's faces; empty: the field's own differences
Mode GeneralSearch::to_blocks(const la::Vector& field, const std::vector<double>& jumps) const {
  Mode mode;
  {
    const la::ReadView values(field.raw());
    mode.value = body_.cell_block.store(share_.on_own_cells(values.values(), problem_.cell_size), problem_.cell_size);
  }
  if (problem_.field == CellField::scalar) return mode;
  std::vector<double> root_mean_square(body_.own_faces.size(), 0.0);
  for (std::size_t f = 0; f < jumps.size(); ++f)
    root_mean_square[share_.own_face[f]] = jumps[f] / share_.faces[f].weight;
  mode.jump = body_.face_block.store(root_mean_square);
  if (problem_.field == CellField::vector) return mode;
  const int d = problem_.dimension;
  std::vector<double> mean(mode.value.size() / (d + 1), 0.0);
  for (std::size_t i = 0; i < mode.value.size(); ++i)
    mean[i / problem_.cell_size * d + i % d] += mode.value[i] / (d + 1);
  mode.corner_value = std::exchange(mode.value, std::move(mean));
  return mode;
}

Mode GeneralSearch::rigid_mode(std::size_t k) const {
  return to_blocks(problem_.rigid[k], std::vector<double>(share_.faces.size(), 0.0));
}

void GeneralSearch::add_known(la::Vector mode) {
  admm_.add_known(mode);
  known_.push_back(std::move(mode));
}

Mode GeneralSearch::next(la::Vector c) {
  make_orthonormal(c, {&problem_.rigid});
  if (rounding_) rounding_->forget();
  Rounding rounding;
  if (rounding_)
    rounding = [&](const la::Vector& field, std::span<const double> multipliers) {
      return rounding_->round(field, multipliers);
    };
  std::vector<double> convex_energies, convex_gaps, jumps;
  double energy = energies(c).all;
  bool settled = false;
  for (int step = 0; step < settings_.most_steps && !settled; ++step) {
    if (rounding_) rounding_->constrain(c, known_);
    AdmmStep found = admm_.minimise(c, step == 0, rounding);
    const double norm = make_orthonormal(found.u, {&problem_.rigid, &known_});
    for (double& jump : found.jumps) jump /= norm;
    const double now = energies(found.u).all;
    check(VecAXPY(c.raw(), -1, found.u.raw()), "VecAXPY");
    const double change = mass_norm(problem_, c);
    settled = change < kSmallestChange || (step > 0 && now > energy * (1 - settings_.relative_gap));
    convex_energies.push_back(share_.omega * found.objective);
    convex_gaps.push_back(1 - found.lower_bound / found.objective);
    energy = now;
    jumps = std::move(found.jumps);
    c = std::move(found.u);
  }
  Mode mode = to_blocks(c, jumps);
  const Energies end = energies(c);
  mode.energy = end.all;
  mode.strain_energy = end.strain;
  mode.relative_gap = convex_gaps.back();
  mode.convex_energies = std::move(convex_energies);
  mode.convex_gaps = std::move(convex_gaps);
  mode.settled = settled;
  add_known(std::move(c));
  return mode;
}

}  // namespace

bool find_general_modes(const GeneralProblem& problem, const GeneralSettings& settings, ModeSet& modes,
                        const AfterMode& after_mode) {
  GeneralSearch search(problem, settings);
  modes.dimension = problem.body.local.mesh.dimension();
  modes.components = problem.couples_axes() ? modes.dimension : 1;
  auto found = static_cast<std::int32_t>(modes.modes.size());
  const auto num_rigid = static_cast<std::int32_t>(search.num_rigid());
  for (std::int32_t k = num_rigid; k < found; ++k) search.add_known(search.from_blocks(modes.modes[k]));
  for (; found < std::min(num_rigid, settings.count); ++found) modes.modes.push_back(search.rigid_mode(found));
  if (found >= settings.count) return true;
  const GeneralStarts starts(problem, settings);
  for (; found < settings.count; ++found) {
    const std::clock_t begin = std::clock();
    modes.modes.push_back(search.next(search.from_own_cells(starts.start(found))));
    if (!after_mode(modes, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC)) return false;
  }
  return true;
}

}  // namespace brisance::modes
