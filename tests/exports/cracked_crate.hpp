/// A textured crate of two materials, in tets and pieces, as frames of a run.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/io/objects_file.hpp"
#include "brisance/io/run_folder.hpp"
#include "brisance/io/snapshot.hpp"
#include "brisance/mesh/generate/generate.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace brisance::exports::test {

/// A surface of a grid of squares over a box, bulged by `bulge` of the size, with texture coordinates and two
/// materials.
inline void write_crate(const std::filesystem::path& file, int n, double bulge) {
  std::ofstream out(file);
  out.precision(17);
  std::map<std::array<int, 3>, int> number;
  std::string faces;
  int num_texture = 0;
  const auto vertex = [&](std::array<int, 3> at) {
    const auto [found, is_new] = number.try_emplace(at, static_cast<int>(number.size()) + 1);
    if (is_new) {
      Vec3 x(at[0], at[1], at[2]);
      x = 2.0 * x / n - Vec3::Ones();
      const Vec3 round = x.normalized() * x.cwiseAbs().maxCoeff();
      x = (1 - bulge) * x + bulge * 1.4 * round;
      out << "v " << x.x() << ' ' << x.y() << ' ' << x.z() << '\n';
    }
    return found->second;
  };
  for (int axis = 0; axis < 3; ++axis)
    for (const int side : {0, n}) {
      faces += axis == 2 && side == n ? "usemtl lid\n" : "usemtl wood\n";
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
          std::array<std::array<int, 2>, 4> corners{{{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}}};
          if (side == 0) std::swap(corners[1], corners[3]);
          faces += "f";
          for (const auto& [a, b] : corners) {
            std::array<int, 3> at{};
            at[axis] = side, at[(axis + 1) % 3] = a, at[(axis + 2) % 3] = b;
            out << "vt " << (axis + static_cast<double>(a) / n) / 3 << ' '
                << ((side == 0 ? 0 : 1) + static_cast<double>(b) / n) / 2 << '\n';
            faces += ' ' + std::to_string(vertex(at)) + '/' + std::to_string(++num_texture);
          }
          faces += '\n';
        }
    }
  out << faces;
}

inline mesh::TetMesh tets_of(const std::filesystem::path& surface, std::int64_t num_tets) {
  mesh::Request request;
  request.shape = mesh::ShapeKind::file;
  request.file = surface;
  request.target_tets = num_tets;
  request.allowed_volume_error = 1;
  mesh::MeshReport report;
  return mesh::generate(request, report);
}

/// Label of a tet by its middle.
using LabelOf = std::function<std::int64_t(const Vec3&)>;

/// A frame in which the tets of each label are a piece, turned and moved away from the middle by `apart`.
inline void write_frame(const std::filesystem::path& file, const mesh::TetMesh& mesh, const LabelOf& label_of,
                        double apart, double time_s) {
  io::SnapshotHeader header;
  io::SnapshotPart part;
  std::map<std::pair<std::int64_t, std::int32_t>, std::int64_t> node_of;  // of (label, node)
  std::vector<std::int64_t> label(mesh.tets.size());
  std::map<std::array<std::int32_t, 3>, std::vector<std::int64_t>> labels_at;
  const auto face_of = [&](std::size_t e, int k) {
    std::array<std::int32_t, 3> face{};
    for (int i = 0; i < 3; ++i) face[i] = mesh.tets[e][mesh::kFaceCorners[k][i]];
    return face;
  };
  for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
    const auto& [a, b, c, d] = mesh.tets[e];
    label[e] = label_of((mesh.nodes[a] + mesh.nodes[b] + mesh.nodes[c] + mesh.nodes[d]) / 4);
    header.num_pieces = std::max(header.num_pieces, label[e] + 1);
    for (int k = 0; k < 4; ++k) {
      auto face = face_of(e, k);
      std::ranges::sort(face);
      labels_at[face].push_back(label[e]);
    }
  }
  const auto node = [&](std::int64_t piece, std::int32_t n) {
    const auto [found, is_new] = node_of.try_emplace({piece, n}, std::ssize(part.node_id));
    if (!is_new) return found->second;
    const double angle = apart * static_cast<double>(piece + 1);
    const Mat3 turn = Eigen::AngleAxisd(angle, Vec3(1, 2, 3).normalized()).toRotationMatrix();
    const Vec3 away = apart * Vec3(std::cos(2.0 * piece), std::sin(2.0 * piece), 0.5 * static_cast<double>(piece));
    part.node_id.push_back(std::ssize(part.node_id));
    part.node_owned.push_back(1);
    part.rest_position.push_back(mesh.nodes[n]);
    part.position.emplace_back(turn * mesh.nodes[n] + away);
    part.velocity.push_back(away);
    return found->second;
  };
  for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
    auto& tet = part.tets.emplace_back();
    for (int k = 0; k < 4; ++k) tet[k] = node(label[e], mesh.tets[e][k]);
    part.element_id.push_back(static_cast<std::int64_t>(e));
    part.material.push_back(0);
    part.piece.push_back(label[e]);
    for (int k = 0; k < 4; ++k) {
      auto face = face_of(e, k);
      std::ranges::sort(face);
      const auto& labels = labels_at.at(face);
      const bool is_outside = labels.size() == 1;
      if (!is_outside && labels[0] == labels[1]) continue;
      auto& corners = part.boundary.emplace_back();
      for (int i = 0; i < 3; ++i) corners[i] = node(label[e], face_of(e, k)[i]);
      part.boundary_element.push_back(static_cast<std::int64_t>(e));
      part.source_triangle.push_back(is_outside ? mesh.face_source[e][k] : -1);
    }
  }
  part.stress.assign(mesh.tets.size(), SymMat3::Zero());
  header.material_names = {"clay"};
  header.time_s = time_s;
  header.scene = "[[material]]\nname = \"clay\"\ndensity_kg_m3 = 2000.0\n";
  io::write_snapshot(core::Comm(MPI_COMM_SELF), file, header, part);
}

}  // namespace brisance::exports::test
