/// Converts TOML text to sim::Scene: parses, applies overrides, stores each key through its row of the table, checks
/// the whole.
#include "brisance/core/error.hpp"
#include "brisance/core/input_file.hpp"

#include "app/cli/nearest.hpp"
#include "app/scene/key.hpp"
#include "app/scene/origins.hpp"
#include "app/scene/render_checks.hpp"
#include "app/scene/scene.hpp"
#include "app/scene/scene_checks.hpp"
#include "app/scene/value_from_toml.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <sstream>
#include <string_view>
#include <utility>

#include <spdlog/fmt/fmt.h>

namespace brisance::app {

namespace {

const std::string kOverrideName = "--set";

/// "configs/plate.toml:14:1", or "--set" for values from the command line.
std::string place_of(const toml::node& node) {
  const auto& source = node.source();
  const std::string file = source.path ? *source.path : std::string();
  if (file == kOverrideName) return file;
  return fmt::format("{}:{}:{}", file, source.begin.line, source.begin.column);
}

[[noreturn]] void refuse(const toml::node& node, const std::string& complaint) {
  throw core::Error(place_of(node) + ": " + complaint);
}

std::string full_name(const std::string& table, const std::string& key) {
  return table.empty() ? key : table + "." + key;
}

toml::table parse_toml(const std::string& text, const std::string& name) {
  try {
    return toml::parse(text, name);
  } catch (const toml::parse_error& e) {
    const auto& at = e.source().begin;
    throw core::Error(fmt::format("{}:{}:{}: this is not valid TOML: {}.", name, at.line, at.column, e.description()));
  }
}

// -- reading ---------------------------------------------------------------------------------------------------------

/// Keys and sub-tables known under a table, by full name.
std::vector<std::string> names_below(const std::string& path) {
  std::vector<std::string> names;
  for (const Table& table : scene_tables()) {
    if (table.path == path)
      for (const Key& key : table.keys) names.push_back(full_name(path, key.name));
    const auto dot = table.path.rfind('.');
    const std::string parent = dot == std::string::npos ? "" : table.path.substr(0, dot);
    if (!table.path.empty() && parent == path) names.push_back(table.path);
  }
  return names;
}

/// The table that has a key of exactly this name, if the key was written into the wrong table.
std::string same_key_elsewhere(const std::string& name) {
  for (const Table& table : scene_tables())
    if (table.find(name)) return full_name(table.path, name);
  return {};
}

[[noreturn]] void refuse_unknown(const toml::node& node, const std::string& path, const std::string& name) {
  std::string suggestion = same_key_elsewhere(name);
  if (suggestion.empty()) suggestion = nearest(full_name(path, name), names_below(path));
  refuse(node, fmt::format("unknown key {}. Did you mean {}?", full_name(path, name), suggestion));
}

class Reader {
public:
  Reader(const std::filesystem::path& file) : origins_(file.string()) {}

  sim::Scene read(const toml::table& root) {
    read_table(*find_table(""), root, 0);
    complete_and_check(scene_, origins_);
    return std::move(scene_);
  }
  sim::Scene read_for_pictures(const toml::table& root) {
    read_table(*find_table(""), root, 0);
    check_pictures(scene_, origins_);
    return std::move(scene_);
  }

private:
  /// Entries of a TOML table in the order of the file, so that the first mistake is reported.
  static std::vector<std::pair<std::string, const toml::node*>> in_file_order(const toml::table& table) {
    std::vector<std::pair<std::string, const toml::node*>> entries;
    for (const auto& [key, node] : table) entries.emplace_back(std::string(key.str()), &node);
    std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
      const auto& s = a.second->source().begin;
      const auto& t = b.second->source().begin;
      return std::pair(s.line, s.column) < std::pair(t.line, t.column);
    });
    return entries;
  }

  void read_table(const Table& table, const toml::table& content, std::size_t index) {
    origins_.note(table.path, index, "", place_of(content));
    std::map<std::string, const toml::node*> given;
    for (const auto& [name, node] : in_file_order(content)) {
      if (table.find(name))
        given[name] = node;
      else if (const Table* below = find_table(full_name(table.path, name)))
        read_below(*below, *node, index);
      else
        refuse_unknown(*node, table.path, name);
    }
    refuse_rival_forms(table, given);
    // In the table's order, since a preset comes before the keys that change it.
    for (const Key& key : table.keys)
      if (const auto found = given.find(key.name); found != given.end()) store(table, key, *found->second, index);
  }

