#include "app/batch/break_object.hpp"

#include "brisance/breaking/breakable.hpp"
#include "brisance/core/error.hpp"
#include "brisance/core/random.hpp"
#include "brisance/io/atomic_file.hpp"
#include "brisance/io/json_text.hpp"
#include "brisance/io/run_folder.hpp"

#include "app/batch/batch_folder.hpp"
#include "app/batch/impact_draws.hpp"

#include <cmath>
#include <iostream>
#include <set>

#include <spdlog/fmt/fmt.h>

namespace brisance::app {

namespace {

namespace fs = std::filesystem;
using Labels = nlohmann::ordered_json;

constexpr std::uint64_t kMostDraws = 60;  ///< for one impact, before it is refused

/// Publishes fragments: the labels first, then the folder, which says that both are there.
void publish_fragments(const breaking::FragmentSet& set, const fs::path& folder, std::int64_t impact,
                       const Labels& labels, breaking::FragmentFormat format) {
  const fs::path place = fragment_folder(folder, impact), staging = now_file(folder).parent_path() / place.filename();
  fs::remove_all(staging);
  fs::remove_all(place);
  fs::create_directories(staging);
  breaking::write_fragments(set, staging, format);
  Labels all = labels;
  all.update(breaking::fragment_labels(set, format));
  io::write_atomically(impact_file(folder, impact), io::json_text(all) + '\n');
  fs::rename(staging, place);
}

Labels labels_of(const std::string& key, std::int64_t impact, const char* status) {
  return {{"format", 1}, {"object", key}, {"impact", impact}, {"status", status}};
}

/// A threshold at which at least so many pieces break off, by bisection of its logarithm; pieces get fewer with it.
double threshold_for(const runtime::Target& target, runtime::Impact impact, double num_pieces) {
  double low = std::log(1e-4), high = std::log(10);
  constexpr int kHalvings = 24;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    impact.threshold = std::exp(middle);
    (target.strike(impact).num_pieces >= num_pieces ? low : high) = middle;
  }
  return std::exp(low);
}

/// Draws impacts on one object, and makes fragments of those that break it in a new way.
class Breaker {
public:
  Breaker(breaking::Breakable object, std::uint64_t seed, const FragmentArguments& arguments)
      : object_(std::move(object)),
        target_(object_.set),
        draws_(object_.mesh, seed),
        seed_(seed),
        arguments_(arguments) {}

  /// What an earlier process made: its draw counts as used.
  void note_made(std::uint64_t draw) {
    seen_.insert(answer_to(impact_of(draw)).piece_of_atom);
    next_ = draw + 1;
  }
  void note_refused(std::uint64_t draw) { next_ = draw + 1; }

  [[nodiscard]] std::uint64_t next() const { return next_; }

  /// Takes draws until one fits. Returns false if none of kMostDraws does.
  bool make(const fs::path& folder, const std::string& key, std::int64_t number) {
    for (const std::uint64_t end = next_ + kMostDraws; next_ < end; ++next_) {
      io::write_at_once(now_file(folder), io::json_text(Labels{{"impact", number}, {"draw", next_}}) + '\n');
      const runtime::Impact impact = impact_of(next_);
      const runtime::Answer answer = answer_to(impact);
      if (!fits(answer.num_pieces) || seen_.contains(answer.piece_of_atom)) continue;
      breaking::FragmentSet set = breaking::fragments_after(object_, answer, arguments_.smallest_share,
                                                            arguments_.rough ? -1 : arguments_.smooth);
      if (!fits(std::ssize(set.pieces))) continue;
      breaking::scatter(set, core::hash_bits(seed_, next_, 100));
      Labels labels = labels_of(key, number, "made");
      labels.update(Labels{{"method", "modes"},
                           {"seed", seed_},
                           {"draw", next_},
                           {"point_m", impact.point},
                           {"direction", impact.direction},
                           {"threshold", impact.threshold},
                           {"poses", "scattered"}});
      publish_fragments(set, folder, number, labels, arguments_.format);
      seen_.insert(answer.piece_of_atom);
      ++next_;
      return true;
    }
    return false;
  }

private:
  [[nodiscard]] bool fits(std::int64_t num_pieces) const {
    return num_pieces >= arguments_.least_pieces && num_pieces <= arguments_.most_pieces;
  }

  /// The threshold is that of a number of pieces whose logarithm is uniform between the bounds.
  [[nodiscard]] runtime::Impact impact_of(std::uint64_t draw) const {
    const DrawnImpact drawn = draws_.at(draw);
    runtime::Impact impact;
    for (int k = 0; k < 3; ++k) {
      impact.point[k] = drawn.point[k];
      impact.direction[k] = drawn.direction[k];
    }
    const auto least = static_cast<double>(arguments_.least_pieces), most = static_cast<double>(arguments_.most_pieces);
    impact.threshold = threshold_for(target_, impact, least * std::pow(most / least, drawn.share));
    return impact;
  }

