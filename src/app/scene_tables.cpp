/// The table of scene keys. A new setting is one row here: everything else follows from it.
#include "brisance/core/error.hpp"
#include "brisance/material/presets.hpp"

#include "app/binding.hpp"
#include "app/key.hpp"

#include <cmath>
#include <numbers>

namespace brisance::app {

namespace {

using contact::ColliderParameters;
using material::Material;
using mesh::Request;
using sim::CameraParameters;
using sim::ObjectParameters;
using sim::OutputParameters;
using sim::RegionParameters;
using sim::Scene;

// Where in a scene the struct of a table is found; generic in constness.
constexpr auto kScene = [](auto& s, std::size_t) -> auto& { return s; };
constexpr auto kMaterial = [](auto& s, std::size_t i) -> auto& { return s.materials.at(i); };
constexpr auto kObject = [](auto& s, std::size_t i) -> auto& { return s.objects.at(i); };
constexpr auto kMesh = [](auto& s, std::size_t i) -> auto& { return s.objects.at(i).mesh; };
constexpr auto kRegion = [](auto& s, std::size_t i) -> auto& { return s.regions.at(i); };
constexpr auto kCollider = [](auto& s, std::size_t i) -> auto& { return s.colliders.at(i); };
constexpr auto kTime = [](auto& s, std::size_t) -> auto& { return s.time; };
constexpr auto kFracture = [](auto& s, std::size_t) -> auto& { return s.fracture; };
constexpr auto kOutput = [](auto& s, std::size_t) -> auto& { return s.output; };
constexpr auto kCamera = [](auto& s, std::size_t) -> auto& { return s.camera; };

constexpr Range kShareRange{.low = 0, .high = 1, .low_open = true};
constexpr Range kPositiveOrInfinite{.low = 0, .low_open = true, .infinite = true};
constexpr Range kNotNegativeOrInfinite{.low = 0, .infinite = true};

constexpr double kRadiansPerDegree = std::numbers::pi / 180;

// -- orientations ----------------------------------------------------------------------------------------------------

Eigen::Quaterniond from_degrees(double x, double y, double z) {
  auto about = [](double degrees, const Vec3& axis) { return Eigen::AngleAxisd(degrees * kRadiansPerDegree, axis); };
  return Eigen::Quaterniond(about(z, Vec3::UnitZ()) * about(y, Vec3::UnitY()) * about(x, Vec3::UnitX()));
}

/// Keeps the bits of a quaternion that is already of unit length, so that a written scene reads back unchanged.
Eigen::Quaterniond unit_quaternion(const std::vector<double>& wxyz) {
  const Eigen::Quaterniond q(wxyz[0], wxyz[1], wxyz[2], wxyz[3]);
  if (q.norm() < 1e-6) throw core::Error("must not be zero (no rotation is [1, 0, 0, 0]).");
  return std::abs(q.norm() - 1) < 1e-12 ? q : q.normalized();
}

std::vector<double> wxyz_of(const Eigen::Quaterniond& q) { return {q.w(), q.x(), q.y(), q.z()}; }

Key collider_rotation() {
  return bind_computed(kCollider, Kind::reals, 3, kNotWritten,
                       [](ColliderParameters& c, const Value& v) {
                         const auto& d = std::get<std::vector<double>>(v);
                         c.orientation = from_degrees(d[0], d[1], d[2]);
                       },
                       {.name = "rotation_deg",
                        .unit = "°",
                        .sentence = "Orientation as rotations about x, then y, then z.",
                        .example = "[0, 0, 45] turns about the vertical",
                        .group = "orientation",
                        .form = "degrees"});
}

Key collider_orientation() {
  return bind_computed(
      kCollider, Kind::reals, 4,
      [](const ColliderParameters& c) -> std::optional<Value> { return wxyz_of(c.orientation); },
      [](ColliderParameters& c, const Value& v) { c.orientation = unit_quaternion(std::get<std::vector<double>>(v)); },
      {.name = "orientation_wxyz",
       .unit = "–",
       .sentence = "Orientation as a quaternion w x y z.",
       .example = "[1, 0, 0, 0] is no rotation",
       .group = "orientation",
       .form = "quaternion"});
}

// -- prescribed paths: parallel lists, one entry a key frame ---------------------------------------------------------

/// The frames for a list of `entries` values. path_time_s comes first and says how many there are.
std::vector<contact::KeyFrame>& frames_for(ColliderParameters& c, std::size_t entries) {
  if (entries != c.path.size())
    throw core::Error("has " + std::to_string(entries) + " entries, but path_time_s has " +
                      std::to_string(c.path.size()) + ": give one for each key frame.");
  return c.path;
}

Key path_time() {
  return bind_computed(
      kCollider, Kind::reals, 0,
      [](const ColliderParameters& c) -> std::optional<Value> {
        std::vector<double> times;
        for (const auto& frame : c.path) times.push_back(frame.time_s);
        return times;
      },
      [](ColliderParameters& c, const Value& v) {
        const auto& times = std::get<std::vector<double>>(v);
        c.path.assign(times.size(), {});
        for (std::size_t i = 0; i < times.size(); ++i) {
          c.path[i].time_s = times[i];
          if (i > 0 && times[i] <= times[i - 1]) throw core::Error("must rise from entry to entry.");
        }
      },
      {.name = "path_time_s",
       .unit = "s",
       .sentence = "Times of the key frames of a prescribed path, rising.",
       .example = "[0.0, 0.5] for two key frames"});
}

Key path_position() {
  return bind_computed(
      kCollider, Kind::rows, 3,
      [](const ColliderParameters& c) -> std::optional<Value> {
        std::vector<std::vector<double>> rows;
        for (const auto& frame : c.path) rows.push_back({frame.position.x(), frame.position.y(), frame.position.z()});
        return rows;
      },
      [](ColliderParameters& c, const Value& v) {
        const auto& rows = std::get<std::vector<std::vector<double>>>(v);
        auto& path = frames_for(c, rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) path[i].position = Vec3(rows[i][0], rows[i][1], rows[i][2]);
      },
      {.name = "path_position_m",
       .unit = "m",
       .sentence = "Position at each key frame; between them it changes linearly.",
       .example = "[[0, 0, 1], [0, 0, 0.5]]"});
}

Key path_rotation() {
  return bind_computed(kCollider, Kind::rows, 3, kNotWritten,
                       [](ColliderParameters& c, const Value& v) {
                         const auto& rows = std::get<std::vector<std::vector<double>>>(v);
                         auto& path = frames_for(c, rows.size());
                         for (std::size_t i = 0; i < rows.size(); ++i)
                           path[i].orientation = from_degrees(rows[i][0], rows[i][1], rows[i][2]);
                       },
                       {.name = "path_rotation_deg",
                        .unit = "°",
                        .sentence = "Orientation at each key frame as rotations about x, then y, then z.",
                        .example = "[[0, 0, 0], [0, 0, 90]]",
                        .group = "path orientation",
                        .form = "degrees"});
}

Key path_orientation() {
  return bind_computed(
      kCollider, Kind::rows, 4,
      [](const ColliderParameters& c) -> std::optional<Value> {
        std::vector<std::vector<double>> rows;
        for (const auto& frame : c.path) rows.push_back(wxyz_of(frame.orientation));
        return rows;
      },
      [](ColliderParameters& c, const Value& v) {
        const auto& rows = std::get<std::vector<std::vector<double>>>(v);
        auto& path = frames_for(c, rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) path[i].orientation = unit_quaternion(rows[i]);
      },
      {.name = "path_orientation_wxyz",
       .unit = "–",
       .sentence = "Orientation at each key frame as quaternions w x y z.",
       .example = "[[1, 0, 0, 0], [1, 0, 0, 0]]",
       .group = "path orientation",
       .form = "quaternion"});
}

// -- materials -------------------------------------------------------------------------------------------------------

double poisson_or_zero(const Material& m) { return m.lame_mu > 0 ? material::poissons_ratio(m) : 0; }

/// λ = Eν/((1+ν)(1−2ν)), μ = E/(2(1+ν)).
void set_elasticity(Material& m, double youngs_modulus_pa, double poissons_ratio) {
  m.lame_lambda = youngs_modulus_pa * poissons_ratio / ((1 + poissons_ratio) * (1 - 2 * poissons_ratio));
  m.lame_mu = youngs_modulus_pa / (2 * (1 + poissons_ratio));
}

Key youngs_modulus_key() {
  return bind_computed(kMaterial, Kind::real, 0, kNotWritten,
                       [](Material& m, const Value& v) { set_elasticity(m, std::get<double>(v), poisson_or_zero(m)); },
                       {.name = "youngs_modulus_pa",
                        .unit = "Pa",
                        .sentence = "Young's modulus E.",
                        .example = "glass is near 7e10, soft models use 1e7",
                        .range = kPositive,
                        .group = "elasticity",
                        .form = "engineering"});
}

Key poissons_ratio_key() {
  return bind_computed(
      kMaterial, Kind::real, 0, kNotWritten,
      [](Material& m, const Value& v) { set_elasticity(m, material::youngs_modulus(m), std::get<double>(v)); },
      {.name = "poissons_ratio",
       .unit = "–",
       .sentence = "Poisson's ratio ν; not negative, because the step bound needs λ ≥ 0.",
       .example = "glass is near 0.22",
       .range = {.low = 0, .high = 0.5, .high_open = true},
       .group = "elasticity",
       .form = "engineering"});
}

Key preset_key() {
  Key row = bind_computed(
      kMaterial, Kind::choice, 0, kNotWritten,
      [](Material& m, const Value& v) { m = material::preset(std::get<std::string>(v)).value(); },
      {.name = "preset", .sentence = "Start from this material (docs/MATERIALS.md); other keys then change it."});
  for (const auto name : material::preset_names()) row.choices.emplace_back(name);
  return row;
}

/// φ = λτ, ψ = μτ.
Key damping_time_key() {
  return bind_computed(
      kMaterial, Kind::real, 0, kNotWritten,
      [](Material& m, const Value& v) {
        m.damping_phi = m.lame_lambda * std::get<double>(v);
        m.damping_psi = m.lame_mu * std::get<double>(v);
      },
      {.name = "damping_time_s",
       .unit = "s",
       .sentence = "Viscosities from one time τ: φ = λτ, ψ = μτ; a vibration of angular frequency ω decays at ω²τ/2.",
       .example = "5e-5 for soft models",
       .range = kNotNegative,
       .group = "damping",
       .form = "time"});
}

/// γ1 = σ_y/(√1.5 μ), the uniaxial plateau.
Key yield_stress_key() {
  return bind_computed(
      kMaterial, Kind::real, 0, kNotWritten,
      [](Material& m, const Value& v) { m.yield_strain = std::get<double>(v) / (std::sqrt(1.5) * m.lame_mu); },
      {.name = "yield_stress_pa",
       .unit = "Pa",
       .sentence = "Stress at which a pulled bar begins to flow; plastic_limit must be set for it to matter.",
       .example = "mild steel is near 2.5e8",
       .range = kNotNegative,
       .group = "yield",
       .form = "stress"});
}

Key toughness_key(material::ToughnessMode mode, Key row) {
  row.group = "toughness";
  row.form = row.name;
  row.range = kNotNegativeOrInfinite;
  return bind_computed(
      kMaterial, Kind::real, 0,
      [mode](const Material& m) { return m.toughness_mode == mode ? std::optional<Value>(m.toughness) : std::nullopt; },
      [mode](Material& m, const Value& v) {
        m.toughness_mode = mode;
        m.toughness = std::get<double>(v);
      },
      std::move(row));
}

Table material_table() {
  using enum material::ToughnessMode;
  return {
      .path = "material",
      .sentence =
          "What objects are made of: a preset, or numbers, or a preset with some numbers changed. Elastic constants "
          "either as youngs_modulus_pa and poissons_ratio or as "
          "lame_lambda_pa and lame_mu_pa; strength either as strength_pa or as toughness_n.",
      .keys =
          {
              preset_key(),
              bind(kMaterial, &Material::name, {.name = "name", .sentence = "The name by which objects refer to it."}),
              bind(kMaterial, &Material::density,
                   {.name = "density_kg_m3",
                    .unit = "kg/m³",
                    .sentence = "Density ρ.",
                    .example = "glass is near 2500",
                    .range = kPositive}),
              youngs_modulus_key(),
              poissons_ratio_key(),
              bind(kMaterial, &Material::lame_lambda,
                   {.name = "lame_lambda_pa",
                    .unit = "Pa",
                    .sentence = "Lamé's first constant λ.",
                    .example = "1.04e8 for the 1999 glass",
                    .range = kNotNegative,
                    .group = "elasticity",
                    .form = "lame"}),
              bind(kMaterial, &Material::lame_mu,
                   {.name = "lame_mu_pa",
                    .unit = "Pa",
                    .sentence = "Shear modulus μ, Lamé's second constant.",
                    .example = "1.04e8 for the 1999 glass",
                    .range = kPositive,
                    .group = "elasticity",
                    .form = "lame"}),
              damping_time_key(),
              bind(kMaterial, &Material::damping_phi,
                   {.name = "damping_phi_pa_s",
                    .unit = "Pa·s",
                    .sentence = "Viscosity φ, which damps changes of volume.",
                    .example = "0 to 3000",
                    .range = kNotNegative,
                    .group = "damping",
                    .form = "viscosities"}),
              bind(kMaterial, &Material::damping_psi,
                   {.name = "damping_psi_pa_s",
                    .unit = "Pa·s",
                    .sentence = "Viscosity ψ, which damps changes of shape.",
                    .example = "400 for the 1999 bowls",
                    .range = kNotNegative,
                    .group = "damping",
                    .form = "viscosities"}),
              toughness_key(stress, {.name = "strength_pa",
                                     .unit = "Pa",
                                     .sentence = "Tensile strength: a node cracks where its separation tensor per area "
                                                 "exceeds this, whatever the mesh. 0 or inf: never.",
                                     .example = "glass is near 5e7"}),
              toughness_key(force,
                            {.name = "toughness_n",
                             .unit = "N",
                             .sentence = "Toughness τ as the 1999 paper uses it: a bound on the separation "
                                         "tensor itself, so strength grows as the mesh gets finer. 0 or inf: never.",
                             .example = "13 to 53 for the 1999 bowls"}),
              yield_stress_key(),
              bind(kMaterial, &Material::yield_strain,
                   {.name = "yield_strain",
                    .unit = "–",
                    .sentence = "γ1: norm of the deviatoric elastic strain FᵀF − I at which plastic flow begins.",
                    .example = "0.001",
                    .range = kNotNegative,
                    .group = "yield",
                    .form = "strain"}),
              bind(kMaterial, &Material::plastic_limit,
                   {.name = "plastic_limit",
                    .unit = "–",
                    .sentence = "γ2: largest norm of the plastic strain; 0 switches plasticity off.",
                    .example = "0.162",
                    .range = {.low = 0, .high = 1.2247, .high_open = true}}),
          },
      .count = [](const Scene& s) { return s.materials.size(); },
      .append = [](Scene& s) { s.materials.emplace_back(); },
  };
}

// -- objects ---------------------------------------------------------------------------------------------------------

Table object_table() {
  return {
      .path = "object",
      .sentence = "A breakable object: a mesh, placed in the world, of one material.",
      .keys =
          {
              bind(kObject, &ObjectParameters::name, {.name = "name", .sentence = "Its name in messages and output."}),
              bind(kObject, &ObjectParameters::material,
                   {.name = "material",
                    .sentence = "Name of a [[material]]; may be left out where the scene has only one."}),
              bind(kObject, &ObjectParameters::rotation_deg,
                   {.name = "rotation_deg",
                    .unit = "°",
                    .sentence = "Rotation about x, then y, then z, about the centre of the mesh's bounding box.",
                    .example = "[90, 0, 0] lays it on its side"}),
              bind(kObject, &ObjectParameters::translation,
                   {.name = "translation_m",
                    .unit = "m",
                    .sentence = "Translation after the rotation.",
                    .example = "[0, 0, 1]"}),
              bind(kObject, &ObjectParameters::drop_to_height_m,
                   {.name = "lowest_point_m",
                    .unit = "m",
                    .sentence = "Moves the object along z until its lowest point is at this height; nan leaves it.",
                    .example = "0.001 starts just above the ground",
                    .range = {.not_a_number = true}}),
              bind(kObject, &ObjectParameters::velocity,
                   {.name = "velocity_m_s",
                    .unit = "m/s",
                    .sentence = "Velocity at the start.",
                    .example = "[0, 0, -4.43] is a fall from 1 m"}),
              bind(kObject, &ObjectParameters::angular_velocity,
                   {.name = "angular_velocity_rad_s",
                    .unit = "rad/s",
                    .sentence = "Angular velocity at the start, about the centre of mass.",
                    .example = "[0, 0, 5]"}),
          },
      .count = [](const Scene& s) { return s.objects.size(); },
      .append = [](Scene& s) { s.objects.emplace_back(); },
  };
}

Key mesh_file() {
  return bind_computed(
      kMesh, Kind::file, 0, [](const Request& r) -> std::optional<Value> { return r.file.string(); },
      [](Request& r, const Value& v) {
        r.file = std::get<std::string>(v);
        if (!r.file.empty()) r.shape = mesh::ShapeKind::file;
      },
      {.name = "file",
       .sentence =
           "A surface (OBJ, STL, PLY, OFF) to fill with tetrahedra or a tetrahedral mesh (TetGen, Gmsh, VTU, "
           ".hdf), relative to the scene file; it makes the shape \"file\". A file that lists the corners of all "
           "its tets the other way round is read; one with some tets inverted is refused."});
}

Key opening_angle_deg() {
  return bind_computed(
      kMesh, Kind::real, 0, kNotWritten,
      [](Request& r, const Value& v) { r.opening_angle_rad = std::get<double>(v) * kRadiansPerDegree; },
      {.name = "opening_angle_deg",
       .unit = "°",
       .sentence = "bowl: the polar angle of its rim in degrees.",
       .example = "80",
       .range = {.low = 0, .high = 180, .low_open = true, .high_open = true},
       .group = "opening",
       .form = "degrees"});
}

Table mesh_table() {
  return {
      .path = "object.mesh",
      .sentence =
          "The object's mesh: a file or a parametric shape, and how finely. If neither target_tets nor "
          "edge_length_m is given, about 20 000 tets are made.",
      .keys =
          {
              mesh_file(),
              bind_choice(kMesh, &Request::shape,
                          {"file", "box", "slab", "wall", "sheet", "bowl", "hollow_ball", "solid_cylinder",
                           "hollow_cylinder", "torus", "notched_block"},
                          {.name = "shape", .sentence = "What to mesh. Shapes are centred on the origin."}),
              bind(kMesh, &Request::size,
                   {.name = "size_m",
                    .unit = "m",
                    .sentence = "box, slab, wall, sheet, notched_block: edge lengths along x, y, z.",
                    .example = "[1, 1, 0.04]",
                    .range = kPositive}),
              bind(kMesh, &Request::radius_m,
                   {.name = "radius_m",
                    .unit = "m",
                    .sentence = "bowl, hollow_ball, cylinders: outer radius; torus: radius of the centre circle.",
                    .example = "0.15",
                    .range = kPositive}),
              bind(kMesh, &Request::thickness_m,
                   {.name = "thickness_m",
                    .unit = "m",
                    .sentence = "bowl, hollow_ball, hollow_cylinder: wall thickness.",
                    .example = "0.02",
                    .range = kPositive}),
              bind(kMesh, &Request::tube_radius_m,
                   {.name = "tube_radius_m",
                    .unit = "m",
                    .sentence = "torus: radius of the tube.",
                    .example = "0.05",
                    .range = kPositive}),
              bind(kMesh, &Request::length_m,
                   {.name = "length_m",
                    .unit = "m",
                    .sentence = "cylinders: length along z.",
                    .example = "0.3",
                    .range = kPositive}),
              opening_angle_deg(),
              bind(kMesh, &Request::opening_angle_rad,
                   {.name = "opening_angle_rad",
                    .unit = "rad",
                    .sentence = "bowl: polar angle of the rim, measured from the downward axis (π/2: a half sphere).",
                    .example = "1.4",
                    .range = {.low = 0, .high = std::numbers::pi, .low_open = true, .high_open = true},
                    .group = "opening",
                    .form = "radians"}),
              bind(kMesh, &Request::notch_depth_m,
                   {.name = "notch_depth_m",
                    .unit = "m",
                    .sentence = "notched_block: depth of the notch.",
                    .example = "0.1",
                    .range = kPositive}),
              bind(kMesh, &Request::notch_width_m,
                   {.name = "notch_width_m",
                    .unit = "m",
                    .sentence = "notched_block: width of the notch at its mouth.",
                    .example = "0.02",
                    .range = kPositive}),
              bind(kMesh, &Request::layers,
                   {.name = "layers",
                    .unit = "–",
                    .sentence = "Least number of elements through the thickness of a shape.",
                    .example = "3",
                    .range = {.low = 1, .high = 1000}}),
              bind(kMesh, &Request::target_tets,
                   {.name = "target_tets",
                    .unit = "–",
                    .sentence = "About how many tetrahedra to make; 0: take edge_length_m.",
                    .example = "20000",
                    .range = {.low = 0, .high = 1e10}}),
              bind(kMesh, &Request::edge_length_m,
                   {.name = "edge_length_m",
                    .unit = "m",
                    .sentence = "About how long the edges shall be; 0: take target_tets.",
                    .example = "0.02",
                    .range = kNotNegative}),
              bind(kMesh, &Request::scale,
                   {.name = "scale",
                    .unit = "–",
                    .sentence = "Factor that turns the file's lengths into metres.",
                    .example = "0.001 for millimetres",
                    .range = kPositive}),
              bind(kMesh, &Request::quality,
                   {.name = "quality",
                    .unit = "–",
                    .sentence = "TetGen's bound on radius over shortest edge.",
                    .example = "1.414",
                    .range = {.low = 1, .high = 10}}),
              bind(kMesh, &Request::repair,
                   {.name = "repair",
                    .sentence = "Wrap an open or self-intersecting surface in a closed one instead of refusing it."}),
              bind(kMesh, &Request::cage,
                   {.name = "cage",
                    .sentence = "Fill a cage around the surface, with triangles of the wanted edge length that "
                                "strictly contain it, instead of the surface: for messy input, or input finer than "
                                "its tets shall be."}),
          },
      .count = [](const Scene& s) { return s.objects.size(); },
  };
}

// -- regions and colliders -------------------------------------------------------------------------------------------

Table region_table() {
  return {
      .path = "region",
      .sentence =
          "Holds or moves the nodes whose rest position, after placement, lies inside a shape. With both "
          "velocities zero they are clamped.",
      .keys =
          {
              bind(kRegion, &RegionParameters::name, {.name = "name", .sentence = "Its name in messages."}),
              bind_choice(kRegion, &RegionParameters::shape, {"box", "sphere", "half_space"},
                          {.name = "shape", .sentence = "The shape that picks the nodes."}),
              bind(kRegion, &RegionParameters::low,
                   {.name = "low_m",
                    .unit = "m",
                    .sentence = "box: corner with the smallest coordinates.",
                    .example = "[-1, -1, 0]"}),
              bind(kRegion, &RegionParameters::high,
                   {.name = "high_m",
                    .unit = "m",
                    .sentence = "box: corner with the largest coordinates.",
                    .example = "[1, 1, 0.01]"}),
              bind(kRegion, &RegionParameters::centre,
                   {.name = "centre_m",
                    .unit = "m",
                    .sentence = "sphere: centre; half_space: a point of its plane.",
                    .example = "[0, 0, 0.1]"}),
              bind(kRegion, &RegionParameters::radius_m,
                   {.name = "radius_m",
                    .unit = "m",
                    .sentence = "sphere: radius.",
                    .example = "0.1",
                    .range = kNotNegative}),
              bind(kRegion, &RegionParameters::normal,
                   {.name = "normal",
                    .unit = "–",
                    .sentence = "half_space: outward normal; nodes with (x − centre_m)·normal ≤ 0 are inside.",
                    .example = "[0, 0, 1]"}),
              bind(kRegion, &RegionParameters::velocity,
                   {.name = "velocity_m_s",
                    .unit = "m/s",
                    .sentence = "Prescribed velocity.",
                    .example = "[0, 0, 0.5]"}),
              bind(kRegion, &RegionParameters::angular_velocity,
                   {.name = "angular_velocity_rad_s",
                    .unit = "rad/s",
                    .sentence = "Prescribed angular velocity about an axis through pivot_m.",
                    .example = "[0, 0, 5]"}),
              bind(kRegion, &RegionParameters::pivot,
                   {.name = "pivot_m",
                    .unit = "m",
                    .sentence = "A point on the axis of rotation.",
                    .example = "[0, 0, 0]"}),
              bind(kRegion, &RegionParameters::axes,
                   {.name = "axes",
                    .sentence = "Which components x, y, z of the velocity are prescribed.",
                    .example = "[false, false, true] leaves x and y free"}),
              bind(kRegion, &RegionParameters::ramp_s,
                   {.name = "ramp_s",
                    .unit = "s",
                    .sentence = "The velocity grows linearly from zero over this time.",
                    .example = "0.001",
                    .range = kNotNegative}),
              bind(kRegion, &RegionParameters::until_s,
                   {.name = "until_s",
                    .unit = "s",
                    .sentence = "The nodes are released after this time; inf: never.",
                    .example = "0.1",
                    .range = kNotNegativeOrInfinite}),
          },
      .count = [](const Scene& s) { return s.regions.size(); },
      .append = [](Scene& s) { s.regions.emplace_back(); },
  };
}

Table collider_table() {
  return {
      .path = "collider",
      .sentence = "A rigid body that objects meet: fixed, on a prescribed path, or free with mass and inertia.",
      .keys =
          {
              bind(kCollider, &ColliderParameters::name,
                   {.name = "name", .sentence = "Its name in messages and output."}),
              bind_choice(kCollider, &ColliderParameters::shape, {"plane", "sphere", "box"},
                          {.name = "shape", .sentence = "Its shape; a plane is the surface of a half space."}),
              bind_choice(
                  kCollider, &ColliderParameters::motion, {"fixed", "path", "free"},
                  {.name = "motion", .sentence = "fixed, led along key frames, or moved by gravity and contact."}),
              bind(kCollider, &ColliderParameters::position,
                   {.name = "position_m",
                    .unit = "m",
                    .sentence = "Centre; of a plane, a point on it.",
                    .example = "[0, 0, 0.5]"}),
              collider_rotation(),
              collider_orientation(),
              bind(kCollider, &ColliderParameters::normal,
                   {.name = "normal",
                    .unit = "–",
                    .sentence = "plane: the normal that points to the objects' side.",
                    .example = "[0, 0, 1]"}),
              bind(kCollider, &ColliderParameters::radius_m,
                   {.name = "radius_m",
                    .unit = "m",
                    .sentence = "sphere: radius.",
                    .example = "0.1",
                    .range = kNotNegative}),
              bind(kCollider, &ColliderParameters::size,
                   {.name = "size_m",
                    .unit = "m",
                    .sentence = "box: full edge lengths.",
                    .example = "[1, 1, 0.1]",
                    .range = kNotNegative}),
              bind(kCollider, &ColliderParameters::mass_kg,
                   {.name = "mass_kg",
                    .unit = "kg",
                    .sentence = "free: mass; the inertia is that of a uniform solid of the shape.",
                    .example = "5",
                    .range = kNotNegative}),
              bind(kCollider, &ColliderParameters::velocity,
                   {.name = "velocity_m_s",
                    .unit = "m/s",
                    .sentence = "free: velocity at the start.",
                    .example = "[0, 5, 0]"}),
              bind(kCollider, &ColliderParameters::angular_velocity,
                   {.name = "angular_velocity_rad_s",
                    .unit = "rad/s",
                    .sentence = "free: angular velocity at the start.",
                    .example = "[0, 0, 1]"}),
              path_time(),
              path_position(),
              path_rotation(),
              path_orientation(),
              bind(kCollider, &ColliderParameters::stiffness_scale,
                   {.name = "stiffness_scale",
                    .unit = "–",
                    .sentence = "Multiplies the penalty stiffness that is chosen from material and mesh.",
                    .example = "1",
                    .range = kPositive}),
              bind(kCollider, &ColliderParameters::stiffness_n_per_m,
                   {.name = "stiffness_n_per_m",
                    .unit = "N/m",
                    .sentence = "Penalty stiffness of each node; 0 chooses mass · (wave speed / smallest altitude)².",
                    .example = "1e5",
                    .range = kNotNegative}),
              bind(kCollider, &ColliderParameters::damping_ratio,
                   {.name = "damping_ratio",
                    .unit = "–",
                    .sentence = "Damping of the contact, as a share of critical.",
                    .example = "0.1",
                    .range = {.low = 0, .high = 1}}),
              bind(kCollider, &ColliderParameters::friction,
                   {.name = "friction",
                    .unit = "–",
                    .sentence = "Coulomb coefficient of friction.",
                    .example = "0.3",
                    .range = kNotNegative}),
          },
      .count = [](const Scene& s) { return s.colliders.size(); },
      .append = [](Scene& s) { s.colliders.emplace_back(); },
  };
}

// -- the single tables -----------------------------------------------------------------------------------------------

Table top_table() {
  return {.path = "",
          .sentence = "At the top of the file, before the first table.",
          .keys = {
              bind(kScene, &Scene::title, {.name = "title", .sentence = "A line that says what the scene shows."}),
              bind(kScene, &Scene::gravity,
                   {.name = "gravity_m_s2",
                    .unit = "m/s²",
                    .sentence = "Acceleration of gravity.",
                    .example = "[0, 0, -9.81]"}),
          }};
}

Table time_table() {
  using dynamics::Parameters;
  return {
      .path = "time",
      .sentence = "How long the scene runs and how it is integrated.",
      .keys = {
          bind(kScene, &Scene::duration_s,
               {.name = "duration_s",
                .unit = "s",
                .sentence = "Simulated time; must be given.",
                .example = "0.1",
                .range = kPositive}),
          bind_choice(kTime, &Parameters::integrator, {"symplectic_euler", "forward_euler", "taylor2"},
                      {.name = "integrator",
                       .sentence = "Time integration; the last two are those of the 1999 paper and need damping."}),
          bind(kTime, &Parameters::step_safety,
               {.name = "step_safety",
                .unit = "–",
                .sentence = "Share of the largest stable step that is used.",
                .example = "0.8",
                .range = kShareRange}),
          bind(kTime, &Parameters::max_step_s,
               {.name = "max_step_s",
                .unit = "s",
                .sentence = "Never step further than this.",
                .example = "1e-4",
                .range = kPositiveOrInfinite}),
          bind(kTime, &Parameters::min_step_s,
               {.name = "min_step_s",
                .unit = "s",
                .sentence = "Stop, naming the elements to blame, if the step falls below this; 0: duration_s / 5e7.",
                .example = "1e-9",
                .range = kNotNegative}),
          bind(kTime, &Parameters::strain_refresh_steps,
               {.name = "strain_refresh_steps",
                .unit = "–",
                .sentence = "Steps between two looks at the strains that shorten the step.",
                .example = "16",
                .range = {.low = 1, .high = 1000000}}),
          bind(kTime, &Parameters::watch_energy,
               {.name = "watch_energy",
                .sentence = "Also shorten the step while the total energy grows, as in the 2002 paper."}),
      }};
}

Table fracture_table() {
  using fracture::Parameters;
  return {
      .path = "fracture",
      .sentence = "When nodes crack and how the mesh is cut.",
      .keys = {
          bind(kFracture, &Parameters::enabled, {.name = "enabled", .sentence = "false: nothing breaks."}),
          bind(
              kFracture, &Parameters::snap_fraction,
              {.name = "snap_fraction",
               .unit = "–",
               .sentence = "A crack closer to a node than this share of the initial edge length goes through the node.",
               .example = "0.1",
               .range = {.low = 0, .high = 0.5, .high_open = true}}),
          bind(kFracture, &Parameters::snap_distance_m,
               {.name = "snap_distance_m",
                .unit = "m",
                .sentence = "The same as a distance; 0: not used (the 1999 paper has 0.005).",
                .example = "0.005",
                .range = kNotNegative}),
          bind(kFracture, &Parameters::snap_angle_rad,
               {.name = "snap_angle_rad",
                .unit = "rad",
                .sentence = "The same as an angle off the crack plane, seen from the splitting node.",
                .example = "0.1",
                .range = {.low = 0, .high = 1}}),
          bind(kFracture, &Parameters::altitude_floor,
               {.name = "altitude_floor",
                .unit = "–",
                .sentence = "No cut leaves an altitude below this share of the uncut mesh's smallest.",
                .example = "0.4",
                .range = {.low = 0, .high = 1}}),
          bind(kFracture, &Parameters::max_plane_deviation_rad,
               {.name = "max_plane_deviation_rad",
                .unit = "rad",
                .sentence = "A cut that would have to move a node further off its plane is refused.",
                .example = "0.4",
                .range = {.low = 0, .high = 1.5707963}}),
          bind(kFracture, &Parameters::refusal_angle_rad,
               {.name = "refusal_angle_rad",
                .unit = "rad",
                .sentence = "A refused node tries again once its crack plane has turned by this.",
                .example = "0.192",
                .range = {.low = 0, .high = 1.5707963}}),
          bind(kFracture, &Parameters::cap_damping_ratio,
               {.name = "cap_damping_ratio",
                .sentence = "Elements made by cuts keep at most the largest damping ratio of the uncut mesh, so that "
                            "small ones do not shrink the step with the square of their size."}),
          bind(kFracture, &Parameters::crack_speed_share,
               {.name = "crack_speed_share",
                .unit = "–",
                .sentence = "Largest crack speed as a share of the Rayleigh wave speed; 0: no limit.",
                .example = "0.6",
                .range = {.low = 0, .high = 10}}),
          bind(kFracture, &Parameters::copy_speed_share,
               {.name = "copy_speed_share",
                .unit = "–",
                .sentence = "The same for the copies of a split node, over the smallest altitude; 0: no limit.",
                .example = "1.2",
                .range = {.low = 0, .high = 10}}),
          bind(kFracture, &Parameters::evaluate_interval_share,
               {.name = "evaluate_interval_share",
                .unit = "–",
                .sentence = "Look for failing nodes once in this share of a pressure wave's passage through the "
                            "smallest altitude; 0: in every step.",
                .example = "0.1",
                .range = {.low = 0, .high = 10}}),
          bind(kFracture, &Parameters::max_rounds_per_step,
               {.name = "max_rounds_per_step",
                .unit = "–",
                .sentence = "Cap on the rounds of cracking in one step; what is left waits for the next.",
                .example = "1000",
                .range = {.low = 1, .high = 1000000}}),
          bind(kFracture, &Parameters::seed,
               {.name = "seed",
                .unit = "–",
                .sentence = "Seed of the order in which equally severe nodes crack.",
                .example = "1",
                .range = {.low = 0, .high = 9e18}}),
          bind(kFracture, &Parameters::check_invariants,
               {.name = "check_invariants",
                .sentence = "After each round verify that all ranks' copies agree (slow; for tests)."}),
      }};
}

Table output_table() {
  return {.path = "output",
          .sentence = "How often results are written.",
          .keys = {
              bind(kOutput, &OutputParameters::frame_interval_s,
                   {.name = "frame_interval_s",
                    .unit = "s",
                    .sentence = "Simulated time between snapshots; 0: a twenty-fifth of the duration.",
                    .example = "0.004",
                    .range = kNotNegative}),
              bind(kOutput, &OutputParameters::monitor_interval_s,
                   {.name = "monitor_interval_s",
                    .unit = "s",
                    .sentence = "Simulated time between rows of monitor.csv; 0: a tenth of the frame interval.",
                    .example = "0.0004",
                    .range = kNotNegative}),
              bind(kOutput, &OutputParameters::energy_ledger,
                   {.name = "energy_ledger",
                    .sentence =
                        "Account for viscous work step by step, so that the energies close (costs a few percent)."}),
              bind(kOutput, &OutputParameters::progress_interval_s,
                   {.name = "progress_interval_s",
                    .unit = "s",
                    .sentence = "Real time between progress lines.",
                    .example = "1",
                    .range = kNotNegative}),
          }};
}

Table camera_table() {
  const Range pixels{.low = 16, .high = 16384};
  return {.path = "camera",
          .sentence = "The camera of `brisance render`; the solver does not look at it.",
          .keys = {
              bind(kCamera, &CameraParameters::automatic,
                   {.name = "automatic", .sentence = "Frame the whole motion; false: use eye_m and target_m."}),
              bind(kCamera, &CameraParameters::eye,
                   {.name = "eye_m", .unit = "m", .sentence = "Where the camera is.", .example = "[1, -1, 0.5]"}),
              bind(kCamera, &CameraParameters::target,
                   {.name = "target_m", .unit = "m", .sentence = "What it looks at.", .example = "[0, 0, 0.1]"}),
              bind(kCamera, &CameraParameters::up,
                   {.name = "up",
                    .unit = "–",
                    .sentence = "The direction that is up in the picture.",
                    .example = "[0, 0, 1]"}),
              bind(kCamera, &CameraParameters::field_of_view_deg,
                   {.name = "field_of_view_deg",
                    .unit = "°",
                    .sentence = "Vertical angle of view.",
                    .example = "35",
                    .range = {.low = 0, .high = 170, .low_open = true}}),
              bind(kCamera, &CameraParameters::width,
                   {.name = "width",
                    .unit = "pixels",
                    .sentence = "Width of the picture.",
                    .example = "960",
                    .range = pixels}),
              bind(kCamera, &CameraParameters::height,
                   {.name = "height",
                    .unit = "pixels",
                    .sentence = "Height of the picture.",
                    .example = "720",
                    .range = pixels}),
          }};
}

Table parallel_table() {
  return {.path = "parallel",
          .sentence = "For tests: by design neither key changes a bit of the result.",
          .keys = {
              bind(kScene, &Scene::random_partition,
                   {.name = "random_partition", .sentence = "Draw the owners of nodes at random instead of by METIS."}),
              bind(kScene, &Scene::migrate_every_steps,
                   {.name = "migrate_every_steps",
                    .unit = "–",
                    .sentence = "Give every node a new random owner every so many steps; 0: never.",
                    .example = "50",
                    .range = {.low = 0, .high = 1000000000}}),
          }};
}

}  // namespace

const std::vector<Table>& scene_tables() {
  static const std::vector<Table> tables{top_table(),    material_table(), object_table(),  mesh_table(),
                                         region_table(), collider_table(), time_table(),    fracture_table(),
                                         output_table(), camera_table(),   parallel_table()};
  return tables;
}

}  // namespace brisance::app
