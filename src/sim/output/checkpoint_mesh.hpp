/// The mesh in a checkpoint: its facts, and one slab of nodes and elements a rank.
#pragma once

#include "brisance/dist/fields.hpp"
#include "brisance/dist/mesh.hpp"

#include "checkpoint_tables.hpp"

namespace brisance::sim::checkpoint_file {

/// Collective.
void write_facts(Writer& out, const dist::MeshFacts& facts);
/// Local; throws core::Error if the file is damaged.
[[nodiscard]] dist::MeshFacts read_facts(const io::ArrayFileReader& file);

/// @param fields  those of the run; one table each, as raw bytes: any type, exact. Collective.
void write_slab(Writer& out, const dist::Records& slab, const dist::FieldList& fields);
/// This rank's block of rows. Local; throws core::Error if the file is damaged or lacks a field.
/// @param may_lack  fields that get their initial values if the file lacks them
[[nodiscard]] dist::Records read_slab(const core::Comm& comm, const io::ArrayFileReader& file,
                                      const dist::FieldList& fields, const dist::FieldList& may_lack);

}  // namespace brisance::sim::checkpoint_file
