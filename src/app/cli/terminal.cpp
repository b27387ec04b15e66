#include "app/cli/terminal.hpp"

#include "brisance/core/printable.hpp"

namespace brisance::app {

PrintableOutput::~PrintableOutput() {
  print_line();
  std::cout.rdbuf(target_);
}

PrintableOutput::int_type PrintableOutput::overflow(int_type c) {
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  line_ += traits_type::to_char_type(c);
  if (line_.back() == '\n' && !print_line()) return traits_type::eof();
  return c;
}

int PrintableOutput::sync() { return print_line() && target_->pubsync() == 0 ? 0 : -1; }

bool PrintableOutput::print_line() {
  const std::string text = core::printable(line_);
  line_.clear();
  return target_->sputn(text.data(), static_cast<std::streamsize>(text.size())) ==
         static_cast<std::streamsize>(text.size());
}

}  // namespace brisance::app
