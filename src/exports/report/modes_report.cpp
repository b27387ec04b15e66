#include "brisance/exports/modes_report.hpp"

#include "brisance/core/error.hpp"
#include "brisance/io/atomic_file.hpp"

#include "exports/fragments_of_pieces.hpp"
#include "exports/report/page_arrays.hpp"
#include "exports/report/page_parts.hpp"
#include "exports/report/page_text.hpp"

#include <algorithm>
#include <span>

namespace brisance::exports {

namespace {

/// The atoms' shapes, as the rigid pieces of a page with one frame.
void add_atoms(const ModesObject& object, nlohmann::json& data, PackedArrays& arrays) {
  const FragmentFrame frame = fragments_of(object.pieces, {});
  double reach = 0;
  for (const Fragment& f : frame.fragments)
    for (const Vec3& x : f.surface.rest) reach = std::max(reach, (x - f.centre).cwiseAbs().maxCoeff());
  SurfaceArrays surfaces;
  std::vector<std::uint32_t> counts;
  std::vector<float> motions;
  data["pieces"] = nlohmann::json::array();
  for (const Fragment& f : frame.fragments) {
    surfaces.add(f.surface, f.surface.rest, {Vec3::Zero(), reach}, f.centre);
    counts.push_back(static_cast<std::uint32_t>(f.surface.rest.size()));
    counts.push_back(static_cast<std::uint32_t>(f.surface.triangles.size()));
    for (int k = 0; k < 3; ++k) motions.push_back(static_cast<float>(f.centre[k]));
    motions.insert(motions.end(), {0, 0, 0, 1});
    data["pieces"].push_back({{"name", f.name}, {"volume_m3", f.volume_m3}});
  }
  surfaces.pack("", arrays);
  arrays.add("counts", std::span<const std::uint32_t>(counts));
  arrays.add("motions", std::span<const float>(motions));
  data["rigid"] = true;
  data["reach_m"] = reach;
  data["colliders"] = nlohmann::json::array();
  data["frames"] = nlohmann::json::array({nlohmann::json::object({{"time_s", 0}})});
}

/// What impacts need.
void add_set(const runtime::ImpactSet& set, nlohmann::json& data, PackedArrays& arrays) {
  data["dimension"] = set.dimension;
  data["components"] = set.components;
  data["energies"] = set.mode_energy;
  data["axis_strength"] = set.axis_strength;
  data["num_faces"] = set.faces.size();
  data["volume_m3"] = runtime::combined(set.atoms).volume;
  std::vector<double> volumes, vertices;
  for (const runtime::SolidShape& atom : set.atoms) volumes.push_back(atom.volume);
  for (const auto& vertex : set.vertices) vertices.insert(vertices.end(), vertex.begin(), vertex.end());
  std::vector<std::uint32_t> faces;
  for (const runtime::AtomFace& face : set.faces)
    faces.insert(faces.end(), {static_cast<std::uint32_t>(face.a), static_cast<std::uint32_t>(face.b)});
  arrays.add("volumes", std::span<const double>(volumes));
  arrays.add("vertices", std::span<const double>(vertices));
  arrays.add("faces", std::span<const std::uint32_t>(faces));
  arrays.add("values", std::span<const double>(set.mode_value));
  arrays.add("share", std::span<const float>(set.elastic->share));
}

}  // namespace

ReportFacts write_modes_report(const ModesObject& object, const std::filesystem::path& out,
                               const ReportOptions& options) {
  if (object.pieces.pieces.size() != object.set.atoms.size() || !object.set.elastic)
    throw core::Error(object.name + ": a page of modes needs a piece for each atom, and the elastic smear.");
  const std::string three = library(options.javascript, "three/three.min.js", "libjs-three");
  const std::string orbit = library(options.javascript, "three/examples/js/controls/OrbitControls.js", "libjs-three");
  const std::string chart = library(options.javascript, "chart.js/chart.min.js", "libjs-chart.js");
  PackedArrays arrays;
  nlohmann::json data{{"name", object.name}};
  add_atoms(object, data, arrays);
  add_set(object.set, data, arrays);
  data["arrays"] = arrays.table();
  std::string page = kModesHtml;
  fill(page, "style", kPageStyle);
  fill(page, "three", three);
  fill(page, "orbit", orbit);
  fill(page, "chart", chart);
  fill(page, "view", kPageView);
  fill(page, "impact", kModesImpact);
  fill(page, "script", kModesScript);
  fill(page, "data", script_text(data));
  fill(page, "arrays", arrays.text());
  io::write_atomically(out, page);
  ReportFacts facts;
  facts.num_frames = facts.frames_shown = 1;
  facts.num_pieces = object.set.atoms.size();
  facts.bytes = page.size();
  return facts;
}

}  // namespace brisance::exports
