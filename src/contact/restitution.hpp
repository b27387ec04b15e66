/// How much damping a blow needs that gives back a part of its velocity.
#pragma once

namespace brisance::contact {

/// Restitution of a mass that meets a spring and damper which do not pull, of damping ratio ζ < 1 [–]:
///   e = exp(−ζ/√(1−ζ²) (π − atan2(2ζ√(1−ζ²), 1−2ζ²)))     (VALIDATION E1)
[[nodiscard]] double restitution(double damping_ratio);

/// Its inverse, to rounding; at most 0.999, where almost nothing comes back. Local; does not throw.
[[nodiscard]] double damping_ratio(double restitution);

}  // namespace brisance::contact
