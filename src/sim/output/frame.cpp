#include "brisance/sim/output/frame.hpp"

#include "brisance/contact/shapes/shape_kinds.hpp"
#include "brisance/dist/home_elements.hpp"
#include "brisance/fracture/fields.hpp"
#include "brisance/mesh/tet_mesh.hpp"
#include "brisance/sim/crush.hpp"

#include "sim/output/divided_surface.hpp"

#include <algorithm>
#include <utility>

namespace brisance::sim {

namespace {

/// Whether an owned node is on the boundary although its faces may be listed by other ranks; false if this rank owns
/// all corners of its star.
bool is_on_others_boundary(const dist::Mesh& mesh, LocalNode n) {
  const auto owns_all = [&](std::int32_t e) {
    return std::ranges::all_of(mesh.corners(LocalElement(e)), [&](LocalNode c) { return mesh.is_owned(c); });
  };
  if (std::ranges::all_of(mesh.star(n), owns_all)) return false;
  // Faces of the star at the node occur twice, those on the boundary once.
  std::vector<std::pair<LocalNode, LocalNode>> faces;
  for (const std::int32_t e : mesh.star(n)) {
    std::array<LocalNode, 3> others;
    auto other = others.begin();
    for (const LocalNode corner : mesh.corners(LocalElement(e)))
      if (corner != n) *other++ = corner;
    std::ranges::sort(others);
    faces.insert(faces.end(), {{others[0], others[1]}, {others[0], others[2]}, {others[1], others[2]}});
  }
  std::ranges::sort(faces);
  for (std::size_t i = 0; i < faces.size(); i += 2)
    if (i + 1 == faces.size() || faces[i] != faces[i + 1]) return true;
  return false;
}

/// Owned nodes and the nodes of rows that this rank writes, in ascending global id, and each slot's index in that list.
/// Without tets: only owned nodes on the boundary.
struct PartNodes {
  std::vector<LocalNode> list;
  NodeField<std::int64_t> index;
};

PartNodes part_nodes(const dist::Mesh& mesh, std::span<const std::int32_t> home,
                     const std::vector<dist::BoundaryFace>& boundary, bool surface_only) {
  NodeField<char> wanted(mesh.num_node_slots(), 0);
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh.is_owned(n)) wanted[n] = !surface_only || is_on_others_boundary(mesh, n) ? 1 : 0;
  for (std::int32_t e : home)
    for (LocalNode n : mesh.corners(LocalElement(e))) wanted[n] = 1;
  for (const dist::BoundaryFace& face : boundary)
    for (int corner : mesh::kFaceCorners[face.opposite]) wanted[mesh.corner(face.element, corner)] = 1;
  PartNodes nodes;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (wanted[LocalNode(i)]) nodes.list.emplace_back(i);
  std::sort(nodes.list.begin(), nodes.list.end(),
            [&](LocalNode a, LocalNode b) { return mesh.node_id[a] < mesh.node_id[b]; });
  nodes.index.assign(mesh.num_node_slots(), -1);
  for (std::size_t k = 0; k < nodes.list.size(); ++k) nodes.index[nodes.list[k]] = static_cast<std::int64_t>(k);
  return nodes;
}

void fill_nodes(const dist::Mesh& mesh, const PartNodes& nodes, const io::FrameForm& form, io::SnapshotPart& part) {
  const bool has_rest = form.has("rest_position"), has_velocity = form.has("velocity");
  for (LocalNode n : nodes.list) {
    part.node_id.push_back(mesh.node_id[n].value);
    part.node_owned.push_back(mesh.is_owned(n) ? 1 : 0);
    if (has_rest) part.rest_position.push_back(mesh.rest[n]);
    part.position.emplace_back(mesh.motion[n].position);
    if (has_velocity) part.velocity.emplace_back(mesh.motion[n].velocity);
  }
}

/// A row for each of these elements, which may repeat; with corners if the form has tets.
void fill_elements(const Simulation& simulation, const dist::Pieces& pieces, std::span<const std::int32_t> home,
                   const PartNodes& nodes, const io::FrameForm& form, io::SnapshotPart& part) {
  const dist::Mesh& mesh = simulation.mesh();
  const bool has_stress = form.has("stress"), has_plastic = form.has("plastic_strain");
  std::vector<dynamics::ElementState> states(has_stress ? home.size() : 0);
  if (has_stress)
    dynamics::element_states(simulation.element_spans(), mesh.materials, mesh.motion.span(), home, states);
  const auto plastic = mesh.field(dynamics::kPlasticState);
  const auto& group = mesh.field(dist::kTetGroup);
  for (std::size_t k = 0; k < home.size(); ++k) {
    const LocalElement e(home[k]);
    const auto corners = mesh.corners(e);
    part.element_id.push_back(mesh.element_id[e].value);
    if (!form.surface_only)
      part.tets.push_back(
          {nodes.index[corners[0]], nodes.index[corners[1]], nodes.index[corners[2]], nodes.index[corners[3]]});
    part.material.push_back(simulation.named_material(e));
    if (!mesh.facts.groups.empty()) part.group.push_back(group[e]);
    part.piece.push_back(pieces.of_node[corners[0]]);
    if (has_stress) part.stress.push_back(cauchy_stress(states[k]));
    if (has_plastic && !plastic.empty()) part.plastic_strain.push_back(dynamics::plastic_strain(plastic, e));
  }
}

bool is_of_fronts(std::string_view name) {
  return std::ranges::find(fracture::kFrontFieldNames, name) != fracture::kFrontFieldNames.end();
}

/// Every declared field of the nodes, or those of crack fronts; ghosts take their owner's values. Collective.
std::vector<io::StateColumn> node_state(const dist::Mesh& mesh, const PartNodes& nodes, bool fronts_alone) {
  std::vector<io::StateColumn> state;
  for (const auto& column : mesh.node_fields().columns()) {
    if (fronts_alone && !is_of_fronts(column->name)) continue;
    io::StateColumn& written =
        state.emplace_back(io::StateColumn{std::string(column->name), std::string(column->unit), column->width, {}});
    NodeField<double> values(mesh.num_node_slots(), 0);
    std::vector<double> row(column->width);
    written.values.resize(nodes.list.size() * column->width);
    for (std::size_t c = 0; c < column->width; ++c) {
      for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
        column->numbers(LocalNode(i), row.data());
        values[LocalNode(i)] = row[c];
      }
      mesh.halo().update_ghosts(values.span());
      for (std::size_t k = 0; k < nodes.list.size(); ++k) written.values[k * column->width + c] = values[nodes.list[k]];
    }
  }
  return state;
}

