#include "brisance/dist/halo.hpp"

#include <algorithm>
#include <map>

namespace brisance::dist {

namespace {

/// A committed datatype for records of this many bytes; the handful of sizes in use live as long as the program.
MPI_Datatype record_type(std::size_t bytes) {
  static std::map<std::size_t, MPI_Datatype> types;
  auto [entry, made] = types.try_emplace(bytes, MPI_DATATYPE_NULL);
  if (made) {
    const bool doubles = bytes % sizeof(double) == 0;
    MPI_Type_contiguous(static_cast<int>(doubles ? bytes / sizeof(double) : bytes), doubles ? MPI_DOUBLE : MPI_BYTE,
                        &entry->second);
    MPI_Type_commit(&entry->second);
  }
  return entry->second;
}

}  // namespace

Halo::Halo(const core::Comm& comm, std::size_t num_slots, std::span<const GhostLink> ghosts)
    : serial_(comm.size() == 1) {
  if (serial_) return;
  forest_ = la::StarForest(comm.raw());
  std::vector<PetscInt> leaves;
  std::vector<PetscSFNode> roots;
  leaves.reserve(ghosts.size());
  roots.reserve(ghosts.size());
  ghosts_.reserve(ghosts.size());
  for (const GhostLink& link : ghosts) {
    ghosts_.push_back(link.ghost);
    leaves.push_back(link.ghost.value);
    roots.push_back({link.owner, link.remote_slot.value});
  }
  la::check(PetscSFSetGraph(forest_.raw(), static_cast<PetscInt>(num_slots), static_cast<PetscInt>(leaves.size()),
                            leaves.data(), PETSC_COPY_VALUES, roots.data(), PETSC_COPY_VALUES),
            "PetscSFSetGraph");
  la::check(PetscSFSetUp(forest_.raw()), "PetscSFSetUp");
}

Halo Halo::restricted_to(std::span<const LocalNode> ghosts) const {
  Halo some;
  some.serial_ = serial_;
  some.ghosts_.assign(ghosts.begin(), ghosts.end());
  if (serial_) return some;
  std::vector<PetscInt> leaves;  // positions among the leaves, which ascend
  for (LocalNode n : ghosts)
    leaves.push_back(static_cast<PetscInt>(std::lower_bound(ghosts_.begin(), ghosts_.end(), n) - ghosts_.begin()));
  some.forest_ = la::StarForest::of_leaves(forest_, leaves);
  return some;
}

void Halo::update_ghosts(std::span<const Array> arrays) const {
  if (serial_) return;
  // Owned and ghost slots are disjoint, so one array may be root and leaf data at once.
  for (const Array& a : arrays)
    la::check(PetscSFBcastBegin(forest_.raw(), record_type(a.bytes_each), a.data, a.data, MPI_REPLACE),
              "PetscSFBcastBegin");
  for (const Array& a : arrays)
    la::check(PetscSFBcastEnd(forest_.raw(), record_type(a.bytes_each), a.data, a.data, MPI_REPLACE),
              "PetscSFBcastEnd");
}

void Halo::reduce_min(std::span<std::int64_t> values) const {
  if (serial_) return;
  la::check(PetscSFReduceBegin(forest_.raw(), MPI_INT64_T, values.data(), values.data(), MPI_MIN),
            "PetscSFReduceBegin");
  la::check(PetscSFReduceEnd(forest_.raw(), MPI_INT64_T, values.data(), values.data(), MPI_MIN), "PetscSFReduceEnd");
}

}  // namespace brisance::dist
