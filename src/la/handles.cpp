#include "brisance/la/handles.hpp"

namespace brisance::la {

Vector like(const Vector& vector) {
  Vector other;
  check(VecDuplicate(vector.raw(), other.out()), "VecDuplicate");
  return other;
}

Vector copy_of(const Vector& vector) {
  Vector copy = like(vector);
  check(VecCopy(vector.raw(), copy.raw()), "VecCopy");
  return copy;
}

}  // namespace brisance::la
