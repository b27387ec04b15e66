/// Messages to the user for exceptions of libraries.
#include "brisance/core/out_of_memory.hpp"

#include <filesystem>
#include <fstream>
#include <system_error>

#include <gmock/gmock.h>

namespace brisance::core {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(TextForUser, OfAFileItIsTheFileAndTheReason) {
  try {
    static_cast<void>(std::filesystem::file_size("/no/such/file"));
    FAIL();
  } catch (const std::exception& e) {
    EXPECT_THAT(text_for_user(e), AllOf(HasSubstr("/no/such/file: No such file or directory"),
                                        Not(HasSubstr("filesystem error")), Not(HasSubstr("["))));
  }
}

TEST(TextForUser, OfTheSystemItIsTheReason) {
  const std::system_error error(std::make_error_code(std::errc::resource_unavailable_try_again), "basic_filebuf::x");
  EXPECT_THAT(text_for_user(error), AllOf(HasSubstr("Resource temporarily unavailable"), Not(HasSubstr("basic_"))));
}

}  // namespace
}  // namespace brisance::core
