/// Failure criteria of nodes: what each compares with which limit, and across which plane a node would break. One file
/// a criterion in src/fracture/criteria; src/fracture/criteria/kinds.hpp lists them.
#pragma once

#include "brisance/dist/mesh.hpp"
#include "brisance/fracture/criteria/star_forces.hpp"
#include "brisance/fracture/criteria/strength.hpp"
#include "brisance/fracture/parameters.hpp"

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace brisance::fracture {

/// An owned node and what is known of its star.
struct EvaluatedNode {
  const dist::Mesh& mesh;
  LocalNode node;
  const StarForces& stars;       ///< evaluated at the node, with all that the criterion wants
  const StrengthLimits& limits;  ///< up to date at the node
};

/// Load around a node and its limit, in one unit: the node is sound while the tensor's largest eigenvalue is not above
/// the limit.
struct NodeLoad {
  SymMat3 tensor;  ///< world axes [N] or [Pa]
  double limit;    ///< a lower bound over all directions and materials; infinite where nothing can break
};

/// Load of a node over its limit, and the plane across which it would break.
struct Severity {
  double share = 0;  ///< load over limit, the largest over the star's materials; the node fails above 1 [–]
  Vec3 normal = Vec3::UnitX();  ///< unit, world axes
};

/// Properties of a criterion that decide when it is evaluated, and which settings it allows.
struct CriterionTraits {
  const char* quantity;    ///< its load in words, for messages: "separation tensor"
  bool is_stress = false;  ///< the load is a stress [Pa], compared with strengths; false: a force [N]
  /// The load's largest eigenvalue is at most the separation bound of the force pass: nodes whose bound is below the
  /// limit are not evaluated. Without this all nodes are that may break.
  bool is_bounded = false;
  bool has_front_limit = false;  ///< the limit at fronts is known for FrontToughness::energy
  StarForces::Wanted wanted = StarForces::Wanted::forces;
};

/// A criterion without memory: results follow from the node's star alone. Functions are local and do not throw.
class Criterion {
public:
  explicit Criterion(const CriterionTraits& traits) : traits_(traits) {}
  virtual ~Criterion() = default;
  Criterion(const Criterion&) = delete;
  Criterion& operator=(const Criterion&) = delete;

  [[nodiscard]] const CriterionTraits& traits() const { return traits_; }
  [[nodiscard]] virtual NodeLoad load(const EvaluatedNode& at) const = 0;
  /// Severity of a node with this load, by the exact limit.
  [[nodiscard]] virtual Severity severity(const EvaluatedNode& at, const NodeLoad& load) const = 0;

private:
  CriterionTraits traits_;
};

/// A row of the table of criteria.
struct CriterionKind {
  const char* name;                        ///< value of the scene key fracture.criterion
  const char* sentence;                    ///< for the scene reference
  std::span<const std::string_view> keys;  ///< keys of [fracture] that have no effect with other criteria
  std::unique_ptr<Criterion> (*make)(const Parameters& parameters);
};

/// All criteria, in the order of the scene reference.
[[nodiscard]] std::span<const CriterionKind* const> criterion_kinds();

/// Throws core::Error for a name that no kind has. Local.
[[nodiscard]] const CriterionKind& criterion_kind(const std::string& name);

/// The criterion that `parameters` names. Throws core::Error if there is none. Local.
[[nodiscard]] std::unique_ptr<Criterion> make_criterion(const Parameters& parameters);

}  // namespace brisance::fracture
