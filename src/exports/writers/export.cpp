#include "brisance/exports/export.hpp"

#include "brisance/core/error.hpp"
#include "brisance/io/atomic_file.hpp"
#include "brisance/io/series.hpp"

#include "exports/frames/rigid_tracks.hpp"
#include "exports/writers/frame_source.hpp"
#include "exports/writers/frame_text.hpp"
#include "exports/writers/rigid_files.hpp"
#include "exports/writers/single_files.hpp"

#include <optional>

#include <spdlog/fmt/fmt.h>

namespace brisance::exports {

namespace {

namespace fs = std::filesystem;

constexpr const char* kBlenderScript = "import_into_blender.py";
constexpr const char* kPiecesTable = "pieces.csv";

fs::path frame_file(const fs::path& out, Format format, const fs::path& snapshot) {
  const fs::path stem = snapshot.stem();
  switch (format) {
    case Format::obj:
      return out / (stem.string() + ".obj");
    case Format::ply:
      return out / (stem.string() + ".ply");
    case Format::vtp:
      return out / (stem.string() + ".vtp");
    default:
      return out / "frames" / (stem.string() + ".brf");
  }
}

void make_folder(const fs::path& folder) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure)
    throw core::Error(fmt::format("{} cannot be made: {}. Choose another --out.", folder.string(), failure.message()));
}

void write_frame(const FragmentFrame& frame, const fs::path& file, const ExportOptions& options) {
  switch (options.format) {
    case Format::obj: {
      const fs::path library = fs::path(file).replace_extension(".mtl");
      io::write_atomically(library, mtl_text(frame));
      io::write_atomically(file, obj_text(frame, options.up, library.filename().string()));
      return;
    }
    case Format::ply:
      return io::write_atomically(file, ply_text(frame, options.up));
    case Format::vtp:
      return io::write_atomically(file, vtp_text(frame, options.up));
    default:
      return io::write_atomically(file, blender_frame(frame));
  }
}

/// Pieces over time; names hold no commas.
std::string pieces_csv(const std::vector<PieceLife>& pieces) {
  std::string text = "id,name,parent,first_frame,last_frame,born_s,mass_kg\n";
  for (const PieceLife& p : pieces) {
    if (p.first_frame < 0) continue;  // an atom that no piece is named after
    text +=
        fmt::format("{},{},{},{},{},{},{}\n", p.id, p.name, p.parent, p.first_frame, p.last_frame, p.born_s, p.mass_kg);
  }
  return text;
}

/// ParaView's list of a sequence of files.
void write_vtp_series(const fs::path& out, const FrameSource& frames) {
  std::vector<io::SeriesFrame> list;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const fs::path& file = frames.files()[i];
    const double time_s = frames.is_still() ? 0 : io::read_snapshot_header(file).time_s;
    list.push_back({frame_file(out, Format::vtp, file).filename().string(), time_s});
  }
  io::write_series(out / "run.vtp.series", list);
}

/// Rigid pieces with their bonds; folders are made.
void write_rigid(const fs::path& out, const ExportOptions& options, const FrameSource& frames, ExportFacts& facts) {
  const RigidScene scene = rigid_scene(frames, options);
  facts.is_rigid = true;
  facts.notes = scene.notes;
  switch (options.format) {
    case Format::houdini:
      make_folder(out / "points");
      make_folder(out / "constraints");
      write_houdini(out, scene, frames.files());
      io::write_atomically(out / kPiecesTable, pieces_csv(frames.pieces()));
      return;
    case Format::unreal:
      return write_unreal(out, scene);
    case Format::vat:
      make_folder(out);
      return write_vat(out, scene, options.write_image);
    default:
      return write_bonded_usda(out, scene, options.up);
  }
}

