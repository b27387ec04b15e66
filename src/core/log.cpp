#include "brisance/core/log.hpp"

#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>

namespace brisance::core {

void start_log(const Comm& comm) {
  auto logger = std::make_shared<spdlog::logger>("brisance", std::make_shared<spdlog::sinks::stdout_color_sink_mt>());
  logger->set_level(comm.is_root() ? spdlog::level::info : spdlog::level::off);
  logger->set_pattern("%v");
  logger->flush_on(spdlog::level::info);
  spdlog::set_default_logger(std::move(logger));
}

void log_to_file(const Comm& comm, const std::filesystem::path& file) {
  if (!comm.is_root()) return;
  auto sink = std::make_shared<spdlog::sinks::basic_file_sink_mt>(file.string());
  sink->set_pattern("%Y-%m-%d %H:%M:%S %l %v");
  spdlog::default_logger()->sinks().push_back(std::move(sink));
}

}  // namespace brisance::core
