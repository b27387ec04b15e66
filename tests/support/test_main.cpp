/// main() of every test program: SLEPc, PETSc and MPI are up before the first test, and a failure on any rank fails
/// them all.
#include "brisance/la/blas_threads.hpp"

#include <cstdio>
#include <memory>

#include <gtest/gtest.h>
#include <mpi.h>
#include <slepcsys.h>

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  SlepcInitialize(&argc, &argv, nullptr, nullptr);
  brisance::la::use_one_blas_thread();
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0) {  // one rank prints the usual lines; the others only what fails
    auto& listeners = ::testing::UnitTest::GetInstance()->listeners();
    class FailuresOnly : public ::testing::EmptyTestEventListener {
      void OnTestPartResult(const ::testing::TestPartResult& part) override {
        int world_rank = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
        if (part.failed())
          std::fprintf(stderr, "rank %d: %s:%d: %s\n", world_rank, part.file_name() ? part.file_name() : "?",
                       part.line_number(), part.summary());
      }
    };
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(std::make_unique<FailuresOnly>().release());
  }
  int failed = RUN_ALL_TESTS();
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  SlepcFinalize();
  return failed;
}
