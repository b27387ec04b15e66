#include "brisance/sim/output/checkpoint.hpp"

#include "brisance/core/error.hpp"
#include "brisance/io/array_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <sstream>

#include <spdlog/fmt/fmt.h>

namespace brisance::sim {

namespace {

constexpr const char* kOurs = "/brisance";
constexpr const char* kGroup = "/brisance/checkpoint";
constexpr const char* kNodes = "/brisance/checkpoint/nodes";
constexpr const char* kElements = "/brisance/checkpoint/elements";
constexpr const char* kDust = "/brisance/checkpoint/dust";

std::string in(const std::string& group, std::string_view name) { return fmt::format("{}/{}", group, name); }

std::string joined(const std::vector<std::string>& names) { return fmt::format("{}", fmt::join(names, "\n")); }

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in_text(text);
  for (std::string line; std::getline(in_text, line);) lines.push_back(line);
  return lines;
}

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

/// Writes tables and collects their list, which `diff_checkpoints` reads.
class Writer {
public:
  Writer(const core::Comm& comm, const std::filesystem::path& file) : comm_(comm), file_(comm, file) {}

  io::ArrayFileWriter& file() { return file_; }
  void group(const std::string& name) { file_.group(name); }
  template <class T>
  void rows(const std::string& name, std::vector<T> values, std::size_t width = 1) {
    list_ += fmt::format("{} {} {}\n", name, static_cast<int>(io::scalar_of<T>()), width);
    file_.rows(name, std::move(values), width);
  }
  template <class T>
  void rows_of_root(const std::string& name, std::vector<T> values, std::size_t width = 1) {
    rows(name, comm_.is_root() ? std::move(values) : std::vector<T>{}, width);
  }
  void text(const std::string& name, const std::string& value) {
    rows_of_root(name, std::vector<std::uint8_t>(value.begin(), value.end()));
  }
  void publish() {
    const std::vector<std::uint8_t> list(list_.begin(), list_.end());
    file_.rows_of_root(in(kGroup, "tables"), list);
    file_.publish(true);
  }

private:
  core::Comm comm_;
  io::ArrayFileWriter file_;
  std::string list_;
};

std::string read_text(const io::ArrayFileReader& file, const std::string& name) {
  const auto bytes = file.rows<std::uint8_t>(name);
  return {bytes.begin(), bytes.end()};
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

void write_state(Writer& out, const std::string& group, const core::NamedState& state) {
  out.group(group);
  out.text(in(group, "real_names"), joined(state.real_names));
  out.rows_of_root(in(group, "reals"), state.reals);
  out.text(in(group, "integer_names"), joined(state.integer_names));
  out.rows_of_root(in(group, "integers"), state.integers);
  out.text(in(group, "share_names"), joined(state.share_names));
  out.rows_of_root(in(group, "shares"), state.shares);
  out.text(in(group, "sum_names"), joined(state.sum_names));
  std::vector<std::int64_t> numbers;
  for (const core::ExactSum& sum : state.sums)
    numbers.insert(numbers.end(), sum.numbers().begin(), sum.numbers().end());
  out.rows_of_root(in(group, "sums"), std::move(numbers), core::ExactSum::kNumbers);
}

core::NamedState read_state(const io::ArrayFileReader& file, const std::string& group) {
  core::NamedState state;
  state.real_names = lines_of(read_text(file, in(group, "real_names")));
  state.reals = file.rows<double>(in(group, "reals"));
  state.integer_names = lines_of(read_text(file, in(group, "integer_names")));
  state.integers = file.rows<std::int64_t>(in(group, "integers"));
  state.share_names = lines_of(read_text(file, in(group, "share_names")));
  state.shares = file.rows<std::int64_t>(in(group, "shares"));
  state.sum_names = lines_of(read_text(file, in(group, "sum_names")));
  const auto numbers = file.rows<std::int64_t>(in(group, "sums"), core::ExactSum::kNumbers);
  for (std::size_t at = 0; at < numbers.size(); at += core::ExactSum::kNumbers)
    state.sums.push_back(core::ExactSum::from_numbers(
        std::span<const std::int64_t, core::ExactSum::kNumbers>(numbers.data() + at, core::ExactSum::kNumbers)));
  return state;
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

/// The numbers of a particle in the order of columns; integers are small enough to be exact.
template <class Particle>
auto numbers_of(Particle& p) {
  return std::array{&p.birth_s,
                    &p.position[0],
                    &p.position[1],
                    &p.position[2],
                    &p.velocity[0],
                    &p.velocity[1],
                    &p.velocity[2],
                    &p.angular_momentum[0],
                    &p.angular_momentum[1],
                    &p.angular_momentum[2],
                    &p.mass,
                    &p.inertia,
                    &p.radius,
                    &p.contact_radius};
}
constexpr std::size_t kDustNumbers = 14;

void write_dust(Writer& out, const std::vector<DustParticle>& dust) {
  out.group(kDust);
  std::vector<std::int64_t> ids;
  std::vector<double> numbers;
  for (const DustParticle& particle : dust) {
    ids.insert(ids.end(), {particle.id, particle.material});
    for (const double* number : numbers_of(particle)) numbers.push_back(*number);
  }
  out.rows_of_root(in(kDust, "id_material"), std::move(ids), 2);
  out.rows_of_root(in(kDust, "numbers"), std::move(numbers), kDustNumbers);
}

std::vector<DustParticle> read_dust(const io::ArrayFileReader& file) {
  const auto ids = file.rows<std::int64_t>(in(kDust, "id_material"), 2);
  const auto numbers = file.rows<double>(in(kDust, "numbers"), kDustNumbers);
  if (ids.size() / 2 != numbers.size() / kDustNumbers) file.damaged(kDust);
  std::vector<DustParticle> dust(ids.size() / 2);
  for (std::size_t i = 0; i < dust.size(); ++i) {
    dust[i].id = ids[2 * i];
    dust[i].material = ids[2 * i + 1];
    if (dust[i].id < 0) file.damaged(in(kDust, "id_material"));
    const double* next = numbers.data() + i * kDustNumbers;
    for (double* number : numbers_of(dust[i])) *number = *next++;
  }
  return dust;
}

double real_of(const core::NamedState& state, const std::string& name) {
  const auto at = std::find(state.real_names.begin(), state.real_names.end(), name) - state.real_names.begin();
  return state.reals.at(static_cast<std::size_t>(at));
}

std::int64_t integer_of(const core::NamedState& state, const std::string& name) {
  const auto at = std::find(state.integer_names.begin(), state.integer_names.end(), name) - state.integer_names.begin();
  return state.integers.at(static_cast<std::size_t>(at));
}

void require_version(const std::filesystem::path& file) {
  if (!is_checkpoint(file)) throw core::Error(file.string() + " is not a checkpoint of brisance, or it is damaged.");
  const std::int64_t version = io::ArrayFileReader(file).integer(kGroup, "format_version");
  if (version != kCheckpointVersion)
    throw core::Error(
        fmt::format("{} is a checkpoint of format {}, this program reads format {}. Resume with the "
                    "version of brisance that wrote it.",
                    file.string(), version, kCheckpointVersion));
}

/// Number of rows of a table that differ, and the first of them.
struct RowDifference {
  std::size_t count = 0, first = 0;
};
template <class T>
RowDifference differing_rows(const io::ArrayFileReader& a, const io::ArrayFileReader& b, const std::string& name,
                             std::size_t width) {
  const auto x = a.rows<T>(name, width), y = b.rows<T>(name, width);
  RowDifference difference;
  const std::size_t rows = std::max(x.size(), y.size()) / width;
  for (std::size_t i = rows; i-- > 0;) {
    const bool both = (i + 1) * width <= std::min(x.size(), y.size());
    if (both && std::memcmp(&x[i * width], &y[i * width], width * sizeof(T)) == 0) continue;
    ++difference.count;
    difference.first = i;
  }
  return difference;
}

RowDifference differing_rows(const io::ArrayFileReader& a, const io::ArrayFileReader& b, const std::string& name,
                             io::Scalar type, std::size_t width) {
  switch (type) {
    case io::Scalar::float64:
      return differing_rows<double>(a, b, name, width);
    case io::Scalar::int64:
      return differing_rows<std::int64_t>(a, b, name, width);
    case io::Scalar::int32:
      return differing_rows<std::int32_t>(a, b, name, width);
    case io::Scalar::uint8:
      break;
  }
  return differing_rows<std::uint8_t>(a, b, name, width);
}

bool depends_on_ranks(const std::string& table) {
  return table == in(kNodes, "owner") || table == in(kGroup, "run/reals") || table == in(kGroup, "run/shares") ||
         table == in(kGroup, "run/integers");
}

/// Numbers by name, without those that depend on the number of ranks.
std::vector<std::string> differing_numbers(const core::NamedState& a, const core::NamedState& b) {
  constexpr std::array<std::string_view, 5> kOfRanks{"cracks_across_ranks", "element_updates", "num_rebalances",
                                                     "busiest_work", "mean_work"};
  std::vector<std::string> lines;
  const auto compare = [&](const auto& names, const auto& x, const auto& y) {
    for (std::size_t i = 0; i < std::min({names.size(), x.size(), y.size()}); ++i)
      if (std::memcmp(&x[i], &y[i], sizeof x[i]) != 0 &&
          std::find(kOfRanks.begin(), kOfRanks.end(), names[i]) == kOfRanks.end())
        lines.push_back(fmt::format("  {}: a has {}, b has {}", names[i], x[i], y[i]));
  };
  compare(a.real_names, a.reals, b.reals);
  compare(a.integer_names, a.integers, b.integers);
  compare(a.share_names, a.shares, b.shares);
  return lines;
}

}  // namespace

void write_checkpoint(const core::Comm& comm, const std::filesystem::path& file, const Checkpoint& checkpoint,
                      const dist::FieldList& fields) {
  Writer out(comm, file);
  out.group(kOurs);
  out.group(kGroup);
  out.file().number(kGroup, "format_version", kCheckpointVersion);
  out.file().number(kGroup, "step", integer_of(checkpoint.run.state, "num_steps"));
  out.file().number(kGroup, "time_s", real_of(checkpoint.run.state, "time_s"));
  out.file().number(kGroup, "num_ranks", static_cast<std::int64_t>(checkpoint.run.num_ranks));
  out.text(in(kGroup, "past"), checkpoint.past);
  write_state(out, in(kGroup, "run"), checkpoint.run.state);
  write_state(out, in(kGroup, "reports"), checkpoint.reports);
  write_facts(out, checkpoint.run.facts);
  write_slab(out, checkpoint.run.slab, fields);
  write_dust(out, checkpoint.run.dust);
  out.publish();
}

std::string read_past(const std::filesystem::path& file) {
  require_version(file);
  return read_text(io::ArrayFileReader(file), in(kGroup, "past"));
}

Checkpoint read_checkpoint(const core::Comm& comm, const std::filesystem::path& file, const dist::FieldList& fields,
                           const dist::FieldList& may_lack) {
  Checkpoint checkpoint;
  core::agree(comm, [&] {
    require_version(file);
    const io::ArrayFileReader reader(file);
    checkpoint.past = read_text(reader, in(kGroup, "past"));
    checkpoint.run.num_ranks = static_cast<int>(reader.integer(kGroup, "num_ranks"));
    checkpoint.run.state = read_state(reader, in(kGroup, "run"));
    checkpoint.reports = read_state(reader, in(kGroup, "reports"));
    checkpoint.run.facts = read_facts(reader);
    checkpoint.run.slab = read_slab(comm, reader, fields, may_lack);
    checkpoint.run.dust = read_dust(reader);
  });
  return checkpoint;
}

bool is_checkpoint(const std::filesystem::path& file) { return io::has_group(file, kGroup); }

CheckpointHeader read_checkpoint_header(const std::filesystem::path& file) {
  require_version(file);
  const io::ArrayFileReader reader(file);
  CheckpointHeader header;
  header.step = reader.integer(kGroup, "step");
  header.time_s = reader.number(kGroup, "time_s");
  header.num_ranks = reader.integer(kGroup, "num_ranks");
  if (header.step < 0 || !std::isfinite(header.time_s) || header.num_ranks < 1) throw io::damaged(file, kGroup);
  header.num_nodes = static_cast<std::int64_t>(reader.num_rows(in(kNodes, "id")));
  header.num_tets = static_cast<std::int64_t>(reader.num_rows(in(kElements, "id")));
  return header;
}

std::vector<std::string> diff_checkpoints(const std::filesystem::path& a, const std::filesystem::path& b) {
  require_version(a);
  require_version(b);
  const io::ArrayFileReader in_a(a), in_b(b);
  const std::string tables = read_text(in_a, in(kGroup, "tables"));
  if (tables != read_text(in_b, in(kGroup, "tables"))) return {"  the fields and tables that they have"};
  std::vector<std::string> lines =
      differing_numbers(read_state(in_a, in(kGroup, "run")), read_state(in_b, in(kGroup, "run")));
  for (const std::string& line : lines_of(tables)) {
    std::istringstream words(line);
    std::string name;
    int type = 0;
    std::size_t width = 1;
    words >> name >> type >> width;
    if (depends_on_ranks(name)) continue;
    if (const auto [count, first] = differing_rows(in_a, in_b, name, static_cast<io::Scalar>(type), width); count > 0)
      lines.push_back(fmt::format("  {}: {} rows differ, the first is row {}", name, count, first));
  }
  return lines;
}

}  // namespace brisance::sim
