#include "brisance/sim/output/checkpoint.hpp"

#include "brisance/core/error.hpp"
#include "brisance/io/array_file.hpp"

#include "checkpoint_mesh.hpp"
#include "checkpoint_tables.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <spdlog/fmt/fmt.h>

namespace brisance::sim::checkpoint_file {

namespace {

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

}  // namespace

}  // namespace brisance::sim::checkpoint_file

namespace brisance::sim {

void require_checkpoint(const std::filesystem::path& file) {
  using namespace checkpoint_file;
  if (!is_checkpoint(file)) throw core::Error(file.string() + " is not a checkpoint of brisance, or it is damaged.");
  const std::int64_t version = io::ArrayFileReader(file).integer(kGroup, "format_version");
  if (version != kCheckpointVersion)
    throw core::Error(
        fmt::format("{} is a checkpoint of format {}, this program reads format {}. Resume with the "
                    "version of brisance that wrote it.",
                    file.string(), version, kCheckpointVersion));
}

void write_checkpoint(const core::Comm& comm, const std::filesystem::path& file, const Checkpoint& checkpoint,
                      const dist::FieldList& fields) {
  using namespace checkpoint_file;
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
  using namespace checkpoint_file;
  require_checkpoint(file);
  return read_text(io::ArrayFileReader(file), in(kGroup, "past"));
}

Checkpoint read_checkpoint(const core::Comm& comm, const std::filesystem::path& file, const dist::FieldList& fields,
                           const dist::FieldList& may_lack) {
  using namespace checkpoint_file;
  Checkpoint checkpoint;
  core::agree(comm, [&] {
    require_checkpoint(file);
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

bool is_checkpoint(const std::filesystem::path& file) { return io::has_group(file, checkpoint_file::kGroup); }

CheckpointHeader read_checkpoint_header(const std::filesystem::path& file) {
  using namespace checkpoint_file;
  require_checkpoint(file);
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

}  // namespace brisance::sim
