/// The parts of a snapshot that rank 0 writes alone: everything but the columns.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/io/snapshot.hpp"

#include "io/hdf5_writer.hpp"

namespace brisance::io {

/// Checks that the part's arrays have the lengths required by the form. Collective; throws core::Error on all ranks.
void require_complete(const core::Comm& comm, const FrameForm& form, const SnapshotPart& part);

/// Groups, attributes, texts, colliders and the names of state fields. Local; throws core::Error.
void add_rest(Hdf5Writer& file, const SnapshotHeader& header, const SnapshotPart& part);

/// Approximate size of these in the file, beside its columns [bytes]. Local.
[[nodiscard]] std::uint64_t rest_bytes(const SnapshotHeader& header);

}  // namespace brisance::io
