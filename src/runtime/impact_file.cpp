// SPDX-License-Identifier: MIT
/// The runtime file: a header, a table of named sections, the sections. Documented in docs/FORMAT.md.
#include "brisance/runtime/impact_file.hpp"

#include "brisance/runtime/error.hpp"

#include "runtime/crc32.hpp"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <type_traits>

namespace brisance::runtime {

#if defined(__BYTE_ORDER__)  // Windows runs on little-endian machines only
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the file is a memory image of little-endian numbers");
#endif

namespace {

constexpr std::string_view kMagic("BRISIMP\n", 8);

struct Header {
  char magic[8];
  std::uint32_t version, num_sections;
  std::uint64_t file_size;
  std::uint32_t table_crc, zero;
};
static_assert(sizeof(Header) == 32);

struct Section {
  char name[16];  ///< padded with zero bytes
  std::uint64_t offset, size;
  std::uint32_t crc, zero;
};
static_assert(sizeof(Section) == 40);

struct Sizes {
  std::int32_t dimension, components, num_atoms, num_faces, num_modes, num_vertices;
};

/// An AtomFace without its area.
using AtomPair = std::array<std::int32_t, 2>;
static_assert(sizeof(SolidShape) == 10 * sizeof(double), "written as it lies in memory");

template <class T>
std::string_view bytes_of(const std::vector<T>& values) {
  static_assert(std::is_trivially_copyable_v<T>);
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

std::uint64_t aligned(std::uint64_t offset) { return (offset + 7) / 8 * 8; }

class Writer {
public:
  template <class T>
  void add(std::string_view name, const std::vector<T>& values) {
    Section section{};
    name.copy(section.name, sizeof section.name);
    const std::string_view bytes = bytes_of(values);
    section.offset = body_.size();
    section.size = bytes.size();
    section.crc = crc32(bytes);
    table_.push_back(section);
    body_ += bytes;
    body_.resize(aligned(body_.size()));
  }

  [[nodiscard]] std::string finish(std::uint32_t version) {
    const std::uint64_t start = sizeof(Header) + table_.size() * sizeof(Section);
    for (Section& section : table_) section.offset += start;
    Header header{};
    kMagic.copy(header.magic, sizeof header.magic);
    header.version = version;
    header.num_sections = static_cast<std::uint32_t>(table_.size());
    header.file_size = start + body_.size();
    header.table_crc = crc32(bytes_of(table_));
    std::string file(reinterpret_cast<const char*>(&header), sizeof header);
    file += bytes_of(table_);
    return file += body_;
  }

private:
  std::vector<Section> table_;
  std::string body_;
};

class Reader {
public:
  Reader(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {
    Header header;
    if (!is_impact_file(bytes)) fail("is no runtime file of brisance", "Write one with `brisance runtime`");
    if (bytes.size() < sizeof header) fail_truncated(sizeof header);
    std::memcpy(&header, bytes.data(), sizeof header);
    if (header.version != kImpactFileVersion && header.version != kGenerationsVersion)
      fail("has version " + std::to_string(header.version) + ", this library reads versions " +
               std::to_string(kImpactFileVersion) + " and " + std::to_string(kGenerationsVersion),
           "Write the file again with the `brisance runtime` that came with this library");
    if (bytes.size() < header.file_size) fail_truncated(header.file_size);
    const std::uint64_t room = (bytes.size() - sizeof header) / sizeof(Section);
    if (bytes.size() > header.file_size || header.num_sections > room) fail_damaged("header");
    table_.resize(header.num_sections);
    if (!table_.empty()) std::memcpy(table_.data(), bytes.data() + sizeof header, table_.size() * sizeof(Section));
    if (crc32(bytes_of(table_)) != header.table_crc) fail_damaged("table of sections");
  }

  [[nodiscard]] bool has(std::string_view name) const { return find(name) != nullptr; }

  /// The values of a section with exactly `count` of them.
  template <class T>
  [[nodiscard]] std::vector<T> get(std::string_view name, std::uint64_t count) const {
    const Section* section = find(name);
    if (!section) fail("lacks the section " + std::string(name), kWriteAgain);
    if (section->offset > bytes_.size() || section->size > bytes_.size() - section->offset ||
        section->size / sizeof(T) != count || section->size % sizeof(T) != 0)
      fail_damaged(name);
    const std::string_view bytes = bytes_.substr(section->offset, section->size);
    if (crc32(bytes) != section->crc) fail_damaged(name);
    std::vector<T> values(count);
    if (count > 0) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }

  /// Throws unless `right`.
  void require(bool right, std::string_view section) const {
    if (!right) fail_damaged(section);
  }

private:
  static constexpr const char* kWriteAgain = "Write or copy it again";

  [[nodiscard]] const Section* find(std::string_view name) const {
    for (const Section& section : table_)
      if (name == std::string_view(section.name, strnlen(section.name, sizeof section.name))) return &section;
    return nullptr;
  }
  [[noreturn]] void fail(const std::string& what, const std::string& advice) const {
    throw Error(name_ + ' ' + what + ". " + advice + '.');
  }
  [[noreturn]] void fail_truncated(std::uint64_t expected) const {
    fail("is truncated: " + std::to_string(bytes_.size()) + " of " + std::to_string(expected) + " bytes", kWriteAgain);
  }
  [[noreturn]] void fail_damaged(std::string_view section) const {
    fail("is damaged (" + std::string(section) + ")", kWriteAgain);
  }

  std::string_view bytes_;
  std::string name_;
  std::vector<Section> table_;
};

void add_smear(Writer& writer, const std::string& name, const std::optional<SmearTable>& smear) {
  if (!smear) return;
  writer.add(name + "_length", std::vector<double>{smear->length_m});
  writer.add(name + "_share", smear->share);
}

std::optional<SmearTable> get_smear(const Reader& reader, const std::string& name, std::uint64_t count) {
  if (!reader.has(name + "_share")) return std::nullopt;
  SmearTable smear{reader.get<double>(name + "_length", 1)[0], reader.get<float>(name + "_share", count)};
  reader.require(smear.length_m > 0 && std::isfinite(smear.length_m), name + "_length");
  for (const float share : smear.share) reader.require(std::isfinite(share), name + "_share");
  return smear;
}

bool valid(const Sizes& s) {
  return (s.dimension == 2 || s.dimension == 3) && (s.components == 1 || s.components == s.dimension) &&
         s.num_atoms > 0 && s.num_faces >= 0 && s.num_modes >= 0 && s.num_vertices > 0;
}

bool all_finite(const std::array<double, 3>& values) {
  return std::isfinite(values[0]) && std::isfinite(values[1]) && std::isfinite(values[2]);
}

bool valid(const SolidShape& atom) {
  std::array<double, sizeof atom / sizeof(double)> numbers{};
  std::memcpy(numbers.data(), &atom, sizeof atom);
  for (const double number : numbers)
    if (!std::isfinite(number)) return false;
  return atom.volume > 0;
}

bool valid(const AtomPair& face, std::int32_t num_atoms) {
  return 0 <= face[0] && face[0] < face[1] && face[1] < num_atoms;
}

}  // namespace

std::string encode(const ImpactSet& set) {
  std::vector<AtomPair> pairs;
  std::vector<double> areas;
  for (const AtomFace& f : set.faces) {
    pairs.push_back({f.a, f.b});
    areas.push_back(f.area);
  }
  Writer writer;
  writer.add("sizes", std::vector<Sizes>{{set.dimension, set.components, set.num_atoms(),
                                          static_cast<std::int32_t>(set.faces.size()), set.num_modes(),
                                          static_cast<std::int32_t>(set.vertices.size())}});
  writer.add("atom_shape", set.atoms);
  writer.add("face_atoms", pairs);
  writer.add("face_area", areas);
  writer.add("mode_energy", set.mode_energy);
  writer.add("mode_value", set.mode_value);
  if (!same_along_all_axes(set)) writer.add("axis_strength", std::vector<std::array<double, 3>>{set.axis_strength});
  writer.add("vertex", set.vertices);
  add_smear(writer, "elastic", set.elastic);
  add_smear(writer, "gaussian", set.gaussian);
  if (set.own.empty()) return writer.finish(kImpactFileVersion);
  std::vector<std::uint64_t> sizes;
  std::vector<char> files;
  for (const ImpactSet& own : set.own) {
    const std::string file = own.atoms.empty() ? std::string() : encode(own);
    sizes.push_back(file.size());
    files.insert(files.end(), file.begin(), file.end());
  }
  writer.add("own_size", sizes);
  writer.add("own_file", files);
  return writer.finish(kGenerationsVersion);
}

bool is_impact_file(std::string_view bytes) { return bytes.substr(0, kMagic.size()) == kMagic; }

namespace {

/// @param generations  that may follow
ImpactSet decode(std::string_view bytes, const std::string& name, int generations);

/// The modes of the pieces: a file for each, one after the other; of size 0 where there are none.
std::vector<ImpactSet> get_own(const Reader& reader, const std::string& name, const ImpactSet& object,
                               int generations) {
  if (!reader.has("own_size")) return {};
  reader.require(generations > 0, "own_size");
  const auto sizes = reader.get<std::uint64_t>("own_size", object.atoms.size());
  std::uint64_t sum = 0;
  for (const std::uint64_t size : sizes) {
    sum += size;
    reader.require(size <= sum && sum <= (std::uint64_t{1} << 62), "own_size");
  }
  const auto files = reader.get<char>("own_file", sum);
  std::vector<ImpactSet> own(sizes.size());
  std::size_t begin = 0;
  for (std::size_t a = 0; a < sizes.size(); begin += sizes[a++]) {
    if (sizes[a] == 0) continue;
    own[a] = decode({files.data() + begin, sizes[a]}, name, generations - 1);
    reader.require(own[a].dimension == object.dimension, "own_file");
  }
  return own;
}

ImpactSet decode(std::string_view bytes, const std::string& name, int generations) {
  const Reader reader(bytes, name);
  const Sizes sizes = reader.get<Sizes>("sizes", 1)[0];
  reader.require(valid(sizes), "sizes");
  const std::uint64_t atoms = sizes.num_atoms, faces = sizes.num_faces, modes = sizes.num_modes,
                      vertices = sizes.num_vertices;
  ImpactSet set;
  set.dimension = sizes.dimension;
  set.components = sizes.components;
  set.atoms = reader.get<SolidShape>("atom_shape", atoms);
  for (const SolidShape& atom : set.atoms) reader.require(valid(atom), "atom_shape");
  const auto pairs = reader.get<AtomPair>("face_atoms", faces);
  const auto areas = reader.get<double>("face_area", faces);
  for (std::size_t f = 0; f < pairs.size(); ++f) {
    reader.require(valid(pairs[f], sizes.num_atoms), "face_atoms");
    reader.require(areas[f] >= 0 && std::isfinite(areas[f]), "face_area");
    set.faces.push_back({pairs[f][0], pairs[f][1], areas[f]});
  }
  set.mode_energy = reader.get<double>("mode_energy", modes);
  for (const double energy : set.mode_energy) reader.require(energy >= 0 && std::isfinite(energy), "mode_energy");
  set.mode_value = reader.get<double>("mode_value", modes * atoms * sizes.components);
  for (const double value : set.mode_value) reader.require(std::isfinite(value), "mode_value");
  if (reader.has("axis_strength")) set.axis_strength = reader.get<std::array<double, 3>>("axis_strength", 1)[0];
  for (const double eta : set.axis_strength) reader.require(eta > 0 && std::isfinite(eta), "axis_strength");
  set.vertices = reader.get<std::array<double, 3>>("vertex", vertices);
  for (const auto& vertex : set.vertices) reader.require(all_finite(vertex), "vertex");
  set.elastic = get_smear(reader, "elastic", vertices * atoms);
  set.gaussian = get_smear(reader, "gaussian", vertices * atoms);
  set.own = get_own(reader, name, set, generations);
  return set;
}

}  // namespace

ImpactSet decode(std::string_view bytes, const std::string& name) { return decode(bytes, name, kMostGenerations - 1); }

ImpactSet read_impact_file(const std::string& path) {
  std::error_code ignored;
  const auto kind = std::filesystem::status(path, ignored).type();
  // Reading a pipe may block for ever, and a device may never end.
  if (kind != std::filesystem::file_type::not_found && kind != std::filesystem::file_type::regular)
    throw Error(path + ": not a regular file. Give a runtime file of `brisance runtime`.");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(path + " cannot be opened: " + std::strerror(errno) + ". Check the name.");
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (file.bad()) throw Error(path + " cannot be read. Check the disk.");
  return decode(bytes, path);
}

}  // namespace brisance::runtime
