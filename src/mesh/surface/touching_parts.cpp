#include "mesh/surface/touching_parts.hpp"

#include "brisance/core/error.hpp"

#include "mesh/surface/flat_triangles.hpp"
#include "mesh/surface/self_intersections.hpp"
#include "mesh/surface/surface_edges.hpp"
#include "mesh/surface/weld.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <Eigen/Geometry>
#include <fmt/format.h>

namespace brisance::mesh {
namespace {

constexpr double kWeld = 1e-9;                // over the diagonal, as in `clean`
constexpr double kOnPlane = 1e-7;             // over the diagonal: tolerance of crossings beyond a triangle's plane
constexpr double kSameAngle = 1e-6;           // [rad]: triangles that lie on each other
constexpr double kParallel = 1e-6;            // sine of two normals
constexpr std::size_t kMostCrossings = 2000;  // pairs of triangles: with more, a file is a soup and not an assembly

enum class Contact : std::uint8_t { vertex, edge, face };

double diagonal_of(const Surface& surface) {
  Eigen::AlignedBox3d box;
  for (const Vec3& x : surface.vertices) box.extend(x);
  return box.diagonal().norm();
}

Vec3 normal_of(const Surface& surface, std::int32_t t) {
  const auto& [a, b, c] = surface.triangles[t];
  return (surface.vertices[b] - surface.vertices[a]).cross(surface.vertices[c] - surface.vertices[a]).normalized();
}

Vec3 middle_of(const Surface& surface, std::int32_t t) {
  const auto& [a, b, c] = surface.triangles[t];
  return (surface.vertices[a] + surface.vertices[b] + surface.vertices[c]) / 3;
}

/// Of triangles on the same three vertices that face the same way, keeps the first.
void remove_copies(Surface& surface) {
  std::set<std::array<std::int32_t, 3>> seen;
  Surface kept;
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    auto turned = surface.triangles[t];
    std::ranges::rotate(turned, std::ranges::min_element(turned));
    if (!seen.insert(turned).second) continue;
    kept.triangles.push_back(surface.triangles[t]);
    kept.source_face.push_back(surface.source_face[t]);
  }
  surface.triangles = std::move(kept.triangles);
  surface.source_face = std::move(kept.source_face);
}

/// The triangles of a surface grouped into closed parts.
class Parts {
public:
  explicit Parts(const Surface& surface) : surface_(surface), parent_(surface.triangles.size()) {
    std::iota(parent_.begin(), parent_.end(), 0);
    for_each_edge(edge_sides(surface), [&](std::span<const EdgeSide> sides) { join_at(sides); });
    for (std::int32_t& parent : parent_) parent = parent_[parent];  // the lowest of each part is its root
  }

  [[nodiscard]] bool are_several() const {
    return std::ranges::any_of(parent_, [](auto part) { return part != 0; });
  }
  /// Does each edge of each triangle have another triangle of its part?
  [[nodiscard]] bool are_closed() const { return are_closed_; }
  /// The part of a triangle, identified by its first triangle.
  [[nodiscard]] std::int32_t of(std::int32_t t) const { return parent_[t]; }

private:
  /// One triangle at an edge.
  struct Leaf {
    double angle_rad;  ///< angle about the edge
    bool opens;        ///< material begins there, with growing angle
    std::int32_t triangle;
  };

  std::int32_t root(std::int32_t t) {
    while (parent_[t] != t) t = parent_[t] = parent_[parent_[t]];
    return t;
  }

  void join(std::int32_t s, std::int32_t t) {
    s = root(s), t = root(t);
    parent_[std::max(s, t)] = std::min(s, t);
  }

