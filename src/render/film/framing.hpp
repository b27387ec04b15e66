/// The camera of a frame, and where it may not stand.
#pragma once

#include "brisance/io/snapshot.hpp"
#include "brisance/render/camera.hpp"
#include "brisance/render/options.hpp"

#include "render/tracing/tracer.hpp"

namespace brisance::render {

/// The camera of the options at the frame's time, or one that frames this frame alone.
[[nodiscard]] Camera camera_for(const io::Snapshot& snapshot, const Options& options);

/// Throws core::Error if the camera is inside an object. Small pieces may fly through the camera; from inside an object
/// there is nothing to see.
void require_eye_outside(const Tracer& tracer, const Camera& camera, const io::SnapshotPart& part,
                         const Options& options);

}  // namespace brisance::render
