/// From sim::Scene back to TOML text, complete.
#include "app/scene/key.hpp"
#include "app/scene/scene.hpp"

#include <spdlog/fmt/fmt.h>

namespace brisance::app {

namespace {

void write_keys(std::string& text, const Table& table, const sim::Scene& scene, std::size_t index) {
  for (const Key& key : table.keys)
    if (const auto value = key.load(scene, index)) text += fmt::format("{} = {}\n", key.name, toml_text(*value));
}

bool is_part_of(const Table& table, const Table& parent) {
  return !parent.path.empty() && table.path.starts_with(parent.path + ".");
}

/// The entries of a repeated table, each followed by the tables that are part of it.
void write_entries(std::string& text, const Table& table, const sim::Scene& scene) {
  for (std::size_t i = 0; i < table.count(scene); ++i) {
    text += fmt::format("\n[[{}]]\n", table.path);
    write_keys(text, table, scene, i);
    for (const Table& part : scene_tables()) {
      if (!is_part_of(part, table)) continue;
      text += fmt::format("[{}]\n", part.path);
      write_keys(text, part, scene, i);
    }
  }
}

}  // namespace

std::string to_toml(const sim::Scene& scene) {
  std::string text;
  for (const Table& table : scene_tables()) {
    if (table.repeated()) {
      write_entries(text, table, scene);
    } else if (!table.count) {  // what has a count but is not repeated is part of an entry
      if (!table.path.empty()) text += fmt::format("\n[{}]\n", table.path);
      write_keys(text, table, scene, 0);
    }
  }
  return text;
}

std::string past_of(sim::Scene scene) {
  const bool energy_ledger = scene.output.energy_ledger;
  scene.output = {};
  scene.output.energy_ledger = energy_ledger;
  scene.camera = {};
  scene.title.clear();
  scene.duration_s = 1;
  return to_toml(scene);
}

}  // namespace brisance::app
