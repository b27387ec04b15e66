/// A formula in x, y and z, parsed at run time.
#pragma once

#include "brisance/core/types.hpp"

#include <memory>
#include <string>

namespace brisance::sim {

/// Syntax of muParser: + − * / ^, comparisons, && ||, a ? b : c, sin, cos, exp, sqrt, abs, min, max ..., _pi and _e.
class Formula {
public:
  /// Throws core::Error with the mistake in the text and its position. Local.
  explicit Formula(std::string text);
  ~Formula();
  Formula(const Formula&) = delete;
  Formula& operator=(const Formula&) = delete;

  /// Value at a point [m]. Local; throws core::Error with the formula and the point if it is not finite.
  [[nodiscard]] double operator()(const Vec3& at) const;

private:
  struct Parser;
  std::string text_;
  std::unique_ptr<Parser> parser_;
};

}  // namespace brisance::sim
