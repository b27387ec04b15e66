#include "mesh/formats/tet_soup.hpp"
#include "mesh/formats/text_reader.hpp"

#include <limits>

namespace brisance::mesh {
namespace {

/// Reads FILE.node; returns the index of its first node, 0 or 1.
std::int64_t read_nodes(const std::filesystem::path& file, TetSoup& soup) {
  const std::string bytes = read_whole_file(file);
  TextReader text(file, bytes);
  text.require_filled_line("its header");
  const std::int64_t count = text.count("the number of nodes");
  if (text.integer("the dimension") != 3) text.fail("the dimension must be 3. Give a mesh in space.");
  std::int64_t first_index = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    text.require_filled_line("the list of nodes");
    const std::int64_t index = text.integer("the index of a node");
    if (i == 0) first_index = index;
    if (first_index != 0 && first_index != 1)
      text.fail("the first node must have index 0 or 1. Export the file again.");
    if (index != first_index + i) text.fail("nodes must be numbered one after the other. Export the file again.");
    soup.nodes.push_back(text.point());
  }
  return first_index;
}

std::int32_t to_region(const TextReader& text, std::string_view word) {
  const double region = text.to_real(word, "the region of a tet");  // TetGen writes attributes as reals
  if (region != static_cast<double>(static_cast<std::int64_t>(std::clamp(region, -1e9, 1e9))))
    text.fail("the region of a tet is not a whole number below 1e9. Number the regions.");
  return static_cast<std::int32_t>(region);
}

void read_elements(const std::filesystem::path& file, std::int64_t first_index, TetSoup& soup) {
  const std::string bytes = read_whole_file(file);
  TextReader text(file, bytes);
  text.require_filled_line("its header");
  const std::int64_t count = text.count("the number of tets");
  if (text.integer("the number of corners of a tet") != 4)
    text.fail("only tets of 4 corners are read. Run TetGen without -o2.");
  const std::string_view attributes = text.word();
  const bool has_region = !attributes.empty() && text.to_integer(attributes, "the number of attributes") > 0;
  for (std::int64_t i = 0; i < count; ++i) {
    text.require_filled_line("the list of tets");
    (void)text.integer("the index of a tet");
    std::array<std::int64_t, 4> tet{};
    for (auto& corner : tet) corner = text.integer("a corner of a tet") - first_index;
    soup.tets.push_back(tet);
    soup.places.push_back(text.line_number());
    if (has_region) soup.region.push_back(to_region(text, text.word()));
  }
}

}  // namespace

TetMesh read_tetgen(const std::filesystem::path& file, TetReadReport& report) {
  auto node_file = file, element_file = file;
  node_file.replace_extension(".node");
  element_file.replace_extension(".ele");
  TetSoup soup;
  const std::int64_t first_index = read_nodes(node_file, soup);
  read_elements(element_file, first_index, soup);
  name_by_region(soup);
  return to_tet_mesh(
      std::move(soup), element_file,
      [&](std::int64_t line, std::string_view message) { fail_at_line(element_file, line, message); }, report);
}

}  // namespace brisance::mesh
