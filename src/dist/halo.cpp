#include "brisance/dist/halo.hpp"

#include <map>

namespace brisance::dist {

namespace {

/// A committed datatype for records of this many bytes; the few sizes in use live as long as the program.
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

la::StarForest forest_of(const core::Comm& comm, std::size_t num_slots, std::span<const GhostLink> ghosts) {
  la::StarForest forest(comm.raw());
  std::vector<PetscInt> leaves;
  std::vector<PetscSFNode> roots;
  leaves.reserve(ghosts.size());
  roots.reserve(ghosts.size());
  for (const GhostLink& link : ghosts) {
    leaves.push_back(link.ghost.value);
    roots.push_back({link.owner, link.remote_slot.value});
  }
  la::check(PetscSFSetGraph(forest.raw(), static_cast<PetscInt>(num_slots), static_cast<PetscInt>(leaves.size()),
                            leaves.data(), PETSC_COPY_VALUES, roots.data(), PETSC_COPY_VALUES),
            "PetscSFSetGraph");
  la::check(PetscSFSetUp(forest.raw()), "PetscSFSetUp");
  return forest;
}

}  // namespace

Halo::Halo(const core::Comm& comm, std::size_t num_slots, std::span<const GhostLink> ghosts)
    : num_first_(ghosts.size()), serial_(comm.size() == 1) {
  if (!serial_) first_ = forest_of(comm, num_slots, ghosts);
}

Halo::Halo(const core::Comm& comm, std::span<const GhostLink> ghosts, std::span<const std::int32_t> number,
           std::size_t num_numbers)
    : num_first_(ghosts.size()), serial_(comm.size() == 1) {
  if (serial_) return;
  std::vector<GhostLink> links(ghosts.begin(), ghosts.end());
  for (std::size_t k = 0; k < links.size(); ++k) links[k].ghost = LocalNode(static_cast<std::int32_t>(k));
  const la::StarForest by_slot = forest_of(comm, number.size(), links);
  std::vector<std::int32_t> at_owner(links.size());
  la::check(PetscSFBcastBegin(by_slot.raw(), MPI_INT32_T, number.data(), at_owner.data(), MPI_REPLACE),
            "PetscSFBcastBegin");
  la::check(PetscSFBcastEnd(by_slot.raw(), MPI_INT32_T, number.data(), at_owner.data(), MPI_REPLACE),
            "PetscSFBcastEnd");
  for (std::size_t k = 0; k < links.size(); ++k)
    links[k] = {LocalNode(number[static_cast<std::size_t>(ghosts[k].ghost.value)]), links[k].owner,
                LocalNode(at_owner[k])};
  first_ = forest_of(comm, num_numbers, links);
}

Halo Halo::from_level(const core::Comm& comm, std::span<const std::int8_t> level, int least) const {
  if (serial_) return {};
  PetscInt num_roots = 0, num_leaves = 0;
  const PetscInt* leaves = nullptr;  // none: the first ones
  const PetscSFNode* roots = nullptr;
  la::check(PetscSFGetGraph(first_.raw(), &num_roots, &num_leaves, &leaves, &roots), "PetscSFGetGraph");
  std::vector<GhostLink> kept;
  for (PetscInt k = 0; k < num_leaves; ++k) {
    const PetscInt ghost = leaves != nullptr ? leaves[k] : k;
    if (level[static_cast<std::size_t>(ghost)] >= least)
      kept.push_back({LocalNode(ghost), static_cast<std::int32_t>(roots[k].rank), LocalNode(roots[k].index)});
  }
  return {comm, static_cast<std::size_t>(num_roots), kept};
}

void Halo::add(const core::Comm& comm, std::size_t num_slots, std::span<const GhostLink> ghosts) {
  if (serial_) return;
  added_.insert(added_.end(), ghosts.begin(), ghosts.end());
  later_ = forest_of(comm, num_slots, added_);
}

void Halo::update_ghosts(std::span<const Array> arrays) const {
  if (serial_) return;
  // Owned and ghost slots are disjoint, so one array may be root and leaf data at once.
  for (const Array& a : arrays)
    for (const la::StarForest* forest : {&first_, &later_})
      if (*forest)
        la::check(PetscSFBcastBegin(forest->raw(), record_type(a.bytes_each), a.data, a.data, MPI_REPLACE),
                  "PetscSFBcastBegin");
  for (const Array& a : arrays)
    for (const la::StarForest* forest : {&first_, &later_})
      if (*forest)
        la::check(PetscSFBcastEnd(forest->raw(), record_type(a.bytes_each), a.data, a.data, MPI_REPLACE),
                  "PetscSFBcastEnd");
}

void Halo::reduce_min(std::span<std::int64_t> values) const {
  if (serial_) return;
  for (const la::StarForest* forest : {&first_, &later_}) {
    if (!*forest) continue;
    la::check(PetscSFReduceBegin(forest->raw(), MPI_INT64_T, values.data(), values.data(), MPI_MIN),
              "PetscSFReduceBegin");
    la::check(PetscSFReduceEnd(forest->raw(), MPI_INT64_T, values.data(), values.data(), MPI_MIN), "PetscSFReduceEnd");
  }
}

}  // namespace brisance::dist
