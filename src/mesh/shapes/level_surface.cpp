#include "mesh/shapes/level_surface.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <unordered_map>

namespace brisance::mesh {
namespace {

constexpr double kClearance = 0.05;  ///< distance of a vertex from the ends of its grid edge, over its length
constexpr int kHalvings = 40;        ///< bisections of a grid edge to find the zero

class Marcher {
public:
  Marcher(const std::function<double(const Vec3&)>& f, const Vec3& low, const Vec3& high, double spacing_m)
      : f_(f), low_(low), spacing_m_(spacing_m) {
    for (int k = 0; k < 3; ++k)
      cells_[k] = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil((high[k] - low[k]) / spacing_m)));
    values_.reserve(static_cast<std::size_t>((cells_[0] + 1) * (cells_[1] + 1) * (cells_[2] + 1)));
    for (std::int64_t i = 0; i <= cells_[0]; ++i)
      for (std::int64_t j = 0; j <= cells_[1]; ++j)
        for (std::int64_t k = 0; k <= cells_[2]; ++k) values_.push_back(f_(place(number({i, j, k}))));
  }

  Surface march() {
    for (std::int64_t i = 0; i < cells_[0]; ++i)
      for (std::int64_t j = 0; j < cells_[1]; ++j)
        for (std::int64_t k = 0; k < cells_[2]; ++k) march_cube({i, j, k});
    surface_.source_face.resize(surface_.triangles.size());
    std::iota(surface_.source_face.begin(), surface_.source_face.end(), 0);
    return std::move(surface_);
  }

private:
  using Index = std::array<std::int64_t, 3>;

  [[nodiscard]] std::int64_t number(const Index& at) const {
    return (at[0] * (cells_[1] + 1) + at[1]) * (cells_[2] + 1) + at[2];
  }
  [[nodiscard]] Vec3 place(std::int64_t n) const {
    const std::int64_t row = cells_[2] + 1, plane = (cells_[1] + 1) * row;
    return low_ + spacing_m_ * Vec3(static_cast<double>(n / plane), static_cast<double>(n % plane / row),
                                    static_cast<double>(n % row));
  }
  [[nodiscard]] bool is_inside(std::int64_t n) const { return values_[static_cast<std::size_t>(n)] < 0; }

  /// All paths from one corner of the cube to the opposite one along its edges give six tets that match those of the
  /// neighbouring cubes.
  void march_cube(const Index& at) {
    std::array<int, 3> axes{0, 1, 2};
    do {
      Index corner = at;
      std::array<std::int64_t, 4> tet{number(corner), 0, 0, 0};
      for (std::size_t s = 0; s < 3; ++s) {
        ++corner[static_cast<std::size_t>(axes[s])];
        tet[s + 1] = number(corner);
      }
      march_tet(tet);
    } while (std::next_permutation(axes.begin(), axes.end()));
  }

  void march_tet(const std::array<std::int64_t, 4>& tet) {
    std::array<std::int64_t, 4> sorted = tet;
    const auto middle = std::stable_partition(sorted.begin(), sorted.end(), [&](auto n) { return is_inside(n); });
    const std::vector<std::int64_t> in(sorted.begin(), middle), out(middle, sorted.end());
    if (in.empty() || out.empty()) return;
    const Vec3 outward = mean(out) - mean(in);
    if (in.size() == 2) {
      const std::array<std::int32_t, 4> quad{vertex(in[0], out[0]), vertex(in[0], out[1]), vertex(in[1], out[1]),
                                             vertex(in[1], out[0])};
      add(quad[0], quad[1], quad[2], outward);
      add(quad[0], quad[2], quad[3], outward);
    } else {
      const bool one_in = in.size() == 1;
      const std::int64_t tip = one_in ? in[0] : out[0];
      const auto& others = one_in ? out : in;
      add(vertex(tip, others[0]), vertex(tip, others[1]), vertex(tip, others[2]), outward);
    }
  }

  [[nodiscard]] Vec3 mean(const std::vector<std::int64_t>& nodes) const {
    Vec3 sum = Vec3::Zero();
    for (const std::int64_t n : nodes) sum += place(n);
    return sum / static_cast<double>(nodes.size());
  }

  void add(std::int32_t a, std::int32_t b, std::int32_t c, const Vec3& outward) {
    const auto& x = surface_.vertices;
    const bool turned = (x[b] - x[a]).cross(x[c] - x[a]).dot(outward) < 0;
    surface_.triangles.push_back(turned ? std::array{a, c, b} : std::array{a, b, c});
  }

  std::int32_t vertex(std::int64_t a, std::int64_t b) {
    if (a > b) std::swap(a, b);
    const auto key = static_cast<std::uint64_t>(a) * values_.size() + static_cast<std::uint64_t>(b);
    const auto [found, is_new] = vertex_.try_emplace(key, static_cast<std::int32_t>(surface_.vertices.size()));
    if (!is_new) return found->second;
    const Vec3 x = place(a), y = place(b);
    double low = 0, high = 1;
    for (int i = 0; i < kHalvings; ++i) {
      const double t = 0.5 * (low + high);
      ((f_(x + t * (y - x)) < 0) == is_inside(a) ? low : high) = t;
    }
    surface_.vertices.push_back(x + std::clamp(low, kClearance, 1 - kClearance) * (y - x));
    return found->second;
  }

  const std::function<double(const Vec3&)>& f_;
  Vec3 low_;
  double spacing_m_;
  Index cells_{};
  std::vector<double> values_;
  std::unordered_map<std::uint64_t, std::int32_t> vertex_;
  Surface surface_;
};

}  // namespace

Surface level_surface(const std::function<double(const Vec3&)>& f, const Vec3& low, const Vec3& high,
                      double spacing_m) {
  return Marcher(f, low, high, spacing_m).march();
}

}  // namespace brisance::mesh
