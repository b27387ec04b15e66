#include "brisance/core/error.hpp"
#include "brisance/exports/fragments.hpp"
#include "brisance/io/objects_file.hpp"
#include "brisance/io/pieces_file.hpp"
#include "brisance/io/run_folder.hpp"

#include "exports/fragments_of_pieces.hpp"
#include "exports/frame_style.hpp"
#include "exports/piece_history.hpp"
#include "exports/scene_materials.hpp"
#include "exports/skin/clothe.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <span>

#include <spdlog/fmt/fmt.h>

namespace brisance::exports {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> frames_of(const fs::path& input) {
  if (fs::is_regular_file(input)) return {input};
  return io::list_snapshots(input);
}

/// The surfaces that the objects of a run were made of. A file that the caller names takes the place of the one of a
/// run's only object, or is at rest where the tets are.
std::vector<io::PlacedObject> objects_of(const fs::path& input, const FragmentOptions& options) {
  fs::path folder = fs::is_directory(input) ? input : input.parent_path();
  if (folder.filename() == "snapshots") folder = folder.parent_path();
  std::vector<io::PlacedObject> objects = io::read_objects(io::objects_file(folder));
  if (options.input.empty()) return objects;
  if (objects.size() != 1) objects = {{options.input.stem().string(), {}, options.input_scale}};
  objects.front().file = fs::absolute(options.input);
  return objects;
}

double mean_edge_m(const BrokenShape& shape) {
  double sum = 0;
  for (const BoundaryTriangle& t : shape.triangles) sum += (shape.rest[t.corners[1]] - shape.rest[t.corners[0]]).norm();
  return shape.triangles.empty() ? 0 : sum / static_cast<double>(shape.triangles.size());
}

}  // namespace

struct FragmentReader::State {
  FragmentOptions options;
  std::vector<fs::path> files;  ///< frames; empty for a file of pieces
  std::vector<double> times;
  std::optional<io::PiecesFile> pieces;
  std::vector<PreparedSkin> skins;
  FrameMaterials materials;
  SurfaceStyle style;
  PieceHistory history;
  std::vector<PieceLife> pieces_of_file;
  std::vector<std::string> notes;
  std::set<std::int32_t> small;  ///< ids below the share of crumbs

  [[nodiscard]] BrokenShape shape(std::size_t frame) const { return read_broken_shape(files[frame]); }
  [[nodiscard]] std::vector<double> density(const BrokenShape& shape) const {
    return densities(shape.header.scene, shape.header.material_names, options.density_kg_m3);
  }
  void open(const fs::path& input);
  void prepare_skins(const fs::path& input);
  /// Time, sizes and parents of frames first to end − 1.
  void read_rows(std::size_t first, std::size_t end, std::vector<FrameRow>& frames,
                 std::vector<PieceRow>& pieces) const;
  void name_pieces(const std::vector<FrameRow>& frames, const std::vector<PieceRow>& rows);
  [[nodiscard]] std::vector<std::vector<char>> owners(BrokenShape& shape) const;
  [[nodiscard]] FragmentFrame frame_of_run(std::size_t frame) const;
};

void FragmentReader::State::prepare_skins(const fs::path& input) {
  if (!options.with_skin) return;
  for (const io::PlacedObject& object : objects_of(input, options)) {
    if (!fs::is_regular_file(object.file)) {
      notes.push_back(
          fmt::format("{} is not there any more, so that \"{}\" has the outside of its tets. Put the file "
                      "back, or name it with --surface.",
                      object.file.string(), object.name));
      continue;
    }
    InputSkin skin = read_input_skin(object, options.crease_deg);
    TriangleSearch search(skin.net.points, skin.net.triangles);
    style.has_texture |= skin.has_texture;
    style.has_colours |= skin.has_colours;
    std::vector<std::int32_t> rows = materials.rows(skin.materials);
    skins.push_back({std::move(skin), std::move(search), std::move(rows)});
  }
}

