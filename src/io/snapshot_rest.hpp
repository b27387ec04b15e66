/// What rank 0 writes of a snapshot by itself: everything but the columns.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/io/snapshot.hpp"

#include "io/hdf5_writer.hpp"

namespace brisance::io {

/// Do the part's arrays have the lengths that the form asks for? Collective; throws core::Error on all ranks.
void require_complete(const core::Comm& comm, const FrameForm& form, const SnapshotPart& part);

/// Groups, attributes, texts, colliders and the names of state fields. Local; throws core::Error.
void add_rest(Hdf5Writer& file, const SnapshotHeader& header, const SnapshotPart& part);

/// About what these take in the file, beside its columns [bytes]. Local.
[[nodiscard]] std::uint64_t rest_bytes(const SnapshotHeader& header);

}  // namespace brisance::io
