#include "brisance/core/log.hpp"
#include "brisance/core/progress.hpp"

#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <spdlog/sinks/ostream_sink.h>

namespace brisance::core {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The log while the object exists, in place of the terminal.
class Captured {
public:
  Captured() {
    before_ = spdlog::default_logger();
    auto logger = std::make_shared<spdlog::logger>("captured", std::make_shared<spdlog::sinks::ostream_sink_mt>(text_));
    logger->set_pattern("%v");
    spdlog::set_default_logger(std::move(logger));
  }
  ~Captured() { spdlog::set_default_logger(before_); }
  [[nodiscard]] std::string text() const { return text_.str(); }

private:
  std::ostringstream text_;
  std::shared_ptr<spdlog::logger> before_;
};

TEST(Heartbeat, SpeaksOncePerIntervalAndEndsAtOnce) {
  const Captured captured;
  {
    const Heartbeat alive("a long search", 0.02);
    const double until_s = wall_seconds() + 2;
    while (captured.text().empty() && wall_seconds() < until_s)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_THAT(captured.text(), HasSubstr("a long search: 0 s so far"));
  const std::string said = captured.text();
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  EXPECT_EQ(captured.text(), said);
}

TEST(Heartbeat, SaysNothingOfShortWork) {
  const Captured captured;
  const double start_s = wall_seconds();
  { const Heartbeat alive("short work", 60); }
  EXPECT_LT(wall_seconds() - start_s, 5);
  EXPECT_EQ(captured.text(), "");
}

TEST(ProgressClock, IsNotDueBeforeItsInterval) {
  ProgressClock clock;
  EXPECT_FALSE(clock.is_due());
  EXPECT_GE(clock.passed_s(), 0);
}

class Log : public testing::Test {
protected:
  void SetUp() override { before_ = spdlog::default_logger(); }
  void TearDown() override { spdlog::set_default_logger(before_); }
  /// Both levels, as a terminal shows them.
  static std::string shown(const std::function<void(const Comm&)>& prepare) {
    const Comm comm;
    testing::internal::CaptureStdout();
    start_log(comm);
    prepare(comm);
    spdlog::info("12 pieces");
    spdlog::warn("a tet is inverted");
    spdlog::debug("work redistributed");
    spdlog::trace("iteration 3");
    return testing::internal::GetCapturedStdout();
  }
  std::shared_ptr<spdlog::logger> before_;
};

TEST_F(Log, ShowsWhatIsForTheUserAndMarksWarnings) {
  EXPECT_EQ(shown([](const Comm&) {}), "12 pieces\nwarning: a tet is inverted\n");
}

TEST_F(Log, ShowsEverythingIfAsked) {
  EXPECT_EQ(shown(show_details), "12 pieces\nwarning: a tet is inverted\nwork redistributed\niteration 3\n");
}

TEST_F(Log, KeepsBothLevelsInTheFile) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "two_levels.log";
  std::filesystem::remove(file);
  shown([&](const Comm& comm) { log_to_file(comm, file); });
  std::ifstream in(file);
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  EXPECT_THAT(text, HasSubstr("info 12 pieces"));
  EXPECT_THAT(text, HasSubstr("warning a tet is inverted"));
  EXPECT_THAT(text, HasSubstr("debug work redistributed"));
  EXPECT_THAT(text, Not(HasSubstr("iteration 3")));
}

TEST_F(Log, TakesWarningsOutOfAReport) {
  const std::string text = shown([](const Comm&) { log_report({"cup: 300 tets", "warning: cup touches the floor"}); });
  EXPECT_THAT(text, testing::StartsWith("cup: 300 tets\nwarning: cup touches the floor\n12 pieces"));
}

}  // namespace
}  // namespace brisance::core
