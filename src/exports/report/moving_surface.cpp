/// The pieces of a run for a page: rigid ones with keyframes, others as a surface for each frame.
#include "moving_surface.hpp"

#include "exports/frames/piece_motions.hpp"
#include "exports/frames/plain_fragments.hpp"
#include "exports/report/page_arrays.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include <spdlog/fmt/fmt.h>

namespace brisance::exports {

namespace {

constexpr double kMegabyte = 1e6, kBase64 = 4.0 / 3;

/// Adds the frame's time, counts, particles and colliders.
void add_common(const SurfaceFrame& frame, std::size_t number, MovingSurface& surface) {
  surface.description["frames"].push_back({{"time_s", frame.time_s},
                                           {"frame", frame.frame},
                                           {"pieces", frame.num_pieces},
                                           {"crack_area_m2", crack_area_m2(frame)},
                                           {"particles", frame.dust.size()}});
  std::vector<float> rows;
  for (std::size_t i = 0; i < frame.dust.size(); ++i) {
    for (int k = 0; k < 3; ++k) rows.push_back(static_cast<float>(frame.dust.position[i][k]));
    rows.push_back(static_cast<float>(frame.dust.radius[i]));
  }
  if (!rows.empty()) surface.arrays.add(fmt::format("particles/{}", number), std::span<const float>(rows));
  std::vector<float> poses;
  for (const io::Collider& c : frame.colliders) {
    for (int k = 0; k < 3; ++k) poses.push_back(static_cast<float>(c.centre[k]));
    for (const int k : {1, 2, 3, 0}) poses.push_back(static_cast<float>(c.orientation[static_cast<std::size_t>(k)]));
  }
  if (!poses.empty()) surface.arrays.add(fmt::format("colliders/{}", number), std::span<const float>(poses));
}

/// Shapes of the colliders, from one frame.
void add_collider_shapes(const SurfaceFrame& frame, MovingSurface& surface) {
  nlohmann::json list = nlohmann::json::array();
  for (std::size_t i = 0; i < frame.colliders.size(); ++i) {
    const io::Collider& c = frame.colliders[i];
    list.push_back({{"name", c.name}, {"kind", c.kind}, {"size", {c.size.x(), c.size.y(), c.size.z()}}});
    if (c.triangles.empty()) continue;
    std::vector<float> points;
    for (const Vec3& x : c.vertices)
      for (int k = 0; k < 3; ++k) points.push_back(static_cast<float>(x[k]));
    std::vector<std::uint32_t> corners;
    for (const auto& triangle : c.triangles)
      for (const std::int32_t n : triangle) corners.push_back(static_cast<std::uint32_t>(n));
    surface.arrays.add(fmt::format("collider_points/{}", i), std::span<const float>(points));
    surface.arrays.add(fmt::format("collider_corners/{}", i), std::span<const std::uint32_t>(corners));
  }
  surface.description["colliders"] = std::move(list);
}

/// What the pieces of the last frame are: for colours by piece and the histogram.
nlohmann::json piece_list(const FragmentFrame& frame) {
  nlohmann::json list = nlohmann::json::array();
  for (const Fragment& f : frame.fragments) list.push_back({{"name", f.name}, {"volume_m3", f.volume_m3}});
  return list;
}

/// The rigid shapes, about their centres.
void add_shapes(const FragmentFrame& last, const std::vector<Vec3>& centres, MovingSurface& surface) {
  double reach = 0;
  for (const Fragment& f : last.fragments)
    for (const Vec3& x : f.surface.rest)
      reach = std::max(reach, (x - centres[static_cast<std::size_t>(f.piece)]).cwiseAbs().maxCoeff());
  const RoundedPoints rounded{Vec3::Zero(), reach};
  SurfaceArrays arrays;
  std::vector<std::uint32_t> counts;
  for (const Fragment& f : last.fragments) {
    arrays.add(f.surface, f.surface.rest, rounded, centres[static_cast<std::size_t>(f.piece)]);
    counts.push_back(static_cast<std::uint32_t>(f.surface.rest.size()));
    counts.push_back(static_cast<std::uint32_t>(f.surface.triangles.size()));
  }
  arrays.pack("", surface.arrays);
  surface.arrays.add("counts", std::span<const std::uint32_t>(counts));
  surface.description["reach_m"] = reach;
}

/// The pieces of the last frame with their motions.
class RigidPieces {
public:
  RigidPieces(const SurfaceFrame& last, const SurfaceFrame& first)
      : fragments_(plain_fragments(last).frame), motions_(last, first) {}

