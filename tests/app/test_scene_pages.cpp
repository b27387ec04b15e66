/// Pages and scenes of the repository against the table of keys; suggestions for unknown words.
#include "brisance/material/presets.hpp"

#include "app/cli/nearest.hpp"
#include "app/scene/key.hpp"
#include "app/scene/scene.hpp"

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace brisance::app {
namespace {

TEST(Nearest, EditDistanceCountsSingleChanges) {
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("rnu", "run"), 1u);
  EXPECT_EQ(edit_distance("ouput", "out"), 2u);
  EXPECT_EQ(suggestion("chekc", {"run", "check"}), " Did you mean check?");
  EXPECT_EQ(suggestion("frobnicate", {"run", "check", "prefracture"}), "");
  EXPECT_EQ(suggestion("run", {}), "");
  EXPECT_EQ(nearest("densty", {"name", "density", "dense"}), "density");
}

std::string committed(const std::string& name) {
  std::ifstream stream(std::filesystem::path(BRISANCE_SOURCE_DIR) / "docs" / name);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

TEST(SceneReference, CommittedPagesAreUpToDate) {
  EXPECT_TRUE(committed("SCENES.md") == scene_reference_markdown())
      << "run: brisance info --scene-reference > docs/SCENES.md";
  EXPECT_TRUE(committed("scene.schema.json") == scene_schema_json())
      << "run: brisance info --scene-schema > docs/scene.schema.json";
}

/// Pages for users, by name.
std::map<std::string, std::string> pages() {
  const std::filesystem::path root(BRISANCE_SOURCE_DIR);
  std::map<std::string, std::string> text{{"README.md", committed("../README.md")}};
  for (const auto& entry : std::filesystem::directory_iterator(root / "docs"))
    if (entry.path().extension() == ".md") text[entry.path().filename()] = committed(entry.path().filename());
  return text;
}

/// Every match of a pattern's first group.
std::vector<std::string> matches(const std::string& text, const std::regex& pattern) {
  std::vector<std::string> found;
  for (std::sregex_iterator m(text.begin(), text.end(), pattern), end; m != end; ++m) found.push_back((*m)[1]);
  return found;
}

TEST(Pages, EveryKeyTheyNameWithItsTableExists) {
  std::string tables;
  for (const Table& table : scene_tables())
    if (!table.path.empty() && table.path.find('.') == std::string::npos)
      tables += (tables.empty() ? "" : "|") + table.path;
  const std::regex name("\\b((?:" + tables + ")(?:\\[\\d+\\])?\\.[a-z_0-9]+(?:\\.[a-z_0-9]+)?)\\b");
  int named = 0;
  for (const auto& [page, text] : pages())
    for (std::string key : matches(text, name)) {
      if (key.ends_with(".json")) continue;  // a file
      key = std::regex_replace(key, std::regex("\\[\\d+\\]"), "");
      const auto dot = key.rfind('.');
      const Table* table = find_table(key.substr(0, dot));
      EXPECT_TRUE((table && table->find(key.substr(dot + 1))) || find_table(key)) << page << " names " << key;
      ++named;
    }
  EXPECT_GE(named, 5);
}

TEST(Pages, WhatTheMaterialsPageQuotesIsAKeyOrAPreset) {
  std::set<std::string> known;
  for (const char* table : {"material", "part", "factor", "object.mesh", "output", "time", "fracture"})
    for (const Key& key : find_table(table)->keys) {
      known.insert(key.name);
      known.insert(key.choices.begin(), key.choices.end());
    }
  for (const char* field : {"strength_factor", "stiffness_factor"}) known.insert(field);
  for (const char* command : {"evaluate", "render", "play"}) known.insert(command);
  for (const auto name : material::preset_names()) known.emplace(name);
  for (const char* column : {"inverted_tets", "crushed_tets", "dust_loss_j", "dust_particles", "dust_mass_kg"})
    known.insert(column);  // of monitor.csv
  for (const std::string& word : matches(committed("MATERIALS.md"), std::regex("`([a-z_0-9]+)`")))
    EXPECT_TRUE(known.contains(word)) << word;
}

TEST(Configs, EverySceneInTheRepositoryIsValid) {
  int scenes = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(BRISANCE_SOURCE_DIR) / "configs")) {
    if (entry.path().extension() != ".toml") continue;
    EXPECT_NO_THROW((void)read_scene(entry.path())) << entry.path();
    ++scenes;
  }
  EXPECT_GE(scenes, 17);
}

}  // namespace
}  // namespace brisance::app
