#include "mesh/shapes/revolve.hpp"

#include "brisance/core/random.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace brisance::mesh {
namespace {

constexpr double kJitter = 0.12;  // over the local spacing, either way
constexpr int kLeastRing = 5;
constexpr double kTurn = 2 * std::numbers::pi;

struct Ring {
  std::vector<std::int32_t> vertex;
  std::vector<double> angle;  ///< ascending [rad]
};

class Revolution {
public:
  Revolution(Surface& surface, double edge) : surface_(surface), edge_(edge) {}

  void run(const std::vector<ProfilePiece>& profile) {
    const Vec2 start = profile.front().point(0), end = profile.back().point(1);
    const bool closed = (start - end).norm() <= 1e-9 * edge_ && start.x() > 1e-9 * edge_;
    const Ring first = ring(profile.front(), 0, 0);
    Ring previous = first;
    for (std::size_t p = 0; p < profile.size(); ++p) {
      const auto cuts = std::max<std::int64_t>(profile[p].least_cuts, std::llround(profile[p].length_m / edge_));
      for (std::int64_t i = 1; i <= cuts; ++i) {
        const bool last_of_all = i == cuts && p + 1 == profile.size();
        const double spacing = i == cuts ? 0 : 1.0 / static_cast<double>(cuts);
        Ring next =
            closed && last_of_all
                ? first
                : ring(profile[p], i == cuts ? 1.0 : static_cast<double>(i) / static_cast<double>(cuts), spacing);
        zip(previous, next);
        previous = std::move(next);
      }
    }
  }

private:
  double jitter(std::uint64_t purpose) const {
    return kJitter * (2 * core::hash_uniform(surface_.vertices.size(), 0, purpose) - 1);
  }

  /// Points around the axis at one fraction of a piece; with a spacing above 0 they are also jittered along the
  /// profile.
  Ring ring(const ProfilePiece& piece, double fraction, double spacing) {
    Ring ring;
    const double radius = piece.point(fraction).x();
    const bool pole = radius <= 1e-9 * edge_;
    const auto count = pole ? 1 : std::max<std::int64_t>(kLeastRing, std::llround(kTurn * radius / edge_));
    const double step = kTurn / static_cast<double>(count);
    const double phase = 0.5 * core::hash_uniform(surface_.vertices.size(), 1, 0);
    for (std::int64_t i = 0; i < count; ++i) {
      const double angle = step * (static_cast<double>(i) + phase + jitter(1));
      const Vec2 at = piece.point(fraction + spacing * jitter(2));
      const double r = pole ? 0 : at.x();
      ring.vertex.push_back(static_cast<std::int32_t>(surface_.vertices.size()));
      ring.angle.push_back(angle);
      surface_.vertices.emplace_back(r * std::cos(angle), r * std::sin(angle), at.y());
    }
    return ring;
  }

  void add_triangle(std::int32_t a, std::int32_t b, std::int32_t c) {
    surface_.source_face.push_back(static_cast<std::int32_t>(surface_.triangles.size()));
    surface_.triangles.push_back({a, b, c});
  }

  /// Triangulates the band between two rings: always advances on the ring whose next edge has the smaller middle angle.
  void zip(const Ring& below, const Ring& above) {
    const std::size_t m = below.vertex.size(), n = above.vertex.size();
    auto angle = [](const Ring& ring, std::size_t i) {
      return ring.angle[i % ring.angle.size()] + kTurn * static_cast<double>(i / ring.angle.size());
    };
    auto middle = [&](const Ring& ring, std::size_t i) { return 0.5 * (angle(ring, i) + angle(ring, i + 1)); };
    for (std::size_t i = 0, j = 0; i < m || j < n;) {
      const bool advance_below = n == 1 || (m > 1 && i < m && (j == n || middle(below, i) < middle(above, j)));
      const auto a = below.vertex[i % m], b = above.vertex[j % n];
      if (advance_below) {
        add_triangle(a, below.vertex[(i + 1) % m], b);
        if (++i == m && n == 1) break;
      } else {
        add_triangle(a, above.vertex[(j + 1) % n], b);
        if (++j == n && m == 1) break;
      }
    }
  }

  Surface& surface_;
  double edge_;
};

}  // namespace

ProfilePiece straight_piece(const Vec2& from, const Vec2& to) {
  const double r = from.x(), s = to.x();
  return {{.from = from, .to = to},
          (to - from).norm(),
          std::numbers::pi / 3 * (r * r + r * s + s * s) * (to.y() - from.y())};
}

ProfilePiece arc_piece(const Vec2& centre, double radius_m, double first_rad, double last_rad) {
  // ∫ (c + a cos φ)² a cos φ dφ
  auto swept = [c = centre.x(), a = radius_m](double phi) {
    const double sine = std::sin(phi);
    return a * (c * c * sine + c * a * (phi + sine * std::cos(phi)) + a * a * (sine - sine * sine * sine / 3));
  };
  return {{.centre = centre, .radius_m = radius_m, .first_rad = first_rad, .last_rad = last_rad},
          radius_m * std::abs(last_rad - first_rad),
          std::numbers::pi * (swept(last_rad) - swept(first_rad))};
}

void append_revolved(Surface& surface, const std::vector<ProfilePiece>& profile, double edge_length_m) {
  Revolution(surface, edge_length_m).run(profile);
}

}  // namespace brisance::mesh
