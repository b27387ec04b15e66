#include "mesh/solids/corefinement.hpp"

#include <array>
#include <utility>

#include <CGAL/Polygon_mesh_processing/corefinement.h>

namespace brisance::mesh::solids {
namespace {

namespace corefinement = CGAL::Polygon_mesh_processing::Corefinement;

/// Copies the origin of a face to the faces into which it is cut, and to their copies in the result.
struct OriginVisitor : corefinement::Default_visitor<CgalMesh> {
  using Face = CgalMesh::Face_index;
  void before_subface_creations(Face whole, CgalMesh& mesh) { whole_ = origins(mesh)[whole]; }
  void after_subface_created(Face part, CgalMesh& mesh) { origins(mesh)[part] = whole_; }
  void after_face_copy(Face from, const CgalMesh& source, Face to, CgalMesh& target) {
    origins(target)[to] = source.property_map<Face, Origin>("f:origin").first[from];
  }

private:
  Origin whole_;
};

/// CGAL numbers new elements according to which of two meshes has the lower address: they lie in one array, so that the
/// result does not depend on the memory layout.
std::optional<CgalMesh> combine(CgalMesh first, CgalMesh second, corefinement::Boolean_operation_type operation,
                                bool throw_on_self_intersection) {
  std::array<CgalMesh, 3> meshes{std::move(first), std::move(second), CgalMesh()};
  auto& [a, b, result] = meshes;
  for (CgalMesh& mesh : meshes) static_cast<void>(origins(mesh));
  std::array<boost::optional<CgalMesh*>, 4> results;
  results[operation] = &result;
  const auto is_manifold = CGAL::Polygon_mesh_processing::corefine_and_compute_boolean_operations(
      a, b, results, CGAL::parameters::visitor(OriginVisitor{}).throw_on_self_intersection(throw_on_self_intersection));
  if (!is_manifold[operation]) return std::nullopt;
  return std::move(result);
}

}  // namespace

OriginMap origins(CgalMesh& mesh) { return mesh.add_property_map<CgalMesh::Face_index, Origin>("f:origin").first; }

std::optional<CgalMesh> united(CgalMesh first, CgalMesh second) {
  return combine(std::move(first), std::move(second), corefinement::UNION, false);
}

std::optional<CgalMesh> common_part(CgalMesh first, CgalMesh second) {
  try {
    return combine(std::move(first), std::move(second), corefinement::INTERSECTION, true);
  } catch (const corefinement::Self_intersection_exception&) {
    return std::nullopt;
  }
}

}  // namespace brisance::mesh::solids