  void read_below(const Table& table, const toml::node& node, std::size_t parent_index) {
    if (!table.repeated()) {
      if (!node.is_table()) refuse(node, fmt::format("{0} must be a table: write [{0}] above its keys.", table.path));
      const bool part_of_entry = static_cast<bool>(table.count);
      read_table(table, *node.as_table(), part_of_entry ? parent_index : 0);
      return;
    }
    if (!node.is_array_of_tables())
      refuse(node, fmt::format("there can be several of {0}: write [[{0}]] above each.", table.path));
    for (const toml::node& entry : *node.as_array()) {
      table.append(scene_);
      read_table(table, *entry.as_table(), table.count(scene_) - 1);
    }
  }

  static void refuse_rival_forms(const Table& table, const std::map<std::string, const toml::node*>& given) {
    std::map<std::string, const Key*> first;
    for (const Key& key : table.keys) {
      if (key.group.empty() || !given.contains(key.name)) continue;
      const auto [entry, is_first] = first.emplace(key.group, &key);
      if (!is_first && entry->second->form != key.form)
        refuse(*given.at(key.name),
               fmt::format("{} and {} set the same thing; leave one out.", full_name(table.path, entry->second->name),
                           full_name(table.path, key.name)));
    }
  }

  void store(const Table& table, const Key& key, const toml::node& node, std::size_t index) {
    const std::string name = full_name(table.path, key.name);
    Value value = value_from_toml(key, node, [&](const std::string& complaint) {
      refuse(node, fmt::format("{} = {} {}", name, source_text(node), complaint));
    });
    if (key.kind == Kind::file) value = absolute_file(std::get<std::string>(value), node);
    try {
      key.store(scene_, index, value);
    } catch (const core::Error& e) {
      refuse(node, fmt::format("{} = {} {}", name, source_text(node), e.what()));
    }
    origins_.note(table.path, index, key.name, place_of(node));
  }

  /// Relative to the file that says it; to the working folder from the command line.
  static std::string absolute_file(const std::string& file, const toml::node& node) {
    if (file.empty()) return file;
    const std::string source = node.source().path ? *node.source().path : std::string();
    const auto folder =
        source == kOverrideName ? std::filesystem::current_path() : std::filesystem::absolute(source).parent_path();
    return (folder / file).lexically_normal().string();
  }

  Origins origins_;
  sim::Scene scene_;
};

// -- overrides -------------------------------------------------------------------------------------------------------

[[noreturn]] void refuse_override(const std::string& override_text, const std::string& complaint) {
  throw core::Error(kOverrideName + " " + override_text + ": " + complaint);
}

/// The right-hand side as a TOML value; anything else is taken as a text, so that words need no quotes.
toml::table override_value(const std::string& text) {
  try {
    return toml::parse("value = " + text, kOverrideName);
  } catch (const toml::parse_error&) {
    return toml::parse("value = " + toml_text(Value(text)), kOverrideName);
  }
}

/// One step of an override's path: "object" or "object[2]".
struct Step {
  std::string name;
  std::optional<std::size_t> index;
};

Step parse_step(const std::string& text, const std::string& whole) {
  const auto bracket = text.find('[');
  if (bracket == std::string::npos) return {text, std::nullopt};
  const std::string digits = text.substr(bracket + 1, text.size() - bracket - 2);
  if (text.back() != ']' || digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos ||
      digits.size() > 9)
    refuse_override(whole, "an index is a number in brackets, as in collider[1].mass_kg.");
  return {text.substr(0, bracket), std::stoul(digits)};
}

/// The table at a step of the path; made if the file has none.
toml::table& descend(toml::table& from, const Step& step, const std::string& path, const std::string& whole) {
  const Table* table = find_table(path);
  if (!table) {
    const std::string above = path.substr(0, path.rfind('.') == std::string::npos ? 0 : path.rfind('.'));
    if (step.name.find_first_not_of("0123456789") == std::string::npos)
      refuse_override(whole, fmt::format("an index stands in brackets: {}[{}].", above, step.name));
    const std::string known = nearest(path, names_below(above));
    refuse_override(whole, fmt::format("unknown key {}.{}", path, known.empty() ? "" : " Did you mean " + known + "?"));
  }
  if (!table->repeated()) {
    if (!from[step.name].is_table()) from.insert_or_assign(step.name, toml::table{});
    return *from[step.name].as_table();
  }
  toml::array* entries = from[step.name].as_array();
  const std::size_t count = entries ? entries->size() : 0;
  if (!step.index && count > 1)
    refuse_override(
        whole, fmt::format("the scene has {0} of {1}: say which, from {1}[0] to {1}[{2}].", count, path, count - 1));
  const std::size_t index = step.index.value_or(0);
  if (index >= count) refuse_override(whole, fmt::format("the scene has {} of {}, counted from 0.", count, path));
  toml::table* entry = entries->get(index)->as_table();
  if (!entry) refuse(*entries, fmt::format("write [[{}]] above each entry.", path));
  return *entry;
}