void FragmentReader::State::read_rows(std::size_t first, std::size_t end, std::vector<FrameRow>& frames,
                                      std::vector<PieceRow>& rows) const {
  PlacesBefore before;
  for (std::size_t f = first; f < end; ++f) {
    BrokenShape now = shape(f);
    if (f == first && f > 0 && now.header.piece_names.empty()) {
      BrokenShape earlier = shape(f - 1);
      before = {std::move(earlier.rest), std::move(earlier.piece_of_node)};
    }
    const std::vector<PieceRow> pieces_now = rows_of(now, bodies_of(now, density(now)), before);
    const double dust_kg = std::accumulate(now.dust.mass.begin(), now.dust.mass.end(), 0.0);
    frames.push_back({now.header.time_s, dust_kg, std::ssize(pieces_now)});
    rows.insert(rows.end(), pieces_now.begin(), pieces_now.end());
    before = {std::move(now.rest), std::move(now.piece_of_node)};
  }
}

void FragmentReader::State::name_pieces(const std::vector<FrameRow>& frames, const std::vector<PieceRow>& rows) {
  std::size_t first = 0;
  for (std::size_t f = 0; f < frames.size(); ++f) {
    const std::span<const PieceRow> of_frame(rows.data() + first, static_cast<std::size_t>(frames[f].num_pieces));
    first += of_frame.size();
    times.push_back(frames[f].time_s);
    history.add(frames[f], of_frame);
    double total = frames[f].dust_kg;
    for (const PieceRow& row : of_frame) total += row.mass_kg;
    for (std::size_t p = 0; p < of_frame.size(); ++p)
      if (of_frame[p].mass_kg < options.crumb_share * total) small.insert(history.ids(f)[p]);
  }
}

/// For each skin the pieces that it belongs to, then those that none does. The outside of a piece lies on its own skin.
/// A cavity that the input has itself is a part of the skin.
std::vector<std::vector<char>> FragmentReader::State::owners(BrokenShape& shape) const {
  constexpr std::size_t kSamples = 32;
  constexpr double kNear = 1;  // over the mean edge
  const auto count = static_cast<std::size_t>(shape.header.num_pieces);
  std::vector<std::vector<char>> owners(skins.size() + 1, std::vector<char>(count, 0));
  std::vector<std::vector<Vec3>> places(count);
  std::vector<Vec3> cavity;
  std::vector<std::size_t> outside(count, 0), seen(count, 0);
  for (const BoundaryTriangle& t : shape.triangles)
    if (t.is_outside()) ++outside[static_cast<std::size_t>(t.piece)];
  for (const BoundaryTriangle& t : shape.triangles) {
    const auto p = static_cast<std::size_t>(t.piece);
    const Vec3 middle = (shape.rest[t.corners[0]] + shape.rest[t.corners[1]] + shape.rest[t.corners[2]]) / 3;
    if (t.is_cavity) cavity.push_back(middle);
    if (t.is_outside() && seen[p]++ % (1 + outside[p] / kSamples) == 0) places[p].push_back(middle);
  }
  const double edge_m = mean_edge_m(shape);
  const auto distance = [](const PreparedSkin& skin, const std::vector<Vec3>& of) {
    double sum = 0;
    for (const Vec3& x : of) sum += std::sqrt(skin.search.nearest(x).at.distance_squared);
    return sum / static_cast<double>(of.size());
  };
  for (std::size_t p = 0; p < count; ++p) {
    std::size_t best = skins.size();
    double nearest = kNear * edge_m;
    for (std::size_t s = 0; s < skins.size() && !places[p].empty(); ++s)
      if (const double d = distance(skins[s], places[p]); d < nearest) nearest = d, best = s;
    if (places[p].empty() && skins.size() == 1) best = 0;  // a piece from the inside
    owners[best][p] = 1;
  }
  const bool is_in_input = std::ranges::any_of(
      skins, [&](const PreparedSkin& s) { return !cavity.empty() && distance(s, cavity) < edge_m / 4; });
  if (is_in_input)
    for (BoundaryTriangle& t : shape.triangles) t.is_cavity = false;
  return owners;
}

