#include "mesh/generate/edge_search.hpp"

#include "brisance/core/failed_meshing.hpp"

#include "mesh/generate/request_body.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace brisance::mesh {
namespace {

constexpr int kMostTries = 6, kMostFailures = 4;
constexpr double kShareOfThickness = 0.5;  // altitude over thickness above which a thin body's tets are accepted
constexpr double kAfterFailure = 0.85;     // factor on the edge length after a failure
constexpr double kGoodEnough = 0.05;       // relative error of the count at which the search ends
constexpr double kNudge = 0.98;            // factor on the edge length, to avoid a sliver at the right count

/// Exponent of the count in 1/edge: 3 in solid bodies, 2 in thin ones; estimated from the last two tries.
double growth(double edge, double count, double last_edge, double last_count) {
  if (last_edge == 0 || edge == last_edge) return 3;
  return std::clamp(std::log(count / last_count) / std::log(last_edge / edge), 1.5, 4.5);
}

/// One try of the search: deviation from the wanted count, and thickness of the thinnest tet.
struct Try {
  double miss = std::numeric_limits<double>::infinity();  ///< |count / target − 1|
  bool is_allowed = false;                                ///< within the allowed losses of the body
  Quality quality;

  [[nodiscard]] bool good_enough(const Body& body) const {
    return miss <= kGoodEnough && (is_thick(body) || !is_allowed);
  }
  /// Are its tets as thick as wanted, or as a thin body itself?
  [[nodiscard]] bool is_thick(const Body& body) const {
    return quality.smallest_dihedral_rad >= body.least_dihedral_rad ||
           (!body.input.triangles.empty() &&
            quality.smallest_altitude_m >= kShareOfThickness * body.size.thickness_m());
  }
  /// Order: first the allowed ones; among those within the tolerance the one with thicker tets, otherwise the nearer
  /// count.
  [[nodiscard]] bool better_than(const Try& other) const {
    if (is_allowed != other.is_allowed) return is_allowed;
    if (miss > kCountTolerance || other.miss > kCountTolerance) return miss < other.miss;
    return quality.smallest_altitude_m > other.quality.smallest_altitude_m;
  }
};

class Search {
public:
  Search(const Body& body, const Request& request, MeshReport& report)
      : body_(body), request_(request), report_(report), target_(static_cast<double>(report.target_tets)) {}

  Filled best() {
    double edge = first_guess_m(body_, target_);
    while (!best_.good_enough(body_) && report_.num_tries < kMostTries + num_failures_ &&
           num_failures_ < kMostFailures) {
      const double tried = edge;
      edge = std::min(next_after(tried), body_.largest_edge_m);
      if (edge == tried) break;
    }
    if (filled_.mesh.tets.empty()) throw core::FailedMeshing(*failure_);
    best_report_.num_tries = report_.num_tries;
    report_ = best_report_;
    return std::move(filled_);
  }

private:
  /// Fills at an edge length; a failure does not exclude other edge lengths.
  /// @return the edge length to try next
  double next_after(double edge) {
    ++report_.num_tries;
    try {
      Filled made = fill(body_, edge, request_, report_);
      const auto count = static_cast<double>(made.mesh.tets.size());
      keep_if_better(std::move(made), count, edge);
      return next_edge(edge, count);
    } catch (const core::FailedMeshing& failure) {
      if (!failure_) failure_ = failure;
      ++num_failures_;
      return kAfterFailure * edge;
    }
  }

  void keep_if_better(Filled made, double count, double edge) {
    const Try now{std::abs(count / target_ - 1), is_allowed(made, body_, request_), made.quality};
    last_miss_ = now.miss;
    if (!now.better_than(best_)) return;
    best_ = now, filled_ = std::move(made);
    report_.edge_length_m = edge, best_report_ = report_;
  }

  double next_edge(double edge, double count) {
    const double next = last_miss_ <= kGoodEnough
                            ? kNudge * edge
                            : edge * std::pow(count / target_, 1 / growth(edge, count, last_edge_, last_count_));
    last_edge_ = edge, last_count_ = count;
    return next;
  }

  const Body& body_;
  const Request& request_;
  MeshReport& report_;
  double target_;
  Try best_;
  Filled filled_;
  MeshReport best_report_;
  double last_edge_ = 0, last_count_ = 0, last_miss_ = 0;
  int num_failures_ = 0;
  std::optional<core::FailedMeshing> failure_;
};

}  // namespace

Filled fill_with_target(const Body& body, const Request& request, MeshReport& report) {
  return Search(body, request, report).best();
}

}  // namespace brisance::mesh
