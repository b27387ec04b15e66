/// Ranks that find minimum cuts for a search that runs on rank 0.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/modes/body/cell_graph.hpp"

#include <cstdint>
#include <span>

namespace brisance::modes {

struct Pricing;

/// Rank 0's end: one helper (rank 1) works on one pricing while rank 0 does another. Which pricings there are does not
/// depend on the number of ranks, and a cut is unique: the search finds the same bits with and without help.
class CutHelpers {
public:
  /// Every other rank of `comm` shall be in help_with_cuts. Rank 0 only.
  explicit CutHelpers(const core::Comm& comm) : comm_(comm) {}
  /// Releases them.
  ~CutHelpers();
  CutHelpers(const CutHelpers&) = delete;
  CutHelpers& operator=(const CutHelpers&) = delete;

  [[nodiscard]] bool any() const { return comm_.size() > 1; }  ///< without any, call nothing below
  /// What the following pricings are about.  @return a number for it, > 0, that knows() takes
  std::uint64_t set_graph(const CellGraph& graph, std::span<const double> face_weight);
  /// Whether the helper still has the graph of that number, and no later one.
  [[nodiscard]] bool knows(std::uint64_t graph_number) const { return graph_number == num_graphs_; }
  /// How many graphs were sent so far.
  [[nodiscard]] std::uint64_t num_graphs() const { return num_graphs_; }
  /// Hands one pricing out (see largest_ratio); the gain may change as soon as this returns.
  void start(std::span<const double> gain, double known_ratio);
  /// Waits for its result.
  [[nodiscard]] Pricing finish();

private:
  core::Comm comm_;
  bool waiting_ = false;          ///< a pricing is out
  std::uint64_t num_graphs_ = 0;  ///< sent so far
};

/// The other ranks' end: works for rank 0 of `comm` until released, waiting without using the processor.
/// Rank 0 must not leave without releasing its helpers, whatever happens (see ~CutHelpers).
void help_with_cuts(const core::Comm& comm);

}  // namespace brisance::modes
