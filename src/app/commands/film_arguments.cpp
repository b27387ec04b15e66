#include "app/commands/film_arguments.hpp"

namespace brisance::app {

void add_film_options(CLI::App& command, FilmArguments& arguments) {
  command.add_option("--frames", arguments.frames,
                     "N, or A:B or A:B:STEP with A, B or both left out: frames A to B-1, counted from 0; by default as "
                     "in the scene, all");
  command.add_option("--noise", arguments.noise,
                     "relative standard error of a displayed pixel, as 0.02, at which it ends before all --samples; by "
                     "default as in the scene, 0: never");
  command.add_option("--min-samples", arguments.min_samples,
                     "light paths a pixel before --noise may end it; by default as in the scene, 16");
  command.add_option("--shutter", arguments.shutter,
                     "share of the frame interval that the shutter is open, as 0.5: motion blur; by default as in the "
                     "scene, 0");
  command.add_option("--aperture-m", arguments.aperture_m,
                     "diameter of the lens [m]: depth of field; by default as in the scene, 0");
  command.add_option("--focus-m", arguments.focus_m,
                     "distance in focus from the camera [m]; by default as in the scene, that of its target");
  command.add_flag("--exr", arguments.layers,
                   "beside each picture also NNNNNN.exr: colour, albedo, normal, depth, velocity, piece, Cryptomatte");
}

void take_film_arguments(render::Exposure& exposure, const FilmArguments& arguments) {
  exposure.noise = arguments.noise.value_or(exposure.noise);
  exposure.min_samples = arguments.min_samples.value_or(exposure.min_samples);
  exposure.shutter = arguments.shutter.value_or(exposure.shutter);
  exposure.aperture_m = arguments.aperture_m.value_or(exposure.aperture_m);
  exposure.focus_m = arguments.focus_m.value_or(exposure.focus_m);
}

}  // namespace brisance::app
