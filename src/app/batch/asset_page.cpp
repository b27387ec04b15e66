/// The table and the page about a folder of assets.
#include "brisance/io/atomic_file.hpp"

#include "app/batch/assets_batch.hpp"

#include <array>
#include <cctype>
#include <string_view>

#include <spdlog/fmt/fmt.h>

namespace brisance::app {

namespace {

constexpr std::string_view kStyle =
    "body{font:15px/1.4 sans-serif;margin:2em;background:#f6f5f2;color:#222}"
    "main{display:flex;flex-wrap:wrap;gap:1em}"
    "article{width:256px;background:#fff;padding:10px;border-radius:6px}"
    "article img{width:256px;height:256px;object-fit:contain;background:#eee}"
    "h2{font-size:1em;margin:.3em 0}p{margin:0;font-size:.85em}.refused{border-left:4px solid #b33}"
    ".repaired{border-left:4px solid #c90}";

/// Text for HTML.
std::string html_text(std::string_view text) {
  std::string made;
  for (const char c : text) switch (c) {
      case '&':
        made += "&amp;";
        break;
      case '<':
        made += "&lt;";
        break;
      case '>':
        made += "&gt;";
        break;
      case '"':
        made += "&quot;";
        break;
      default:
        made += c;
    }
  return made;
}

/// A path for links: all but letters, digits and a few signs as %XX.
std::string link_text(std::string_view path) {
  std::string made;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || std::string_view("/._-").find(c) != std::string_view::npos)
      made += c;
    else
      made += fmt::format("%{:02X}", byte);
  }
  return made;
}

/// A field of CSV in quotes.
std::string csv_field(std::string_view text) {
  std::string made = "\"";
  for (const char c : text) {
    if (c == '"') made += '"';
    made += c == '\n' || c == '\r' ? ' ' : c;
  }
  return made + '"';
}

std::string number(const AssetRecord& record, const char* key) {
  return record.numbers.is_object() && record.numbers.contains(key) ? record.numbers[key].dump() : "";
}

std::string card(const std::filesystem::path& folder, const AssetRecord& record) {
  const std::string name = std::filesystem::path(record.key).filename().string();
  const std::string base = record.key + '/' + name;
  std::string text = fmt::format("<article class=\"{}\">", record.status);
  if (std::filesystem::exists(folder / (base + ".png")))
    text += fmt::format("<img src=\"{}.png\" alt=\"pieces of {}\" loading=\"lazy\">", link_text(base),
                        html_text(record.key));
  text += fmt::format("<h2>{}</h2><p>{}", html_text(record.key), html_text(record.status));
  if (!record.reason.empty()) text += ": " + html_text(record.reason);
  text += "</p>";
  if (record.numbers.is_object())
    text += fmt::format(
        "<p>{} pieces, {} triangles<br>{} hulls, {:.3g} times the volume<br>{} bonds, {} levels, {:.3g} MB<br>{:.3g} "
        "s</p><p><a href=\"{}.glb\">GLB</a> <a href=\"{}.hulls.glb\">hulls</a> <a href=\"{}.json\">JSON</a> <a "
        "href=\"{}.impact\">runtime file</a></p>",
        number(record, "num_pieces"), number(record, "num_triangles"), number(record, "num_hulls"),
        record.numbers.value("hull_volume_ratio", 0.0), number(record, "num_bonds"), number(record, "num_levels"),
        1e-6 * record.numbers.value("bytes", 0.0),
        record.numbers.value("modes_s", 0.0) + record.numbers.value("asset_s", 0.0) +
            record.numbers.value("picture_s", 0.0),
        link_text(base), link_text(base), link_text(base), link_text(base));
  return text + "</article>\n";
}

}  // namespace

void write_asset_table(const std::filesystem::path& folder, const std::vector<AssetRecord>& records) {
  constexpr std::array kColumns{"num_pieces", "num_triangles", "num_hulls", "hull_volume_ratio", "num_bonds",
                                "num_levels", "bytes",         "modes_s",   "asset_s",           "picture_s"};
  std::string text = "object,status";
  for (const char* column : kColumns) text += fmt::format(",{}", column);
  text += ",reason\n";
  for (const AssetRecord& record : records) {
    text += csv_field(record.key) + ',' + record.status;
    for (const char* column : kColumns) text += ',' + number(record, column);
    text += ',' + csv_field(record.reason) + '\n';
  }
  io::write_atomically(folder / "assets.csv", text);
}

void write_asset_page(const std::filesystem::path& folder, const std::vector<AssetRecord>& records) {
  std::int64_t made = 0;
  std::string cards;
  for (const AssetRecord& record : records) {
    made += record.numbers.is_object() ? 1 : 0;
    cards += card(folder, record);
  }
  io::write_atomically(
      folder / "index.html",
      fmt::format("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Assets</title>"
                  "<style>{}</style></head><body><h1>{} of {} objects</h1>\n<main>\n{}</main></body>"
                  "</html>\n",
                  kStyle, made, records.size(), cards));
}

}  // namespace brisance::app
