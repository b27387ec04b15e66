/// The data of a distributed mesh that the kernels read.
#pragma once

#include "brisance/dist/mesh.hpp"
#include "brisance/dynamics/internal_forces.hpp"

namespace brisance::dynamics {

[[nodiscard]] inline ElementSpans spans_of(const dist::Mesh& mesh) {
  return {mesh.blocks, mesh.material_of.span(), mesh.field(kPlasticState)};
}

}  // namespace brisance::dynamics
