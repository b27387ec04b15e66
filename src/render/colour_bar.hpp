/// The legend of a picture coloured by a field.
#pragma once

#include "brisance/render/image.hpp"
#include "brisance/render/options.hpp"

namespace brisance::render {

/// Draws the colour map along the bottom, in the margin of the framing, with the range's ends and the unit beside it.
/// Small pictures get none.
void draw_colour_bar(Image& image, ColourBy field, const ValueRange& range);

}  // namespace brisance::render
