#include "checkpoint_tables.hpp"

#include "brisance/core/exact_sum.hpp"

#include <span>
#include <sstream>

#include <spdlog/fmt/fmt.h>

namespace brisance::sim::checkpoint_file {

namespace {

std::string joined(const std::vector<std::string>& names) { return fmt::format("{}", fmt::join(names, "\n")); }

}  // namespace

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in_text(text);
  for (std::string line; std::getline(in_text, line);) lines.push_back(line);
  return lines;
}

std::string read_text(const io::ArrayFileReader& file, const std::string& name) {
  const auto bytes = file.rows<std::uint8_t>(name);
  return {bytes.begin(), bytes.end()};
}

void write_state(Writer& out, const std::string& group, const core::NamedState& state) {
  out.group(group);
  out.text(in(group, "real_names"), joined(state.real_names));
  out.rows_of_root(in(group, "reals"), state.reals);
  out.text(in(group, "integer_names"), joined(state.integer_names));
  out.rows_of_root(in(group, "integers"), state.integers);
  out.text(in(group, "share_names"), joined(state.share_names));
  out.rows_of_root(in(group, "shares"), state.shares);
  out.text(in(group, "sum_names"), joined(state.sum_names));
  std::vector<std::int64_t> numbers;
  for (const core::ExactSum& sum : state.sums)
    numbers.insert(numbers.end(), sum.numbers().begin(), sum.numbers().end());
  out.rows_of_root(in(group, "sums"), std::move(numbers), core::ExactSum::kNumbers);
}

core::NamedState read_state(const io::ArrayFileReader& file, const std::string& group) {
  core::NamedState state;
  state.real_names = lines_of(read_text(file, in(group, "real_names")));
  state.reals = file.rows<double>(in(group, "reals"));
  state.integer_names = lines_of(read_text(file, in(group, "integer_names")));
  state.integers = file.rows<std::int64_t>(in(group, "integers"));
  state.share_names = lines_of(read_text(file, in(group, "share_names")));
  state.shares = file.rows<std::int64_t>(in(group, "shares"));
  state.sum_names = lines_of(read_text(file, in(group, "sum_names")));
  const auto numbers = file.rows<std::int64_t>(in(group, "sums"), core::ExactSum::kNumbers);
  for (std::size_t at = 0; at < numbers.size(); at += core::ExactSum::kNumbers)
    state.sums.push_back(core::ExactSum::from_numbers(
        std::span<const std::int64_t, core::ExactSum::kNumbers>(numbers.data() + at, core::ExactSum::kNumbers)));
  return state;
}

}  // namespace brisance::sim::checkpoint_file
