/// What a turbid medium does to light, per colour channel: scatters and absorbs. Plain values, and named ones.
#pragma once

#include <string>
#include <vector>

#include <Eigen/Dense>

namespace brisance::render::media {

/// A value for red, green and blue.
using Channels = Eigen::Array3d;

/// A homogeneous medium with isotropic scattering: σ'_s = (1 − g) σ_s stands for any phase function of mean cosine g
/// (similarity relation).
struct Medium {
  Channels reduced_scattering = Channels::Zero();  ///< σ'_s [1/m]
  Channels absorption = Channels::Zero();          ///< σ_a [1/m]
  double index = 1.3;                              ///< of refraction, relative to the air outside
};

/// σ'_t = σ'_s + σ_a [1/m].
[[nodiscard]] Channels reduced_extinction(const Medium& medium);
/// 1/σ'_t [m].
[[nodiscard]] Channels mean_free_path(const Medium& medium);
/// α' = σ'_s/σ'_t, the share of light that survives a scattering event.
[[nodiscard]] Channels reduced_albedo(const Medium& medium);
/// σ_tr = √(3 σ_a σ'_t), the decay of diffuse light [1/m].
[[nodiscard]] Channels effective_transport(const Medium& medium);

/// The medium with all lengths times `factor`: a model ten times as large needs 10 to be as translucent.
[[nodiscard]] Medium scaled(const Medium& medium, double factor);

/// Throws core::Error, beginning with `where`, unless σ'_s > 0, σ_a ≥ 0 and the index is in [1, 4].
void check(const Medium& medium, const std::string& where);

/// Media measured by Jensen, Marschner, Levoy and Hanrahan (2001), by name, in alphabetical order.
[[nodiscard]] const std::vector<std::string>& medium_names();
/// Throws core::Error naming the choices.
[[nodiscard]] Medium medium_named(const std::string& name);

}  // namespace brisance::render::media
