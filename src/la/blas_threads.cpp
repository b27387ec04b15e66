#include "brisance/la/blas_threads.hpp"

#include <dlfcn.h>

namespace brisance::la {

void use_one_blas_thread() {
  // Looked up by name: another BLAS may be behind the same library name, which then has no such function.
  if (void* found = dlsym(RTLD_DEFAULT, "openblas_set_num_threads")) reinterpret_cast<void (*)(int)>(found)(1);
}

}  // namespace brisance::la
