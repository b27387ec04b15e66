/// Number of threads of the BLAS under PETSc.
#pragma once

namespace brisance::la {

/// One BLAS thread in this process from now on: ranks are the parallelism, and the bits of dense kernels depend on the
/// number of threads. Threads that it started before end. Does nothing where the BLAS is not OpenBLAS. Local.
void use_one_blas_thread();

}  // namespace brisance::la