/// Every declared field of the home elements. Local.
std::vector<io::StateColumn> element_state(const Simulation& simulation, std::span<const std::int32_t> home) {
  const dist::Mesh& mesh = simulation.mesh();
  std::vector<io::StateColumn> state;
  for (const auto& column : mesh.element_fields().columns()) {
    io::StateColumn& written =
        state.emplace_back(io::StateColumn{std::string(column->name), std::string(column->unit), column->width, {}});
    written.values.resize(home.size() * column->width);
    for (std::size_t k = 0; k < home.size(); ++k)
      column->numbers(LocalElement(home[k]), written.values.data() + k * column->width);
  }
  if (mesh.facts.graded.empty()) return state;
  io::StateColumn& stiffness = state.emplace_back(io::StateColumn{"stiffness_factor", "-", 1, {}});
  for (const std::int32_t e : home) stiffness.values.push_back(simulation.stiffness_factor(LocalElement(e)));
  return state;
}

void fill_boundary(const dist::Mesh& mesh, const std::vector<dist::BoundaryFace>& boundary, const PartNodes& nodes,
                   io::SnapshotPart& part) {
  const auto& source = mesh.field(dist::kFaceSource);
  for (const dist::BoundaryFace& face : boundary) {
    const auto corners = mesh.corners(face.element);
    const auto& order = mesh::kFaceCorners[face.opposite];
    part.boundary.push_back(
        {nodes.index[corners[order[0]]], nodes.index[corners[order[1]]], nodes.index[corners[order[2]]]});
    part.boundary_element.push_back(mesh.element_id[face.element].value);
    part.source_triangle.push_back(source[face.element][face.opposite]);
  }
}

