/// Compares two outputs by global id, bitwise or within a tolerance, for any numbers of ranks.
#pragma once

#include "brisance/io/snapshot.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace brisance::io {

/// Difference of one field.
struct FieldDifference {
  std::string field;             ///< "node velocity", "tet stress" …
  std::int64_t count = 0;        ///< nodes, tets or triangles that differ
  std::int64_t first_id = -1;    ///< lowest id among them (for a triangle: its tet); −1 for the frame as a whole
  std::string first_a, first_b;  ///< both values there
  double largest = 0;            ///< largest absolute difference, in the field's unit; infinity if a NaN faces a number
};

struct DiffResult {
  std::vector<FieldDifference> fields;                          ///< fields that differ, ids and topology first
  std::int64_t num_nodes = 0, num_tets = 0, num_triangles = 0;  ///< number compared: present in both

  [[nodiscard]] bool equal() const { return fields.empty(); }
  /// One line for each field, for a terminal.
  [[nodiscard]] std::string text() const;
};

/// Compares two frames: time, step, counts, material names, colliders; nodes (ids, rest position, position, velocity);
/// tets (ids, corner ids in order, material, piece, stress, plastic strain); boundary triangles (by tet and corner ids:
/// orientation and source). Parts, owners and the scene text do not matter.
/// @param tolerance  0: bit patterns must agree (−0 is not 0, a NaN equals only the same NaN). Above: two numbers agree
///                   if they differ by at most `tolerance` times the largest magnitude of that field in the two frames;
///                   NaN agrees with NaN. Ids, corners, materials, pieces and step must always agree.
/// It is a difference too if the copies of a node in several parts differ (in any bit with tolerance 0).
/// Local; throws core::Error if the tolerance is negative or NaN.
[[nodiscard]] DiffResult diff(const Snapshot& a, const Snapshot& b, double tolerance);

/// Two snapshots, or two run folders frame by frame.
struct PathDiff {
  std::int64_t num_frames = 0;           ///< number of frames compared
  std::int64_t num_different = 0;        ///< number of these that differ
  std::vector<std::string> only_in_one;  ///< files without a counterpart
  std::string first_frame;               ///< name of the first frame that differs
  DiffResult first;                      ///< its differences

  [[nodiscard]] bool equal() const { return num_different == 0 && only_in_one.empty(); }
  [[nodiscard]] std::string text() const;
};

/// Compares two files, or the snapshots of equal name in two folders, with one pair in memory at a time. Local; throws
/// core::Error as read_snapshot does, or if one is a file and the other a folder.
[[nodiscard]] PathDiff diff_paths(const std::filesystem::path& a, const std::filesystem::path& b, double tolerance);

}  // namespace brisance::io
