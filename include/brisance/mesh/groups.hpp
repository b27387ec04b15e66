/// Names that an input file gives to parts of a body: objects, groups and materials of OBJ, solids of STL, physical
/// groups of Gmsh. They are carried over to the surface, the tets and the elements.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace brisance::mesh {

inline constexpr std::int32_t kNoGroup = -1;
inline constexpr std::size_t kMostGroups = 65536;        ///< of a file: with more all are dropped, and the log says so
inline constexpr std::size_t kLongestGroupNames = 1000;  ///< length of all names of one group together [byte]

/// Faces with the same set of names form one group: a face below `o cup`, `g handle` and `usemtl glaze` belongs to the
/// group of these three names.
struct Groups {
  std::vector<std::vector<std::string>> names;  ///< of each group, ascending, without duplicates
  /// Group of the boundary faces that come from each source triangle (TetMesh::face_source), or kNoGroup; sources past
  /// its end have none.
  std::vector<std::int32_t> of_source;

  [[nodiscard]] bool empty() const { return names.empty(); }
  /// Returns kNoGroup for kNoSourceTriangle and sources past the end.
  [[nodiscard]] std::int32_t group_of_source(std::int32_t source) const {
    return source < 0 || static_cast<std::size_t>(source) >= of_source.size()
               ? kNoGroup
               : of_source[static_cast<std::size_t>(source)];
  }
  friend bool operator==(const Groups&, const Groups&) = default;
};

/// Does a group (or kNoGroup) have the name? Local.
[[nodiscard]] bool has_name(const Groups& groups, std::int32_t group, std::string_view name);

/// All names of the given groups, ascending, without duplicates: "body, handle". Local.
[[nodiscard]] std::vector<std::string> names_in_use(const Groups& groups, std::span<const std::int32_t> in_use);

/// The names of a group as one text, one name a line; and the inverse. Local.
[[nodiscard]] std::string to_text(const std::vector<std::string>& names);
[[nodiscard]] std::vector<std::string> names_of_text(std::string_view text);

/// Is every number kNoGroup or one of the groups? For numbers read from a file. Local.
[[nodiscard]] bool are_groups(const Groups& groups, std::span<const std::int32_t> numbers);

/// Numbers groups by their names.
class GroupNumbers {
public:
  /// Adds new groups to `groups`, which must outlive this object.
  explicit GroupNumbers(Groups& groups);
  /// Number of the group with these names, in any order; kNoGroup for no names. A new group is appended.
  [[nodiscard]] std::int32_t number(std::vector<std::string> names);

private:
  Groups& groups_;
  std::map<std::vector<std::string>, std::int32_t> known_;
};

/// Merges the groups of another mesh into those of a whole: groups of equal names become one, and the part's source s
/// becomes first_source + s.
/// @return the number in `whole` of each group of the part. Local.
std::vector<std::int32_t> join(Groups& whole, const Groups& part, std::int32_t first_source);

}  // namespace brisance::mesh
