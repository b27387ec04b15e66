/// Helper ranks that compute minimum cuts for a search on rank 0.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/modes/body/cell_graph.hpp"

#include <cstdint>
#include <span>

namespace brisance::modes {

struct Pricing;

/// Rank 0's side: one helper (rank 1) works on one pricing while rank 0 does another. The set of pricings does not
/// depend on the number of ranks, and a cut is unique: the search has the same bits with and without help.
class CutHelpers {
public:
  /// Every other rank of `comm` must be in help_with_cuts. Rank 0 only.
  explicit CutHelpers(const core::Comm& comm) : comm_(comm) {}
  /// Releases them.
  ~CutHelpers();
  CutHelpers(const CutHelpers&) = delete;
  CutHelpers& operator=(const CutHelpers&) = delete;

  [[nodiscard]] bool any() const { return comm_.size() > 1; }  ///< false: none of the functions below may be called
  /// Sends the graph of the following pricings.  @return its number, > 0, for knows()
  std::uint64_t set_graph(const CellGraph& graph, std::span<const double> face_weight);
  /// Does the helper have the graph of that number, and no later one?
  [[nodiscard]] bool knows(std::uint64_t graph_number) const { return graph_number == num_graphs_; }
  /// Number of graphs sent so far.
  [[nodiscard]] std::uint64_t num_graphs() const { return num_graphs_; }
  /// Starts one pricing (see largest_ratio); `gain` may change as soon as this returns.
  void start(std::span<const double> gain, double known_ratio);
  /// Waits for its result.
  [[nodiscard]] Pricing finish();

private:
  core::Comm comm_;
  bool waiting_ = false;          ///< a pricing is in progress
  std::uint64_t num_graphs_ = 0;  ///< number of graphs sent
};

/// The other ranks' side: works for rank 0 of `comm` until released, and waits without using the processor. Rank 0 must
/// always release its helpers before it leaves (see ~CutHelpers).
void help_with_cuts(const core::Comm& comm);

}  // namespace brisance::modes
