#include "brisance/la/partition.hpp"

#include "brisance/la/star_forest.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include <petscmat.h>

namespace brisance::la {

namespace {

/// PETSc frees what it is given.
PetscInt* petsc_copy(std::span<const std::int64_t> values) {
  PetscInt* copy = nullptr;
  check(PetscMalloc1(values.size(), &copy), "PetscMalloc1");
  std::transform(values.begin(), values.end(), copy, [](std::int64_t v) { return static_cast<PetscInt>(v); });
  return copy;
}

/// Names of the parts by which most weight keeps its rank: the heaviest pairs of rank and part first.
std::vector<std::int32_t> names_for_parts(const core::Comm& comm, std::span<const std::int64_t> weight_in_part) {
  const auto size = static_cast<std::size_t>(comm.size());
  const std::vector<std::int64_t> all = comm.all_gather(weight_in_part);  // [rank][part]
  std::vector<std::size_t> pairs(all.size());
  std::iota(pairs.begin(), pairs.end(), 0U);
  std::stable_sort(pairs.begin(), pairs.end(), [&](std::size_t a, std::size_t b) { return all[a] > all[b]; });
  std::vector<std::int32_t> name(size, -1);
  std::vector<bool> taken(size, false);
  for (const std::size_t pair : pairs) {
    const std::size_t rank = pair / size, part = pair % size;
    if (taken[rank] || name[part] >= 0) continue;
    taken[rank] = true;
    name[part] = static_cast<std::int32_t>(rank);
  }
  return name;
}

}  // namespace

std::vector<std::int32_t> balanced_parts(const core::Comm& comm, const GraphPart& graph, std::int64_t num_vertices) {
  const auto rows = static_cast<PetscInt>(graph.weight.size());
  Mat adjacency = nullptr;
  check(MatCreateMPIAdj(comm.raw(), rows, static_cast<PetscInt>(num_vertices), petsc_copy(graph.first),
                        petsc_copy(graph.neighbours), nullptr, &adjacency),
        "MatCreateMPIAdj");
  MatPartitioning partitioning = nullptr;
  check(MatPartitioningCreate(comm.raw(), &partitioning), "MatPartitioningCreate");
  check(MatPartitioningSetAdjacency(partitioning, adjacency), "MatPartitioningSetAdjacency");
  check(MatPartitioningSetVertexWeights(partitioning, petsc_copy(graph.weight)), "MatPartitioningSetVertexWeights");
  check(MatPartitioningSetType(partitioning, MATPARTITIONINGPTSCOTCH), "MatPartitioningSetType");
  IS parts = nullptr;
  check(MatPartitioningApply(partitioning, &parts), "MatPartitioningApply");
  const PetscInt* part = nullptr;
  check(ISGetIndices(parts, &part), "ISGetIndices");
  std::vector<std::int32_t> result(part, part + rows);
  check(ISRestoreIndices(parts, &part), "ISRestoreIndices");
  check(ISDestroy(&parts), "ISDestroy");
  check(MatPartitioningDestroy(&partitioning), "MatPartitioningDestroy");
  check(MatDestroy(&adjacency), "MatDestroy");

  std::vector<std::int64_t> weight_in_part(static_cast<std::size_t>(comm.size()));
  for (std::size_t i = 0; i < result.size(); ++i)
    weight_in_part[static_cast<std::size_t>(result[i])] += graph.weight[i];
  const std::vector<std::int32_t> name = names_for_parts(comm, weight_in_part);
  for (std::int32_t& p : result) p = name[static_cast<std::size_t>(p)];
  return result;
}

}  // namespace brisance::la
