/// The manifest of a data set, and its lists for training and validation.
#include "brisance/io/atomic_file.hpp"
#include "brisance/io/json_text.hpp"

#include "app/batch/dataset_batch.hpp"
#include "app/cli/version.hpp"

#include <spdlog/fmt/fmt.h>

namespace brisance::app {

namespace {

namespace fs = std::filesystem;
using Entry = nlohmann::ordered_json;

/// The impacts of an object, with their counts.
Entry impacts_of(const DatasetBatch& arguments, const fs::path& folder, DatasetCounts& counts, bool& has_any) {
  Entry impacts = Entry::array();
  for (std::int64_t k = 0; k < arguments.fragments.impacts; ++k) {
    const Entry labels = is_settled(folder, k) ? read_record(impact_file(folder, k)) : Entry();
    Entry impact{{"impact", k}, {"status", labels.is_object() ? labels.value("status", "") : "pending"}};
    if (impact["status"] == "made") {
      impact["num_pieces"] = labels["num_pieces"];
      impact["draw"] = labels["draw"];
      ++counts.impacts;
      has_any = true;
    } else if (impact["status"] == "refused") {
      impact["reason"] = labels["reason"];
      ++counts.refused_impacts;
    } else {
      ++counts.pending_impacts;
    }
    impacts.push_back(std::move(impact));
  }
  return impacts;
}

}  // namespace

DatasetCounts write_manifest(const DatasetBatch& arguments, const std::vector<BatchObject>& objects) {
  const fs::path& out = arguments.batch.out;
  Claim claim(out / "work" / "manifest.lock");
  claim.wait();
  DatasetCounts counts;
  Entry all = Entry::array();
  std::string train, validation;
  for (const BatchObject& object : objects) {
    const fs::path folder = folder_in_dataset(arguments, object);
    Entry entry = read_record(folder / "object.json");
    if (!entry.is_object()) entry = {{"object", object.key()}, {"status", "pending"}};
    entry.erase("format");
    const std::string place = fs::relative(folder, out).generic_string();
    entry["folder"] = place;
    ++counts.objects;
    if (entry["status"] == "refused") {
      ++counts.refused_objects;
    } else {
      bool has_any = false;
      entry["impacts"] = impacts_of(arguments, folder, counts, has_any);
      const bool validates = static_cast<std::int64_t>(hash_of(object.key()) % 100) < arguments.validation_percent;
      if (has_any) (validates ? validation : train) += place + '\n';
    }
    all.push_back(std::move(entry));
  }
  Entry manifest{{"format", 1}, {"program", std::string("brisance ") + kVersion}};
  manifest["options"] = read_record(out / "options.json");
  manifest["objects"] = std::move(all);
  fs::create_directories(out / "data_split");
  io::write_atomically(out / "data_split" / (arguments.subset + ".train.txt"), train);
  io::write_atomically(out / "data_split" / (arguments.subset + ".val.txt"), validation);
  io::write_atomically(out / "manifest.json", io::json_text(manifest, 1) + '\n');
  return counts;
}

}  // namespace brisance::app