FragmentFrame FragmentReader::State::frame_of_run(std::size_t number) const {
  BrokenShape now = shape(number);
  FragmentFrame frame;
  frame.time_s = now.header.time_s;
  frame.frame = static_cast<std::int64_t>(number);
  frame.materials = materials.names();
  const std::vector<std::vector<char>> owner = owners(now);
  std::vector<Surface> surfaces(static_cast<std::size_t>(now.header.num_pieces));
  for (std::size_t s = 0; s < skins.size(); ++s)
    if (std::ranges::find(owner[s], 1) != owner[s].end())
      frame.num_unclear += clothe(now, owner[s], skins[s], style, surfaces);
  leave_bare(now, owner.back(), style, surfaces);
  const std::vector<PieceBody> bodies = bodies_of(now, density(now));
  const std::vector<std::int32_t>& ids = history.ids(number);
  for (std::size_t p = 0; p < surfaces.size(); ++p) {
    const PieceLife& life = history.lives()[static_cast<std::size_t>(ids[p])];
    const PieceBody& body = bodies[p];
    if (small.contains(ids[p])) {
      const double radius = std::cbrt(3 * std::abs(body.volume_m3) / (4 * M_PI));
      const auto number_in_frame = static_cast<std::int32_t>(p);
      frame.particles.push_back({life.id, body.centre, radius, body.velocity, life.born_s, false, number_in_frame});
      continue;
    }
    if (surfaces[p].triangles.empty()) continue;
    frame.fragments.push_back({life.id, life.name, life.parent, static_cast<std::int32_t>(p), body.volume_m3,
                               body.mass_kg, body.centre, body.velocity, std::move(surfaces[p])});
  }
  std::ranges::sort(frame.fragments, {}, &Fragment::id);
  const io::DustRows& dust = now.dust;
  for (std::size_t d = 0; d < dust.size(); ++d)
    frame.particles.push_back({dust.id[d], dust.position[d], dust.radius[d], dust.velocity[d], dust.birth_s[d], true});
  frame.colliders = std::move(now.header.colliders);
  return frame;
}

void FragmentReader::State::open(const fs::path& input) {
  if (io::is_pieces_file(input)) {
    pieces = io::read_pieces(input);
    times = {0};
    pieces_of_file = lives_of(*pieces, options);
    return;
  }
  files = frames_of(input);
  prepare_skins(input);
  style.crease_deg = options.crease_deg;
  style.outside = materials.rows({"outside"}).front();
  style.crack = materials.rows({"crack"}).front();
}

FragmentReader::FragmentReader(const fs::path& input, const FragmentOptions& options)
    : FragmentReader(core::Comm(MPI_COMM_SELF), input, options) {}

FragmentReader::FragmentReader(const core::Comm& comm, const fs::path& input, const FragmentOptions& options)
    : state_(std::make_unique<State>()) {
  state_->options = options;
  std::vector<FrameRow> frames;
  std::vector<PieceRow> pieces;
  core::agree(comm, [&] {
    state_->open(input);
    const auto rank = static_cast<std::size_t>(comm.rank()), ranks = static_cast<std::size_t>(comm.size());
    const std::size_t count = state_->files.size();
    state_->read_rows(rank * count / ranks, (rank + 1) * count / ranks, frames, pieces);
  });
  state_->name_pieces(comm.all_gather<FrameRow>(frames), comm.all_gather<PieceRow>(pieces));
}

FragmentReader::~FragmentReader() = default;
FragmentReader::FragmentReader(FragmentReader&&) noexcept = default;

std::size_t FragmentReader::num_frames() const { return state_->times.size(); }
double FragmentReader::time_s(std::size_t frame) const { return state_->times.at(frame); }
const std::vector<PieceLife>& FragmentReader::pieces() const {
  return state_->pieces ? state_->pieces_of_file : state_->history.lives();
}
const std::vector<std::string>& FragmentReader::notes() const { return state_->notes; }

FragmentFrame FragmentReader::read(std::size_t frame) const {
  return state_->pieces ? fragments_of(*state_->pieces, state_->options) : state_->frame_of_run(frame);
}

}  // namespace brisance::exports
