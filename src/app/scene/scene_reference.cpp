/// The reference page and the JSON schema, both generated from the table of keys.
#include "app/scene/key.hpp"
#include "app/scene/scene.hpp"
#include "app/scene/toml.hpp"

#include <cmath>
#include <sstream>

#include <spdlog/fmt/fmt.h>

namespace brisance::app {

namespace {

/// A scene with one entry in each table, all with default values.
sim::Scene default_scene() {
  sim::Scene scene;
  for (const Table& table : scene_tables())
    if (table.repeated()) table.append(scene);
  return scene;
}

std::string type_word(const Key& key) {
  switch (key.kind) {
    case Kind::boolean:
      return "switch";
    case Kind::integer:
      return "whole number";
    case Kind::real:
      return "number";
    case Kind::text:
      return "text";
    case Kind::file:
      return "file";
    case Kind::choice:
      return fmt::format("`\"{}\"`", fmt::join(key.choices, "\"`, `\""));
    case Kind::words:
      return fmt::format("list of `\"{}\"`", fmt::join(key.choices, "\"`, `\""));
    case Kind::flags:
      return fmt::format("{} switches", key.length);
    case Kind::reals:
      return key.length ? fmt::format("{} numbers", key.length) : "list of numbers";
    case Kind::rows:
      return fmt::format("list of {} numbers each", key.length);
  }
  return {};
}

/// The range as a phrase: "positive", "between 0 and 1", "0 or more".
std::string range_words(const Key& key) {
  std::string text = key.range.requirement();
  const std::string not_negative = "must not be negative";
  if (text.starts_with(not_negative)) return "0 or more" + text.substr(not_negative.size());
  for (const std::string lead : {"must be ", "must lie "})
    if (text.starts_with(lead)) return text.substr(lead.size());
  return text;
}

/// The default as text. A key without a default has an initial value outside its range in sim::Scene: "must be given".
std::string default_words(const Key& key, const sim::Scene& defaults) {
  const auto value = key.load(defaults, 0);
  if (!value) return "";
  const auto* number = std::get_if<double>(&*value);
  return number && !key.range.holds(*number) ? "must be given" : fmt::format("`{}`", toml_text(*value));
}

std::string heading(const Table& table) {
  if (table.path.empty()) return "Top of the file";
  return table.repeated() ? fmt::format("`[[{}]]`", table.path) : fmt::format("`[{}]`", table.path);
}

std::string table_row(const Key& key, const sim::Scene& defaults) {
  return fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", key.name, type_word(key), default_words(key, defaults),
                     key.unit, range_words(key), key.sentence);
}

// -- schema: a tree of TOML nodes, printed as JSON -------------------------------------------------------------------

toml::table number_schema(const Key& key, const char* type) {
  toml::table schema{{"type", type}};
  const Range& r = key.range;
  if (std::isfinite(r.low)) schema.insert(r.low_open ? "exclusiveMinimum" : "minimum", r.low);
  if (std::isfinite(r.high)) schema.insert(r.high_open ? "exclusiveMaximum" : "maximum", r.high);
  return schema;
}

toml::table list_schema(toml::table items, std::size_t length) {
  toml::table schema{{"type", "array"}, {"items", std::move(items)}};
  if (length > 0) {
    schema.insert("minItems", static_cast<std::int64_t>(length));
    schema.insert("maxItems", static_cast<std::int64_t>(length));
  }
  return schema;
}

toml::table key_schema(const Key& key) {
  switch (key.kind) {
    case Kind::boolean:
      return toml::table{{"type", "boolean"}};
    case Kind::integer:
      return number_schema(key, "integer");
    case Kind::real:
      return number_schema(key, "number");
    case Kind::text:
    case Kind::file:
      return toml::table{{"type", "string"}};
    case Kind::choice: {
      toml::array words;
      for (const auto& word : key.choices) words.push_back(word);
      if (key.word_of_true.empty()) return toml::table{{"type", "string"}, {"enum", std::move(words)}};
      words.push_back(false);
      words.push_back(true);
      return toml::table{{"enum", std::move(words)}};
    }
    case Kind::words: {
      toml::array words;
      for (const auto& word : key.choices) words.push_back(word);
      return list_schema(toml::table{{"type", "string"}, {"enum", std::move(words)}}, 0);
    }
    case Kind::flags:
      return list_schema(toml::table{{"type", "boolean"}}, key.length);
    case Kind::reals:
      return list_schema(number_schema(key, "number"), key.length);
    case Kind::rows:
      return list_schema(list_schema(number_schema(key, "number"), key.length), 0);
  }
  return {};
}

/// Adds the default to a key's schema. Left out are infinity and nan, which JSON lacks, and values outside the key's
/// range, which mean that the key must be given.
void insert_default(toml::table& schema, const Key& key, const sim::Scene& defaults) {
  const auto value = key.load(defaults, 0);
  if (!value) return;
  toml::table parsed = toml::parse(fmt::format("default = {}", toml_text(*value)));
  const auto number = parsed["default"].value<double>();
  if (number && (!std::isfinite(*number) || !key.range.holds(*number))) return;
  schema.insert("default", *parsed.get("default"));
}

toml::table object_schema(const Table& table, const sim::Scene& defaults) {
  toml::table properties;
  for (const Key& key : table.keys) {
    toml::table schema = key_schema(key);
    const bool has_unit = !key.unit.empty() && key.unit != "–";
    schema.insert("description", has_unit ? fmt::format("{} [{}]", key.sentence, key.unit) : key.sentence);
    insert_default(schema, key, defaults);
    properties.insert(key.name, std::move(schema));
  }
  return toml::table{{"type", "object"},
                     {"description", table.sentence},
                     {"additionalProperties", false},
                     {"properties", std::move(properties)}};
}

/// Inserts a table's schema into that of its parent, found by the table's dotted path: object.mesh into object.
void insert_below(toml::table& root, const Table& table, toml::table schema) {
  toml::table* properties = root["properties"].as_table();
  std::istringstream path(table.path);
  std::string name;
  std::getline(path, name, '.');
  for (std::string next; std::getline(path, next, '.'); name = next) {
    toml::table& parent = *(*properties)[name].as_table();
    toml::table& entry = parent.contains("items") ? *parent["items"].as_table() : parent;
    properties = entry["properties"].as_table();
  }
  properties->insert(name, table.repeated() ? list_schema(std::move(schema), 0) : std::move(schema));
}

}  // namespace

