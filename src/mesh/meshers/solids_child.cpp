/// The client side of brisance-solids: each operation sends its arguments and receives its result.
#include "mesh/meshers/solids_child.hpp"

#include "brisance/core/error.hpp"
#include "brisance/mesh/surface/remesh.hpp"
#include "brisance/mesh/surface/repair.hpp"
#include "brisance/mesh/surface/solidify.hpp"
#include "brisance/mesh/tets/intersect.hpp"

#include "mesh/meshers/solids_exchange.hpp"
#include "mesh/surface/offset_cage.hpp"
#include "mesh/surface/thin_remesh.hpp"
#include "mesh/surface/unite.hpp"

#include <map>
#include <utility>

namespace brisance::mesh {
namespace {

using core::Inbox;
using core::Outbox;

/// Subject of the messages, and advice to reduce the cost.
const std::map<std::string, std::pair<std::string, std::string>> kWords{
    {"remesh", {"Remeshing", "Ask for fewer tets"}},
    {"remesh_with_all_creases", {"Remeshing", "Ask for fewer tets"}},
    {"divide_triangles", {"Dividing the surface's triangles", "Ask for fewer tets"}},
    {"compare", {"Comparing the surfaces", "Ask for fewer tets"}},
    {"wrap", {"Wrapping the surface", "Ask for fewer tets, or thin the surface out in a mesh editor"}},
    {"unite", {"Uniting the parts of the shape", "Ask for fewer tets"}},
    {"intersect", {"Cutting a piece back to the body", "Give --exact a coarser body"}},
    {"solidify", {"Closing the surface", "Thin the surface out in a mesh editor"}},
    {"offset_cage", {"The search for a cage", "Ask for fewer tets"}}};

void require_done(Inbox& in) {
  const auto outcome = take_value<Outcome>(in);
  if (outcome == Outcome::done) return;
  const auto text = in.take<std::string>();
  if (outcome == Outcome::missing_program) throw core::MissingProgram(text);
  if (outcome == Outcome::bad_input) throw core::BadInput(text);
  throw core::Error(text);
}

}  // namespace

void run_solids(const std::string& operation, const std::function<void(Outbox&)>& ask,
                const std::function<void(Inbox&)>& take, const SolidsOptions& options) {
  const auto& [who, less] = kWords.at(operation);
  core::ChildProgram program{.name = kSolidsProgram, .argument = operation, .who = who, .less = less};
  program.when_slow = less + ".";
  program.when_broken = "Inspect the surface in a mesh editor, and please report it with the surface.";
  program.at = options.program;
  program.time_limit = options.time_limit;
  program.memory_bound_byte = options.memory_bound_byte;
  core::run_child(program, ask, [&](Inbox& in) {
    require_done(in);
    take(in);
  });
}

/// Calls one of the remeshing operations.
Surface remeshed_by(const std::string& operation, const Surface& surface, const RemeshOptions& options,
                    RemeshReport& report) {
  Surface made;
  run_solids(
      operation,
      [&](Outbox& out) {
        put_surface(out, surface);
        put_value(out, options);
      },
      [&](Inbox& in) {
        made = take_surface(in);
        report = take_value<RemeshReport>(in);
      });
  return made;
}

Surface remesh(const Surface& surface, const RemeshOptions& options, RemeshReport& report) {
  return remeshed_by("remesh", surface, options, report);
}

Surface remesh_with_all_creases(const Surface& surface, const RemeshOptions& options, RemeshReport& report) {
  return remeshed_by("remesh_with_all_creases", surface, options, report);
}

Surface divide_triangles(const Surface& surface, const RemeshOptions& options, RemeshReport& report) {
  return remeshed_by("divide_triangles", surface, options, report);
}

Surface remesh(const Surface& surface, const RemeshOptions& options) {
  RemeshReport report;
  return remesh(surface, options, report);
}

double hausdorff_distance_m(const Surface& a, const Surface& b, double spacing_m) {
  double distance_m = 0;
  run_solids(
      "compare",
      [&](Outbox& out) {
        put_surface(out, a);
        put_surface(out, b);
        put_value(out, spacing_m);
      },
      [&](Inbox& in) { distance_m = take_value<double>(in); });
  return distance_m;
}

Surface wrap(const Surface& surface, double relative_alpha, double relative_offset, WrapReport& report) {
  Surface made;
  run_solids(
      "wrap",
      [&](Outbox& out) {
        put_surface(out, surface);
        put_value(out, relative_alpha);
        put_value(out, relative_offset);
      },
      [&](Inbox& in) {
        made = take_surface(in);
        report = take_value<WrapReport>(in);
      });
  return made;
}

Surface wrap(const Surface& surface, double relative_alpha, double relative_offset) {
  WrapReport report;
  return wrap(surface, relative_alpha, relative_offset, report);
}

Surface unite(std::span<const Surface> solids) {
  Surface made;
  run_solids(
      "unite",
      [&](Outbox& out) {
        put_value(out, solids.size());
        for (const Surface& solid : solids) put_surface(out, solid);
      },
      [&](Inbox& in) { made = take_surface(in); });
  return made;
}

std::vector<PieceSurface> intersect(const PieceSurface& piece, const Surface& body) {
  std::vector<PieceSurface> made;
  run_solids(
      "intersect",
      [&](Outbox& out) {
        put_piece(out, piece);
        put_surface(out, body);
      },
      [&](Inbox& in) {
        const auto count = take_value<std::size_t>(in);
        for (std::size_t i = 0; i < count; ++i) made.push_back(take_piece(in));
      });
  return made;
}

Surface solidify(const Surface& surface, SolidifyReport& report) {
  Surface made;
  run_solids(
      "solidify", [&](Outbox& out) { put_surface(out, surface); },
      [&](Inbox& in) {
        made = take_surface(in);
        report = take_value<SolidifyReport>(in);
      });
  return made;
}

Surface offset_cage(const Surface& surface, double edge_m, OffsetCageReport& report) {
  Surface made;
  run_solids(
      "offset_cage",
      [&](Outbox& out) {
        put_surface(out, surface);
        put_value(out, edge_m);
      },
      [&](Inbox& in) {
        made = take_surface(in);
        report = take_value<OffsetCageReport>(in);
      });
  return made;
}

}  // namespace brisance::mesh