/// Removes other forms of a quantity that an override gives, so that it works with any form in the file.
void drop_rivals(toml::table& content, const std::string& path, const std::string& name) {
  const Table* table = find_table(path);
  const Key* key = table ? table->find(name) : nullptr;
  if (!key) return;
  if (!key->displaces.empty()) content.erase(key->displaces);
  if (key->group.empty()) return;
  for (const Key& other : table->keys)
    if (other.group == key->group && other.form != key->form) content.erase(other.name);
}

void apply_override(toml::table& root, const std::string& whole) {
  const auto equals = whole.find('=');
  if (equals == std::string::npos || equals == 0) refuse_override(whole, "write KEY=VALUE, as in time.duration_s=0.1.");
  std::istringstream steps(whole.substr(0, equals));
  std::vector<Step> path;
  for (std::string step; std::getline(steps, step, '.');) path.push_back(parse_step(step, whole));
  const std::string name = path.back().name;
  path.pop_back();

  toml::table* content = &root;
  std::string prefix;
  for (const Step& step : path) {
    prefix = full_name(prefix, step.name);
    content = &descend(*content, step, prefix, whole);
  }
  drop_rivals(*content, prefix, name);
  toml::table value = override_value(whole.substr(equals + 1));
  // Moving keeps the node's source, by which messages know that it came from --set.
  value.get("value")->visit([&](auto& node) { content->insert_or_assign(name, std::move(node)); });
}

std::string read_text(const std::filesystem::path& file) {
  constexpr std::uint64_t kMostBytes = 64u << 20;  // a thousand times the longest known scene
  return core::read_input(file, "Name a scene file (TOML), for example configs/bowl.toml.", kMostBytes);
}

bool is_of_pictures(std::string_view table) { return table == "render" || table == "camera"; }

/// A table or key that a scene may have at its top.
bool is_of_scenes(const std::string& name) {
  const Table* top = find_table("");
  return find_table(name) != nullptr || (top != nullptr && top->find(name) != nullptr);
}

/// Removes the entries of a table that `is_needed` refuses.
template <class IsNeeded>
void keep(toml::table& table, const IsNeeded& is_needed) {
  for (auto entry = table.begin(); entry != table.end();)
    entry = is_needed(entry->first.str()) ? std::next(entry) : table.erase(entry);
}

/// Leaves what pictures need of a run's scene: their own tables, and names. A run of another version may have other
/// keys.
void reduce_to_pictures(toml::table& root) {
  const auto has_names = [](std::string_view table) {
    return table == "material" || table == "object" || table == "part" || table == "collider";
  };
  keep(root, [&](std::string_view table) { return is_of_pictures(table) || has_names(table); });
  for (auto&& [name, entries] : root)
    if (has_names(name.str()) && entries.is_array_of_tables())
      for (toml::node& entry : *entries.as_array())
        keep(*entry.as_table(),
             [](std::string_view key) { return key == "name" || key == "material" || key == "object"; });
}

}  // namespace

sim::Scene parse_scene(const std::string& text, const std::filesystem::path& name,
                       const std::vector<std::string>& overrides) {
  toml::table root = parse_toml(text, name.string());
  for (const std::string& o : overrides) apply_override(root, o);
  return Reader(name).read(root);
}

sim::Scene parse_picture_scene(const std::string& text, const std::filesystem::path& name,
                               const std::filesystem::path& tables, const std::vector<std::string>& overrides) {
  toml::table root = parse_toml(text, name.string());
  reduce_to_pictures(root);
  if (!tables.empty()) {
    toml::table given = parse_toml(read_text(tables), tables.string());
    for (auto& [key, node] : given) {
      if (is_of_pictures(key.str()))
        root.insert_or_assign(key, std::move(node));
      else if (!is_of_scenes(std::string(key.str())))
        refuse(node,
               fmt::format("unknown key {}. Of this file [render], [camera] and their lists are read.", key.str()));
    }
  }
  for (const std::string& o : overrides) {
    if (!is_of_pictures(o.substr(0, o.find_first_of(".["))))
      refuse_override(o, "the run has ended: only keys of render and camera can be set.");
    apply_override(root, o);
  }
  return Reader(tables.empty() ? name : tables).read_for_pictures(root);
}

sim::Scene read_scene(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  if (std::filesystem::is_directory(file))
    throw core::Error(file.string() + " is a folder; name a scene file, for example configs/bowl.toml.");
  return parse_scene(read_text(file), file, overrides);
}

}  // namespace brisance::app
