/// A scene with contact of points against facets.
#pragma once

#include "brisance/material/material.hpp"
#include "brisance/sim/parameters.hpp"

#include "support/simulated.hpp"

namespace brisance::test {

/// Without loss: no damper, no friction.
inline sim::Scene surface_scene(const material::Material& m) {
  sim::Scene scene = bare_scene(m);
  scene.contact.enabled = contact::ContactSwitch::on;
  scene.contact.criterion = contact::ContactCriterion::surface;
  scene.contact.restitution = 1;
  scene.contact.friction = 0;
  return scene;
}

}  // namespace brisance::test
