#include "checkpoint_mesh.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include <spdlog/fmt/fmt.h>

namespace brisance::sim::checkpoint_file {

namespace {

/// One member of all records, as `width` numbers each.
template <class T, std::size_t width, class Record>
std::vector<T> column_of(const std::vector<Record>& records, const auto& member) {
  std::vector<T> values;
  values.reserve(records.size() * width);
  for (const Record& record : records) {
    const auto& row = member(record);
    if constexpr (width == 1)
      values.push_back(static_cast<T>(row));
    else
      values.insert(values.end(), row.begin(), row.end());
  }
  return values;
}

/// Rows of fields, one table a field, as raw bytes: any type, exact.
template <class Fields>
void write_fields(Writer& out, const std::string& group, const Fields& fields, std::size_t count,
                  const std::vector<std::byte>& rows) {
  out.group(in(group, "fields"));
  std::size_t offset = 0;
  for (const auto& column : fields.columns()) {
    std::vector<std::uint8_t> values(count * column->bytes_each);
    for (std::size_t i = 0; i < count; ++i)
      std::memcpy(values.data() + i * column->bytes_each, rows.data() + i * fields.row_bytes() + offset,
                  column->bytes_each);
    out.rows(in(in(group, "fields"), column->name), std::move(values), column->bytes_each);
    offset += column->bytes_each;
  }
}

/// The initial value of a field, as bytes.
std::vector<std::uint8_t> initial(dist::NodeColumn& column) {
  column.add_slot();
  std::vector<std::uint8_t> value(column.bytes_each);
  std::memcpy(value.data(), column.data(), value.size());
  return value;
}
std::vector<std::uint8_t> initial(dist::ElementColumn& column) {
  column.add_slot(LocalElement(0));
  std::vector<std::uint8_t> value(column.bytes_each);
  column.pack(LocalElement(0), reinterpret_cast<std::byte*>(value.data()));
  return value;
}

template <class Fields>
std::vector<std::byte> read_fields(const core::Comm& comm, const io::ArrayFileReader& file, const std::string& group,
                                   const Fields& fields, const Fields& may_lack, std::size_t count) {
  std::vector<std::byte> rows(count * fields.row_bytes());
  std::size_t offset = 0;
  for (const auto& column : fields.columns()) {
    const std::string name = in(in(group, "fields"), column->name);
    const bool is_new = !file.has(name) && std::ranges::any_of(may_lack.columns(), [&](const auto& other) {
      return other->declaration == column->declaration;
    });
    if (is_new) {
      const std::vector<std::uint8_t> value = initial(*column);
      for (std::size_t i = 0; i < count; ++i)
        std::memcpy(rows.data() + i * fields.row_bytes() + offset, value.data(), value.size());
      offset += value.size();
      continue;
    }
    const auto values = file.block_rows<std::uint8_t>(name, comm, column->bytes_each);
    if (values.size() != count * column->bytes_each) file.damaged(std::string(column->name));
    for (std::size_t i = 0; i < count; ++i)
      std::memcpy(rows.data() + i * fields.row_bytes() + offset, values.data() + i * column->bytes_each,
                  column->bytes_each);
    offset += column->bytes_each;
  }
  return rows;
}

void write_graded(Writer& out, const std::vector<mesh::GradedRegion>& graded) {
  std::vector<std::int32_t> of;
  std::vector<double> stiffness;
  for (const mesh::GradedRegion& form : graded) {
    of.push_back(form.of);
    stiffness.push_back(form.stiffness);
  }
  out.rows_of_root(in(kGroup, "graded_of"), std::move(of));
  out.rows_of_root(in(kGroup, "graded_stiffness"), std::move(stiffness));
}

/// Groups are separated by an empty line, the names within a group by a line end.
mesh::Groups read_groups(const io::ArrayFileReader& file) {
  mesh::Groups groups;
  std::string text = read_text(file, in(kGroup, "group_names"));
  while (!text.empty()) {
    const std::size_t end = std::min(text.find("\n\n"), text.size());
    groups.names.push_back(mesh::names_of_text(text.substr(0, end)));
    text.erase(0, end + 2);
  }
  groups.of_source = file.rows<std::int32_t>(in(kGroup, "group_of_source"));
  if (!mesh::are_groups(groups, groups.of_source)) file.damaged(in(kGroup, "group_of_source"));
  return groups;
}

std::vector<mesh::GradedRegion> read_graded(const io::ArrayFileReader& file) {
  if (!file.has(in(kGroup, "graded_of"))) return {};
  const auto of = file.rows<std::int32_t>(in(kGroup, "graded_of"));
  const auto stiffness = file.rows<double>(in(kGroup, "graded_stiffness"));
  if (of.size() != stiffness.size()) file.damaged(in(kGroup, "graded_of"));
  std::vector<mesh::GradedRegion> graded;
  for (std::size_t i = 0; i < of.size(); ++i) graded.push_back({of[i], stiffness[i]});
  return graded;
}

}  // namespace

void write_facts(Writer& out, const dist::MeshFacts& facts) {
  out.rows_of_root(in(kGroup, "counts"),
                   std::vector<std::int64_t>{facts.next_node_id, facts.next_element_id, facts.num_cracks,
                                             facts.num_uncut, facts.sorted_below});
  out.rows_of_root(in(kGroup, "max_inverse_altitudes_squared"), facts.max_inverse_altitudes_squared);
  if (!facts.graded.empty()) write_graded(out, facts.graded);
  std::vector<std::string> groups;
  for (const auto& names : facts.groups.names) groups.push_back(mesh::to_text(names));
  out.text(in(kGroup, "group_names"), fmt::format("{}", fmt::join(groups, "\n\n")));
  out.rows_of_root(in(kGroup, "group_of_source"), facts.groups.of_source);
}

dist::MeshFacts read_facts(const io::ArrayFileReader& file) {
  const auto counts = file.rows<std::int64_t>(in(kGroup, "counts"));
  if (counts.size() != 5) file.damaged(in(kGroup, "counts"));
  return {.next_node_id = counts[0],
          .next_element_id = counts[1],
          .max_inverse_altitudes_squared = file.rows<double>(in(kGroup, "max_inverse_altitudes_squared")),
          .num_cracks = counts[2],
          .num_uncut = counts[3],
          .sorted_below = counts[4],
          .graded = read_graded(file),
          .groups = read_groups(file)};
}

void write_slab(Writer& out, const dist::Records& slab, const dist::FieldList& fields) {
  out.group(kNodes);
  const auto node = [&]<class T, std::size_t width>(const char* name, const auto& member) {
    out.rows(in(kNodes, name), column_of<T, width>(slab.nodes, member), width);
  };
  node.operator()<std::int64_t, 1>("id", [](const auto& n) { return n.id.value; });
  node.operator()<std::int32_t, 1>("owner", [](const auto& n) { return n.owner; });
  node.operator()<double, 3>(
      "rest_position", [](const auto& n) -> const auto& { return n.rest; });
  node.operator()<double, 3>(
      "position", [](const auto& n) -> const auto& { return n.position; });
  node.operator()<double, 3>(
      "velocity", [](const auto& n) -> const auto& { return n.velocity; });
  write_fields(out, kNodes, dist::NodeFields(fields), slab.nodes.size(), slab.node_fields);

  out.group(kElements);
  std::vector<std::int64_t> ids, corners;
  std::vector<std::int32_t> materials;
  for (const dist::ElementRecord& element : slab.elements) {
    ids.push_back(element.id.value);
    for (const GlobalNode corner : element.corners) corners.push_back(corner.value);
    materials.push_back(element.material);
  }
  out.rows(in(kElements, "id"), std::move(ids));
  out.rows(in(kElements, "corners"), std::move(corners), 4);
  out.rows(in(kElements, "material"), std::move(materials));
  write_fields(out, kElements, dist::ElementFields(fields), slab.elements.size(), slab.element_fields);
}

dist::Records read_slab(const core::Comm& comm, const io::ArrayFileReader& file, const dist::FieldList& fields,
                        const dist::FieldList& may_lack) {
  dist::Records slab;
  const auto ids = file.block_rows<std::int64_t>(in(kNodes, "id"), comm);
  const auto owners = file.block_rows<std::int32_t>(in(kNodes, "owner"), comm);
  const auto rest = file.block_rows<double>(in(kNodes, "rest_position"), comm, 3);
  const auto position = file.block_rows<double>(in(kNodes, "position"), comm, 3);
  const auto velocity = file.block_rows<double>(in(kNodes, "velocity"), comm, 3);
  const auto three = [](const std::vector<double>& all, std::size_t i) {
    return std::array<double, 3>{all[3 * i], all[3 * i + 1], all[3 * i + 2]};
  };
  if (owners.size() != ids.size() || rest.size() != 3 * ids.size() || position.size() != 3 * ids.size() ||
      velocity.size() != 3 * ids.size())
    file.damaged(kNodes);
  for (std::size_t i = 0; i < ids.size(); ++i)
    slab.nodes.push_back({GlobalNode(ids[i]), owners[i], three(rest, i), three(position, i), three(velocity, i)});
  slab.node_fields = read_fields(comm, file, kNodes, dist::NodeFields(fields), dist::NodeFields(may_lack), ids.size());

  const auto elements = file.block_rows<std::int64_t>(in(kElements, "id"), comm);
  const auto corners = file.block_rows<std::int64_t>(in(kElements, "corners"), comm, 4);
  const auto materials = file.block_rows<std::int32_t>(in(kElements, "material"), comm);
  if (corners.size() != 4 * elements.size() || materials.size() != elements.size()) file.damaged(kElements);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    dist::ElementRecord element{GlobalElement(elements[i]), {}, materials[i]};
    for (std::size_t k = 0; k < 4; ++k) element.corners[k] = GlobalNode(corners[4 * i + k]);
    slab.elements.push_back(element);
  }
  slab.element_fields =
      read_fields(comm, file, kElements, dist::ElementFields(fields), dist::ElementFields(may_lack), elements.size());
  return slab;
}

}  // namespace brisance::sim::checkpoint_file
