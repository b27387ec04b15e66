/// HDF5 files of every kind, and runtime files.
#include "brisance/breaking/breakable.hpp"
#include "brisance/breaking/mode_file.hpp"
#include "brisance/breaking/vibration_file.hpp"
#include "brisance/core/error.hpp"
#include "brisance/io/pieces_file.hpp"
#include "brisance/io/snapshot.hpp"
#include "brisance/mesh/limits.hpp"
#include "brisance/modes/pieces/pieces_surface.hpp"
#include "brisance/runtime/impact_answer.hpp"
#include "brisance/runtime/impact_file.hpp"
#include "brisance/sim/setup/mesh_file.hpp"

#include "app/commands/describe_file.hpp"
#include "breaking/sample_mode_files.hpp"
#include "fuzz/mutate_bytes.hpp"
#include "fuzz/mutate_hdf5.hpp"
#include "fuzz/reader.hpp"
#include "io/sample_frame.hpp"
#include "runtime/crc32.hpp"
#include "runtime/sample_set.hpp"
#include "support/kuhn.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

namespace brisance::fuzz {

namespace fs = std::filesystem;

namespace {

/// A reader of HDF5 files: a copy of one of the seeds is damaged, through HDF5's own interface or by cutting it off.
Reader hdf5_reader(const std::string& name, const std::vector<std::function<void(const fs::path&)>>& write,
                   const std::function<std::string(const fs::path&)>& read) {
  const auto seed = [name](const fs::path& folder, std::size_t i) {
    return folder / (name + "-seed-" + std::to_string(i) + ".h5");
  };
  Reader reader{name, {}, {}, read, false};
  reader.prepare = [=](const fs::path& folder) {
    for (std::size_t i = 0; i < write.size(); ++i) write[i](seed(folder, i));
  };
  reader.damaged = [=](Random& random, const fs::path& folder) {
    const fs::path file = folder / (name + ".h5");
    fs::copy_file(seed(folder, random.below(write.size())), file, fs::copy_options::overwrite_existing);
    if (random.one_in(16))
      fs::resize_file(file, random.below(fs::file_size(file)));
    else
      mutate_hdf5(random, file);
    return file;
  };
  return reader;
}

std::string read_snapshot_file(const fs::path& file) {
  const io::SnapshotPart part = io::read_snapshot(file).part;
  const auto num_nodes = static_cast<std::int64_t>(part.node_id.size());
  for (const auto& tet : part.tets)
    for (const std::int64_t corner : tet)
      if (corner < 0 || corner >= num_nodes) return "a corner that is no node";
  for (const std::int64_t piece : part.piece)
    if (piece < 0 || piece >= static_cast<std::int64_t>(part.tets.size())) return "a piece without tets";
  return "";
}

std::string read_mesh_of_ours(const fs::path& file) {
  const mesh::TetMesh m = sim::read_mesh_file(file);
  if (m.tets.empty()) return "a mesh without tets";
  for (const auto& tet : m.tets) {
    for (const std::int32_t v : tet)
      if (v < 0 || v >= static_cast<std::int32_t>(m.nodes.size())) return "a corner that is no node";
    if (!(mesh::tet_volume(m.nodes[tet[0]], m.nodes[tet[1]], m.nodes[tet[2]], m.nodes[tet[3]]) > 0))
      return "a tet without volume";
  }
  if (!mesh::are_groups(m.groups, m.group) || !mesh::are_groups(m.groups, m.groups.of_source))
    return "a group without a name";
  return std::ranges::all_of(m.nodes, mesh::is_place) ? "" : "a node beyond all measure";
}

/// Struck once, and taken apart.
std::string read_modes(const fs::path& file) {
  (void)app::description_of(file);
  breaking::BreakableParameters parameters;
  const breaking::Breakable object = breaking::read_breakable(file, parameters);
  const runtime::Target target(object.set);
  runtime::Impact impact;
  impact.point = {0.1, 0.2, 0.3};
  impact.direction = {0, 0, -1};
  impact.strength = 1, impact.threshold = 0.05;
  const runtime::Answer answer = target.strike(impact);
  (void)breaking::pieces_after(object, parameters, answer);
  for (const double volume : object.atoms.volume)
    if (!(volume > 0)) return "an atom without volume";
  return "";
}

std::string read_pieces_file(const fs::path& file) {
  (void)app::description_of(file);
  const io::PiecesFile pieces = io::read_pieces(file);
  for (const mesh::PieceSurface& piece : pieces.pieces)
    for (const auto& triangle : piece.surface.triangles)
      for (const std::int32_t v : triangle)
        if (v < 0 || v >= static_cast<std::int32_t>(piece.surface.vertices.size())) return "a corner that is no vertex";
  return "";
}

void write_mesh(const fs::path& file) {
  mesh::TetMesh box = test::kuhn_box(2, 1, 1, 2, 1, 1);
  box.groups = {{{"left"}, {"lid", "right"}}, {0, 1, 1, mesh::kNoGroup, 0}};
  for (std::size_t t = 0; t < box.tets.size(); ++t) box.group.push_back(t < 6 ? 0 : 1);
  sim::write_mesh_file(file, box);
}

void write_pieces_of(const fs::path& file) {
  const mesh::TetMesh box = test::kuhn_box(2, 1, 1, 2, 1, 1);
  std::vector<std::int32_t> label(box.tets.size(), 0);
  for (std::size_t t = 6; t < label.size(); ++t) label[t] = 1;
  io::PiecesFile pieces;
  pieces.volume_m3 = 2;
  pieces.pieces = modes::piece_surfaces(box, label, 2);
  io::write_pieces(file, pieces);
}

void write_vibrations(const fs::path& file) {
  breaking::VibrationFile vibrations;
  vibrations.mesh = test::kuhn_box(1, 1, 1, 1, 1, 1);
  vibrations.solid = {1e9, 1e9, 1000};
  vibrations.modes.push_back({440, std::vector<Vec3>(vibrations.mesh.nodes.size(), Vec3::Ones())});
  vibrations.program = "brisance test";
  breaking::write_vibration_file(core::Comm(MPI_COMM_SELF), file, vibrations);
}

/// Corrects the checksums of a damaged runtime file, so that the data they protect is read: table of 40 bytes a section
/// after 32 bytes of header (docs/FORMAT.md).
void mend_checksums(std::string& bytes) {
  constexpr std::size_t kHeader = 32, kSection = 40;
  const auto number = [&](std::size_t at, auto zero) {
    std::memcpy(&zero, bytes.data() + at, sizeof zero);
    return zero;
  };
  const auto put = [&](std::size_t at, auto value) { std::memcpy(bytes.data() + at, &value, sizeof value); };
  if (bytes.size() < kHeader) return;
  put(16, static_cast<std::uint64_t>(bytes.size()));
  const auto num_sections = number(12, std::uint32_t{0});
  if (num_sections > (bytes.size() - kHeader) / kSection) return;
  for (std::size_t s = 0; s < num_sections; ++s) {
    const std::size_t at = kHeader + s * kSection;
    const auto offset = number(at + 16, std::uint64_t{0}), size = number(at + 24, std::uint64_t{0});
    if (offset > bytes.size() || size > bytes.size() - offset) continue;
    put(at + 32, runtime::crc32(std::string_view(bytes).substr(offset, size)));
  }
  put(24, runtime::crc32(std::string_view(bytes).substr(kHeader, num_sections * kSection)));
}

std::string strike_runtime_file(const fs::path& file) {
  const runtime::ImpactSet set = runtime::read_impact_file(file.string());
  const runtime::Target target(set);
  runtime::Impact impact;
  impact.point = {0.1, 0.2, 0.3};
  impact.direction = {0, 0, -1};
  impact.strength = 1, impact.threshold = 0.05;
  impact.smear = set.elastic ? runtime::Smear::elastic : runtime::Smear::gaussian;
  if (!set.elastic && !set.gaussian) return "";
  const runtime::Answer answer = target.strike(impact);
  for (const std::int32_t piece : answer.piece_of_atom)
    if (piece < 0 || piece >= answer.num_pieces) return "an atom in no piece";
  return "";
}

}  // namespace

std::vector<Reader> hdf5_readers() {
  const auto solid = [](const fs::path& file) {
    breaking::write_mode_file(file, test::scalar_mode_file(test::kuhn_box(2, 1, 1, 2, 1, 1)));
  };
  const auto general = [](const fs::path& file) {
    breaking::write_mode_file(file, test::general_mode_file(test::kuhn_box(1, 1, 1, 1, 1, 1)));
  };
  const auto flat = [](const fs::path& file) { breaking::write_mode_file(file, test::flat_mode_file()); };
  const auto frame = [](const fs::path& file) {
    io::write_snapshot(core::Comm(MPI_COMM_SELF), file, test::sample_header(), test::sample_part(8, 0, 1));
  };
  return {hdf5_reader("snapshot", {frame, write_mesh}, read_snapshot_file),
          hdf5_reader("hdf-mesh", {write_mesh}, read_mesh_of_ours),
          hdf5_reader("modes", {solid, general, flat}, read_modes),
          hdf5_reader("pieces", {write_pieces_of}, read_pieces_file),
          hdf5_reader("vibrations", {write_vibrations}, [](const fs::path& file) {
            (void)app::description_of(file);
            return std::string();
          })};
}

std::vector<Reader> runtime_readers() {
  const auto damaged = [seed = runtime::encode(test::row_of_cubes(4, 3))](Random& random, const fs::path& folder) {
    std::string bytes = mutated_binary(random, seed, seed);
    if (!random.one_in(4)) mend_checksums(bytes);
    write_file(folder / "a.impact", bytes);
    return folder / "a.impact";
  };
  return {{"impact", {}, damaged, strike_runtime_file, false}};
}

}  // namespace brisance::fuzz
