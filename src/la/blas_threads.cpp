#include "brisance/la/blas_threads.hpp"

#include <dlfcn.h>

namespace brisance::la {

void use_one_blas_thread() {
  // Found by name at run time: the BLAS may be another library without these functions.
  if (void* found = dlsym(RTLD_DEFAULT, "openblas_set_num_threads")) reinterpret_cast<void (*)(int)>(found)(1);
  // Ends the threads that it started when it was loaded: an idle one could take a signal that the others block.
  if (void* found = dlsym(RTLD_DEFAULT, "blas_thread_shutdown_")) reinterpret_cast<int (*)()>(found)();
}

}  // namespace brisance::la
