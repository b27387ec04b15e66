/// The separation tensor of a node, with its principal value and plane.
#pragma once

#include "brisance/core/types.hpp"
#include "brisance/dist/element_block.hpp"

namespace brisance::fracture {

/// Separation tensor of one node: how hard the tets around it pull it apart.
///
///   ζ = ½ ( −m(f⁺) + Σ m(fᵢ⁺) + m(f⁻) − Σ m(fᵢ⁻) ),  m(a) = a aᵀ/|a|, m(0) = 0     [OH99] eq. (32)
///
/// The elements' dyads come from the vector kernel (dynamics::corner_forces); a node adds them up. Add the star's tets
/// in ascending slot: the order affects the bits. Without tets ζ = 0. Local; does not throw.
class SeparationTensor {
public:
  /// One tet of the star; `corner`: which of its corners the node is.
  void add(const dist::CornerForces& tet, int corner) {
    spread_ += Eigen::Map<const SymMat3>(tet.corner[corner].spread);
    total_ += Eigen::Map<const Vec3>(tet.corner[corner].total);
    tensile_ += Eigen::Map<const Vec3>(tet.corner[corner].tensile);
  }
  /// Adds an external force, as of contact. It replaces the force of the missing half of a star, as one more
  /// compressive force. With it the forces f⁻ around a loaded surface node balance as they do inside a body, so that no
  /// spurious tension remains; under uniaxial stress ζ is that of an inner node. To be called after the tets.
  void add_push(const Vec3& force);
  /// ζ: its largest eigenvalue is compared with the toughness, its eigenvector is the plane normal [N].
  [[nodiscard]] SymMat3 value() const;

private:
  SymMat3 spread_ = SymMat3::Zero();                    ///< Σ m(fᵢ⁺) − m(fᵢ⁻) [N]
  Vec3 total_ = Vec3::Zero(), tensile_ = Vec3::Zero();  ///< Σ fᵢ, f⁺ = Σ fᵢ⁺ [N]
};

/// Upper bound of the largest eigenvalue in closed form, larger by no more than 3e-6 of the spectrum's size. A cheap
/// test for nodes far from failing; failures are decided by principal_separation. Local; does not throw.
[[nodiscard]] double largest_eigenvalue_from_above(const SymMat3& zeta);

/// The largest eigenvalue and its eigenvector.
struct PrincipalSeparation {
  double force = 0;             ///< v⁺ [N]
  Vec3 normal = Vec3::UnitX();  ///< unit normal of the fracture plane, world coordinates
};

/// Where the two or three largest eigenvalues agree to 1e-9 of the spectrum's size, any normal in their plane (or any
/// at all) would do [OH99 section 4.1]; chosen is then the projection of the first of the axes x, y, z that lies within
/// 60° of that plane. The sign makes the largest component positive. A pure function of ζ. Local; does not throw.
[[nodiscard]] PrincipalSeparation principal_separation(const Mat3& zeta);

}  // namespace brisance::fracture
