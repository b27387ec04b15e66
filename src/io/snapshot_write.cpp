/// Writes a frame: rank 0 the header, all ranks the columns.
#include "brisance/core/error.hpp"
#include "brisance/io/snapshot.hpp"
#include "brisance/io/snapshot_bytes.hpp"
#include "brisance/runtime/impact_set.hpp"

#include "io/hdf5_writer.hpp"
#include "io/snapshot_columns.hpp"
#include "io/snapshot_layout.hpp"
#include "io/snapshot_rest.hpp"
#include "io/write_columns.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

namespace brisance::io {

namespace {

constexpr std::uint64_t kPieceNameBytes = 24;  ///< of a piece's id, parent and name

/// Written for reduced frames only: readers of the first version know whole frames alone.
void add_form(Hdf5Writer& file, const FrameForm& form) {
  file.attribute(layout::kOurs, "format_version", form.is_whole() ? kSnapshotVersion : kReducedSnapshotVersion);
  if (form.is_whole()) return;
  file.text(layout::kOurs, "content", form.surface_only ? "surface" : "body");
  file.text(layout::kOurs, "precision", form.single_precision ? "single" : "double");
  file.text(layout::kOurs, "left_out", fmt::format("{}", fmt::join(form.left_out, " ")));
}

void add_header(Hdf5Writer& file, const SnapshotHeader& header) {
  using namespace layout;
  file.rows(kFieldTime, std::vector{header.time_s});
  file.rows(kFieldStep, std::vector{header.step});
  file.rows(kFieldFrame, std::vector{header.frame});

  add_form(file, header.form);
  file.attribute(kOurs, "time_s", header.time_s);
  file.attribute(kOurs, "step", header.step);
  file.attribute(kOurs, "frame", header.frame);
  file.attribute(kOurs, "num_pieces", header.num_pieces);
  file.attribute(kOurs, "num_cracks", header.num_cracks);
  file.texts(kScene, {header.scene});
  file.texts(kMaterialNames, header.material_names);
  if (header.groups.empty()) return;
  std::vector<std::string> groups;
  for (const auto& names : header.groups.names) groups.push_back(mesh::to_text(names));
  file.texts(kGroupNames, groups);
  file.rows(kGroupOfSource, header.groups.of_source);
}

/// Written only where there is one: other frames keep their layout.
void add_collider_meshes(Hdf5Writer& file, const std::vector<Collider>& colliders) {
  std::vector<std::int64_t> num_vertices, num_triangles;
  std::vector<Vec3> vertices;
  std::vector<std::array<std::int32_t, 3>> triangles;
  for (const Collider& collider : colliders) {
    num_vertices.push_back(std::ssize(collider.vertices));
    num_triangles.push_back(std::ssize(collider.triangles));
    vertices.insert(vertices.end(), collider.vertices.begin(), collider.vertices.end());
    triangles.insert(triangles.end(), collider.triangles.begin(), collider.triangles.end());
  }
  if (triangles.empty()) return;
  file.rows(layout::kColliderNumVertices, num_vertices);
  file.rows(layout::kColliderNumTriangles, num_triangles);
  file.rows(layout::kColliderVertices, vertices);
  file.rows(layout::kColliderTriangles, triangles);
}

void add_colliders(Hdf5Writer& file, const std::vector<Collider>& colliders) {
  std::vector<std::string> names, kinds;
  std::vector<Vec3> centres, sizes, velocities, spins;
  std::vector<std::array<double, 4>> orientations;
  for (const Collider& collider : colliders) {
    names.push_back(collider.name);
    kinds.push_back(collider.kind);
    centres.push_back(collider.centre);
    sizes.push_back(collider.size);
    orientations.push_back(collider.orientation);
    if (collider.velocity) velocities.push_back(*collider.velocity);
    if (collider.angular_velocity) spins.push_back(*collider.angular_velocity);
  }
  file.texts(layout::kColliderName, names);
  file.texts(layout::kColliderKind, kinds);
  file.rows(layout::kColliderCentre, centres);
  file.rows(layout::kColliderSize, sizes);
  file.rows(layout::kColliderOrientation, orientations);
  add_collider_meshes(file, colliders);
  if (colliders.empty() || velocities.size() != colliders.size() || spins.size() != colliders.size()) return;
  file.rows(layout::kColliderVelocity, velocities);
  file.rows(layout::kColliderSpin, spins);
}

/// Written only where there are some: other files keep their layout.
void add_piece_names(Hdf5Writer& file, const std::vector<PieceName>& pieces) {
  if (pieces.empty()) return;
  std::vector<std::int32_t> ids, parents;
  std::vector<std::string> names;
  for (const PieceName& piece : pieces) {
    ids.push_back(piece.id);
    parents.push_back(piece.parent);
    names.push_back(runtime::atom_name(piece.id));
  }
  file.group(layout::kPieceNames);
  file.rows(layout::kPieceNamesId, ids);
  file.rows(layout::kPieceNamesParent, parents);
  file.texts(layout::kPieceNamesName, names);
}

void add_state_names(Hdf5Writer& file, const SnapshotPart& part) {
  if (part.node_state.empty() && part.element_state.empty()) return;
  file.group(layout::kState);
  const auto add = [&](const char* name, const std::vector<StateColumn>& fields, std::string StateColumn::*what) {
    std::vector<std::string> texts;
    for (const StateColumn& field : fields) texts.push_back(field.*what);
    file.texts(name, texts);
  };
  add(layout::kNodeState, part.node_state, &StateColumn::name);
  add(layout::kNodeStateUnits, part.node_state, &StateColumn::unit);
  add(layout::kElementState, part.element_state, &StateColumn::name);
  add(layout::kElementStateUnits, part.element_state, &StateColumn::unit);
}

bool have_rows(const std::vector<StateColumn>& fields, std::size_t rows) {
  return std::all_of(fields.begin(), fields.end(),
                     [&](const StateColumn& field) { return field.values.size() == rows * field.width; });
}

bool have_rows(const DustRows& dust) {
  const std::size_t rows = dust.size();
  return dust.material.size() == rows && dust.birth_s.size() == rows && dust.position.size() == rows &&
         dust.velocity.size() == rows && dust.angular_momentum.size() == rows && dust.radius.size() == rows &&
         dust.mass.size() == rows;
}

void check_lengths(const FrameForm& form, const SnapshotPart& part) {
  const std::size_t nodes = part.node_id.size(), cells = part.element_id.size(), triangles = part.boundary.size();
  const auto expected = [&](const char* field, std::size_t rows) { return form.has(field) ? rows : 0; };
  const bool fits =
      part.node_owned.size() == nodes && part.position.size() == nodes &&
      part.rest_position.size() == expected("rest_position", nodes) &&
      part.velocity.size() == expected("velocity", nodes) &&
      (form.surface_only ? part.tets.empty() && cells == triangles : part.tets.size() == cells) &&
      part.material.size() == cells && part.piece.size() == cells && part.stress.size() == expected("stress", cells) &&
      (part.group.empty() || part.group.size() == cells) &&
      (part.plastic_strain.empty() || part.plastic_strain.size() == expected("plastic_strain", cells)) &&
      have_rows(part.dust) && part.boundary_element.size() == triangles && part.source_triangle.size() == triangles &&
      have_rows(part.node_state, nodes) && have_rows(part.element_state, cells);
  if (!fits)
    throw core::Error("a snapshot part has arrays of different lengths (a fault of the program, please report)");
}

}  // namespace

bool FrameForm::has(std::string_view field) const {
  return std::find(left_out.begin(), left_out.end(), field) == left_out.end();
}

void require_complete(const core::Comm& comm, const FrameForm& form, const SnapshotPart& part) {
  core::agree(comm, [&] { check_lengths(form, part); });
}

void add_rest(Hdf5Writer& file, const SnapshotHeader& header, const SnapshotPart& part) {
  for (const char* group : {layout::kVtk, layout::kPointData, layout::kCellData, layout::kFieldData, layout::kOurs,
                            layout::kBoundary, layout::kColliders})
    file.group(group);
  if (header.num_dust > 0) file.group(layout::kDust);
  file.vtk_attributes();
  add_header(file, header);
  add_colliders(file, header.colliders);
  add_state_names(file, part);
  add_piece_names(file, header.piece_names);
}

std::uint64_t rest_bytes(const SnapshotHeader& header) {
  std::uint64_t bytes = header.scene.size() + kPieceNameBytes * header.piece_names.size();
  for (const Collider& c : header.colliders)
    bytes += c.vertices.size() * sizeof(Vec3) + c.triangles.size() * sizeof(c.triangles[0]);
  return bytes;
}

void write_snapshot(const core::Comm& comm, const std::filesystem::path& file, const SnapshotHeader& header,
                    const SnapshotPart& part, int deflate_level) {
  const QuietHdf5 quiet;
  require_complete(comm, header.form, part);
  const FrameColumns columns(comm, header.form, part);
  write_columns(comm, file, columns.all(), {.rest_bytes = rest_bytes(header), .deflate_level = deflate_level},
                [&](Hdf5Writer& made) { add_rest(made, header, part); });
}

std::int64_t snapshot_bytes(const core::Comm& comm, const SnapshotHeader& header, const SnapshotPart& part) {
  constexpr std::int64_t kStructure = 1 << 16;  // names, attributes and offsets
  constexpr std::int64_t kCollider = 256;
  std::int64_t bytes = kStructure + std::ssize(header.scene) + 8 * std::ssize(header.groups.of_source) +
                       static_cast<std::int64_t>(kPieceNameBytes) * std::ssize(header.piece_names);
  for (const Collider& collider : header.colliders)
    bytes += kCollider + 24 * std::ssize(collider.vertices) + 12 * std::ssize(collider.triangles);
  const FrameColumns columns(comm, header.form, part);
  for (const Column& column : columns.all())
    bytes += static_cast<std::int64_t>(column.share.total * column.width * H5Tget_size(column.file_type));
  return bytes;
}

}  // namespace brisance::io
