/// Requirements on every child process: no files left in TMPDIR, no process left, and it ends with its parent.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace brisance::test {

/// TMPDIR points to an empty folder of the test's own for its duration, and must be empty again afterwards.
class ChildTest : public ::testing::Test {
protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "brisance-test-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    if (const char* set = std::getenv("TMPDIR")) previous_ = set;
    setenv("TMPDIR", folder_.c_str(), 1);
  }
  void TearDown() override {
    EXPECT_TRUE(std::filesystem::is_empty(folder_)) << "temporary files left behind";
    std::filesystem::remove_all(folder_);
    previous_.empty() ? unsetenv("TMPDIR") : setenv("TMPDIR", previous_.c_str(), 1);
    EXPECT_EQ(children(getpid()), children_) << "a child process is left";
  }

  /// A replacement for the program: a shell script that behaves as the program might.
  [[nodiscard]] std::filesystem::path script(const std::string& body) const {
    const std::filesystem::path file = folder_ / "program";
    std::ofstream(file) << "#!/bin/sh\n" << body << "\n";
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    return file;
  }

  /// Child processes, zombies included; MPI may have started one of its own.
  static std::vector<pid_t> children(pid_t process) {
    std::ifstream in("/proc/" + std::to_string(process) + "/task/" + std::to_string(process) + "/children");
    return {std::istream_iterator<pid_t>(in), {}};
  }

  /// Kills, while it waits for a child, a process that does `work` (minutes of it); the child and its own children must
  /// then end by themselves.
  static void expect_end_with_parent(const std::function<void()>& work) {
    const pid_t parent = fork();
    if (parent == 0) {
      try {
        work();
      } catch (const std::exception&) {
      }
      _exit(0);
    }
    std::vector<pid_t> started;
    for (int i = 0; i < 3000 && started.empty(); ++i) {
      usleep(10'000);
      started = children(parent);
    }
    ASSERT_EQ(started.size(), 1u);
    usleep(500'000);  // time to set the parent-death signal
    EXPECT_EQ(getpgid(started[0]), started[0]) << "it has no group of its own";
    for (const pid_t grandchild : children(started[0])) started.push_back(grandchild);
    kill(parent, SIGKILL);
    waitpid(parent, nullptr, 0);
    for (const pid_t process : started) EXPECT_TRUE(is_soon_gone(process)) << "the child outlives its parent";
  }

  std::filesystem::path folder_;

private:
  static bool is_soon_gone(pid_t process) {
    for (int i = 0; i < 500; ++i) {
      std::string state;
      std::ifstream in("/proc/" + std::to_string(process) + "/stat");
      if (!in || !(in >> state >> state >> state) || state == "Z") return true;
      usleep(10'000);
    }
    return false;
  }

  std::string previous_;
  std::vector<pid_t> children_ = children(getpid());
};

}  // namespace brisance::test