std::string scene_reference_markdown() {
  const sim::Scene defaults = default_scene();
  std::string text =
      "# Scene files\n\n"
      "A scene is a TOML file. This page is printed by `brisance info --scene-reference` from the table of keys that\n"
      "the program reads scenes with; `scene.schema.json` beside it (`brisance info --scene-schema`) is for editors.\n"
      "An unknown key, a wrong type or a value out of range is an error that names file, line and column.\n\n"
      "Any key can be set on the command line: `--set time.duration_s=0.05`, or, where there are several entries,\n"
      "`--set 'collider[1].mass_kg=5'`. File names are relative to the scene file. Angles are in radians unless the "
      "key\n"
      "ends in `_deg`. A run writes the scene with every default filled in as `scene.toml` into its folder.\n"
      "`configs/own_model.toml` is a commented template.\n";
  for (const Table& table : scene_tables()) {
    text += fmt::format("\n## {}\n\n{}\n\n", heading(table), table.sentence);
    text += "| key | type | default | unit | range | meaning |\n|---|---|---|---|---|---|\n";
    for (const Key& key : table.keys) text += table_row(key, defaults);
  }
  return text;
}

std::string scene_schema_json() {
  const sim::Scene defaults = default_scene();
  toml::table root;
  for (const Table& table : scene_tables()) {
    toml::table schema = object_schema(table, defaults);
    if (table.path.empty())
      root = std::move(schema);
    else
      insert_below(root, table, std::move(schema));
  }
  root.insert_or_assign("$schema", "https://json-schema.org/draft/2020-12/schema");
  root.insert_or_assign("title", "brisance scene");
  std::ostringstream text;
  text << toml::json_formatter{root} << '\n';
  return text.str();
}

}  // namespace brisance::app