void write_one_file(const fs::path& out, const ExportOptions& options, const FrameSource& frames, ExportFacts& facts) {
  std::optional<RigidTracks> tracks;
  constexpr double kAny = std::numeric_limits<double>::infinity();
  const bool is_asked_for = options.motion == Motion::rigid;
  if (options.motion != Motion::deforming && !frames.is_still())
    tracks = rigid_tracks(frames.files(), is_asked_for ? kAny : kLargestDeviation,
                          is_asked_for ? kAny : kLargestParticleShare);
  facts.is_rigid = tracks.has_value();
  const bool is_glb = options.format == Format::glb;
  if (!tracks) return is_glb ? write_deforming_glb(out, frames) : write_deforming_usda(out, frames, options.up);
  const FragmentFrame last = frames.read(frames.size() - 1);
  add_crumbs(last, *tracks);
  if (is_glb)
    write_rigid_glb(out, last, *tracks);
  else
    write_rigid_usda(out, last, *tracks, options.up);
}

void write_many_files(const core::Comm& comm, const fs::path& out, const ExportOptions& options,
                      const FrameSource& frames) {
  core::agree(comm, [&] {
    if (comm.is_root()) make_folder(options.format == Format::blender ? out / "frames" : out);
  });
  core::agree(comm, [&] {
    for (std::size_t i = static_cast<std::size_t>(comm.rank()); i < frames.size();
         i += static_cast<std::size_t>(comm.size()))
      write_frame(frames.read(i), frame_file(out, options.format, frames.files()[i]), options);
    if (!comm.is_root()) return;
    if (!frames.pieces().empty()) io::write_atomically(out / kPiecesTable, pieces_csv(frames.pieces()));
    if (options.format == Format::vtp) write_vtp_series(out, frames);
    if (options.format == Format::blender) io::write_atomically(out / kBlenderScript, blender_script());
  });
}

}  // namespace

std::vector<fs::path> export_files(const fs::path& input, const fs::path& out, const ExportOptions& options) {
  if (is_one_file(options.format)) return {out};
  if (options.format == Format::vat) return vat_files(out);
  std::vector<fs::path> files{out / kPiecesTable};
  if (options.format == Format::houdini) {
    const std::vector<fs::path> more = houdini_files(out, chosen_frames(input, options));
    files.insert(files.end(), more.begin(), more.end());
    return files;
  }
  for (const fs::path& snapshot : chosen_frames(input, options)) {
    files.push_back(frame_file(out, options.format, snapshot));
    if (options.format == Format::obj) files.push_back(fs::path(files.back()).replace_extension(".mtl"));
  }
  if (options.format == Format::vtp) files.push_back(out / "run.vtp.series");
  if (options.format == Format::blender) files.push_back(out / kBlenderScript);
  return files;
}

ExportFacts export_run(const core::Comm& comm, const fs::path& input, const fs::path& out,
                       const ExportOptions& options) {
  ExportFacts facts;
  if (options.format == Format::paraview) {
    core::agree(comm, [&] {
      if (comm.is_root()) io::write_atomically(out, paraview_script(input));
    });
    facts.num_frames = comm.is_root() ? chosen_frames(input, options).size() : 0;
  } else {
    const bool is_shared = !is_one_file(options.format) && !is_of_bodies(options);
    const FrameSource frames(comm, input, options);
    if (is_shared) {
      write_many_files(comm, out, options, frames);
    } else {
      core::agree(comm, [&] {
        if (!comm.is_root()) return;
        if (is_of_bodies(options))
          write_rigid(out, options, frames, facts);
        else
          write_one_file(out, options, frames, facts);
      });
    }
    facts.num_frames = frames.size();
    const std::vector<std::string> notes = frames.notes();
    facts.notes.insert(facts.notes.end(), notes.begin(), notes.end());
  }
  if (!comm.is_root()) return facts;
  for (const fs::path& file : export_files(input, out, options)) {
    if (!fs::exists(file)) continue;  // no table of pieces where names do not last
    ++facts.num_files;
    std::error_code ignored;
    facts.bytes += fs::file_size(file, ignored);
  }
  return facts;
}

}  // namespace brisance::exports
