/// A formula in x, y and z, read at run time.
#pragma once

#include "brisance/core/types.hpp"

#include <memory>
#include <string>

namespace brisance::sim {

/// What muParser reads: + − * / ^, comparisons, && ||, a ? b : c, sin, cos, exp, sqrt, abs, min, max ..., _pi and _e.
class Formula {
public:
  /// Throws core::Error that says what is wrong with the text, and where in it. Local.
  explicit Formula(std::string text);
  ~Formula();
  Formula(const Formula&) = delete;
  Formula& operator=(const Formula&) = delete;

  /// Its value at a point [m]. Local; throws core::Error with the formula and the point where it is not finite.
  [[nodiscard]] double operator()(const Vec3& at) const;

private:
  struct Parser;
  std::string text_;
  std::unique_ptr<Parser> parser_;
};

}  // namespace brisance::sim