  void join_at(std::span<const EdgeSide> sides) {
    if (sides.size() == 2) return join(sides[0].triangle, sides[1].triangle);
    std::vector<Leaf> leaves = leaves_at(sides);
    // Starts at a leaf where material begins; where two coincide, one part ends before the other one begins.
    std::ranges::sort(leaves, {}, &Leaf::angle_rad);
    for (std::size_t i = 0; i + 1 < leaves.size(); ++i)
      if (leaves[i].opens && !leaves[i + 1].opens && leaves[i + 1].angle_rad - leaves[i].angle_rad < kSameAngle)
        std::swap(leaves[i], leaves[i + 1]);
    const auto first = std::ranges::find(leaves, true, &Leaf::opens);
    std::ranges::rotate(leaves, first);
    for (std::size_t i = 0; i < leaves.size(); ++i)
      if (leaves[i].opens != (i % 2 == 0)) are_closed_ = false;
    if (sides.size() % 2 != 0) are_closed_ = false;
    for (std::size_t i = 0; i + 1 < leaves.size() && are_closed_; i += 2)
      join(leaves[i].triangle, leaves[i + 1].triangle);
  }

  [[nodiscard]] std::vector<Leaf> leaves_at(std::span<const EdgeSide> sides) const {
    const Vec3& origin = surface_.vertices[sides[0].low];
    const Vec3 axis = (surface_.vertices[sides[0].high] - origin).normalized();
    const auto away = [&](const EdgeSide& side) {
      const auto& corners = surface_.triangles[side.triangle];
      const auto third = std::ranges::find_if(corners, [&](auto v) { return v != side.low && v != side.high; });
      const Vec3 x = surface_.vertices[*third] - origin;
      return Vec3((x - axis.dot(x) * axis).normalized());
    };
    const Vec3 first = away(sides[0]), second = axis.cross(first);
    std::vector<Leaf> leaves;
    for (const EdgeSide& side : sides) {
      const Vec3 direction = away(side);
      double angle = std::atan2(direction.dot(second), direction.dot(first));
      if (angle < -kSameAngle) angle += 2 * std::numbers::pi;
      // Seen along the axis, a triangle that traverses it forward has its outside clockwise and material behind.
      leaves.push_back({angle, !side.forward, side.triangle});
    }
    return leaves;
  }

  const Surface& surface_;
  std::vector<std::int32_t> parent_;
  bool are_closed_ = true;
};

/// Pairs of parts, identified by their first triangles, with their common places.
class Contacts {
public:
  Contacts(const Surface& surface, const Parts& parts) : surface_(surface), parts_(parts) {}

  void add_common_corners() {
    std::vector<std::vector<std::int32_t>> at(surface_.vertices.size());
    for (std::int32_t t = 0; t < num_triangles(); ++t)
      for (const auto v : surface_.triangles[t]) at[v].push_back(t);
    for (std::size_t v = 0; v < at.size(); ++v)
      for (const auto t : at[v]) add(at[v].front(), t, Contact::vertex, surface_.vertices[v]);
    for_each_edge(edge_sides(surface_), [&](std::span<const EdgeSide> sides) {
      const Vec3 middle = (surface_.vertices[sides[0].low] + surface_.vertices[sides[0].high]) / 2;
      for (const EdgeSide& side : sides) add(sides[0].triangle, side.triangle, Contact::edge, middle);
    });
  }

  /// @return false if some triangles cross each other, or touch within one part
  bool add_common_places() {
    const double tolerance_m = kOnPlane * diagonal_of(surface_);
    const auto pairs = intersecting_pairs(surface_);
    if (pairs.size() > kMostCrossings) return false;
    for (const auto& [s, t] : pairs) {
      if (parts_.of(s) == parts_.of(t)) return false;
      if (is_crossed(s, t, tolerance_m) && is_crossed(t, s, tolerance_m)) return false;
      const bool lie_flat = normal_of(surface_, s).cross(normal_of(surface_, t)).norm() < kParallel;
      add(s, t, lie_flat ? Contact::face : Contact::edge, middle_of(surface_, s));
    }
    return true;
  }

  [[nodiscard]] TouchingParts found() const {
    TouchingParts touching;
    touching.num_pairs = static_cast<std::int64_t>(contacts_.size());
    if (contacts_.empty()) return touching;
    const auto& [pair, contact] = *contacts_.begin();
    touching.one = name_of(pair.first, pair.second), touching.other = name_of(pair.second, pair.first);
    touching.place = contact.second;
    touching.what = contact.first == Contact::face ? "a face" : contact.first == Contact::edge ? "an edge" : "a vertex";
    return touching;
  }

private:
  [[nodiscard]] std::int32_t num_triangles() const { return static_cast<std::int32_t>(surface_.triangles.size()); }

