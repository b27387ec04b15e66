/// The separation tensor of a node and what is read from it: how hard, and across which plane, it is pulled apart.
#pragma once

#include "brisance/core/types.hpp"
#include "brisance/dist/element_block.hpp"

namespace brisance::fracture {

/// Separation tensor of one node: how hard the tets around it pull it apart.
///
///   ζ = ½ ( −m(f⁺) + Σ m(fᵢ⁺) + m(f⁻) − Σ m(fᵢ⁻) ),  m(a) = a aᵀ/|a|, m(0) = 0     [OH99] eq. (32)
///
/// Elements bring their own dyads, made in the vector kernel (dynamics::corner_forces); a node adds them up. Add the
/// star's tets in ascending slot: the order is part of the bits. No tets: ζ = 0. Local; does not throw.
class SeparationTensor {
public:
  /// One tet of the star; `corner`: which of its corners the node is.
  void add(const dist::CornerForces& tet, int corner) {
    spread_ += Eigen::Map<const SymMat3>(tet.corner[corner].spread);
    total_ += Eigen::Map<const Vec3>(tet.corner[corner].total);
    tensile_ += Eigen::Map<const Vec3>(tet.corner[corner].tensile);
  }
  /// A force from outside, as of contact: it stands for what the missing half of a star would push with, as one more
  /// compressive force. With it the forces f⁻ around a pressed node balance as they do inside a body, and nothing is
  /// left that looks like tension; under uniaxial stress ζ is that of an inner node. Order of calls: after the tets.
  void add_push(const Vec3& force);
  /// ζ: its largest eigenvalue meets the toughness, its eigenvector is the plane normal [N].
  [[nodiscard]] SymMat3 value() const;

private:
  SymMat3 spread_ = SymMat3::Zero();                    ///< Σ m(fᵢ⁺) − m(fᵢ⁻) [N]
  Vec3 total_ = Vec3::Zero(), tensile_ = Vec3::Zero();  ///< Σ fᵢ, f⁺ = Σ fᵢ⁺ [N]
};

/// Upper bound of the largest eigenvalue, from the closed form: above it by no more than 3e-6 of the spectrum's size.
/// Tells cheaply that a node is far from failing; what fails is judged by principal_separation. Local; does not throw.
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
