#include "render/tracing/embree_scene.hpp"

#include "brisance/core/error.hpp"

#include <string>

namespace brisance::render {
namespace {

using EmbreeMesh = std::unique_ptr<RTCGeometryTy, decltype(&rtcReleaseGeometry)>;

void require_no_error(RTCDevice device) {
  const RTCError error = rtcGetDeviceError(device);
  if (error != RTC_ERROR_NONE)
    throw core::Error(
        "Embree failed with error " + std::to_string(static_cast<int>(error)) +
        (error == RTC_ERROR_OUT_OF_MEMORY ? ": out of memory. Render with fewer ranks on this machine." : "."));
}

/// A buffer of `count` triples, owned by the mesh.
template <class T>
T* new_triples(RTCGeometry mesh, RTCBufferType type, unsigned slot, RTCFormat format, std::size_t count) {
  auto* const buffer = static_cast<T*>(rtcSetNewGeometryBuffer(mesh, type, slot, format, 3 * sizeof(T), count));
  if (buffer == nullptr) throw core::Error("Embree has no memory for " + std::to_string(count) + " corners.");
  return buffer;
}

/// Corners at a share of the shutter's time, in the order of the triangles.
void fill_corners(RTCGeometry mesh, unsigned slot, const Geometry& geometry, float time) {
  const std::size_t num_triangles = geometry.triangles.size();
  auto* next = new_triples<float>(mesh, RTC_BUFFER_TYPE_VERTEX, slot, RTC_FORMAT_FLOAT3, 3 * num_triangles);
  for (std::size_t t = 0; t < num_triangles; ++t)
    for (std::size_t c = 0; c < 3; ++c) {
      const Vec3f corner = geometry.triangles[t].position[c] + geometry.moved(t, c, time);
      for (int axis = 0; axis < 3; ++axis) *next++ = corner[axis];
    }
}

EmbreeMesh embree_mesh(RTCDevice device, const Geometry& geometry) {
  EmbreeMesh mesh(rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE), &rtcReleaseGeometry);
  const std::size_t num_triangles = geometry.triangles.size();
  auto* const indices = new_triples<unsigned>(mesh.get(), RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, num_triangles);
  for (std::size_t i = 0; i < 3 * num_triangles; ++i) indices[i] = static_cast<unsigned>(i);
  if (geometry.shutter_s > 0) {
    rtcSetGeometryTimeStepCount(mesh.get(), 2);
    fill_corners(mesh.get(), 0, geometry, 0);
    fill_corners(mesh.get(), 1, geometry, 1);
  } else {
    fill_corners(mesh.get(), 0, geometry, 0.5F);
  }
  rtcCommitGeometry(mesh.get());
  return mesh;
}

}  // namespace

EmbreeScene embree_scene(RTCDevice device, const Geometry& geometry) {
  EmbreeScene scene(rtcNewScene(device), &rtcReleaseScene);
  rtcAttachGeometry(scene.get(), embree_mesh(device, geometry).get());
  rtcSetSceneFlags(scene.get(),
                   static_cast<RTCSceneFlags>(RTC_SCENE_FLAG_ROBUST | RTC_SCENE_FLAG_CONTEXT_FILTER_FUNCTION));
  rtcCommitScene(scene.get());
  require_no_error(device);
  return scene;
}

}  // namespace brisance::render
