#include "brisance/core/log.hpp"

#include "brisance/core/printable.hpp"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>

namespace brisance::core {

namespace {

/// The message as a terminal may show it: names in it come from files (core::printable).
class PrintableMessage : public spdlog::custom_flag_formatter {
public:
  void format(const spdlog::details::log_msg& message, const std::tm&, spdlog::memory_buf_t& to) override {
    const std::string text = printable({message.payload.data(), message.payload.size()});
    to.append(text.data(), text.data() + text.size());
  }
  [[nodiscard]] std::unique_ptr<spdlog::custom_flag_formatter> clone() const override {
    return std::make_unique<PrintableMessage>();
  }
};

/// @param pattern  of spdlog, with %* for the message
std::unique_ptr<spdlog::formatter> formatter(const std::string& pattern) {
  auto made = std::make_unique<spdlog::pattern_formatter>();
  made->add_flag<PrintableMessage>('*').set_pattern(pattern);
  return made;
}

}  // namespace

void start_log(const Comm& comm) {
  auto logger = std::make_shared<spdlog::logger>("brisance", std::make_shared<spdlog::sinks::stdout_color_sink_mt>());
  logger->set_level(comm.is_root() ? spdlog::level::info : spdlog::level::off);
  logger->set_formatter(formatter("%*"));
  logger->flush_on(spdlog::level::info);
  spdlog::set_default_logger(std::move(logger));
}

void log_to_file(const Comm& comm, const std::filesystem::path& file) {
  if (!comm.is_root()) return;
  auto sink = std::make_shared<spdlog::sinks::basic_file_sink_mt>(file.string());
  sink->set_formatter(formatter("%Y-%m-%d %H:%M:%S %l %*"));
  spdlog::default_logger()->sinks().push_back(std::move(sink));
}

}  // namespace brisance::core
