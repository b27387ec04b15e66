#include "app/scene/load_checks.hpp"

#include "app/scene/place_checks.hpp"

#include <fmt/format.h>

namespace brisance::app {

namespace {

using sim::LoadKind;
using sim::LoadParameters;
using sim::LoadShape;

template <class Refuse>
void check_selection(const LoadParameters& load, const Refuse& refuse) {
  if (load.shape == LoadShape::group && load.group.empty())
    refuse("shape", "load.group is missing; give the name of the faces, as in group = \"cavity\".");
  check_place(load, load.shape, "load", refuse);
  if (load.kind == LoadKind::impulse && load.shape == LoadShape::group)
    refuse("group", "an impulse acts on nodes by their place; choose a box, a sphere or a half_space.");
}

template <class Refuse>
void check_strength(const LoadParameters& load, const Refuse& refuse) {
  if (load.kind != LoadKind::pressure && !load.follows)
    refuse("follows", "load.follows goes with kind = \"pressure\"; leave it out.");
  switch (load.kind) {
    case LoadKind::pressure:
      if (load.profile.empty() && load.pressure_pa == 0)
        refuse("kind", "a pressure needs load.pressure_pa or load.profile_s_pa.");
      if (!load.profile.empty() && load.pressure_pa != 0)
        refuse("profile_s_pa", "load.pressure_pa and load.profile_s_pa are both given; leave one out.");
      for (std::size_t k = 1; k < load.profile.size(); ++k)
        if (!(load.profile[k - 1][0] < load.profile[k][0]))
          refuse("profile_s_pa",
                 fmt::format("load.profile_s_pa must rise in time from pair to pair; {} s comes after {} s.",
                             load.profile[k][0], load.profile[k - 1][0]));
      break;
    case LoadKind::blast:
      if (load.peak_pressure_pa <= 0) refuse("peak_pressure_pa", "a blast needs load.peak_pressure_pa, positive.");
      if (load.positive_phase_s <= 0) refuse("positive_phase_s", "a blast needs load.positive_phase_s, positive.");
      if (load.decay > 0 && load.decay < 0.01)
        refuse("decay", "load.decay must be 0, for a straight line, or 0.01 at least.");
      break;
    case LoadKind::impulse:
      if (load.speed_m_s == 0) refuse("speed_m_s", "an impulse needs load.speed_m_s, not zero.");
      break;
  }
}

}  // namespace

void complete_and_check_loads(std::vector<LoadParameters>& loads, const Origins& origins) {
  std::size_t on_faces = 0;
  for (std::size_t i = 0; i < loads.size(); ++i) {
    LoadParameters& load = loads[i];
    const auto refuse = [&](const std::string& key, const std::string& text) { origins.refuse("load", i, key, text); };
    if (!load.group.empty() && !origins.given("load", i, "shape")) load.shape = LoadShape::group;
    if (load.decay == 0) load.has_negative_phase = false;
    check_selection(load, refuse);
    check_strength(load, refuse);
    if (sim::acts_on_faces(load) && ++on_faces > sim::kMostFaceLoads)
      refuse("kind", "there can be at most 16 pressures and blasts; join some.");
  }
}

}  // namespace brisance::app
