#include "mesh/generate/meshable_surface.hpp"

#include "brisance/core/words.hpp"
#include "brisance/mesh/formats/read_surface.hpp"
#include "brisance/mesh/plane/plane_mesh.hpp"
#include "brisance/mesh/surface/check.hpp"
#include "brisance/mesh/surface/repair.hpp"

#include "mesh/generate/inner_surface.hpp"
#include "mesh/shapes/dimensions.hpp"
#include "mesh/surface/touching_parts.hpp"

#include <array>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

namespace brisance::mesh {
namespace {

constexpr std::array kWrapFractions{40, 20, 10, 5};  // diagonal over alpha of the wrap, ever coarser
constexpr double kWrapOffset = 1.0 / 450;            // over the diagonal
constexpr double kLeastWrapRatio = 0.8;

/// Notes the change of volume by the wrap: against the input's own volume where that is defined, else against the
/// wrap's.
void note_change(const WrapReport& wrapped, const std::filesystem::path& file, MeshReport& report) {
  if (!wrapped.input_volume_m3) {
    report.notes.push_back(file.string() +
                           ": how much the wrap changed its volume cannot be told, since it crosses itself or has no "
                           "consistent outside; volumes are compared with the wrap's.");
    return;
  }
  report.reference_volume_m3 = *wrapped.input_volume_m3;
  report.notes.push_back(
      fmt::format("{}: the wrap has {:+.2g} % of volume against the surface itself, its holes closed.", file.string(),
                  100 * (wrapped.volume_m3 / *wrapped.input_volume_m3 - 1)));
}

/// Wraps a surface so that the wrap stays outside: where it enters through a hole of an open surface, tries coarser
/// ones.
Surface wrapped_surface(const Surface& surface, const std::filesystem::path& file, MeshReport& report) {
  Surface made;
  for (const int fraction : kWrapFractions) {
    WrapReport wrapped;
    made = wrap(surface, 1.0 / fraction, kWrapOffset, wrapped);
    const bool went_in = !wrapped.input_closed && wrapped.volume_ratio < kLeastWrapRatio;
    report.notes.push_back(fmt::format(
        "{}: wrapped with an alpha of 1/{} of the diagonal; its volume is {:.3g} of the {}.{}", file.string(), fraction,
        wrapped.volume_ratio, wrapped.input_closed ? "input's" : "volume with twice the alpha",
        went_in ? " It went in through a hole." : ""));
    if (went_in) continue;
    note_change(wrapped, file, report);
    break;
  }
  report.repaired = true;
  return made;
}

/// Notes the cavities found, so that hollow or not is never decided silently.
void note_shells(const CleanReport& cleaned, const std::filesystem::path& file, MeshReport& report) {
  if (cleaned.num_cavities > 0)
    report.notes.push_back(fmt::format(
        "{}: {} the other way than the outer one: the body is "
        "hollow there.",
        file.string(),
        core::counted(cleaned.num_cavities, "closed shell inside it faces", "closed shells inside it face")));
  if (cleaned.num_swallowed > 0)
    report.notes.push_back(fmt::format(
        "{}: {} as the outer one does: the body is solid there. Left out; turned inward, each makes a cavity.",
        file.string(),
        core::counted(cleaned.num_swallowed, "closed shell inside it faces", "closed shells inside it face")));
}

}  // namespace

Surface read_scaled(const Request& request) {
  Surface surface = read_surface(request.file);
  scale(surface, request);
  return surface;
}

Surface meshable_surface(const Request& request, MeshReport& report) {
  const Surface as_read = read_scaled(request);
  Surface surface = clean(as_read, report.cleaned);
  if (!surface.vertices.empty() && is_level(surface))
    report.notes.push_back(request.file.string() +
                           ": lies in one plane. `brisance modes --plane` breaks it as a flat body.");
  note_shells(report.cleaned, request.file, report);
  SurfaceReport findings = check_surface(surface);
  const TouchingParts touching = findings.meshable() ? TouchingParts{} : find_touching_parts(as_read);
  if (!findings.meshable() && (request.repair || request.cage)) {
    if (touching.num_pairs > 0)
      report.notes.push_back(
          fmt::format("{}: {}; the wrap makes one body of them.", request.file.string(), sentence_on(touching)));
    Groups groups = std::move(surface.groups);
    surface = wrapped_surface(surface, request.file, report);
    surface.groups = std::move(groups);  // the wrap's triangles name the nearest faces of the file
    findings = check_surface(surface);
  }
  require_solid(findings, touching, request.file);
  return with_cavity(std::move(surface), request);
}

}  // namespace brisance::mesh