/// Ids of points inside elements: beyond those of nodes.
constexpr std::int64_t kFirstInnerPoint = std::int64_t{1} << 48;
constexpr std::int64_t kInnerPointsAnElement = 16;

/// Appends points of the surface that are no nodes to the nodes of the part.
class InnerPoints {
public:
  InnerPoints(const dist::Mesh& mesh, const PartNodes& nodes, const io::FrameForm& form, io::SnapshotPart& part)
      : mesh_(mesh),
        nodes_(nodes),
        part_(part),
        has_rest_(form.has("rest_position")),
        has_velocity_(form.has("velocity")) {}

  /// Index in the part of a point of an element; elements come in ascending id.
  [[nodiscard]] std::int64_t index_of(LocalElement e, const elements::Barycentric& point) {
    for (int k = 0; k < 4; ++k)
      if (point[static_cast<std::size_t>(k)] == 1) return nodes_.index[mesh_.corner(e, k)];
    if (element_ != e) known_.clear();
    element_ = e;
    for (const auto& [known, index] : known_)
      if (known == point) return index;
    const auto index = static_cast<std::int64_t>(part_.node_id.size());
    add(e, point);
    known_.emplace_back(point, index);
    return index;
  }

private:
  void add(LocalElement e, const elements::Barycentric& point) {
    Vec3 rest = Vec3::Zero(), position = Vec3::Zero(), velocity = Vec3::Zero();
    for (int k = 0; k < 4; ++k) {
      const LocalNode n = mesh_.corner(e, k);
      const double weight = point[static_cast<std::size_t>(k)];
      rest += weight * mesh_.rest[n];
      position += weight * Vec3(mesh_.motion[n].position);
      velocity += weight * Vec3(mesh_.motion[n].velocity);
    }
    part_.node_id.push_back(kFirstInnerPoint + kInnerPointsAnElement * mesh_.element_id[e].value +
                            static_cast<std::int64_t>(known_.size()));
    part_.node_owned.push_back(1);
    if (has_rest_) part_.rest_position.push_back(rest);
    part_.position.push_back(position);
    if (has_velocity_) part_.velocity.push_back(velocity);
  }

  const dist::Mesh& mesh_;
  const PartNodes& nodes_;
  io::SnapshotPart& part_;
  bool has_rest_, has_velocity_;
  LocalElement element_;
  std::vector<std::pair<elements::Barycentric, std::int64_t>> known_;  ///< of the element
};

void fill_divided_surface(const dist::Mesh& mesh, const std::vector<DividedSurfaceRow>& rows, const PartNodes& nodes,
                          const io::FrameForm& form, io::SnapshotPart& part) {
  InnerPoints points(mesh, nodes, form, part);
  for (const DividedSurfaceRow& row : rows) {
    std::array<std::int64_t, 3> triangle{};
    for (std::size_t k = 0; k < 3; ++k) triangle[k] = points.index_of(row.element, row.corners[k]);
    part.boundary.push_back(triangle);
    part.boundary_element.push_back(mesh.element_id[row.element].value);
    part.source_triangle.push_back(row.source);
  }
}

io::DustRows dust_rows(std::span<const DustParticle> particles) {
  io::DustRows rows;
  for (const DustParticle& dust : particles) {
    rows.id.push_back(dust.id);
    rows.material.push_back(static_cast<std::int32_t>(dust.material));
    rows.birth_s.push_back(dust.birth_s);
    rows.position.emplace_back(dust.position.data());
    rows.velocity.emplace_back(dust.velocity.data());
    rows.angular_momentum.emplace_back(dust.angular_momentum.data());
    rows.radius.push_back(dust.radius);
    rows.mass.push_back(dust.mass);
  }
  return rows;
}

}  // namespace

SymMat3 cauchy_stress(const dynamics::ElementState& state) {
  if (!(state.determinant > 0)) return SymMat3::Zero();
  const Mat3 F = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(&state.deformation_gradient[0][0]);
  SymMat3 half;
  for (int k = 0; k < 6; ++k) half[k] = 0.5 * state.stress[k];
  return symmetric_part(F * full_matrix(half) * F.transpose() / state.determinant);
}

