#include "brisance/exports/export.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/words.hpp"
#include "brisance/io/atomic_file.hpp"
#include "brisance/io/series.hpp"

#include "exports/frames/rigid_tracks.hpp"
#include "exports/writers/frame_source.hpp"
#include "exports/writers/frame_text.hpp"
#include "exports/writers/pieces_table.hpp"
#include "exports/writers/single_files.hpp"

#include <optional>

#include <spdlog/fmt/fmt.h>

namespace brisance::exports {

namespace {

namespace fs = std::filesystem;

constexpr const char* kBlenderScript = "import_into_blender.py";
constexpr const char* kPieces = "pieces.csv";

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

/// ParaView's list of a sequence of files.
void write_vtp_series(const fs::path& out, const FrameSource& frames) {
  std::vector<io::SeriesFrame> list;
  for (const fs::path& file : frames.files())
    list.push_back({frame_file(out, Format::vtp, file).filename().string(), io::read_snapshot_header(file).time_s});
  io::write_series(out / "run.vtp.series", list);
}

void write_one_file(const fs::path& input, const fs::path& out, const ExportOptions& options, const FrameSource& frames,
                    ExportFacts& facts) {
  if (options.format == Format::paraview) return io::write_atomically(out, paraview_script(input));
  std::optional<RigidTracks> tracks;
  if (options.motion != Motion::deforming)
    tracks = rigid_tracks(
        frames.files(), options.motion == Motion::rigid ? std::numeric_limits<double>::infinity() : kLargestDeviation);
  facts.is_rigid = tracks.has_value();
  if (options.format == Format::glb) {
    if (tracks)
      write_rigid_glb(out, frames.read(frames.size() - 1), *tracks);
    else
      write_deforming_glb(out, frames);
    return;
  }
  if (tracks)
    write_rigid_usda(out, frames.read(frames.size() - 1), *tracks, options.up);
  else
    write_deforming_usda(out, frames, options.up);
}

/// Returns the number of triangles that could not be divided, of all frames.
std::int64_t write_many_files(const core::Comm& comm, const fs::path& out, const ExportOptions& options,
                              const FrameSource& frames) {
  std::int64_t num_unclear = 0;
  core::agree(comm, [&] {
    if (comm.is_root()) make_folder(options.format == Format::blender ? out / "frames" : out);
  });
  core::agree(comm, [&] {
    for (std::size_t i = static_cast<std::size_t>(comm.rank()); i < frames.size();
         i += static_cast<std::size_t>(comm.size())) {
      const FragmentFrame frame = frames.read(i);
      num_unclear += frame.num_unclear;
      write_frame(frame, frame_file(out, options.format, frames.files()[i]), options);
    }
    if (!comm.is_root()) return;
    io::write_atomically(out / kPieces, pieces_table(frames.pieces()));
    if (options.format == Format::vtp) write_vtp_series(out, frames);
    if (options.format == Format::blender) io::write_atomically(out / kBlenderScript, blender_script());
  });
  return comm.sum(num_unclear);
}

}  // namespace

std::vector<fs::path> export_files(const fs::path& input, const fs::path& out, const ExportOptions& options) {
  if (is_one_file(options.format)) return {out};
  const FrameSource frames(input, options);
  std::vector<fs::path> files;
  for (const fs::path& snapshot : frames.files()) {
    files.push_back(frame_file(out, options.format, snapshot));
    if (options.format == Format::obj) files.push_back(fs::path(files.back()).replace_extension(".mtl"));
  }
  files.push_back(out / kPieces);
  if (options.format == Format::vtp) files.push_back(out / "run.vtp.series");
  if (options.format == Format::blender) files.push_back(out / kBlenderScript);
  return files;
}

ExportFacts export_run(const core::Comm& comm, const fs::path& input, const fs::path& out,
                       const ExportOptions& options) {
  ExportFacts facts;
  std::optional<FrameSource> frames;
  std::int64_t num_unclear = 0;
  core::agree_on_input(comm, [&] { frames.emplace(input, options); });
  if (is_one_file(options.format))
    core::agree(comm, [&] {
      if (comm.is_root()) write_one_file(input, out, options, *frames, facts);
    });
  else
    num_unclear = write_many_files(comm, out, options, *frames);
  facts.num_frames = frames->size();
  if (!comm.is_root()) return facts;
  if (options.format != Format::paraview) facts.notes = frames->notes();
  if (num_unclear > 0)
    facts.notes.push_back(
        fmt::format("{} of the input and of cracks in all frames could not be divided: there pieces are not closed "
                    "(docs/SKIN.md).",
                    core::counted(num_unclear, "triangle")));
  for (const fs::path& file : export_files(input, out, options)) {
    ++facts.num_files;
    std::error_code ignored;
    facts.bytes += fs::file_size(file, ignored);
  }
  return facts;
}

}  // namespace brisance::exports
