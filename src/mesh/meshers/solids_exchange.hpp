/// Exchange format of the program and brisance-solids, beside plain arrays: surfaces and reports, bit for bit.
#pragma once

#include "brisance/core/child_side.hpp"
#include "brisance/mesh/surface.hpp"
#include "brisance/mesh/tets/piece_surface.hpp"

#include <array>
#include <cstdint>

namespace brisance::mesh {

/// First value of an answer.
enum class Outcome : std::int32_t {
  done,             ///< the result follows
  error,            ///< the text of a core::Error follows
  bad_input,        ///< the text of a core::BadInput follows
  missing_program,  ///< the text of a core::MissingProgram follows
};

/// A number, an enumeration, or a struct of such.
template <class T>
void put_value(core::Outbox& out, const T& value) {
  out.put(&value, 1);
}

template <class T>
[[nodiscard]] T take_value(core::Inbox& in) {
  if (in.count<T>() != 1) throw core::BadExchange("it holds something else");
  T value;
  in.read(&value, sizeof value);
  return value;
}

inline void put_surface(core::Outbox& out, const Surface& surface) {
  static_assert(sizeof(Vec3) == 3 * sizeof(double));
  out.put(reinterpret_cast<const std::array<double, 3>*>(surface.vertices.data()), surface.vertices.size());
  out.put(surface.triangles);
  out.put(surface.source_face);
}

[[nodiscard]] inline Surface take_surface(core::Inbox& in) {
  Surface surface;
  surface.vertices.resize(in.count<Vec3>());
  in.read(surface.vertices.data(), surface.vertices.size() * sizeof(Vec3));
  in.take(surface.triangles);
  in.take(surface.source_face);
  return surface;
}

inline void put_piece(core::Outbox& out, const PieceSurface& piece) {
  put_surface(out, piece.surface);
  out.put(piece.neighbour);
  out.put(piece.texture);
  put_value(out, piece.label);
}

[[nodiscard]] inline PieceSurface take_piece(core::Inbox& in) {
  PieceSurface piece;
  piece.surface = take_surface(in);
  in.take(piece.neighbour);
  in.take(piece.texture);
  piece.label = take_value<std::int32_t>(in);
  return piece;
}

}  // namespace brisance::mesh
