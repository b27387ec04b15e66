/// A box as a distributed mesh with the fields of contact by surfaces.
#pragma once

#include "brisance/contact/fields.hpp"
#include "brisance/dist/distribute.hpp"

#include "support/kuhn.hpp"

namespace brisance::contact::testing {

/// [0,1]×[0,1]×[0,1], its nodes owned by ranks at random if `is_scattered`.
inline dist::Mesh boundary_box(int cells, bool is_scattered = false) {
  material::Material m;
  m.density = 1000;
  m.lame_lambda = m.lame_mu = 1e6;
  dist::DistributeOptions options;
  options.fields.add(fields()).add(surface_fields());
  if (is_scattered) options.partitioner = dist::Partitioner::random;
  return dist::distribute(core::Comm(), test::kuhn_box(cells, cells, cells, 1, 1, 1), {}, {m}, options);
}

}  // namespace brisance::contact::testing
