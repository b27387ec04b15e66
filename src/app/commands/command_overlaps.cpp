/// `brisance overlaps`: finds pieces of a frame that lie inside each other.
#include "brisance/breaking/run_frame.hpp"
#include "brisance/contact/overlap/piece_overlaps.hpp"
#include "brisance/core/error.hpp"
#include "brisance/core/progress.hpp"
#include "brisance/core/words.hpp"
#include "brisance/io/atomic_file.hpp"
#include "brisance/io/json_text.hpp"
#include "brisance/io/run_folder.hpp"

#include "app/cli/output_files.hpp"
#include "app/cli/session.hpp"
#include "app/commands/chosen_frame.hpp"
#include "app/commands/commands.hpp"
#include "app/scene/input_files.hpp"

#include <algorithm>
#include <array>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>

namespace brisance::app {

namespace {

/// Thresholds on the common volume over that of the smaller piece; the last one: it lies wholly in the other.
constexpr std::array<double, 4> kShares{0.01, 0.1, 0.5, 0.999};

struct OverlapArguments {
  std::filesystem::path path, json;
  std::string frame = "last";
  double tolerance = 0.5;
  std::size_t list = 10;
  bool overwrite = false;
};

/// The frame that was checked, and the result.
struct FrameOverlaps {
  std::filesystem::path file;
  breaking::RunFrame frame;
  std::vector<std::int32_t> body_of_piece;
  contact::PieceOverlaps found;
};

using Pairs = std::vector<contact::PieceOverlap>;

FrameOverlaps find_overlaps(const OverlapArguments& arguments) {
  FrameOverlaps result{.file = arguments.path, .frame = {}, .body_of_piece = {}, .found = {}};
  if (std::filesystem::is_directory(arguments.path)) {
    const auto files = io::list_snapshots(arguments.path);
    result.file = files[chosen_frame(files, "--frame", arguments.frame)];
  } else if (arguments.frame != "last") {
    throw core::Error("--frame is for a run; " + arguments.path.string() + " is one frame.");
  }
  const core::Heartbeat comparing("comparing the pieces");
  result.frame = breaking::read_run_frame(result.file, breaking::FrameDust::left_out);  // dust does not touch pieces
  result.body_of_piece = breaking::bodies_of_pieces(result.frame);
  result.found = contact::piece_overlaps({.position = result.frame.position,
                                          .tets = result.frame.tets,
                                          .piece = result.frame.piece,
                                          .body_of_piece = result.body_of_piece});
  return result;
}

std::int64_t num_above(const Pairs& pairs, double share) {
  return std::count_if(pairs.begin(), pairs.end(), [&](const auto& pair) { return pair.share > share; });
}

double largest_share(const Pairs& pairs) {
  double largest = 0;
  for (const auto& pair : pairs) largest = std::max(largest, pair.share);
  return largest;
}

Pairs by_share(Pairs pairs) {
  std::stable_sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) { return a.share > b.share; });
  return pairs;
}

std::string row(const char* name, std::int64_t number, std::int64_t near, const Pairs& pairs) {
  std::string text = fmt::format("{:<6} {:>7} {:>11} {:>8}", name, number, near, pairs.size());
  for (const double share : kShares) text += fmt::format(" {:>8}", num_above(pairs, share));
  return text + fmt::format("  {:.3g}\n", largest_share(pairs));
}

void print(const FrameOverlaps& result, std::size_t list) {
  const contact::PieceOverlaps& found = result.found;
  std::cout << fmt::format("{}: t = {:g} s, {}\n", result.file.string(), result.frame.header.time_s,
                           core::counted(result.frame.tets.size(), "tet"));
  std::cout << fmt::format("{:<6} {:>7} {:>11} {:>8} {:>8} {:>8} {:>8} {:>8}  {}\n", "", "number", "near pairs",
                           "overlap", "> 1 %", "> 10 %", "> 50 %", "wholly", "largest share");
  std::cout << row("pieces", found.num_pieces, found.near_pieces, found.pieces)
            << row("bodies", found.num_bodies, found.near_bodies, found.bodies);
  std::int64_t tet_pairs = 0;
  for (const auto& pair : found.pieces) tet_pairs += pair.tet_pairs;
  std::cout << fmt::format("{}, {} by more than half of the smaller; largest share {:.3g}\n",
                           core::counted(tet_pairs, "pair of tets overlaps", "pairs of tets overlap"), found.num_inside,
                           found.largest_volume_share);
  if (const auto& d = found.deepest; d.a >= 0)
    std::cout << fmt::format(
        "deepest: {:.3g} m, {:.3g} of the smaller tet's edge, {:.3g} of its volume (pieces {} and {})\n", d.depth,
        d.depth_share, d.volume_share, result.frame.piece[static_cast<std::size_t>(d.a)],
        result.frame.piece[static_cast<std::size_t>(d.b)]);
  if (found.num_inverted > 0)
    std::cout << fmt::format("{} turned inside out and left out\n",
                             core::counted(found.num_inverted, "tet is", "tets are"));
  const Pairs worst = by_share(found.pieces);
  if (!worst.empty() && list > 0) std::cout << "  piece   piece  tet pairs  volume_m3  share of the smaller\n";
  for (std::size_t i = 0; i < std::min(list, worst.size()); ++i)
    std::cout << fmt::format("{:>7} {:>7} {:>10}  {:<9.3g}  {:.3g}\n", worst[i].a, worst[i].b, worst[i].tet_pairs,
                             worst[i].volume, worst[i].share);
  std::cout << std::flush;
}

