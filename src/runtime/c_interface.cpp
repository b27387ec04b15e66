// SPDX-License-Identifier: MIT
/// The C interface: checks arguments, and turns exceptions into return values and a text for each thread.
#include "brisance/runtime/error.hpp"
#include "brisance/runtime/generations.hpp"
#include "brisance/runtime/impact.h"
#include "brisance/runtime/impact_file.hpp"

#include <algorithm>
#include <string>

using namespace brisance::runtime;

struct brisance_target {
  Generations target;
};

namespace {

thread_local std::string last_error;

/// Runs `work`; an exception becomes `failure` and the thread's text.
template <class Result, class Work>
Result guarded(Result failure, const Work& work) noexcept {
  try {
    last_error.clear();
    return work();
  } catch (const std::bad_alloc&) {
    last_error = "Out of memory.";  // short enough to need no allocation
  } catch (const std::exception& e) {
    try {
      last_error = e.what();
    } catch (...) {
      last_error.clear();
    }
  } catch (...) {  // nothing may pass into C
    last_error = "Unknown error.";
  }
  return failure;
}

void require(const void* argument, const char* name) {
  if (!argument) throw Error(std::string(name) + " is NULL.");
}

brisance_solid to_c(const SolidShape& shape) {
  brisance_solid solid;
  solid.volume = shape.volume;
  std::copy(shape.centre.begin(), shape.centre.end(), solid.centre);
  std::copy(shape.inertia.begin(), shape.inertia.end(), solid.inertia);
  return solid;
}

Impact from_c(const brisance_impact& c) {
  if (c.smear != BRISANCE_SMEAR_ELASTIC && c.smear != BRISANCE_SMEAR_GAUSSIAN)
    throw Error("There is no smear " + std::to_string(c.smear) + ". Use a value of enum brisance_smear.");
  if (c.method != BRISANCE_METHOD_MODES && c.method != BRISANCE_METHOD_LEAST_SQUARES)
    throw Error("There is no method " + std::to_string(c.method) + ". Use a value of enum brisance_method.");
  Impact impact;
  std::copy_n(c.point, 3, impact.point.begin());
  std::copy_n(c.direction, 3, impact.direction.begin());
  impact.strength = c.strength;
  impact.threshold = c.threshold;
  impact.smear = c.smear == BRISANCE_SMEAR_ELASTIC ? Smear::elastic : Smear::gaussian;
  impact.method = c.method == BRISANCE_METHOD_MODES ? Method::modes : Method::least_squares;
  return impact;
}

}  // namespace

const char* brisance_last_error(void) { return last_error.c_str(); }

brisance_target* brisance_target_open(const char* path) {
  return guarded<brisance_target*>(nullptr, [&] {
    require(path, "path");
    return new brisance_target{Generations(read_impact_file(path))};
  });
}

brisance_target* brisance_target_open_bytes(const void* bytes, size_t num_bytes) {
  return guarded<brisance_target*>(nullptr, [&] {
    require(bytes, "bytes");
    return new brisance_target{
        Generations(decode({static_cast<const char*>(bytes), num_bytes}, "The runtime file in memory"))};
  });
}

void brisance_target_close(brisance_target* target) { delete target; }

int brisance_target_describe(const brisance_target* target, brisance_target_info* info) {
  return guarded(-1, [&] {
    require(target, "target");
    require(info, "info");
    const ImpactSet& set = target->target.set();
    *info = {set.dimension,
             target->target.num_atoms(),
             static_cast<int32_t>(target->target.num_faces()),
             set.num_modes(),
             static_cast<int32_t>(set.vertices.size()),
             set.elastic.has_value(),
             set.gaussian.has_value(),
             combined(set.atoms).volume};
    return 0;
  });
}

int32_t brisance_target_generations(const brisance_target* target) {
  return guarded<int32_t>(-1, [&] {
    require(target, "target");
    return target->target.num_generations();
  });
}

int brisance_target_atoms(const brisance_target* target, brisance_solid* atoms) {
  return guarded(-1, [&] {
    require(target, "target");
    require(atoms, "atoms");
    const std::vector<SolidShape>& shapes = target->target.shapes();
    std::transform(shapes.begin(), shapes.end(), atoms, to_c);
    return 0;
  });
}

int32_t brisance_target_atom_name(const brisance_target* target, int32_t atom, char* name, size_t size) {
  return guarded<int32_t>(-1, [&] {
    require(target, "target");
    if (size > 0) require(name, "name");
    const std::int32_t num_atoms = target->target.num_atoms();
    if (atom < 0 || atom >= num_atoms)
      throw Error("There is no atom " + std::to_string(atom) + " among " + std::to_string(num_atoms) + ".");
    const std::string text = atom_name(atom);
    if (size > 0) name[text.copy(name, size - 1)] = 0;
    return static_cast<int32_t>(text.size());
  });
}

int32_t brisance_target_strike(const brisance_target* target, const brisance_impact* impact,
                               const int32_t* body_of_atom, int32_t body, int32_t* piece_of_atom) {
  return guarded<int32_t>(-1, [&] {
    require(target, "target");
    require(impact, "impact");
    require(piece_of_atom, "piece_of_atom");
    const Generations& object = target->target;
    const std::vector<std::vector<std::int32_t>> pieces =
        body_of_atom ? object.strike(from_c(*impact), {body_of_atom, object.shapes().size()}, body)
                     : object.strike(from_c(*impact));
    std::fill_n(piece_of_atom, object.shapes().size(), -1);
    for (std::size_t p = 0; p < pieces.size(); ++p)
      for (const std::int32_t atom : pieces[p]) piece_of_atom[atom] = static_cast<int32_t>(p);
    return static_cast<int32_t>(pieces.size());
  });
}

int brisance_target_pieces(const brisance_target* target, const int32_t* piece_of_atom, int32_t num_pieces,
                           brisance_solid* pieces) {
  return guarded(-1, [&] {
    require(target, "target");
    require(piece_of_atom, "piece_of_atom");
    require(pieces, "pieces");
    const std::vector<SolidShape>& atoms = target->target.shapes();
    std::vector<std::vector<SolidShape>> members(std::max(num_pieces, 0));
    for (std::size_t a = 0; a < atoms.size(); ++a) {
      if (piece_of_atom[a] >= num_pieces)
        throw Error("Atom " + std::to_string(a) + " is in piece " + std::to_string(piece_of_atom[a]) + " of " +
                    std::to_string(num_pieces) + ".");
      if (piece_of_atom[a] >= 0) members[piece_of_atom[a]].push_back(atoms[a]);
    }
    std::transform(members.begin(), members.end(), pieces, [](const auto& m) { return to_c(combined(m)); });
    return 0;
  });
}
