/// The sequence of convex steps (ICCM, [S22] algorithm 1) around ADMM.
#include "brisance/modes/general_modes.hpp"

#include "brisance/core/error.hpp"
#include "brisance/la/vector_view.hpp"

#include "modes/admm.hpp"
#include "modes/body_share.hpp"
#include "modes/coarea_rounding.hpp"
#include "modes/general_starts.hpp"
#include "modes/jump_problem.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <initializer_list>
#include <optional>
#include <utility>

#include <spdlog/fmt/fmt.h>

namespace brisance::modes {

namespace {

using la::check;

constexpr double kNothing = 1e-12;        ///< norm, of a field that had 1 or so
constexpr double kSmallestChange = 1e-3;  ///< of a mode in a convex step that ends its search

struct Energies {
  double all = 0, strain = 0;
};

class GeneralSearch {
public:
  GeneralSearch(const core::Comm& comm, const GeneralProblem& problem, const GeneralSettings& settings);

  [[nodiscard]] std::size_t num_rigid() const { return problem_.rigid.size(); }
  [[nodiscard]] int cell_size() const { return problem_.cell_size; }
  /// A field of rank 0.
  [[nodiscard]] la::Vector from_body(const std::vector<double>& on_body) const;
  [[nodiscard]] Mode rigid_mode(std::size_t k) const;
  void add_known(la::Vector mode);
  /// Found and known. The result is complete on rank 0 only.
  [[nodiscard]] Mode next(la::Vector start);

private:
  double make_orthonormal(la::Vector& field, std::initializer_list<const std::vector<la::Vector>*> others) const;
  [[nodiscard]] Energies energies(const la::Vector& field) const;
  [[nodiscard]] Mode to_body(const la::Vector& field, const std::vector<double>& jumps) const;

  core::Comm comm_;
  GeneralSettings settings_;
  CellOrder order_;
  BodyShare share_;
  JumpProblem problem_;
  Admm admm_;
  std::optional<CoareaRounding> rounding_;
  std::vector<la::Vector> known_;  ///< the rigid ones left out
};

GeneralSearch::GeneralSearch(const core::Comm& comm, const GeneralProblem& problem, const GeneralSettings& settings)
    : comm_(comm),
      settings_(settings),
      share_(share_out(comm, problem, order_)),
      problem_(jump_problem(comm, share_)),
      admm_(problem_, settings.relative_gap, settings.most_iterations) {
  if (problem_.field == CellField::scalar) rounding_.emplace(share_, problem_);
}

la::Vector GeneralSearch::from_body(const std::vector<double>& on_body) const {
  la::Vector field = la::like(problem_.mass);
  const la::WriteView values(field.raw());
  scatter_cells(comm_, order_, on_body, problem_.cell_size, values.values());
  return field;
}

/// Without its shares of `others`, and of norm 1. @return the norm it had before
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
  check(MPI_Allreduce(MPI_IN_PLACE, &energy.all, 1, MPI_DOUBLE, MPI_SUM, comm_.raw()), "MPI_Allreduce");
  energy.all *= share_.omega;
  if (problem_.strain.raw() == nullptr) return energy;
  la::Vector force = la::like(field);
  PetscScalar product = 0;
  check(MatMult(problem_.strain.raw(), field.raw(), force.raw()), "MatMult");
  check(VecDot(field.raw(), force.raw(), &product), "VecDot");
  energy.strain = share_.omega * product / 2;
  energy.all += energy.strain;
  return energy;
}

/// @param jumps  ‖z_f‖ of this rank's faces, empty where the field's own differences count
Mode GeneralSearch::to_body(const la::Vector& field, const std::vector<double>& jumps) const {
  Mode mode;
  {
    const la::ReadView values(field.raw());
    mode.value = gather_cells(comm_, order_, values.values(), problem_.cell_size);
  }
  if (problem_.field == CellField::scalar) return mode;
  std::vector<double> root_mean_square(jumps.size());
  for (std::size_t f = 0; f < jumps.size(); ++f) root_mean_square[f] = jumps[f] / share_.faces[f].weight;
  mode.jump = gather_faces(comm_, order_, root_mean_square);
  if (problem_.field == CellField::vector) return mode;
  const int d = problem_.dimension;
  std::vector<double> mean(mode.value.size() / (d + 1), 0.0);
  for (std::size_t i = 0; i < mode.value.size(); ++i)
    mean[i / problem_.cell_size * d + i % d] += mode.value[i] / (d + 1);
  mode.corner_value = std::exchange(mode.value, std::move(mean));
  return mode;
}

Mode GeneralSearch::rigid_mode(std::size_t k) const {
  return to_body(problem_.rigid[k], std::vector<double>(share_.faces.size(), 0.0));
}

void GeneralSearch::add_known(la::Vector mode) {
  admm_.add_known(mode);
  known_.push_back(std::move(mode));
}

Mode GeneralSearch::next(la::Vector c) {
  make_orthonormal(c, {&problem_.rigid});
  if (rounding_) rounding_->forget();
  Rounding rounding;
  if (rounding_) rounding = [&](const la::Vector& u) { return rounding_->round(u); };
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
  Mode mode = to_body(c, jumps);
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

bool from_root(const core::Comm& comm, bool value) {
  std::int32_t shared = value ? 1 : 0;
  check(MPI_Bcast(&shared, 1, MPI_INT32_T, 0, comm.raw()), "MPI_Bcast");
  return shared != 0;
}

}  // namespace

bool find_general_modes(const core::Comm& comm, const GeneralProblem& problem, const GeneralSettings& settings,
                        ModeSet& modes, const AfterMode& after_mode) {
  GeneralSearch search(comm, problem, settings);
  if (comm.is_root()) {
    modes.dimension = problem.body.mesh.dimension();
    modes.components = problem.couples_axes() ? modes.dimension : 1;
  }
  auto found = static_cast<std::int32_t>(modes.modes.size());
  check(MPI_Bcast(&found, 1, MPI_INT32_T, 0, comm.raw()), "MPI_Bcast");
  const auto num_rigid = static_cast<std::int32_t>(search.num_rigid());
  for (std::int32_t k = num_rigid; k < found; ++k) {
    const Mode known = comm.is_root() ? modes.modes[k] : Mode();
    search.add_known(search.from_body(known.corner_value.empty() ? known.value : known.corner_value));
  }
  for (; found < std::min(num_rigid, settings.count); ++found) {
    Mode mode = search.rigid_mode(found);
    if (comm.is_root()) modes.modes.push_back(std::move(mode));
  }
  if (found >= settings.count) return true;
  std::optional<GeneralStarts> starts;
  core::agree(comm, [&] {
    if (comm.is_root()) starts.emplace(problem, settings);
  });
  for (; found < settings.count; ++found) {
    const std::clock_t begin = std::clock();
    Mode mode = search.next(search.from_body(starts ? starts->start(found) : std::vector<double>()));
    bool go_on = true;
    core::agree(comm, [&] {
      if (!comm.is_root()) return;
      modes.modes.push_back(std::move(mode));
      go_on = after_mode(modes, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    });
    if (!from_root(comm, go_on)) return false;
  }
  return true;
}

}  // namespace brisance::modes
