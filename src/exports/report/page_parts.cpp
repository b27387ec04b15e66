#include "page_parts.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/input_file.hpp"
#include "brisance/io/json_text.hpp"

namespace brisance::exports {

std::string library(const std::filesystem::path& folder, const char* name, const char* package) {
  constexpr std::uint64_t kMostLibraryBytes = 8'000'000;
  const std::filesystem::path file = folder / name;
  if (!std::filesystem::exists(file))
    throw core::Error("there is no " + file.string() + ", which a report contains. Install " + package +
                      " (apt-get install " + package + "), or name the folder of such libraries with --javascript.");
  return core::read_input(file, "It should be a script.", kMostLibraryBytes);
}

std::string script_text(const nlohmann::json& value) {
  std::string text = io::json_text(value);
  for (std::size_t at = 0; (at = text.find("</", at)) != std::string::npos; at += 3) text.insert(at + 1, "\\");
  return text;
}

void fill(std::string& page, std::string_view name, std::string_view text) {
  const std::string place = "{{" + std::string(name) + "}}";
  const std::size_t at = page.find(place);
  if (at != std::string::npos) page.replace(at, place.size(), text);
}

}  // namespace brisance::exports
