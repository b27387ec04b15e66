#include "app/scene/basis_checks.hpp"

#include <string>

namespace brisance::app {

void check_basis(const sim::Scene& scene, const Origins& origins) {
  const dynamics::Parameters none, &time = scene.time;
  if (time.basis == dynamics::BasisKind::nodal) {
    const auto refuse_unless = [&](const std::string& key, bool is_default) {
      if (!is_default)
        origins.refuse("time", 0, key,
                       "time." + key + " goes with time.basis = \"hierarchical\"; add that, or leave it out.");
    };
    refuse_unless("basis_cell_m", time.basis_cell_m == none.basis_cell_m);
    refuse_unless("basis_levels", time.basis_levels == none.basis_levels);
    refuse_unless("basis_active_share", time.basis_active_share == none.basis_active_share);
    refuse_unless("basis_renew_every", time.basis_renew_every == none.basis_renew_every);
    return;
  }
  if (time.integrator == dynamics::Integrator::statics)
    origins.refuse("time", 0, "basis",
                   "the hierarchical basis does not go with statics, which need balance at every node; choose "
                   "time.integrator = \"implicit_euler\" or \"hht\", or time.basis = \"nodal\".");
  if (time.solver != none.solver)
    origins.refuse("time", 0, "solver",
                   "the hierarchical basis has its own solver; leave time.solver out, or choose time.basis = "
                   "\"nodal\".");
  if (sim::tets_touch(scene))
    origins.refuse("time", 0, "basis",
                   "the hierarchical basis does not go with contact between objects yet; choose contact.enabled = "
                   "\"off\", or time.basis = \"nodal\".");
}

}  // namespace brisance::app
