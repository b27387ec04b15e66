#include "brisance/la/blas_threads.hpp"

#include <dlfcn.h>

namespace brisance::la {

void use_one_blas_thread() {
  // Found by name at run time: the BLAS may be another library without this function.
  if (void* found = dlsym(RTLD_DEFAULT, "openblas_set_num_threads")) reinterpret_cast<void (*)(int)>(found)(1);
}

}  // namespace brisance::la