  void add(std::int32_t s, std::int32_t t, Contact contact, const Vec3& place) {
    const std::pair<std::int32_t, std::int32_t> pair = std::minmax({parts_.of(s), parts_.of(t)});
    if (pair.first == pair.second) return;
    const auto [known, is_new] = contacts_.try_emplace(pair, contact, place);
    if (!is_new && contact > known->second.first) known->second = {contact, place};
  }

  /// Does a triangle have corners well on both sides of another one's plane?
  [[nodiscard]] bool is_crossed(std::int32_t plane, std::int32_t t, double tolerance_m) const {
    const Vec3 normal = normal_of(surface_, plane), &origin = surface_.vertices[surface_.triangles[plane][0]];
    double low = 0, high = 0;
    for (const auto v : surface_.triangles[t]) {
      const double height = normal.dot(surface_.vertices[v] - origin);
      low = std::min(low, height), high = std::max(high, height);
    }
    return low < -tolerance_m && high > tolerance_m;
  }

  /// The names common to all triangles of a part, ascending.
  [[nodiscard]] std::vector<std::string> names_of(std::int32_t part) const {
    std::optional<std::vector<std::string>> common;
    for (std::int32_t t = 0; t < num_triangles(); ++t) {
      if (parts_.of(t) != part) continue;
      const std::int32_t group = surface_.groups.group_of_source(surface_.source_face[t]);
      const std::vector<std::string> names =
          group == kNoGroup ? std::vector<std::string>{} : surface_.groups.names[static_cast<std::size_t>(group)];
      if (!common) common = names;
      std::erase_if(*common, [&](const std::string& name) { return std::ranges::find(names, name) == names.end(); });
    }
    return common.value_or(std::vector<std::string>{});
  }

  /// A name that a part has and the other one has not, or its number in the file.
  [[nodiscard]] std::string name_of(std::int32_t part, std::int32_t other) const {
    const std::vector<std::string> others = names_of(other);
    for (const std::string& name : names_of(part))
      if (std::ranges::find(others, name) == others.end()) return fmt::format("\"{}\"", name);
    std::set<std::int32_t> before;
    for (std::int32_t t = 0; t < num_triangles(); ++t)
      if (parts_.of(t) < part) before.insert(parts_.of(t));
    return fmt::format("part {}", before.size() + 1);
  }

  const Surface& surface_;
  const Parts& parts_;
  std::map<std::pair<std::int32_t, std::int32_t>, std::pair<Contact, Vec3>> contacts_;
};

}  // namespace

TouchingParts find_touching_parts(Surface as_read) {
  if (as_read.triangles.empty()) return {};
  weld_vertices(as_read, kWeld * diagonal_of(as_read));
  remove_flat_triangles(as_read);
  remove_copies(as_read);
  const Parts parts(as_read);
  if (!parts.are_closed() || !parts.are_several()) return {};
  Contacts contacts(as_read, parts);
  contacts.add_common_corners();
  if (!contacts.add_common_places()) return {};
  return contacts.found();
}

std::string sentence_on(const TouchingParts& parts) {
  if (parts.num_pairs == 0) return {};
  const Vec3& x = parts.place;
  const std::string more = parts.num_pairs > 1 ? fmt::format(" ({} pairs of parts touch)", parts.num_pairs) : "";
  return fmt::format("its parts touch: {} and {} have {} in common near ({:.6g}, {:.6g}, {:.6g}) m{}", parts.one,
                     parts.other, parts.what, x[0], x[1], x[2], more);
}

void require_solid(const SurfaceReport& report, const TouchingParts& parts, const std::filesystem::path& file) {
  if (!report.meshable() && parts.num_pairs > 0)
    throw core::Error(
        fmt::format("{}: {}. One mesh cannot tell them apart: give each part a file and an [[object]] of its own, or "
                    "unite them to one solid in a mesh editor (repair = true melts them into one body without names).",
                    file.string(), sentence_on(parts)));
  require_meshable(report, file);
}

}  // namespace brisance::mesh
