/// Options of `brisance render` about frames, lens, shutter, noise and files.
#pragma once

#include "brisance/render/render.hpp"

#include <optional>
#include <string>

#include <CLI/CLI.hpp>

namespace brisance::app {

struct FilmArguments {
  std::string frames;  ///< --frames
  bool layers = false;
  std::optional<double> noise, shutter, aperture_m, focus_m;
  std::optional<int> min_samples;
};

/// Adds the options to a command; `arguments` outlives it.
void add_film_options(CLI::App& command, FilmArguments& arguments);

/// Options given on the command line go before those of the scene.
void take_film_arguments(render::Exposure& exposure, const FilmArguments& arguments);

}  // namespace brisance::app
