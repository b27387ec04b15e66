#include "houdini_geo.hpp"

#include "brisance/io/json_text.hpp"

#include <iterator>
#include <map>

#include <spdlog/fmt/fmt.h>

namespace brisance::exports {

namespace {

std::string quoted(const std::string& word) { return io::json_text(nlohmann::json(word)); }

/// Rows as a list of lists, or of numbers where each has one.
std::string rows_text(const GeoAttribute& a) {
  std::string text = "[";
  const auto out = std::back_inserter(text);
  for (std::size_t i = 0; i < a.numbers.size(); ++i) {
    if (i > 0) text += ',';
    if (a.width > 1 && i % a.width == 0) text += '[';
    if (a.is_integer)
      fmt::format_to(out, "{}", static_cast<std::int64_t>(a.numbers[i]));
    else
      fmt::format_to(out, "{:.9g}", a.numbers[i]);
    if (a.width > 1 && (i + 1) % a.width == 0) text += ']';
  }
  return text + "]";
}

/// Words as a table and each row's place in it.
std::string words_text(const GeoAttribute& a) {
  std::map<std::string, std::size_t> known;
  std::string table, indices;
  for (const std::string& word : a.words) {
    const auto [entry, is_new] = known.try_emplace(word, known.size());
    if (is_new) table += (table.empty() ? "" : ",") + quoted(word);
    indices += (indices.empty() ? "" : ",") + std::to_string(entry->second);
  }
  return fmt::format(
      R"(["size",1,"storage","int32","strings",[{}],"indices",["size",1,"storage","int32","arrays",[[{}]]]])", table,
      indices);
}

std::string attribute_text(const GeoAttribute& a) {
  const bool is_text = !a.words.empty();
  const std::string options =
      a.kind.empty() ? "{}" : fmt::format(R"({{"type":{{"type":"string","value":"{}"}}}})", a.kind);
  const std::string head = fmt::format(R"(["scope","public","type","{}","name",{},"options",{}])",
                                       is_text ? "string" : "numeric", quoted(a.name), options);
  if (is_text) return fmt::format("[{},{}]", head, words_text(a));
  const char* const storage = a.is_integer ? "int32" : "fpreal32";
  return fmt::format(
      R"([{},["size",{},"storage","{}","defaults",["size",1,"storage","{}","values",[0]],"values",["size",{},"storage","{}","{}",{}]]])",
      head, a.width, storage, a.is_integer ? "int64" : "fpreal64", a.width, storage, a.width > 1 ? "tuples" : "arrays",
      a.width > 1 ? rows_text(a) : "[" + rows_text(a) + "]");
}

std::string attributes_text(const char* owner, const std::vector<GeoAttribute>& list) {
  if (list.empty()) return {};
  std::string text = fmt::format("\"{}\",[\n", owner);
  for (std::size_t i = 0; i < list.size(); ++i) text += (i > 0 ? ",\n" : "") + attribute_text(list[i]);
  return text + "]";
}

/// Members as lengths of equal stretches.
std::string group_text(const GeoGroup& group) {
  std::string runs;
  for (std::size_t i = 0; i < group.members.size();) {
    std::size_t end = i;
    while (end < group.members.size() && group.members[end] == group.members[i]) ++end;
    runs += fmt::format("{}{},{}", runs.empty() ? "" : ",", end - i, group.members[i] != 0 ? "true" : "false");
    i = end;
  }
  return fmt::format(R"([["name",{}],["selection",["unordered",["boolRLE",[{}]]]]])", quoted(group.name), runs);
}

}  // namespace

GeoAttribute& HoudiniGeo::column(std::vector<GeoAttribute>& list, std::string name, std::size_t width,
                                 std::string kind) {
  GeoAttribute& made = list.emplace_back();
  made.name = std::move(name);
  made.width = width;
  made.kind = std::move(kind);
  return made;
}

std::string geo_text(const HoudiniGeo& geo) {
  std::string text =
      fmt::format(R"(["fileversion","18.5.408","hasindex",false,"pointcount",{},"vertexcount",{},"primitivecount",{},)"
                  "\n\"info\",{{\"software\":\"brisance\"}},\n\"topology\",[\"pointref\",[\"indices\",[",
                  geo.num_points, geo.corners.size(), geo.num_primitives());
  for (std::size_t i = 0; i < geo.corners.size(); ++i)
    fmt::format_to(std::back_inserter(text), "{}{}", i > 0 ? "," : "", geo.corners[i]);
  text += "]]],\n\"attributes\",[";
  bool is_first = true;
  for (const std::string& part :
       {attributes_text("vertexattributes", geo.of_vertices), attributes_text("pointattributes", geo.of_points),
        attributes_text("primitiveattributes", geo.of_primitives)}) {
    if (part.empty()) continue;
    text += (is_first ? "" : ",\n") + part;
    is_first = false;
  }
  text += "]";
  if (geo.num_primitives() > 0)
    text += fmt::format(
        ",\n\"primitives\",[[[\"type\",\"{}\"],[\"startvertex\",0,\"nprimitives\",{},\"nvertices_rle\",[{},{}]]]]",
        geo.is_closed ? "Polygon_run" : "PolygonCurve_run", geo.num_primitives(), geo.sides, geo.num_primitives());
  if (!geo.groups.empty()) {
    text += ",\n\"primitivegroups\",[";
    for (std::size_t i = 0; i < geo.groups.size(); ++i) text += (i > 0 ? "," : "") + group_text(geo.groups[i]);
    text += "]";
  }
  return text + "]\n";
}

}  // namespace brisance::exports
