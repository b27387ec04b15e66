/// Keys of [render] and its lists: what pictures are made of and lit by, and how rays are followed.
#include "brisance/render/appearance.hpp"
#include "brisance/render/kinds.hpp"

#include "app/scene/binding.hpp"
#include "app/scene/tables/tables.hpp"

#include <algorithm>

#include <spdlog/fmt/fmt.h>

namespace brisance::app {

namespace {

using core::NamedValue;
using core::Specification;
using sim::RenderObjectParameters;
using sim::RenderParameters;

constexpr auto kRender = [](auto& s, std::size_t) -> auto& { return s.render; };
constexpr auto kRenderMaterial = [](auto& s, std::size_t i) -> auto& { return s.render.materials.at(i); };
constexpr auto kRenderLight = [](auto& s, std::size_t i) -> auto& { return s.render.lights.at(i); };
constexpr auto kRenderObject = [](auto& s, std::size_t i) -> auto& { return s.render.objects.at(i); };

/// A row for one of some words.
template <class At, class Owner>
Key bind_word(At at, std::string Owner::*member, std::vector<std::string> words, Key row) {
  row = bind(at, member, std::move(row));
  row.kind = Kind::choice;
  row.choices = std::move(words);
  return row;
}

Value value_of(const NamedValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (const auto* triple = std::get_if<Vec3>(&value)) return to_value(*triple);
  return std::get<std::string>(value);
}

NamedValue named_value_of(const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  Vec3 triple;
  from_value(value, triple);
  return triple;
}

Kind kind_of_form(render::ParameterForm form) {
  switch (form) {
    case render::ParameterForm::number:
      return Kind::real;
    case render::ParameterForm::triple:
      return Kind::reals;
    case render::ParameterForm::choice:
      return Kind::choice;
    default:
      return Kind::file;
  }
}

std::string sentence_of(const render::Parameter& parameter) {
  if (!parameter.normal) return parameter.sentence;
  return fmt::format("{} Default: {}.", parameter.sentence, toml_text(value_of(*parameter.normal)));
}

/// A row for a parameter. Only given values are written back, since other kinds may not have it.
template <class At>
Key bind_parameter(At at, const render::Parameter& parameter) {
  Key row{.name = parameter.name,
          .unit = parameter.unit,
          .sentence = sentence_of(parameter),
          .range = {.low = parameter.low, .high = parameter.high, .low_open = parameter.low_open}};
  const std::string name = parameter.name;
  const Kind kind = kind_of_form(parameter.form);
  row = bind_computed(
      at, kind, kind == Kind::reals ? 3 : 0,
      [name](const Specification& s) -> std::optional<Value> {
        const auto found = s.values.find(name);
        return found == s.values.end() ? std::nullopt : std::optional<Value>(value_of(found->second));
      },
      [name](Specification& s, const Value& value) { s.values[name] = named_value_of(value); }, std::move(row));
  row.choices = parameter.choices;
  return row;
}

/// Name and kind, then the parameters of all kinds, each once.
template <class At>
std::vector<Key> keys_of_kinds(At at, const std::vector<render::Kind>& kinds, const std::string& sentence) {
  std::vector<std::string> names;
  std::string meanings;
  for (const render::Kind& kind : kinds) {
    names.push_back(kind.name);
    meanings += fmt::format("{}{}: {}", meanings.empty() ? "" : "; ", kind.name, kind.sentence);
  }
  std::vector<Key> keys{bind(at, &Specification::name, {.name = "name", .sentence = sentence}),
                        bind_word(at, &Specification::kind, names, {.name = "kind", .sentence = meanings + "."})};
  for (const render::Kind& kind : kinds)
    for (const render::Parameter& parameter : kind.parameters)
      if (std::ranges::find(keys, parameter.name, &Key::name) == keys.end())
        keys.push_back(bind_parameter(at, parameter));
  return keys;
}

std::vector<Key> film_keys() {
  return {
      bind(kRender, &RenderParameters::noise,
           {.name = "noise",
            .unit = "–",
            .sentence = "Relative standard error of a displayed pixel at which it ends before all samples; 0: never. "
                        "--noise overrides it.",
            .example = "0.02",
            .range = {.low = 0, .high = 1, .high_open = true}}),
      bind(kRender, &RenderParameters::min_samples,
           {.name = "min_samples",
            .unit = "–",
            .sentence = "Light paths before noise may end a pixel. --min-samples overrides it.",
            .example = "32",
            .range = {.low = 2, .high = 65536}}),
      bind(kRender, &RenderParameters::shutter,
           {.name = "shutter",
            .unit = "–",
            .sentence = "Share of the frame interval that the shutter is open: motion blur. Films have 0.5. --shutter "
                        "overrides it.",
            .example = "0.5",
            .range = {.low = 0, .high = 1}}),
      bind(kRender, &RenderParameters::frames,
           {.name = "frames",
            .sentence = "Frames that are rendered, counted from 0: N, or A:B or A:B:STEP with A, B or both left out; "
                        "empty: all. --frames overrides it.",
            .example = "\"0:100:2\""}),
      bind(kRender, &RenderParameters::exr,
           {.name = "exr",
            .sentence = "Beside each picture an OpenEXR file with colour, albedo, normal, depth, velocity, piece and "
                        "masks. --exr turns it on."}),
  };
}

std::vector<Key> transport_keys() {
  return {
      bind(kRender, &RenderParameters::samples,
           {.name = "samples",
            .unit = "–",
            .sentence = "Light paths a pixel, rounded up to a power of two. --samples overrides it.",
            .example = "64",
            .range = {.low = 1, .high = 65536}}),
      bind(kRender, &RenderParameters::threads,
           {.name = "threads",
            .unit = "–",
            .sentence = "Threads of each rank; the picture does not depend on it. --threads overrides it.",
            .example = "2",
            .range = {.low = 1, .high = 1024}}),
      bind_word(kRender, &RenderParameters::method, render::method_names(),
                {.name = "method",
                 .sentence = "Rays at glass, which both reflects and refracts. path: one of both, chosen by its share; "
                             "roulette: both at the first branching_depth surfaces, then one; branching: both at the "
                             "first max_depth surfaces; cutoff: as branching, and none beyond, which is too dark (for "
                             "comparison)."}),
      bind(kRender, &RenderParameters::branching_depth,
           {.name = "branching_depth",
            .unit = "–",
            .sentence = "roulette: specular surfaces at which both rays are followed; each doubles their number.",
            .example = "2",
            .range = {.low = 0, .high = 24}}),
      bind(kRender, &RenderParameters::max_depth,
           {.name = "max_depth",
            .unit = "–",
            .sentence = "Specular surfaces after which rays are ended at random; cutoff: dropped.",
            .example = "24",
            .range = {.low = 1, .high = 1000}}),
      bind(
          kRender, &RenderParameters::caustics,
          {.name = "caustics",
           .sentence = "Light that glass bends and mirrors throw onto matt surfaces: true: by chance, exact and noisy; "
                       "false: light goes straight through smooth glass, weakened, and mirrors throw none."}),
  };
}

}  // namespace

Table render_table() {
  Table table{.path = "render",
              .sentence =
                  "Pictures of `brisance render` (docs/RENDERING.md); the solver does not read it. With "
                  "--scene-render FILE, [render], its lists and [camera] of another file, a whole scene or not, "
                  "replace those of a run.",
              .keys = transport_keys()};
  const std::vector<Key> film = film_keys();
  table.keys.insert(table.keys.end(), film.begin(), film.end());
  table.keys.push_back(
      bind(kRender, &RenderParameters::background_top,
           {.name = "background_top",
            .unit = "–",
            .sentence = "Radiance of the background at the top of the picture. An environment replaces "
                        "the background.",
            .example = "[0.24, 0.28, 0.34]",
            .range = kNotNegative}));
  table.keys.push_back(bind(kRender, &RenderParameters::background_bottom,
                            {.name = "background_bottom",
                             .unit = "–",
                             .sentence = "At the bottom of the picture; planes fade into it.",
                             .example = "[0.58, 0.59, 0.6]",
                             .range = kNotNegative}));
  return table;
}

Table render_material_table() {
  return {.path = "render.material",
          .sentence = "A material of surfaces in pictures. Parameters belong to the kinds named in front of them.",
          .keys = keys_of_kinds(kRenderMaterial, render::material_kinds(), "Its name in [[render.object]]."),
          .count = [](const sim::Scene& s) { return s.render.materials.size(); },
          .append = [](sim::Scene& s) { s.render.materials.emplace_back().kind = "diffuse"; }};
}

Table render_object_table() {
  return {
      .path = "render.object",
      .sentence =
          "The materials of an object, of a collider or of all objects; where several entries concern a "
          "surface, the last one. Frames know a tet's simulation material, not its object: objects that "
          "share a material cannot have different surfaces.",
      .keys = {bind(kRenderObject, &RenderObjectParameters::object,
                    {.name = "object", .sentence = "Name of an [[object]] or [[collider]]; empty: all objects."}),
               bind(kRenderObject, &RenderObjectParameters::material,
                    {.name = "material",
                     .sentence = "Name of the only [[material]] concerned, as of a [[part]]; empty: all of the "
                                 "object's."}),
               bind(kRenderObject, &RenderObjectParameters::outside,
                    {.name = "outside",
                     .sentence = "Name of a [[render.material]] for the original surface; empty: the usual colour."}),
               bind(kRenderObject, &RenderObjectParameters::cracks,
                    {.name = "cracks", .sentence = "The same for crack surfaces."})},
      .count = [](const sim::Scene& s) { return s.render.objects.size(); },
      .append = [](sim::Scene& s) { s.render.objects.emplace_back(); }};
}

Table render_light_table() {
  return {.path = "render.light",
          .sentence =
              "A light. Without any, a sun to the left behind the camera and a sky light the scene. Parameters "
              "belong to the kinds named in front of them. Lamps cast no shadow themselves.",
          .keys = keys_of_kinds(kRenderLight, render::light_kinds(), "Its name in messages."),
          .count = [](const sim::Scene& s) { return s.render.lights.size(); },
          .append = [](sim::Scene& s) { s.render.lights.emplace_back().kind = "sun"; }};
}

}  // namespace brisance::app
