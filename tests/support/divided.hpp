/// Bodies divided over the ranks for tests, from meshes that every rank can make whole.
#pragma once

#include "brisance/core/blocks.hpp"
#include "brisance/modes/body/divided_body.hpp"
#include "brisance/modes/search/scalar_modes.hpp"

#include <span>
#include <vector>

namespace brisance::test {

inline modes::DividedBody divided(const core::Comm& comm, const modes::Simplices& whole,
                                  const std::vector<std::int32_t>& region = {}) {
  modes::DividedBody body = modes::divide(comm, modes::scatter_blocks(comm, whole), core::scatter_blocks(comm, region));
  body.local.face_weight = modes::face_weights(body.local.graph, modes::Weighting::area);
  return body;
}
inline modes::DividedBody divided(const core::Comm& comm, const mesh::TetMesh& whole) {
  return divided(comm, modes::simplices(whole));
}

/// A table in blocks as one, on all ranks.
template <class T>
std::vector<T> joined(const core::Comm& comm, const std::vector<T>& block) {
  return comm.all_gather(std::span<const T>(block));
}

}  // namespace brisance::test
