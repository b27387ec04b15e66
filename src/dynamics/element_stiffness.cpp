#include "brisance/dynamics/element_stiffness.hpp"

#include "brisance/dynamics/corotational.hpp"
#include "brisance/dynamics/law_of.hpp"
#include "brisance/elements/corotated.hpp"

#include <array>

namespace brisance::dynamics {

namespace {

/// Second-order change of strain in an iteration up to which no matrix becomes indefinite [–].
constexpr double kSecondOrder = 1e-9;

Mat3 gradient_at(const std::array<LocalNode, 4>& corners, const elements::Simplex<3>& shape,
                 std::span<const dist::NodeMotion> motion) {
  std::array<Vec3, 4> x;
  for (std::size_t i = 0; i < 4; ++i) x[i] = Vec3(motion[static_cast<std::size_t>(corners[i].value)].position);
  return corner_gradient(x, shape.gradient);
}

Mat3 cross_product_with(const Vec3& a) {
  Mat3 m;
  m << 0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0;
  return m;
}

/// K += weight · ½ V [g_i]ₓᵀ H [g_j]ₓ: the axial vector of RᵀdF is ½ Σ g_i × u_i in the element's frame.
/// @param turned  the element's shape in its present rotation; `against_turns` is H in world axes
void add_turn_stiffness(const elements::Simplex<3>& turned, const Mat3& against_turns, double weight,
                        elements::StiffnessMatrix<3>& k) {
  std::array<Mat3, 4> cross;
  for (std::size_t i = 0; i < 4; ++i) cross[i] = cross_product_with(turned.gradient[i]);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      k.block<3, 3>(3 * i, 3 * j) += 0.5 * weight * turned.volume * cross[static_cast<std::size_t>(i)].transpose() *
                                     against_turns * cross[static_cast<std::size_t>(j)];
}

/// K += weight · R K_C Rᵀ of the anisotropic law, whose axes are those of the element at rest.
void add_directional_stiffness(const dist::ElementBlock& block, int lane, const material::Material& m,
                               const Mat3& rotation, double weight, elements::StiffnessMatrix<3>& k) {
  const auto at_rest =
      elements::anisotropic_stiffness({shape_gradients(block, lane), block.volume[lane]}, stiffness_of(m));
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      k.block<3, 3>(3 * i, 3 * j) += weight * rotation * at_rest.block<3, 3>(3 * i, 3 * j) * rotation.transpose();
}

}  // namespace

elements::StiffnessMatrix<3> element_stiffness(const dist::Mesh& mesh, LocalElement e,
                                               std::span<const dist::NodeMotion> motion, Strain strain_measure,
                                               const StepEquation& equation) {
  const dist::ElementBlock& block = mesh.blocks[static_cast<std::size_t>(e.value / dist::kBatch)];
  const int lane = e.value % dist::kBatch;
  const auto corners = mesh.corners(e);
  elements::Simplex<3> shape{shape_gradients(block, lane), block.volume[lane]};
  const material::Material& m = mesh.material(e);
  const bool isotropic = !material::is_anisotropic(m);
  Mat3 rotation = Mat3::Identity(), against_turns = Mat3::Zero();
  const bool turns = strain_measure == Strain::corotational && equation.turns != TurnStiffness::none;
  if (strain_measure == Strain::corotational) {
    const Mat3 f = gradient_at(corners, shape, motion), r = elements::rotation_of(f);
    const bool foresees = turns && !equation.turned_at.empty();
    const Mat3 f_before = foresees ? gradient_at(corners, shape, equation.turned_at) : f;
    const bool has_moved = (f - f_before).squaredNorm() > kSecondOrder;
    const Mat3 seen_from = has_moved ? elements::rotation_of(f_before) : r;
    for (Vec3& g : shape.gradient) g = r * g;  // R K Rᵀ is the stiffness of the turned shape
    rotation = r;
    if (turns) {
      const Mat3 strain = elements::small_strain(seen_from, f), stretch = r.transpose() * f;
      const Mat3 stress = isotropic ? elements::hooke_stress(strain, m.lame_lambda, m.lame_mu)
                                    : elements::anisotropic_stress(strain, stiffness_of(m));
      against_turns = r *
                      elements::turn_stiffness(0.5 * (stretch + stretch.transpose()), stress,
                                               equation.turns == TurnStiffness::tension) *
                      r.transpose();
    }
  }
  const double viscous = equation.inertia * equation.damping_weight() * block.damping_scale[lane];
  const double hooke = isotropic ? equation.stiffness_weight() : 0;
  auto k = elements::elastic_stiffness(shape, hooke * m.lame_lambda + viscous * m.damping_phi,
                                       hooke * m.lame_mu + viscous * m.damping_psi);
  if (!isotropic) add_directional_stiffness(block, lane, m, rotation, equation.stiffness_weight(), k);
  if (turns) add_turn_stiffness(shape, against_turns, equation.stiffness_weight(), k);
  return k;
}

}  // namespace brisance::dynamics
