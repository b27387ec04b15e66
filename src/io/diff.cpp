/// Both frames are sorted (nodes and tets by id, triangles by tet and corner ids), then compared field by field over
/// the rows present in both.
#include "brisance/io/diff.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/random.hpp"
#include "brisance/core/words.hpp"

#include "io/field_comparison.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include <spdlog/fmt/fmt.h>

namespace brisance::io {

namespace {

/// Corners by global id.
template <std::size_t N>
std::vector<std::array<std::int64_t, N>> global_corners(const std::vector<std::array<std::int64_t, N>>& local,
                                                        const std::vector<std::int64_t>& node_id) {
  auto global = local;
  for (auto& corners : global)
    for (auto& corner : corners) corner = node_id[corner];
  return global;
}

/// (tet, corner ids from the lowest on, in their cyclic order) of each boundary triangle.
std::vector<std::array<std::int64_t, 4>> triangle_keys(const SnapshotPart& part) {
  const auto corners = global_corners(part.boundary, part.node_id);
  std::vector<std::array<std::int64_t, 4>> keys;
  keys.reserve(corners.size());
  for (std::size_t t = 0; t < corners.size(); ++t) {
    auto c = corners[t];
    std::rotate(c.begin(), std::min_element(c.begin(), c.end()), c.end());
    keys.push_back({part.boundary_element[t], c[0], c[1], c[2]});
  }
  return keys;
}

/// The names of each group as one text.
std::vector<std::string> names_of(const mesh::Groups& groups) {
  std::vector<std::string> texts;
  for (const auto& names : groups.names) texts.push_back(fmt::format("{}", fmt::join(names, "+")));
  return texts;
}

std::string form_words(const FrameForm& form) {
  return fmt::format("{}, {} precision{}{}", form.surface_only ? "surface" : "body",
                     form.single_precision ? "single" : "double", form.left_out.empty() ? "" : ", without ",
                     fmt::join(form.left_out, " "));
}

std::string mesh_words(const Collider& collider) {
  std::uint64_t digest = 0;
  for (const Vec3& vertex : collider.vertices)
    for (const double x : vertex) digest = core::hash_bits(digest, std::bit_cast<std::uint64_t>(x), 0);
  for (const auto& corners : collider.triangles)
    for (const std::int32_t corner : corners) digest = core::hash_bits(digest, static_cast<std::uint64_t>(corner), 1);
  return fmt::format("{} triangles ({:x})", collider.triangles.size(), digest);
}

/// Id and parent of each piece in turn.
std::vector<std::int32_t> ids_of(const std::vector<PieceName>& pieces) {
  std::vector<std::int32_t> ids;
  for (const PieceName& piece : pieces) ids.insert(ids.end(), {piece.id, piece.parent});
  return ids;
}

void compare_headers(FieldComparison& compare, const SnapshotHeader& a, const SnapshotHeader& b) {
  compare.value("form", form_words(a.form), form_words(b.form));
  compare.value("time_s", a.time_s, b.time_s);
  compare.value("step", a.step, b.step);
  compare.value("frame", a.frame, b.frame);
  compare.value("num_pieces", a.num_pieces, b.num_pieces);
  if (!a.piece_names.empty() && !b.piece_names.empty())  // files of older versions have none
    compare.value("ids and parents of pieces", value_text(ids_of(a.piece_names)), value_text(ids_of(b.piece_names)));
  compare.value("num_cracks", a.num_cracks, b.num_cracks);
  compare.value("num_dust", a.num_dust, b.num_dust);
  compare.value("material names", value_text(a.material_names), value_text(b.material_names));
  compare.value("group names", value_text(names_of(a.groups)), value_text(names_of(b.groups)));
  compare.value("groups of source triangles", value_text(a.groups.of_source), value_text(b.groups.of_source));
  compare.value("number of colliders", std::ssize(a.colliders), std::ssize(b.colliders));
  for (std::size_t i = 0; i < std::min(a.colliders.size(), b.colliders.size()); ++i) {
    const Collider &x = a.colliders[i], &y = b.colliders[i];
    const std::string which = "collider " + std::to_string(i);
    compare.value(which + " name", x.name, y.name);
    compare.value(which + " kind", x.kind, y.kind);
    compare.value(which + " centre", x.centre, y.centre);
    compare.value(which + " size", x.size, y.size);
    compare.value(which + " orientation", x.orientation, y.orientation);
    compare.value(which + " mesh", mesh_words(x), mesh_words(y));
    if (!x.velocity || !y.velocity) continue;  // files of older versions have none
    compare.value(which + " velocity", *x.velocity, *y.velocity);
    compare.value(which + " angular velocity", x.angular_velocity.value_or(Vec3::Zero()),
                  y.angular_velocity.value_or(Vec3::Zero()));
  }
}

/// Compares the copies of a node in several parts of one frame.
void compare_copies(FieldComparison& compare, const std::string& frame, const SnapshotPart& part,
                    const RowOrder<std::int64_t>& nodes) {
  RowPairs copies;
  for (const auto& [row, first] : nodes.repeats) {
    copies.id.push_back(part.node_id[row]);
    copies.a.push_back(first);
    copies.b.push_back(row);
  }
  if (!part.rest_position.empty())
    compare.field("node rest_position between parts of " + frame, copies, part.rest_position, part.rest_position);
  compare.field("node position between parts of " + frame, copies, part.position, part.position);
  if (!part.velocity.empty())
    compare.field("node velocity between parts of " + frame, copies, part.velocity, part.velocity);
}

/// Compares state fields present in both frames, component by component; a field in only one of them is a difference.
void compare_state(FieldComparison& compare, const std::string& what, const RowPairs& pairs,
                   const std::vector<StateColumn>& a, const std::vector<StateColumn>& b) {
  const auto named = [](const std::vector<StateColumn>& fields, const std::string& name) {
    return std::find_if(fields.begin(), fields.end(), [&](const StateColumn& field) { return field.name == name; });
  };
  const auto component = [](const StateColumn& field, std::size_t c) {
    std::vector<double> values;
    for (std::size_t i = c; i < field.values.size(); i += field.width) values.push_back(field.values[i]);
    return values;
  };
  const auto names = [](const std::vector<StateColumn>& fields) {
    std::vector<std::string> list;
    for (const StateColumn& field : fields) list.push_back(field.name);
    return list;
  };
  compare.value(what + " state fields", value_text(names(a)), value_text(names(b)));
  for (const StateColumn& field : a) {
    const auto other = named(b, field.name);
    if (other == b.end() || other->width != field.width) continue;
    for (std::size_t c = 0; c < field.width; ++c) {
      const std::string name = field.width == 1 ? field.name : fmt::format("{}[{}]", field.name, c);
      compare.field(what + " " + name, pairs, component(field, c), component(*other, c));
    }
  }
}

/// Compares a field that frames may omit: where one of them omits it, the difference of their forms is already
/// reported.
template <class Row>
void compare_optional(FieldComparison& compare, const std::string& what, const RowPairs& pairs,
                      const std::vector<Row>& a, const std::vector<Row>& b) {
  if (!a.empty() && !b.empty()) compare.field(what, pairs, a, b);
}

std::int64_t compare_nodes(FieldComparison& compare, const SnapshotPart& a, const SnapshotPart& b) {
  const auto order_a = order_of(a.node_id), order_b = order_of(b.node_id);
  compare_copies(compare, "a", a, order_a);
  compare_copies(compare, "b", b, order_b);
  const RowPairs pairs = compare.match("nodes", order_a, order_b);
  compare_optional(compare, "node rest_position", pairs, a.rest_position, b.rest_position);
  compare.field("node position", pairs, a.position, b.position);
  compare_optional(compare, "node velocity", pairs, a.velocity, b.velocity);
  compare_state(compare, "node", pairs, a.node_state, b.node_state);
  return std::ssize(pairs.id);
}

/// Compares the data of the tets, over pairs of rows.
void compare_cells(FieldComparison& compare, const RowPairs& pairs, const Snapshot& frame_a, const Snapshot& frame_b) {
  const SnapshotPart &a = frame_a.part, &b = frame_b.part;
  compare.field("tet material", pairs, a.material, b.material);
  const auto or_none = [](const SnapshotPart& part) {
    return part.group.empty() ? std::vector<std::int32_t>(part.element_id.size(), mesh::kNoGroup) : part.group;
  };
  compare.field("tet group", pairs, or_none(a), or_none(b));
  compare.field("tet piece", pairs, a.piece, b.piece);
  compare_optional(compare, "tet stress", pairs, a.stress, b.stress);
  compare_state(compare, "tet", pairs, a.element_state, b.element_state);
  if (a.plastic_strain.empty() && b.plastic_strain.empty()) return;
  if (!frame_a.header.form.has("plastic_strain") || !frame_b.header.form.has("plastic_strain")) return;
  // A field that a frame could have and does not is zero everywhere.
  auto or_zero = [](const SnapshotPart& part) {
    return part.plastic_strain.empty() ? std::vector<SymMat3>(part.element_id.size(), SymMat3::Zero())
                                       : part.plastic_strain;
  };
  compare.field("tet plastic_strain", pairs, or_zero(a), or_zero(b));
}

std::int64_t compare_tets(FieldComparison& compare, const Snapshot& frame_a, const Snapshot& frame_b) {
  const SnapshotPart &a = frame_a.part, &b = frame_b.part;
  const auto order_a = order_of(a.element_id), order_b = order_of(b.element_id);
  compare.none_repeated("tets", order_a.repeats.size(), order_b.repeats.size());
  const RowPairs pairs = compare.match("tets", order_a, order_b);
  compare.field("tet corners", pairs, global_corners(a.tets, a.node_id), global_corners(b.tets, b.node_id));
  compare_cells(compare, pairs, frame_a, frame_b);
  return std::ssize(pairs.id);
}

std::int64_t compare_boundary(FieldComparison& compare, const Snapshot& frame_a, const Snapshot& frame_b) {
  const SnapshotPart &a = frame_a.part, &b = frame_b.part;
  const auto order_a = order_of(triangle_keys(a)), order_b = order_of(triangle_keys(b));
  compare.none_repeated("boundary triangles", order_a.repeats.size(), order_b.repeats.size());
  const RowPairs pairs = compare.match("boundary triangles", order_a, order_b);
  compare.field("boundary source_triangle", pairs, a.source_triangle, b.source_triangle);
  if (frame_a.header.form.surface_only) compare_cells(compare, pairs, frame_a, frame_b);
  return std::ssize(pairs.id);
}

void compare_dust(FieldComparison& compare, const DustRows& a, const DustRows& b) {
  const auto order_a = order_of(a.id), order_b = order_of(b.id);
  compare.none_repeated("dust particles", order_a.repeats.size(), order_b.repeats.size());
  const RowPairs pairs = compare.match("dust particles", order_a, order_b);
  compare.field("dust material", pairs, a.material, b.material);
  compare.field("dust birth_s", pairs, a.birth_s, b.birth_s);
  compare.field("dust position", pairs, a.position, b.position);
  compare.field("dust velocity", pairs, a.velocity, b.velocity);
  compare.field("dust angular_momentum", pairs, a.angular_momentum, b.angular_momentum);
  compare.field("dust radius", pairs, a.radius, b.radius);
  compare.field("dust mass", pairs, a.mass, b.mass);
}

}  // namespace

DiffResult diff(const Snapshot& a, const Snapshot& b, double tolerance) {
  if (!(tolerance >= 0))
    throw core::Error(
        fmt::format("a tolerance of {} makes no sense; give 0 (to the bit) or a small positive number.", tolerance));
  DiffResult result;
  FieldComparison compare(tolerance, result);
  compare_headers(compare, a.header, b.header);
  compare_dust(compare, a.part.dust, b.part.dust);
  if (a.header.form.surface_only != b.header.form.surface_only) return result;  // nothing to match
  result.num_nodes = compare_nodes(compare, a.part, b.part);
  if (!a.header.form.surface_only) result.num_tets = compare_tets(compare, a, b);
  result.num_triangles = compare_boundary(compare, a, b);
  return result;
}

std::string DiffResult::text() const {
  std::string text =
      fmt::format("{}: {}, {}, {} compared\n", equal() ? "equal" : "different", core::counted(num_nodes, "node"),
                  core::counted(num_tets, "tet"), core::counted(num_triangles, "boundary triangle"));
  for (const FieldDifference& f : fields) {
    text += f.first_id < 0 ? fmt::format("  {}: a has {}, b has {}", f.field, f.first_a, f.first_b)
                           : fmt::format("  {}: {} differ, first at id {}: a has {}, b has {}", f.field, f.count,
                                         f.first_id, f.first_a, f.first_b);
    text += f.largest > 0 ? fmt::format("; largest difference {:.3g}\n", f.largest) : "\n";
  }
  return text;
}

}  // namespace brisance::io
