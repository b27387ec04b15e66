#include "brisance/mesh/formats/read_samples.hpp"

#include "brisance/core/error.hpp"
#include "brisance/mesh/limits.hpp"

#include "mesh/formats/file_bytes.hpp"
#include "mesh/formats/sample_readers.hpp"
#include "mesh/formats/text_reader.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <spdlog/fmt/fmt.h>

namespace brisance::mesh {
namespace {

std::vector<std::string_view> split_at_commas(std::string_view line) {
  std::vector<std::string_view> fields;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    std::string_view field = line.substr(begin, end - begin);
    while (!field.empty() && (field.front() == ' ' || field.front() == '"')) field.remove_prefix(1);
    while (!field.empty() && (field.back() == ' ' || field.back() == '"' || field.back() == '\r'))
      field.remove_suffix(1);
    fields.push_back(field);
    begin = end + 1;
  }
  return fields;
}

Samples read_csv_samples(const std::filesystem::path& file, std::string_view bytes, const std::string& name) {
  TextReader text(file, bytes);
  text.require_filled_line("the header");
  const std::vector<std::string_view> header = split_at_commas(text.rest_of_line());
  std::array<std::size_t, 4> column;
  const std::array<std::string_view, 4> wanted{"x", "y", "z", name};
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    column[k] = static_cast<std::size_t>(std::find(header.begin(), header.end(), wanted[k]) - header.begin());
    if (column[k] == header.size())
      text.fail(fmt::format("there is no column '{}'. The first line must name x, y, z and {}.", wanted[k], name));
  }
  Samples samples;
  while (text.next_filled_line()) {
    const std::vector<std::string_view> fields = split_at_commas(text.rest_of_line());
    if (fields.size() != header.size())
      text.fail(fmt::format("the line has {} columns, the header has {}.", fields.size(), header.size()));
    std::array<double, 4> number;
    for (std::size_t k = 0; k < wanted.size(); ++k) number[k] = text.to_real(fields[column[k]], wanted[k]);
    if (!is_place(samples.points.emplace_back(number[0], number[1], number[2])))
      text.fail(fmt::format("the point lies beyond {:g} m. Correct it or export the file again.", kLargestLength_m));
    samples.values.push_back(number[3]);
  }
  return samples;
}

}  // namespace

Samples read_samples(const std::filesystem::path& file, const std::string& name) {
  const std::string bytes = read_whole_file(file);
  const std::string extension = lower_extension(file);
  if (extension == ".ply") return read_ply_samples(file, bytes, name);
  if (extension == ".vtu") return read_vtu_samples(file, bytes, name);
  if (extension == ".csv") return read_csv_samples(file, bytes, name);
  throw core::BadInput(
      fmt::format("{}: '{}' is read from PLY, VTU and CSV files only. Export one of them.", file.string(), name));
}

}  // namespace brisance::mesh