nlohmann::ordered_json json_of(std::int64_t number, std::int64_t near, const Pairs& pairs) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const auto& pair : by_share(pairs))
    list.push_back({{"a", pair.a},
                    {"b", pair.b},
                    {"tet_pairs", pair.tet_pairs},
                    {"volume_m3", pair.volume},
                    {"share_of_smaller", pair.share}});
  return {{"number", number},
          {"near_pairs", near},
          {"overlapping_pairs", pairs.size()},
          {"largest_share", largest_share(pairs)},
          {"pairs", list}};
}

std::string json_text(const FrameOverlaps& result) {
  const contact::PieceOverlaps& found = result.found;
  const nlohmann::ordered_json json{{"file", result.file.string()},
                                    {"time_s", result.frame.header.time_s},
                                    {"num_tets", result.frame.tets.size()},
                                    {"num_inverted_tets", found.num_inverted},
                                    {"pieces", json_of(found.num_pieces, found.near_pieces, found.pieces)},
                                    {"bodies", json_of(found.num_bodies, found.near_bodies, found.bodies)},
                                    {"body_of_piece", result.body_of_piece},
                                    {"tets_inside", found.num_inside},
                                    {"largest_tet_share", found.largest_volume_share},
                                    {"deepest",
                                     {{"depth_m", found.deepest.depth},
                                      {"share_of_edge", found.deepest.depth_share},
                                      {"share_of_volume", found.deepest.volume_share}}}};
  return io::json_text(json, 1) + "\n";
}

/// Rank 0 checks and broadcasts the outcome.
int overlaps(const core::Comm& comm, const OverlapArguments& arguments) {
  bool inside = false;
  core::agree_on_input(comm, [&] {
    if (!comm.is_root()) return;
    guard_outputs(files_of(arguments.path), {{"--json", arguments.json}}, arguments.overwrite);
    const FrameOverlaps result = find_overlaps(arguments);
    if (!arguments.json.empty()) io::write_atomically(arguments.json, json_text(result));
    print(result, arguments.list);
    inside = num_above(result.found.pieces, arguments.tolerance) > 0;
  });
  return comm.any(inside) ? kDifferent : kSuccess;
}

}  // namespace

void add_overlaps(CLI::App& program, Action& action) {
  CLI::App* command = program.add_subcommand("overlaps", "say which pieces of a frame lie in each other, exactly");
  auto arguments = std::make_shared<OverlapArguments>();
  command->add_option("PATH", arguments->path, "run folder, or one snapshot (.hdf)")
      ->required()
      ->check(CLI::ExistingPath);
  command->add_option("--frame", arguments->frame, "of a run: last, the number of a frame (12), or a time (0.03s)")
      ->capture_default_str();
  command
      ->add_option("--tolerance", arguments->tolerance,
                   "a piece lies inside another with more than this share of its volume in it")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  command->add_option("--list", arguments->list, "how many pairs to list, the worst first")->capture_default_str();
  command->add_option("--json", arguments->json, "also write all of it here");
  command->add_flag("--overwrite", arguments->overwrite, "replace that file if it is there");
  command->footer(
      "Volumes are exact, not sampled: of the tets of the smaller piece, what lies in the other one, at most all of "
      "it,\n"
      "even where tets of the other overlap each other. Pairs of tets that share a node do not count. Near pairs are "
      "those of which the boxes meet; of them so many overlap at all, by more than a hundredth, "
      "a\n"
      "tenth, half of the smaller one's volume, or wholly (0.999). Bodies are what was whole before it broke. The "
      "depth\n"
      "of two tets is that of deepest_tet_contact in monitor.csv: volume in common over its area.\n"
      "Exit code 0 if no piece lies inside another, 1 if one does.\n"
      "Example: brisance overlaps runs/bowl\n"
      "         brisance overlaps runs/bowl --frame 12ms --tolerance 0.05 --json overlaps.json");
  command->callback(
      [arguments, &action] { action = [arguments](const core::Comm& c) { return overlaps(c, *arguments); }; });
}

}  // namespace brisance::app
