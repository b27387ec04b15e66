/// The surface of one frame of a run as a whole, independent of the ranks that wrote it.
#pragma once

#include "brisance/core/types.hpp"
#include "brisance/io/snapshot.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace brisance::exports {

/// Nodes without duplicates, ascending by id, those inside included (they become surface when a crack reaches them);
/// boundary triangles in the order of the file.
struct SurfaceFrame {
  double time_s = 0;
  std::int64_t frame = 0;
  std::int32_t num_pieces = 0;
  std::string scene;  ///< TOML text
  std::vector<std::string> material_names;
  std::vector<std::int64_t> node_id;
  std::vector<Vec3> rest;      ///< [m]; the positions where the frame omits it (has_rest)
  std::vector<Vec3> position;  ///< [m]
  std::vector<Vec3> velocity;  ///< [m/s]; empty where the frame omits it
  std::vector<float> stress;   ///< largest principal stress of the tets around a node [Pa]; empty where omitted
  bool has_rest = true;
  std::vector<std::array<std::int32_t, 3>> triangles;  ///< outward, corners as rows of the nodes
  std::vector<std::int32_t> piece;                     ///< of each triangle, 0 … num_pieces − 1
  std::vector<std::int32_t> material;                  ///< of each triangle, row of material_names
  std::vector<std::int64_t> source;                    ///< of each triangle, that of the input; −1 on a crack
  io::DustRows dust;
  std::vector<io::Collider> colliders;

  /// Row of a node, or −1.
  [[nodiscard]] std::int64_t row(std::int64_t id) const;
  [[nodiscard]] bool is_crack(std::size_t triangle) const { return source[triangle] < 0; }
};

/// Reads the parts one by one; with ReadColumns::motion there is no stress. Local; throws core::Error as
/// io::read_snapshot does, and for a frame without a surface.
[[nodiscard]] SurfaceFrame read_surface_frame(const std::filesystem::path& file,
                                              io::ReadColumns columns = io::ReadColumns::all);

/// Volume that each piece's triangles enclose at given positions of the nodes [m³].
[[nodiscard]] std::vector<double> piece_volumes_m3(const SurfaceFrame& frame, std::span<const Vec3> positions);

/// Share of the volume that has left the mesh as particles.
[[nodiscard]] double particle_share(const SurfaceFrame& frame);

/// Half of the area of all crack faces at rest [m²].
[[nodiscard]] double crack_area_m2(const SurfaceFrame& frame);

}  // namespace brisance::exports
