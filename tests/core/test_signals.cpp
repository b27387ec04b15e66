#include "brisance/core/signals.hpp"

#include <csignal>

#include <gtest/gtest.h>

namespace brisance::core {
namespace {

volatile std::sig_atomic_t heard_by_program = 0, heard_by_library = 0;
extern "C" void program_hears(int) { heard_by_program = heard_by_program + 1; }
extern "C" void library_hears(int) { heard_by_library = heard_by_library + 1; }

/// The program's handler while the object exists.
class Signals : public testing::Test {
protected:
  void SetUp() override {
    heard_by_program = heard_by_library = 0;
    struct sigaction ours {};
    ours.sa_handler = program_hears;
    ours.sa_flags = SA_RESTART;
    sigaction(SIGTERM, &ours, &before_);
  }
  void TearDown() override { sigaction(SIGTERM, &before_, nullptr); }
  struct sigaction before_ {};
};

TEST_F(Signals, TermActsAfterALibraryThatHandlesIt) {
  {
    const SigtermGuard guard;
    std::signal(SIGTERM, library_hears);
    raise(SIGTERM);
    EXPECT_EQ(heard_by_program + heard_by_library, 0);
  }
  EXPECT_EQ(heard_by_program, 1);
  EXPECT_EQ(heard_by_library, 0);
  struct sigaction after {};
  sigaction(SIGTERM, nullptr, &after);
  EXPECT_EQ(after.sa_flags & static_cast<int>(SA_RESTART | SA_RESETHAND), SA_RESTART);
}

TEST_F(Signals, BlockingOneLeavesOthersAndEndsWithTheObject) {
  struct sigaction ours {
  }, before{};
  ours.sa_handler = library_hears;
  sigaction(SIGUSR1, &ours, &before);
  {
    const SignalsBlocked blocked(SIGTERM);
    raise(SIGTERM);
    raise(SIGUSR1);
    EXPECT_EQ(heard_by_program, 0);
    EXPECT_EQ(heard_by_library, 1);
  }
  EXPECT_EQ(heard_by_program, 1);
  {
    const SignalsBlocked all;
    raise(SIGUSR1);
    EXPECT_EQ(heard_by_library, 1);
  }
  EXPECT_EQ(heard_by_library, 2);
  sigaction(SIGUSR1, &before, nullptr);
}

}  // namespace
}  // namespace brisance::core
