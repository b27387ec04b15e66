#include "app/scene/frame_choice.hpp"

#include "brisance/core/error.hpp"

#include <charconv>
#include <optional>
#include <string_view>
#include <vector>

namespace brisance::app {

namespace {

/// The parts between colons; an empty one is nothing. Not a list of numbers: nothing at all.
std::optional<std::vector<std::optional<std::size_t>>> colon_numbers(std::string_view text) {
  std::vector<std::optional<std::size_t>> numbers;
  while (true) {
    const std::string_view part = text.substr(0, text.find(':'));
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
    if (!part.empty() && (error != std::errc() || end != part.data() + part.size())) return std::nullopt;
    numbers.push_back(part.empty() ? std::nullopt : std::optional(number));
    if (part.size() == text.size()) return numbers;
    text.remove_prefix(part.size() + 1);
  }
}

}  // namespace

render::FrameChoice frame_choice(const std::string& option, const std::string& text) {
  render::FrameChoice choice;
  if (text.empty()) return choice;
  const auto numbers = colon_numbers(text);
  const std::size_t count = numbers ? numbers->size() : 0;
  if (count < 1 || count > 3 || (count == 1 && !numbers->front()) || (count == 3 && numbers->at(2) == 0))
    throw core::Error(option + " " + text +
                      ": give one frame (12), or a range without its end (10:20, 10:, :20), with a step if not all "
                      "are wanted (0:100:10).");
  if (numbers->at(0)) choice.first = *numbers->at(0);
  if (count == 1) choice.end = choice.first + 1;
  if (count > 1 && numbers->at(1)) choice.end = *numbers->at(1);
  if (count > 2 && numbers->at(2)) choice.step = *numbers->at(2);
  return choice;
}

}  // namespace brisance::app
