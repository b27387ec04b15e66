/// The log while something is done.
#pragma once

#include <memory>
#include <sstream>
#include <string>

#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

namespace brisance::test {

/// The lines, as "warning: text" or "info: text", that `work` writes to the log.
template <class Work>
std::string log_of(Work work) {
  std::ostringstream text;
  auto captured = std::make_shared<spdlog::logger>("captured", std::make_shared<spdlog::sinks::ostream_sink_mt>(text));
  captured->set_pattern("%l: %v");
  const auto before = spdlog::default_logger();
  spdlog::set_default_logger(captured);
  try {
    work();
  } catch (...) {
    spdlog::set_default_logger(before);
    throw;
  }
  spdlog::set_default_logger(before);
  return text.str();
}

}  // namespace brisance::test