  [[nodiscard]] runtime::Answer answer_to(const runtime::Impact& impact) const { return target_.strike(impact); }

  breaking::Breakable object_;
  runtime::Target target_;
  ImpactDraws draws_;
  std::uint64_t seed_, next_ = 0;
  FragmentArguments arguments_;
  std::set<std::vector<std::int32_t>> seen_;
};

}  // namespace

fs::path fragment_folder(const fs::path& folder, std::int64_t impact) {
  return folder / fmt::format("fractured_{}", impact);
}

fs::path impact_file(const fs::path& folder, std::int64_t impact) {
  return folder / fmt::format("impact_{}.json", impact);
}

fs::path now_file(const fs::path& folder) { return fs::path(folder.string() + ".writing") / "now.json"; }

std::uint64_t seed_of_object(std::uint64_t seed, const std::string& key) {
  return core::hash_bits(seed, hash_of(key), 0);
}

bool is_settled(const fs::path& folder, std::int64_t impact) {
  const Labels labels = read_record(impact_file(folder, impact));
  if (!labels.is_object()) return false;
  return labels.value("status", "") == "refused" || fs::is_directory(fragment_folder(folder, impact));
}

void refuse_impact(const fs::path& folder, const std::string& key, std::int64_t impact, const std::string& reason,
                   std::uint64_t draw) {
  Labels labels = labels_of(key, impact, "refused");
  labels["reason"] = reason;
  labels["draw"] = draw;
  fs::create_directories(folder);
  fs::remove_all(fragment_folder(folder, impact));
  io::write_atomically(impact_file(folder, impact), io::json_text(labels) + '\n');
}

void break_along_modes(const fs::path& modes_file, const fs::path& folder, const std::string& key,
                       const FragmentArguments& arguments) {
  breaking::BreakableParameters parameters;
  parameters.smallest_piece = arguments.smallest_share;
  breaking::Breakable object = breaking::read_breakable(modes_file, parameters);
  if (object.set.dimension == 2)
    throw core::BadInput(modes_file.string() + " holds modes of a flat body, and fragments are solids.");
  fs::create_directories(folder);
  fs::create_directories(now_file(folder).parent_path());
  if (!fs::exists(folder / "whole.obj")) breaking::write_whole(object.mesh, folder / "whole.obj");
  Breaker breaker(std::move(object), seed_of_object(arguments.seed, key), arguments);
  std::int64_t made = 0, kept = 0, refused = 0;
  for (std::int64_t k = 0; k < arguments.impacts; ++k) {
    if (is_settled(folder, k)) {
      const Labels labels = read_record(impact_file(folder, k));
      const auto draw = labels.value("draw", std::uint64_t{0});
      labels["status"] == "made" ? breaker.note_made(draw) : breaker.note_refused(draw);
      ++kept;
    } else if (breaker.make(folder, key, k)) {
      ++made;
    } else {
      refuse_impact(folder, key, k,
                    fmt::format("none of {} impacts breaks it in a new way into {} to {} pieces: more modes (--count) "
                                "or other --pieces give more",
                                kMostDraws, arguments.least_pieces, arguments.most_pieces),
                    breaker.next() - 1);
      ++refused;
    }
  }
  fs::remove_all(now_file(folder).parent_path());
  std::cout << fmt::format("{}: {} impacts made, {} there already, {} refused\n", folder.string(), made, kept, refused);
}

void take_fragments_of_run(const fs::path& run, const fs::path& folder, const std::string& key, std::int64_t impact,
                           const Labels& further, const FragmentArguments& arguments) {
  const breaking::RunFrame frame =
      breaking::read_run_frame(io::list_snapshots(run).back(), breaking::FrameDust::left_out);
  const breaking::FragmentSet set = breaking::fragments_of(frame, arguments.smallest_share);
  const std::int64_t num_pieces = std::ssize(set.pieces);
  if (num_pieces < arguments.least_pieces || num_pieces > arguments.most_pieces)
    throw core::Error(fmt::format("the run broke it into {} pieces, not into {} to {}", num_pieces,
                                  arguments.least_pieces, arguments.most_pieces));
  fs::create_directories(folder);
  Labels labels = labels_of(key, impact, "made");
  labels.update(Labels{{"method", "run"},
                       {"seed", seed_of_object(arguments.seed, key)},
                       {"draw", impact},
                       {"time_s", frame.header.time_s},
                       {"poses", "last frame"}});
  labels.update(further);
  publish_fragments(set, folder, impact, labels, arguments.format);
}

}  // namespace brisance::app
