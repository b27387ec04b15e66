#include "brisance/core/error.hpp"
#include "brisance/io/snapshot.hpp"

#include "io/hdf5_handles.hpp"
#include "io/snapshot_layout.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <span>

namespace brisance::io {

namespace {

/// A snapshot opened for reading, known to be one of our version.
class FrameReader {
public:
  explicit FrameReader(const std::filesystem::path& path) : path_(path) {
    open();
    check_version();
  }

  /// A number kept as attribute of /brisance.
  template <class T>
  [[nodiscard]] T number(const char* name) const {
    const Hdf5Attribute attribute(H5Aopen_by_name(file_.raw(), layout::kOurs, name, H5P_DEFAULT, H5P_DEFAULT));
    T value{};
    if (!attribute.valid() || H5Aread(attribute.raw(), memory_type<T>(), &value) < 0)
      throw damaged(std::string("attribute ") + layout::kOurs + "/" + name);
    return value;
  }

  [[nodiscard]] bool has(const char* name) const { return H5Lexists(file_.raw(), name, H5P_DEFAULT) > 0; }

  /// Number of rows of a dataset.
  [[nodiscard]] std::int64_t num_rows(const char* name) const { return extent(dataset(name), name).rows; }

  /// Rows offset … offset+count−1 of a dataset whose rows have the shape of Row.
  template <class Row>
  [[nodiscard]] std::vector<Row> rows(const char* name, std::int64_t offset, std::int64_t count) const {
    using Layout = RowLayout<Row>;
    const Hdf5Dataset source = dataset(name);
    const Extent found = extent(source, name);
    if (found.width != Layout::width || offset < 0 || count < 0 || offset > found.rows - count) throw damaged(name);
    std::vector<Row> result(count);
    if (count == 0) return result;
    const std::array<hsize_t, 2> from{static_cast<hsize_t>(offset), 0};
    const std::array<hsize_t, 2> size{static_cast<hsize_t>(count), Layout::width};
    const Hdf5Space memory(H5Screate_simple(found.rank, size.data(), nullptr));
    const Hdf5Space file(H5Dget_space(source.raw()));
    H5Sselect_hyperslab(file.raw(), H5S_SELECT_SET, from.data(), nullptr, size.data(), nullptr);
    const hid_t type = memory_type<typename Layout::Scalar>();
    if (H5Dread(source.raw(), type, memory.raw(), file.raw(), H5P_DEFAULT, result.data()) < 0) throw damaged(name);
    return result;
  }
  template <class Row>
  [[nodiscard]] std::vector<Row> rows(const char* name) const {
    return rows<Row>(name, 0, num_rows(name));
  }

  /// A column of fixed-length texts, their padding removed.
  [[nodiscard]] std::vector<std::string> texts(const char* name) const {
    const Hdf5Dataset source = dataset(name);
    const Hdf5Type type(H5Dget_type(source.raw()));
    if (H5Tget_class(type.raw()) != H5T_STRING || H5Tis_variable_str(type.raw()) > 0) throw damaged(name);
    const std::size_t length = H5Tget_size(type.raw());
    std::vector<std::string> result(extent(source, name).rows);
    std::string all(result.size() * length, '\0');
    if (!all.empty() && H5Dread(source.raw(), type.raw(), H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()) < 0)
      throw damaged(name);
    for (std::size_t i = 0; i < result.size(); ++i) {
      result[i] = all.substr(i * length, length);
      result[i].erase(result[i].find_last_not_of('\0') + 1);
    }
    return result;
  }

  [[nodiscard]] core::Error damaged(const std::string& what) const {
    return core::Error(
        path_.string() + ": " + what +
        " is missing, unreadable or does not fit the rest of the file. The file is damaged or was edited; "
        "write or copy it again (layout: docs/FORMAT.md).");
  }

private:
  struct Extent {
    int rank = 0;
    std::int64_t rows = 0;
    std::size_t width = 1;
  };

