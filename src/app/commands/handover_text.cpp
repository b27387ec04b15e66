#include "app/commands/handover_text.hpp"

#include "brisance/breaking/playback.hpp"
#include "brisance/core/words.hpp"
#include "brisance/io/monitor.hpp"

#include "app/scene/key.hpp"

#include <algorithm>
#include <utility>

#include <spdlog/fmt/fmt.h>

namespace brisance::app {

namespace {

std::string shown(const Vec3& v) { return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", v.x(), v.y(), v.z()); }
std::string brief(const Vec3& v) { return fmt::format("({:.5g}, {:.5g}, {:.5g})", v.x(), v.y(), v.z()); }

/// A change relative to the scale of rounding errors.
double share(const Vec3& change, double scale) { return scale > 0 ? change.norm() / scale : change.norm(); }

}  // namespace

std::optional<StoredEnergy> stored_energy(const io::RunFolder& run, std::int64_t step) {
  if (!std::filesystem::exists(run.monitor())) return {};
  const io::MonitorTable table = io::read_monitor(run.monitor());
  const std::vector<double> steps = table.column("step");
  const auto found = std::find(steps.begin(), steps.end(), static_cast<double>(step));
  if (found == steps.end()) return {};
  const auto row = static_cast<std::size_t>(found - steps.begin());
  return StoredEnergy{table.column("elastic_energy_j")[row], table.column("contact_energy_j")[row]};
}

std::vector<std::string> handover_report(const breaking::HandoverSums& s, std::size_t pieces, const RunPlayArguments& a,
                                         const std::optional<StoredEnergy>& stored) {
  std::vector<std::string> lines;
  const auto say = [&]<class... T>(fmt::format_string<T...> text, T&&... values) {
    lines.push_back(fmt::format(text, std::forward<T>(values)...));
  };
  say("{} of {:.5g} kg continue as rigid bodies", core::counted(pieces, "piece"), s.mass);
  if (s.num_crumbs > 0)
    say("{}, below {:g} of the mass: boxes of their inertia that pass through each other",
        core::counted(s.num_crumbs, "small piece"), a.small_share);
  if (s.num_dropped > 0)
    say("left out {}, below {:g} of the mass: {:.3g} kg, momentum {} kg m/s",
        core::counted(s.num_dropped, "small piece"), a.small_share, s.dropped_mass, brief(s.dropped.linear));
  if (s.num_constrained > 0)
    say("{} nodes of a region and {} its motion, whichever axes are constrained; not in the sums",
        core::counted(s.num_constrained, "piece has", "pieces have"), s.num_constrained == 1 ? "follows" : "follow");
  say("momentum {} kg m/s, changed by {:.0e} of itself; angular momentum about the origin {} kg m²/s, by {:.0e}",
      brief(s.rigid.linear), share(s.rigid.linear - s.field.linear, s.field.linear_scale), brief(s.rigid.angular),
      share(s.rigid.angular - s.field.angular, s.field.angular_scale));
  say("kinetic energy {:.5g} J of the tets becomes {:.5g} J of rigid pieces: {:.4g} J of vibration are dropped "
      "(with masses at the nodes, as the run has them, {:.5g} J and angular momentum {})",
      s.field.energy, s.rigid.energy, s.field.energy - s.rigid.energy, s.nodes.energy, brief(s.nodes.angular));
  if (stored)
    say("dropped as well: elastic energy {:.4g} J, energy of contacts {:.4g} J", stored->elastic, stored->contact);
  else
    say("dropped as well: elastic energy, of which monitor.csv has no line for this step");
  return lines;
}

std::string playback_scene_text(const RunPlayArguments& a, const std::filesystem::path& file,
                                const io::SnapshotHeader& header, const breaking::DebrisParameters& p,
                                const breaking::HandoverSums& s, const std::optional<StoredEnergy>& stored) {
  std::string text(breaking::kPlaybackTable);
  const auto add = [&](const char* key, const auto& value) { text += fmt::format("{} = {}\n", key, value); };
  const auto number = [&](const char* key, double value) { text += fmt::format("{} = {:.17g}\n", key, value); };
  const char* crumbs = a.crumbs == breaking::Crumbs::boxes  ? "\"boxes\""
                       : a.crumbs == breaking::Crumbs::full ? "\"full\""
                                                            : "\"drop\"";
  add("run", toml_text(a.run.generic_string()));
  add("from_frame", std::stoull(file.stem().string()));
  number("from_time_s", header.time_s);
  add("gravity_m_s2", shown(p.gravity));
  number("friction", p.friction);
  number("restitution", p.restitution);
  number("step_s", p.step);
  number("duration_s", p.duration);
  number("frames_per_second", a.frames_per_second);
  number("slow", a.slow);
  add("snapshot_every", p.snapshot_every);
  add("crumbs", crumbs);
  number("crumb_share", a.small_share);
  text += "\n[play.handover]\n";
  number("mass_kg", s.mass);
  add("crumbs", s.num_crumbs);
  add("crumbs_dropped", s.num_dropped);
  number("dropped_mass_kg", s.dropped_mass);
  add("pieces_held", s.num_constrained);
  add("momentum_before_kg_m_s", shown(s.field.linear));
  add("momentum_after_kg_m_s", shown(s.rigid.linear));
  add("angular_momentum_before_kg_m2_s", shown(s.field.angular));
  add("angular_momentum_after_kg_m2_s", shown(s.rigid.angular));
  add("angular_momentum_of_nodes_kg_m2_s", shown(s.nodes.angular));
  number("kinetic_energy_before_j", s.field.energy);
  number("kinetic_energy_after_j", s.rigid.energy);
  number("kinetic_energy_of_nodes_j", s.nodes.energy);
  if (stored) number("elastic_energy_dropped_j", stored->elastic);
  if (stored) number("contact_energy_dropped_j", stored->contact);
  return text;
}

}  // namespace brisance::app
