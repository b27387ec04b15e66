/// What the mesher and its child process write to each other: counts, then plain arrays, in the machine's own layout
/// (both ends are the same build on the same machine). Includes nothing of the project: the child links no MPI.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace brisance::mesh::tetgen_child {

struct Input {
  std::string switches;                 ///< TetGen's command line
  std::vector<std::int64_t> bounds;     ///< process that must live, most memory [byte], time [s]: see Bounds
  std::vector<double> vertices;         ///< 3 a vertex
  std::vector<std::int32_t> triangles;  ///< 3 vertex indices a triangle
  std::vector<double> holes;            ///< 3 a point inside a cavity
};

/// What the child holds itself to, so that it holds when its parent is gone.
struct Bounds {
  std::int64_t parent = 0;       ///< process that started it: the child ends with it
  std::int64_t memory_byte = 0;  ///< it may ask for
  std::int64_t time_s = 0;       ///< after which it ends by itself
};

struct Output {
  std::vector<double> nodes;         ///< 3 a node; the input vertices first
  std::vector<std::int32_t> tets;    ///< 4 corner indices a tet
  std::vector<std::int32_t> faces;   ///< 3 corner indices a boundary face
  std::vector<std::int32_t> marker;  ///< 0-based input triangle under each boundary face
};

/// Exit codes of the child; any other end is a crash.
enum Exit : int { done = 0, bad_exchange = 2, tetgen_gave_up = 3, out_of_memory = 4 };

[[nodiscard]] inline Bounds bounds_of(const Input& input) {
  return {input.bounds.at(0), input.bounds.at(1), input.bounds.at(2)};
}

template <class T>
void write_array(std::ostream& out, const T* data, std::size_t size) {
  const std::uint64_t count = size;
  out.write(reinterpret_cast<const char*>(&count), sizeof count);
  out.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size * sizeof(T)));
}

template <class Array>
void read_array(std::istream& in, Array& array) {
  std::uint64_t count = 0;
  in.read(reinterpret_cast<char*>(&count), sizeof count);
  if (!in || count > (std::uint64_t{1} << 34)) throw std::runtime_error("unreadable count");
  array.resize(count);
  in.read(reinterpret_cast<char*>(array.data()), static_cast<std::streamsize>(count * sizeof array[0]));
  if (!in) throw std::runtime_error("the file ends early");
}

inline void close_written(std::ofstream& out, const std::filesystem::path& file) {
  out.close();
  if (!out) throw std::runtime_error("cannot write " + file.string() + " (disk full?)");
}

inline void write(const std::filesystem::path& file, const Input& input) {
  std::ofstream out(file, std::ios::binary);
  write_array(out, input.switches.data(), input.switches.size());
  write_array(out, input.bounds.data(), input.bounds.size());
  write_array(out, input.vertices.data(), input.vertices.size());
  write_array(out, input.triangles.data(), input.triangles.size());
  write_array(out, input.holes.data(), input.holes.size());
  close_written(out, file);
}

[[nodiscard]] inline Input read_input(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  Input input;
  read_array(in, input.switches);
  read_array(in, input.bounds);
  read_array(in, input.vertices);
  read_array(in, input.triangles);
  read_array(in, input.holes);
  return input;
}

[[nodiscard]] inline Output read_output(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  Output output;
  read_array(in, output.nodes);
  read_array(in, output.tets);
  read_array(in, output.faces);
  read_array(in, output.marker);
  return output;
}

}  // namespace brisance::mesh::tetgen_child