  void open() {
    if (!std::filesystem::is_regular_file(path_))
      throw core::Error(path_.string() + ": no such file. Snapshots lie in a run folder's snapshots/NNNNNN.hdf.");
    if (H5Fis_hdf5(path_.c_str()) <= 0)
      throw core::Error(path_.string() +
                        " is not an HDF5 file, or not readable. Snapshots end in .hdf; check the name and "
                        "that the file was copied completely.");
    file_ = Hdf5File(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    if (!file_.valid())
      throw core::Error(path_.string() + " cannot be opened: " + hdf5_reason() +
                        ". It is probably cut short; write or copy it again.");
  }

  void check_version() const {
    if (!has(layout::kOurs) || !has(layout::kVtk))
      throw core::Error(path_.string() +
                        " is an HDF5 file but not a snapshot of brisance (groups /brisance and /VTKHDF). "
                        "Give a file of a run folder's snapshots/.");
    const auto version = number<std::int64_t>("format_version");
    if (version != kSnapshotVersion)
      throw core::Error(path_.string() + " has snapshot format " + std::to_string(version) +
                        ", this program reads format " + std::to_string(kSnapshotVersion) +
                        ". Use the version of brisance that wrote it.");
  }

  [[nodiscard]] Hdf5Dataset dataset(const char* name) const {
    Hdf5Dataset opened(H5Dopen2(file_.raw(), name, H5P_DEFAULT));
    if (!opened.valid()) throw damaged(name);
    return opened;
  }

  [[nodiscard]] Extent extent(const Hdf5Dataset& source, const char* name) const {
    const Hdf5Space space(H5Dget_space(source.raw()));
    const int rank = H5Sget_simple_extent_ndims(space.raw());
    if (rank != 1 && rank != 2) throw damaged(name);
    std::array<hsize_t, 2> dims{0, 1};
    H5Sget_simple_extent_dims(space.raw(), dims.data(), nullptr);
    return {rank, static_cast<std::int64_t>(dims[0]), static_cast<std::size_t>(dims[1])};
  }

  std::filesystem::path path_;
  Hdf5File file_;
};

/// Where the parts to be read lie in a column of per-part counts.
struct Range {
  std::vector<std::int64_t> counts;  ///< of the parts read
  std::int64_t offset = 0;           ///< rows before the first of them
  std::int64_t total = 0;            ///< rows of them all
};

Range part_range(const FrameReader& file, const char* name, std::int64_t first, std::int64_t count) {
  const auto all = file.rows<std::int64_t>(name);
  if (std::ssize(all) < first + count || std::any_of(all.begin(), all.end(), [](std::int64_t n) { return n < 0; }))
    throw file.damaged(name);
  Range range;
  range.counts.assign(all.begin() + first, all.begin() + first + count);
  range.offset = std::accumulate(all.begin(), all.begin() + first, std::int64_t{0});
  range.total = std::accumulate(range.counts.begin(), range.counts.end(), std::int64_t{0});
  return range;
}

/// Corners count nodes within their part; make them count nodes of the joined parts.
template <std::size_t N>
void join_corners(const FrameReader& file, const char* name, const Range& nodes, const Range& rows,
                  std::vector<std::array<std::int64_t, N>>& corners) {
  std::int64_t base = 0;
  auto row = corners.begin();
  for (std::size_t p = 0; p < rows.counts.size(); ++p) {
    for (std::int64_t i = 0; i < rows.counts[p]; ++i, ++row)
      for (std::int64_t& corner : *row) {
        if (corner < 0 || corner >= nodes.counts[p]) throw file.damaged(name);
        corner += base;
      }
    base += nodes.counts[p];
  }
}

SnapshotHeader read_header(const FrameReader& file) {
  using namespace layout;
  SnapshotHeader header;
  header.time_s = file.number<double>("time_s");
  header.step = file.number<std::int64_t>("step");
  header.frame = file.number<std::int64_t>("frame");
  header.num_pieces = file.number<std::int64_t>("num_pieces");
  header.num_cracks = file.number<std::int64_t>("num_cracks");
  header.material_names = file.texts(kMaterialNames);
  const auto scene = file.texts(kScene);
  if (scene.size() != 1) throw file.damaged(kScene);
  header.scene = scene.front();

  const auto names = file.texts(kColliderName), kinds = file.texts(kColliderKind);
  if (kinds.size() != names.size()) throw file.damaged(kColliderKind);
  const auto count = std::ssize(names);
  const auto centres = file.rows<Vec3>(kColliderCentre, 0, count), sizes = file.rows<Vec3>(kColliderSize, 0, count);
  const auto orientations = file.rows<std::array<double, 4>>(kColliderOrientation, 0, count);
  for (std::size_t i = 0; i < names.size(); ++i)
    header.colliders.push_back({names[i], kinds[i], centres[i], sizes[i], orientations[i]});
  return header;
}

SnapshotPart read_part(const FrameReader& file, std::int64_t first, std::int64_t count) {
  using namespace layout;
  SnapshotPart part;
  const Range nodes = part_range(file, kNumPoints, first, count);
  part.node_id = file.rows<std::int64_t>(kNodeId, nodes.offset, nodes.total);
  part.node_owned = file.rows<std::uint8_t>(kOwned, nodes.offset, nodes.total);
  part.rest_position = file.rows<Vec3>(kRestPosition, nodes.offset, nodes.total);
  part.position = file.rows<Vec3>(kPoints, nodes.offset, nodes.total);
  part.velocity = file.rows<Vec3>(kVelocity, nodes.offset, nodes.total);

  const Range tets = part_range(file, kNumCells, first, count);
  part.element_id = file.rows<std::int64_t>(kElementId, tets.offset, tets.total);
  const auto flat = file.rows<std::int64_t>(kConnectivity, 4 * tets.offset, 4 * tets.total);
  part.tets.resize(tets.total);
  if (!flat.empty()) std::memcpy(part.tets.data(), flat.data(), flat.size() * sizeof(std::int64_t));
  join_corners(file, kConnectivity, nodes, tets, part.tets);
  part.material = file.rows<std::int32_t>(kMaterial, tets.offset, tets.total);
  part.piece = file.rows<std::int64_t>(kPiece, tets.offset, tets.total);
  part.stress = file.rows<SymMat3>(kStress, tets.offset, tets.total);
  if (file.has(kPlasticStrain)) part.plastic_strain = file.rows<SymMat3>(kPlasticStrain, tets.offset, tets.total);

  const Range triangles = part_range(file, kNumTriangles, first, count);
  part.boundary = file.rows<std::array<std::int64_t, 3>>(kCorners, triangles.offset, triangles.total);
  join_corners(file, kCorners, nodes, triangles, part.boundary);
  part.boundary_element = file.rows<std::int64_t>(kBoundaryElement, triangles.offset, triangles.total);
  part.source_triangle = file.rows<std::int64_t>(kSourceTriangle, triangles.offset, triangles.total);
  return part;
}

}  // namespace

Snapshot read_snapshot(const std::filesystem::path& path, std::int64_t first, std::int64_t count) {
  const QuietHdf5 quiet;
  const FrameReader file(path);
  const std::int64_t parts = file.num_rows(layout::kNumPoints);
  if (count < 0) count = parts - first;
  if (first < 0 || first + count > parts)
    throw core::Error(path.string() + " has parts 0 to " + std::to_string(parts - 1) + ", asked for " +
                      std::to_string(count) + " from " + std::to_string(first) + " on.");
  return {read_header(file), read_part(file, first, count)};
}

SnapshotHeader read_snapshot_header(const std::filesystem::path& path) {
  const QuietHdf5 quiet;
  return read_header(FrameReader(path));
}

std::int64_t num_parts(const std::filesystem::path& path) {
  const QuietHdf5 quiet;
  return FrameReader(path).num_rows(layout::kNumPoints);
}

}  // namespace brisance::io
