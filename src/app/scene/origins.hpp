/// Positions of the entries and keys of a scene in its files, for error messages.
#pragma once

#include "brisance/core/error.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <utility>

namespace brisance::app {

class Origins {
public:
  explicit Origins(std::string file) : file_(std::move(file)) {}

  /// Remembers "file:line:column" of a table entry (empty key) or of one of its keys.
  void note(const std::string& table, std::size_t index, const std::string& key, std::string place) {
    places_[{table, index, key}] = std::move(place);
  }
  [[nodiscard]] bool given(const std::string& table, std::size_t index, const std::string& key) const {
    return places_.contains({table, index, key});
  }
  /// The place of the key, else of its entry, else the file.
  [[nodiscard]] std::string where(const std::string& table, std::size_t index, const std::string& key = "") const {
    for (const std::string& name : {key, std::string()})
      if (const auto found = places_.find({table, index, name}); found != places_.end()) return found->second;
    return file_;
  }
  [[noreturn]] void refuse(const std::string& table, std::size_t index, const std::string& key,
                           const std::string& complaint) const {
    throw core::Error(where(table, index, key) + ": " + complaint);
  }

private:
  std::string file_;
  std::map<std::tuple<std::string, std::size_t, std::string>, std::string> places_;
};

}  // namespace brisance::app
