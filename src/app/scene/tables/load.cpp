/// Keys of [[load]]: pressures, blasts and impulses.
#include "app/scene/binding.hpp"
#include "app/scene/tables/place_keys.hpp"
#include "app/scene/tables/tables.hpp"

namespace brisance::app {

namespace {

using sim::LoadParameters;
using sim::Scene;

constexpr auto kLoad = [](auto& s, std::size_t i) -> auto& { return s.loads.at(i); };

Key profile() {
  return bind_computed(
      kLoad, Kind::rows, 2,
      [](const LoadParameters& load) -> std::optional<Value> {
        std::vector<std::vector<double>> rows;
        for (const auto& [time, pressure] : load.profile) rows.push_back({time, pressure});
        return rows;
      },
      [](LoadParameters& load, const Value& v) {
        load.profile.clear();
        for (const auto& row : std::get<std::vector<std::vector<double>>>(v)) load.profile.push_back({row[0], row[1]});
      },
      {.name = "profile_s_pa",
       .unit = "s, Pa",
       .sentence = "pressure: pairs of time and pressure, in place of pressure_pa. Linear between them, constant "
                   "before the first and after the last.",
       .example = "[[0, 0], [0.001, 1e6], [0.004, 0]]"});
}

std::vector<Key> selection() {
  return {
      bind_choice(
          kLoad, &LoadParameters::shape, {"all", "box", "sphere", "half_space", "group"},
          {.name = "shape",
           .sentence =
               "Selects the loaded faces of the surface by their middle (impulse: nodes), at rest after placement."}),
      bind(kLoad, &LoadParameters::group,
           {.name = "group",
            .sentence = "pressure, blast: loads the faces with this name in the objects' files (docs/MESHES.md); "
                        "\"cavity\" means the walls of cavities. It makes the shape \"group\".",
            .example = "cavity"}),
  };
}

std::vector<Key> strength() {
  return {
      bind(kLoad, &LoadParameters::pressure_pa,
           {.name = "pressure_pa",
            .unit = "Pa",
            .sentence = "pressure: pressure along the inward normal of the faces; negative pulls. Constant in time; "
                        "with static it grows linearly from 0 over duration_s.",
            .example = "1e6"}),
      profile(),
      bind(kLoad, &LoadParameters::follows,
           {.name = "follows",
            .sentence = "pressure: true loads the deformed faces, along their normals and on their area; false loads "
                        "them as they were at rest (a dead load)."}),
      bind(kLoad, &LoadParameters::point,
           {.name = "point_m",
            .unit = "m",
            .sentence = "blast, impulse: the point from which it spreads.",
            .example = "[0, 0, 0.5]"}),
      bind(kLoad, &LoadParameters::start_s,
           {.name = "start_s",
            .unit = "s",
            .sentence = "blast: time at which it leaves its point; impulse: time at which velocities change.",
            .example = "0.001",
            .range = kNotNegative}),
      bind(kLoad, &LoadParameters::reference_distance_m,
           {.name = "reference_distance_m",
            .unit = "m",
            .sentence = "blast, impulse: full strength up to this distance r₀ from the point; at r beyond it the share "
                        "(r₀/r)^falloff.",
            .example = "0.5",
            .range = kPositive}),
      bind(kLoad, &LoadParameters::falloff,
           {.name = "falloff",
            .unit = "–",
            .sentence = "blast, impulse: exponent of the decrease with distance. 0: no decrease.",
            .example = "1",
            .range = kNotNegative}),
      bind(kLoad, &LoadParameters::peak_pressure_pa,
           {.name = "peak_pressure_pa",
            .unit = "Pa",
            .sentence = "blast: p_s in the pressure p_s (1 − t/t_d) exp(−b t/t_d) on faces turned towards the point, t "
                        "after the front arrives.",
            .example = "2e5",
            .range = kNotNegative}),
      bind(kLoad, &LoadParameters::positive_phase_s,
           {.name = "positive_phase_s",
            .unit = "s",
            .sentence = "blast: duration t_d of overpressure. After it the pressure is below that of the air.",
            .example = "0.002",
            .range = kNotNegative}),
      bind(
          kLoad, &LoadParameters::decay,
          {.name = "decay",
           .unit = "–",
           .sentence = "blast: decay b of the pressure, 0 or at least 0.01. 0: a straight line without negative phase.",
           .example = "1",
           .range = {.low = 0, .high = 1000}}),
      bind(kLoad, &LoadParameters::wave_speed_m_s,
           {.name = "wave_speed_m_s",
            .unit = "m/s",
            .sentence = "blast: speed of its front. inf: it arrives everywhere at once.",
            .example = "340",
            .range = kPositiveOrInfinite}),
      bind(kLoad, &LoadParameters::has_negative_phase,
           {.name = "negative_phase", .sentence = "blast: false ends it after the positive phase."}),
      bind(kLoad, &LoadParameters::speed_m_s,
           {.name = "speed_m_s",
            .unit = "m/s",
            .sentence = "impulse: speed that nodes gain at once, away from the point; negative: towards it.",
            .example = "5"}),
  };
}

}  // namespace

Table load_table() {
  Table table{
      .path = "load",
      .sentence =
          "A load: pressure on the objects' surface, a blast from a point, or a sudden change of velocities "
          "(docs/LOADS.md). Crack faces are not loaded.",
      .keys = {bind(kLoad, &LoadParameters::name, {.name = "name", .sentence = "Name used in messages."}),
               bind_choice(kLoad, &LoadParameters::kind, {"pressure", "blast", "impulse"},
                           {.name = "kind",
                            .sentence = "Kind of load. A key described as \"blast: …\" applies to that kind alone."})},
      .count = [](const Scene& s) { return s.loads.size(); },
      .append = [](Scene& s) { s.loads.emplace_back(); },
  };
  append(table.keys, selection());
  append(table.keys, place_keys<LoadParameters>(kLoad));
  append(table.keys, strength());
  return table;
}

}  // namespace brisance::app
