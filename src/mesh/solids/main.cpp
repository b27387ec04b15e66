/// brisance-solids OPERATION: performs one operation on surfaces and ends. It is a separate program because most runs
/// do not need it and it takes minutes to compile; solids_child.cpp is the other side.
#include "brisance/core/child_side.hpp"
#include "brisance/core/error.hpp"
#include "brisance/core/out_of_memory.hpp"

#include "mesh/meshers/solids_exchange.hpp"
#include "mesh/solids/operations.hpp"
#include "mesh/solids/thin_remesh.hpp"

#include <cstdio>
#include <functional>
#include <map>
#include <new>
#include <string>

namespace brisance::mesh::solids {
namespace {

using core::Inbox;
using core::Outbox;

/// Reads its arguments, and returns a function that writes the result.
using Operation = std::function<void(Outbox&)> (*)(Inbox&);

template <class Report>
std::function<void(Outbox&)> written(Surface made, const Report& report) {
  return [made = std::move(made), report](Outbox& out) {
    put_surface(out, made);
    put_value(out, report);
  };
}

std::function<void(Outbox&)> written(Surface made) {
  return [made = std::move(made)](Outbox& out) { put_surface(out, made); };
}

template <Surface (*remeshed)(const Surface&, const RemeshOptions&, RemeshReport&)>
std::function<void(Outbox&)> remesh_taken(Inbox& in) {
  const Surface surface = take_surface(in);
  RemeshReport report;
  Surface made = remeshed(surface, take_value<RemeshOptions>(in), report);
  return written(std::move(made), report);
}

std::function<void(Outbox&)> compare_taken(Inbox& in) {
  const Surface a = take_surface(in), b = take_surface(in);
  const double distance_m = solids::hausdorff_distance_m(a, b, take_value<double>(in));
  return [distance_m](Outbox& out) { put_value(out, distance_m); };
}

std::function<void(Outbox&)> wrap_taken(Inbox& in) {
  const Surface surface = take_surface(in);
  const auto relative_alpha = take_value<double>(in), relative_offset = take_value<double>(in);
  WrapReport report;
  Surface made = solids::wrap(surface, relative_alpha, relative_offset, report);
  return written(std::move(made), report);
}

std::function<void(Outbox&)> unite_taken(Inbox& in) {
  std::vector<Surface> parts(take_value<std::size_t>(in));
  for (Surface& part : parts) part = take_surface(in);
  return written(solids::unite(parts));
}

std::function<void(Outbox&)> intersect_taken(Inbox& in) {
  const PieceSurface piece = take_piece(in);
  return [made = solids::intersect(piece, take_surface(in))](Outbox& out) {
    put_value(out, made.size());
    for (const PieceSurface& solid : made) put_piece(out, solid);
  };
}

std::function<void(Outbox&)> solidify_taken(Inbox& in) {
  SolidifyReport report;
  Surface made = solids::solidify(take_surface(in), report);
  return written(std::move(made), report);
}

std::function<void(Outbox&)> offset_cage_taken(Inbox& in) {
  const Surface surface = take_surface(in);
  OffsetCageReport report;
  Surface made = solids::offset_cage(surface, take_value<double>(in), report);
  return written(std::move(made), report);
}

const std::map<std::string, Operation> kOperations{
    {"remesh", remesh_taken<solids::remesh>},
    {"remesh_with_all_creases", remesh_taken<solids::remesh_with_all_creases>},
    {"divide_triangles", remesh_taken<solids::divide_triangles>},
    {"compare", compare_taken},
    {"wrap", wrap_taken},
    {"unite", unite_taken},
    {"intersect", intersect_taken},
    {"solidify", solidify_taken},
    {"offset_cage", offset_cage_taken}};

void fail(Outbox& out, Outcome outcome, const std::string& text) {
  put_value(out, outcome);
  out.put(text);
}

/// Errors of the operation are sent back as errors.
void answer(Operation operation, Inbox& in, Outbox& out) {
  std::function<void(Outbox&)> write;
  try {
    write = operation(in);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const core::BadExchange&) {
    throw;
  } catch (const core::MissingProgram& error) {
    return fail(out, Outcome::missing_program, error.what());
  } catch (const core::BadInput& error) {
    return fail(out, Outcome::bad_input, error.what());
  } catch (const std::exception& error) {
    return fail(out, Outcome::error, core::text_for_user(error));
  }
  put_value(out, Outcome::done);
  write(out);
}

int run(const std::string& name) {
  try {
    Inbox in(core::kRequestDescriptor);
    Outbox out(core::kAnswerDescriptor);
    core::keep_to(core::take_bounds(in));
    answer(kOperations.at(name), in, out);
    return core::kChildDone;
  } catch (const std::bad_alloc&) {
    return core::kChildOutOfMemory;
  } catch (const std::exception& error) {
    std::puts(error.what());
    return core::kChildBadExchange;
  }
}

}  // namespace
}  // namespace brisance::mesh::solids

int main(int argc, char** argv) {
  if (argc == 2 && brisance::core::has_request()) return brisance::mesh::solids::run(argv[1]);
  std::puts("usage: brisance-solids OPERATION (started by brisance, not by hand)");
  return brisance::core::kChildBadExchange;
}