  void add(const SurfaceFrame& frame) {
    const PieceStates states = motions_.in(frame);
    for (const Fragment& f : fragments_.fragments) {
      const auto p = static_cast<std::size_t>(f.piece);
      for (int k = 0; k < 3; ++k) rows_.push_back(static_cast<float>(states.motion[p].position[k]));
      for (int k = 0; k < 4; ++k) rows_.push_back(static_cast<float>(states.motion[p].rotation.coeffs()[k]));
      if (!states.speed.empty()) speed_.push_back(states.speed[p]);
      if (!states.stress.empty()) stress_.push_back(states.stress[p]);
    }
    ++num_frames_;
  }
  [[nodiscard]] double deviation() const { return motions_.largest_deviation(); }

  void pack(MovingSurface& surface) const {
    add_shapes(fragments_, motions_.centres(), surface);
    surface.arrays.add("motions", std::span<const float>(rows_));
    const std::size_t whole = num_frames_ * fragments_.fragments.size();
    if (speed_.size() == whole) surface.arrays.add("speed", std::span<const float>(speed_));
    if (stress_.size() == whole && std::ranges::any_of(stress_, [](float s) { return s != 0; }))
      surface.arrays.add("stress", std::span<const float>(stress_));
    surface.description["pieces"] = piece_list(fragments_);
  }

private:
  FragmentFrame fragments_;
  PieceMotions motions_;
  std::vector<float> rows_, speed_, stress_;
  std::size_t num_frames_ = 0;
};

/// Adds the surface of one frame; corners only where they differ from those before.
class DeformingSurface {
public:
  void add(const SurfaceFrame& frame, std::size_t number, MovingSurface& surface) {
    const PlainFragments plain = plain_fragments(frame);
    const FragmentFrame& fragments = plain.frame;
    Eigen::AlignedBox3d box;
    for (const Vec3& x : frame.position) box.extend(x);
    const RoundedPoints rounded{box.isEmpty() ? Vec3::Zero() : Vec3(box.center()),
                                box.isEmpty() ? 1.0 : std::max(box.sizes().maxCoeff() / 2, 1e-300)};
    SurfaceArrays arrays;
    for (std::size_t i = 0; i < fragments.fragments.size(); ++i) {
      const Surface& s = fragments.fragments[i].surface;
      arrays.add(s, s.points, rounded, Vec3::Zero());
      arrays.add_values(frame, s, plain.nodes[i], static_cast<std::uint32_t>(i));
    }
    if (arrays.corners != last_.corners || arrays.kind != last_.kind || arrays.piece != last_.piece) topology_ = number;
    const nlohmann::json ranges = arrays.pack_values(fmt::format("/{}", number), surface.arrays);
    arrays.pack_points(fmt::format("/{}", number), surface.arrays);
    if (topology_ == number) arrays.pack_topology(fmt::format("/{}", number), surface.arrays);
    last_ = std::move(arrays);
    nlohmann::json& row = surface.description["frames"].back();
    const Vec3& centre = rounded.centre;
    row.update({{"centre_m", {centre.x(), centre.y(), centre.z()}},
                {"reach_m", rounded.reach},
                {"topology", topology_},
                {"ranges", ranges}});
    surface.description["pieces"] = piece_list(fragments);
  }

private:
  SurfaceArrays last_;
  std::size_t topology_ = 0;
};

/// Every step-th file, and the last.
std::vector<std::filesystem::path> every(const std::vector<std::filesystem::path>& files, std::size_t step) {
  std::vector<std::filesystem::path> chosen;
  for (std::size_t i = 0; i < files.size(); i += step) chosen.push_back(files[i]);
  if (chosen.back() != files.back()) chosen.push_back(files.back());
  return chosen;
}

MovingSurface begun(const std::vector<std::filesystem::path>& files, std::size_t shown) {
  MovingSurface surface;
  surface.description = {{"frames", nlohmann::json::array()}};
  surface.facts.num_frames = files.size();
  surface.facts.frames_shown = shown;
  return surface;
}

/// By how much more than the bound all frames would take, judging by those done; at most 1 if they fit.
double excess(double bytes, std::size_t done, std::size_t all, double most_mb) {
  return kBase64 * bytes / static_cast<double>(done) * static_cast<double>(all) / (most_mb * kMegabyte);
}

/// One attempt: false with a larger `step` if it does not fit.
bool try_deforming(const std::vector<std::filesystem::path>& files, double most_mb, std::size_t& step,
                   MovingSurface& surface) {
  const std::vector<std::filesystem::path> chosen = every(files, step);
  surface = begun(files, chosen.size());
  DeformingSurface deforming;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const SurfaceFrame frame = read_surface_frame(chosen[i]);
    add_common(frame, i, surface);
    deforming.add(frame, i, surface);
    if (i + 1 == chosen.size()) add_collider_shapes(frame, surface);
    const double over = excess(static_cast<double>(surface.arrays.size()), i + 1, i + 1, most_mb);
    if (over > 1 && chosen.size() > 2) {
      const double all = excess(static_cast<double>(surface.arrays.size()), i + 1, chosen.size(), most_mb);
      step = std::max(step + 1, static_cast<std::size_t>(std::ceil(all * static_cast<double>(step))));
      return false;
    }
  }
  surface.facts.is_rigid = false;
  return true;
}

/// False if the pieces are not rigid.
bool try_rigid(const std::vector<std::filesystem::path>& files, const ReportOptions& options, MovingSurface& surface) {
  const SurfaceFrame last = read_surface_frame(files.back());
  if (last.triangles.empty()) return false;
  if (options.motion == Motion::automatic && particle_share(last) > kLargestParticleShare) return false;
  RigidPieces pieces(last, read_surface_frame(files.front()));
  std::size_t step = 1;
  if (const double bytes_of_all = 36.0 * last.num_pieces * static_cast<double>(files.size());
      kBase64 * bytes_of_all > options.most_mb * kMegabyte)
    step = static_cast<std::size_t>(std::ceil(kBase64 * bytes_of_all / (options.most_mb * kMegabyte)));
  const std::vector<std::filesystem::path> chosen = every(files, step);
  surface = begun(files, chosen.size());
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const SurfaceFrame frame = read_surface_frame(chosen[i]);
    add_common(frame, i, surface);
    pieces.add(frame);
    if (options.motion == Motion::automatic && pieces.deviation() > kLargestDeviation) return false;
  }
  add_collider_shapes(last, surface);
  pieces.pack(surface);
  surface.facts.deviation = pieces.deviation();
  return true;
}

}  // namespace

MovingSurface moving_surface(const std::vector<std::filesystem::path>& files, const ReportOptions& options) {
  MovingSurface surface;
  if (options.motion == Motion::deforming || !try_rigid(files, options, surface)) {
    std::size_t step = 1;
    while (!try_deforming(files, options.most_mb, step, surface)) {
    }
  }
  surface.facts.num_pieces = surface.description["pieces"].size();
  surface.description["rigid"] = surface.facts.is_rigid;
  surface.description["num_frames"] = surface.facts.num_frames;
  return surface;
}

}  // namespace brisance::exports
