#include "brisance/core/log.hpp"

#include "brisance/core/printable.hpp"

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

/// The message as a terminal may show it: names in it come from files (core::printable).
class PrintableMessage : public spdlog::custom_flag_formatter {
public:
  void format(const spdlog::details::log_msg& message, const std::tm& /*time*/, spdlog::memory_buf_t& to) override {
    const std::string text = printable({message.payload.data(), message.payload.size()});
    to.append(text.data(), text.data() + text.size());
  }
  [[nodiscard]] std::unique_ptr<spdlog::custom_flag_formatter> clone() const override {
    return std::make_unique<PrintableMessage>();
  }
};

/// @param pattern  of spdlog, with %* for the message and %Q for the mark of a warning
std::unique_ptr<spdlog::formatter> formatter(const std::string& pattern) {
  auto made = std::make_unique<spdlog::pattern_formatter>();
  made->add_flag<PrintableMessage>('*').add_flag<WarningMark>('Q').set_pattern(pattern);
  return made;
}

}  // namespace

void start_log(const Comm& comm) {
  auto terminal = std::make_shared<spdlog::sinks::stdout_color_sink_mt>();
  terminal->set_formatter(formatter("%Q%*"));
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
  sink->set_formatter(formatter("%Y-%m-%d %H:%M:%S %l %*"));
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
