/// Makes the output of commands safe for a terminal.
#pragma once

#include <iostream>
#include <streambuf>
#include <string>

namespace brisance::app {

/// While it lives, std::cout prints core::printable of its input, line by line. Names and texts come from files of any
/// origin, and commands need not escape them. Local.
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
