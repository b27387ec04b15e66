#include "brisance/mesh/formats/read_tet_mesh.hpp"
#include "brisance/mesh/formats/write_vtu.hpp"

#include "support/kuhn.hpp"
#include "surface_files.hpp"

#include <gmock/gmock.h>
#include <zlib.h>

namespace brisance::mesh {
namespace {

using test::bytes_of;
using test::error_of;
using ::testing::HasSubstr;

class WriteVtu : public test::FileTest {};

TetMesh moving_box() {
  TetMesh box = test::kuhn_box(2, 3, 1, 0.1, 0.2, 1.0 / 3);
  for (std::size_t i = 0; i < box.nodes.size(); ++i) {
    box.displacement.emplace_back(1e-3 * static_cast<double>(i), 0, -1.0 / 7);
    box.velocity.emplace_back(0, static_cast<double>(i), 1e14);
  }
  for (std::size_t t = 0; t < box.tets.size(); ++t) box.region.push_back(static_cast<std::int32_t>(t % 3));
  return box;
}

void expect_same(const TetMesh& a, const TetMesh& b) {
  EXPECT_EQ(a.nodes, b.nodes);
  EXPECT_EQ(a.tets, b.tets);
  EXPECT_EQ(a.region, b.region);
  EXPECT_EQ(a.displacement, b.displacement);
  EXPECT_EQ(a.velocity, b.velocity);
  EXPECT_EQ(a.face_source, b.face_source);
}

TEST_F(WriteVtu, ReadsBackToTheBit) {
  const TetMesh box = moving_box();
  write_vtu(folder_ / "box.vtu", box);
  TetReadReport report;
  expect_same(read_tet_mesh(folder_ / "box.vtu", report), box);
  EXPECT_EQ(report.num_degenerate + report.num_unused_nodes, 0);
}

TEST_F(WriteVtu, FieldsOfTheWrongLengthAndUnwritablePlacesAreErrorsAndLeaveNothing) {
  const TetMesh box = moving_box();
  const std::vector<double> values(box.nodes.size(), 1);
  const NamedArray mass{"mass", 1, values}, force{"force", 3, values};
  EXPECT_NO_THROW(write_vtu(folder_ / "box.vtu", box, std::span(&mass, 1)));
  EXPECT_THAT(error_of([&] { write_vtu(folder_ / "b.vtu", box, std::span(&force, 1)); }), HasSubstr("'force'"));
  EXPECT_THAT(error_of([&] { write_vtu(folder_ / "b.vtu", box, {}, std::span(&mass, 1)); }), HasSubstr("'mass'"));
  EXPECT_THAT(error_of([&] { write_vtu(folder_ / "no" / "b.vtu", box); }), HasSubstr("cannot be written"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "b.vtu"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
}

std::string base64(const std::string& bytes) {
  static const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 3; ++j)
      bits = bits << 8 | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0);
    for (std::size_t j = 0; j < 4; ++j) text += i + j > bytes.size() ? '=' : digits[bits >> (18 - 6 * j) & 63];
  }
  return text;
}

/// One encoding of a VTU file, as other programs write them.
struct Encoding {
  bool appended, raw, compressed, big, wide;
};

/// The box in a given encoding, arrays written from the definition of the format.
std::string encode(const TetMesh& box, const Encoding& how) {
  std::string appended;
  const auto word = [&](std::uint64_t n) {
    return how.wide ? bytes_of(n, how.big) : bytes_of(static_cast<std::uint32_t>(n), how.big);
  };
  const auto coded = [&](const std::string& bytes) { return how.raw ? bytes : base64(bytes); };
  const auto packed = [&](const std::string& data) {
    if (!how.compressed) return coded(word(data.size()) + data);
    const std::size_t block = 100, num_blocks = (data.size() + block - 1) / block;
    std::string header = word(num_blocks) + word(block) + word(data.size() % block), body;
    for (std::size_t b = 0; b < num_blocks; ++b) {
      const std::string piece = data.substr(b * block, block);
      std::string small(compressBound(piece.size()), '\0');
      uLongf length = small.size();
      compress(reinterpret_cast<Bytef*>(small.data()), &length, reinterpret_cast<const Bytef*>(piece.data()),
               piece.size());
      header += word(length);
      body += small.substr(0, length);
    }
    return coded(header) + coded(body);
  };
  const auto array = [&](const std::string& attributes, const std::string& data) {
    if (!how.appended) return "<DataArray " + attributes + " format=\"binary\">\n  " + packed(data) + "\n</DataArray>";
    const std::string offset = std::to_string(appended.size());
    appended += packed(data);
    return "<DataArray " + attributes + " format=\"appended\" offset=\"" + offset + "\"/>";
  };
  const auto vectors = [&](const std::vector<Vec3>& values) {
    std::string bytes;
    for (const auto& v : values)
      for (const double x : v) bytes += bytes_of(x, how.big);
    return bytes;
  };
  std::string corners, offsets, types, regions;
  for (std::size_t t = 0; t < box.tets.size(); ++t) {
    for (const auto v : box.tets[t]) corners += bytes_of(static_cast<std::int64_t>(v), how.big);
    offsets += bytes_of(static_cast<std::int32_t>(4 * t + 4), how.big);
    types += '\x0A';
    regions += bytes_of(static_cast<std::int16_t>(box.region[t]), how.big);
  }
  std::string text =
      std::string("<VTKFile type=\"UnstructuredGrid\" byte_order=\"") + (how.big ? "BigEndian" : "LittleEndian") +
      "\" header_type=\"" + (how.wide ? "UInt64" : "UInt32") + "\"" +
      (how.compressed ? " compressor=\"vtkZLibDataCompressor\"" : "") + "><UnstructuredGrid><Piece NumberOfPoints=\"" +
      std::to_string(box.nodes.size()) + "\" NumberOfCells=\"" + std::to_string(box.tets.size()) + "\"><PointData>" +
      array("type=\"Float64\" Name=\"displacement\" NumberOfComponents=\"3\"", vectors(box.displacement)) +
      array("type=\"Float64\" Name=\"velocity\" NumberOfComponents=\"3\"", vectors(box.velocity)) +
      "</PointData><CellData>" + array("type=\"Int16\" Name=\"region\"", regions) + "</CellData><Points>" +
      array("type=\"Float64\" NumberOfComponents=\"3\"", vectors(box.nodes)) + "</Points><Cells>" +
      array("type=\"Int64\" Name=\"connectivity\"", corners) + array("type=\"Int32\" Name=\"offsets\"", offsets) +
      array("type=\"UInt8\" Name=\"types\"", types) + "</Cells></Piece></UnstructuredGrid>";
  if (how.appended)
    text +=
        std::string("<AppendedData encoding=\"") + (how.raw ? "raw" : "base64") + "\">_" + appended + "</AppendedData>";
  return text + "</VTKFile>";
}

TEST_F(WriteVtu, EveryEncodingOfOtherProgramsIsRead) {
  const TetMesh box = moving_box();
  for (const bool appended : {false, true})
    for (const bool raw : {false, true})
      for (const bool compressed : {false, true})
        for (const bool big : {false, true})
          for (const bool wide : {false, true}) {
            if (raw && !appended) continue;
            SCOPED_TRACE(testing::Message() << appended << raw << compressed << big << wide);
            const Encoding how{appended, raw, compressed, big, wide};
            expect_same(read_tet_mesh(write("box.vtu", encode(box, how))), box);
          }
}

TEST_F(WriteVtu, CutAndDamagedFilesAreErrorsWhereverTheyAreCut) {
  const TetMesh box = moving_box();
  for (const Encoding how : {Encoding{true, true, false, false, true}, Encoding{true, true, true, false, false},
                             Encoding{true, false, true, true, false}, Encoding{false, false, true, false, false}}) {
    const std::string whole = encode(box, how);
    const std::size_t end_of_data =
        whole.rfind("</Cells>") == std::string::npos ? whole.size() : whole.rfind("</Cells>");
    for (std::size_t length = 1; length < std::min(end_of_data, whole.size() - 120); length += 97)
      EXPECT_FALSE(error_of([&] { (void)read_tet_mesh(write("cut.vtu", whole.substr(0, length))); }).empty());
    // A changed byte may still give a mesh, but never a crash or a hang.
    for (std::size_t at = 0; at < whole.size(); at += 61) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
      try {
        TetReadReport report;
        const TetMesh mesh = read_tet_mesh(write("damaged.vtu", damaged), report);
        EXPECT_FALSE(mesh.tets.empty());
      } catch (const core::Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("damaged.vtu"));
      }
    }
  }
}

}  // namespace
}  // namespace brisance::mesh
