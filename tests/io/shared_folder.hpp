/// An empty folder that all ranks of a test share, gone after it.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/core/error.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace brisance::test {

class SharedFolder : public ::testing::Test {
protected:
  SharedFolder()
      : folder_(std::filesystem::temp_directory_path() /
                ("brisance_io_np" + std::to_string(comm_.size()) + "_" + test_name())) {
    on_root([&] {
      std::filesystem::remove_all(folder_);
      std::filesystem::create_directories(folder_);
    });
  }
  ~SharedFolder() override {
    on_root([&] { std::filesystem::remove_all(folder_); });
  }

  template <class Work>
  void on_root(const Work& work) const {
    comm_.barrier();
    if (comm_.is_root()) work();
    comm_.barrier();
  }

  /// The text of the core::Error that `work` throws, empty if it succeeds; the same on all ranks or the test fails.
  template <class Work>
  [[nodiscard]] std::string failure_of(const Work& work) const {
    std::string text;
    try {
      work();
    } catch (const core::Error& e) {
      text = e.what();
    }
    const auto all = comm_.all_gather(std::span<const char>(text));
    std::string expected;
    for (int r = 0; r < comm_.size(); ++r) expected += text;
    EXPECT_EQ(std::string(all.begin(), all.end()), expected) << "the ranks disagree";
    return text;
  }

  /// Sorted names of what lies in `folder`.
  static std::vector<std::string> names(const std::filesystem::path& folder) {
    std::vector<std::string> result;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) result.push_back(entry.path().filename());
    std::sort(result.begin(), result.end());
    return result;
  }

  static void write_text(const std::filesystem::path& file, const std::string& text) { std::ofstream(file) << text; }

  core::Comm comm_;
  std::filesystem::path folder_;

private:
  static std::string test_name() {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    return std::string(info->test_suite_name()) + "_" + info->name();
  }
};

}  // namespace brisance::test
