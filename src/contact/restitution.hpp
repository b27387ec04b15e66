/// The damping ratio of a contact for a given coefficient of restitution.
#pragma once

namespace brisance::contact {

/// Restitution of a mass that meets a spring and a damper without adhesion, of damping ratio ζ < 1 [–]:
///   e = exp(−ζ/√(1−ζ²) (π − atan2(2ζ√(1−ζ²), 1−2ζ²)))     (VALIDATION E1)
[[nodiscard]] double restitution(double damping_ratio);

/// Its inverse, to rounding; at most 0.999, for a restitution near 0. Local; does not throw.
[[nodiscard]] double damping_ratio(double restitution);

}  // namespace brisance::contact
