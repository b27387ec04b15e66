#include "brisance/core/log.hpp"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>

namespace brisance::core {

namespace {

/// "warning: " before a warning, nothing before other lines.
class WarningMark : public spdlog::custom_flag_formatter {
public:
  void format(const spdlog::details::log_msg& message, const std::tm& /*time*/, spdlog::memory_buf_t& line) override {
    constexpr std::string_view kMark = "warning: ";
    if (message.level == spdlog::level::warn) line.append(kMark.data(), kMark.data() + kMark.size());
  }
  [[nodiscard]] std::unique_ptr<custom_flag_formatter> clone() const override {
    return std::make_unique<WarningMark>();
  }
};

}  // namespace

void start_log(const Comm& comm) {
  auto formatter = std::make_unique<spdlog::pattern_formatter>();
  formatter->add_flag<WarningMark>('*').set_pattern("%*%v");
  auto terminal = std::make_shared<spdlog::sinks::stdout_color_sink_mt>();
  terminal->set_formatter(std::move(formatter));
  terminal->set_level(spdlog::level::info);
  auto logger = std::make_shared<spdlog::logger>("brisance", std::move(terminal));
  logger->set_level(comm.is_root() ? spdlog::level::debug : spdlog::level::off);
  logger->flush_on(spdlog::level::debug);
  spdlog::set_default_logger(std::move(logger));
}

void show_details(const Comm& comm) {
  if (!comm.is_root()) return;
  spdlog::default_logger()->set_level(spdlog::level::trace);
  spdlog::default_logger()->sinks().front()->set_level(spdlog::level::trace);
}

void log_to_file(const Comm& comm, const std::filesystem::path& file) {
  if (!comm.is_root()) return;
  auto sink = std::make_shared<spdlog::sinks::basic_file_sink_mt>(file.string());
  sink->set_pattern("%Y-%m-%d %H:%M:%S %l %v");
  spdlog::default_logger()->sinks().push_back(std::move(sink));
}

void log_report(const std::vector<std::string>& lines) {
  constexpr std::string_view kWarning = "warning: ";
  for (const std::string& line : lines)
    if (line.starts_with(kWarning))
      spdlog::warn(line.substr(kWarning.size()));
    else
      spdlog::info(line);
}

}  // namespace brisance::core