io::FrameForm frame_form(const OutputParameters& output, bool surface_only) {
  io::FrameForm form{surface_only, output.precision == Precision::single_precision, {}};
  for (const char* field : io::kOptionalFields)
    if (std::ranges::find(output.fields, field) == output.fields.end()) form.left_out.emplace_back(field);
  return form;
}

io::SnapshotPart snapshot_part(const Simulation& simulation, const dist::Pieces& pieces, const io::FrameForm& form) {
  const dist::Mesh& mesh = simulation.mesh();
  const bool is_divided = mesh.find_field(dist::kDivision) != nullptr;
  std::vector<dist::BoundaryFace> boundary;
  if (!is_divided) boundary = mesh.surface().faces();
  std::vector<std::int32_t> home;  // elements with a row, or one entry for each triangle of the surface
  if (!form.surface_only || is_divided) home = dist::home_elements(mesh);
  if (mesh.facts.sorted_below > 0) {  // else slots are in the order of ids
    std::ranges::sort(home, {}, [&](std::int32_t e) { return mesh.element_id[LocalElement(e)]; });
    std::ranges::stable_sort(boundary, {}, [&](const dist::BoundaryFace& f) { return mesh.element_id[f.element]; });
  }
  std::vector<DividedSurfaceRow> rows;
  if (is_divided) rows = divided_surface(mesh, home);
  const PartNodes nodes = part_nodes(mesh, home, boundary, form.surface_only && !is_divided);
  if (form.surface_only) {
    home.clear();
    for (const dist::BoundaryFace& face : boundary) home.push_back(face.element.value);
    for (const DividedSurfaceRow& row : rows) home.push_back(row.element.value);
  }

  io::SnapshotPart part;
  fill_nodes(mesh, nodes, form, part);
  fill_elements(simulation, pieces, home, nodes, form, part);
  fill_boundary(mesh, boundary, nodes, part);
  fill_divided_surface(mesh, rows, nodes, form, part);
  part.dust = dust_rows(simulation.dust().particles());
  const OutputParameters& output = simulation.scene().output;
  if (output.state_fields || output.front_fields) part.node_state = node_state(mesh, nodes, !output.state_fields);
  for (io::StateColumn& column : part.node_state) column.values.resize(part.node_id.size() * column.width, 0);
  if (output.state_fields) part.element_state = element_state(simulation, home);
  return part;
}

io::SnapshotHeader snapshot_header(const Simulation& simulation, const dist::Pieces& pieces, const io::FrameForm& form,
                                   std::int64_t frame, const std::string& scene_toml) {
  io::SnapshotHeader header;
  header.form = form;
  header.time_s = simulation.time_s();
  header.step = simulation.num_steps();
  header.frame = frame;
  header.num_pieces = static_cast<std::int64_t>(pieces.list.size());
  header.num_cracks = simulation.mesh().facts.num_cracks;
  header.num_dust = simulation.comm().sum(std::ssize(simulation.dust().particles()));
  for (const auto& m : with_crushed_forms(simulation.scene().materials)) header.material_names.push_back(m.name);
  header.groups = simulation.mesh().facts.groups;
  header.scene = scene_toml;
  const contact::RigidColliders& colliders = simulation.colliders();
  for (std::size_t b = 0; b < colliders.size(); ++b) {
    const contact::ColliderParameters& p = colliders.parameters(b);
    const contact::BodyState& s = colliders.states()[b];
    const contact::RigidShape& shape = colliders.shape(b);
    io::SnapshotHeader::Collider c{
        p.name, contact::shape_kind(p.shape).name, s.position, shape.size_in_frame(s.orientation), {}};
    contact::ShapeSurface surface = shape.surface_in_frame();
    c.vertices = std::move(surface.vertices);
    c.triangles = std::move(surface.triangles);
    c.orientation = {s.orientation.w(), s.orientation.x(), s.orientation.y(), s.orientation.z()};
    c.velocity = s.velocity;
    c.angular_velocity = s.angular_velocity;
    header.colliders.push_back(std::move(c));
  }
  return header;
}

}  // namespace brisance::sim
