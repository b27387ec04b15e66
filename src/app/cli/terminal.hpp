/// What commands print, made harmless for a terminal.
#pragma once

#include <iostream>
#include <streambuf>
#include <string>

namespace brisance::app {

/// While it lives, std::cout prints core::printable of what is written to it, line by line. Names and texts come from
/// files of any origin, and commands need not think of it. Local.
class PrintableOutput : public std::streambuf {
public:
  PrintableOutput() : target_(std::cout.rdbuf(this)) {}
  ~PrintableOutput() override;
  PrintableOutput(const PrintableOutput&) = delete;
  PrintableOutput& operator=(const PrintableOutput&) = delete;

protected:
  int_type overflow(int_type c) override;
  int sync() override;

private:
  bool print_line();

  std::streambuf* target_;
  std::string line_;  ///< not yet printed
};

}  // namespace brisance::app
