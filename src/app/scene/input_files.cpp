#include "app/scene/input_files.hpp"

#include "brisance/io/run_files.hpp"

#include "app/scene/key.hpp"

#include <algorithm>
#include <cctype>

namespace brisance::app {

namespace fs = std::filesystem;

namespace {

/// Snapshots and numbered pictures that lie in the folder itself.
void add_frames(const fs::path& folder, std::vector<fs::path>& files) {
  std::error_code ignored;
  for (auto entry = fs::directory_iterator(folder, ignored); !ignored && entry != fs::directory_iterator();
       entry.increment(ignored)) {
    const std::string name = entry->path().filename().string();
    const std::string ending = entry->path().extension().string();
    const bool is_numbered = std::isdigit(static_cast<unsigned char>(name.front())) != 0;
    if (ending == ".hdf" || (ending == ".png" && is_numbered)) files.push_back(entry->path());
  }
}

}  // namespace

std::vector<fs::path> files_of(const sim::Scene& scene) {
  std::vector<fs::path> files;
  for (const Table& table : scene_tables()) {
    const std::size_t count = table.count ? table.count(scene) : 1;
    for (const Key& key : table.keys)
      for (std::size_t i = 0; key.kind == Kind::file && i < count; ++i)
        if (const auto value = key.load(scene, i))
          for (const fs::path& file : files_of(fs::path(std::get<std::string>(*value)))) files.push_back(file);
  }
  return files;
}

std::vector<fs::path> files_of(const mesh::Request& mesh) {
  sim::Scene scene;
  scene.objects.emplace_back().mesh = mesh;
  return files_of(scene);
}

std::vector<fs::path> files_of(const fs::path& input) {
  std::error_code ignored;
  if (input.empty()) return {};
  if (fs::is_directory(input, ignored)) {
    std::vector<fs::path> files = io::run_files(input);
    for (const fs::path& folder : {input, input / "pictures"}) add_frames(folder, files);
    return files;
  }
  std::vector<fs::path> files{input};
  const std::vector<std::string> together{".node", ".ele", ".face"};
  if (std::ranges::find(together, input.extension().string()) == together.end()) return files;
  for (const std::string& ending : together) files.push_back(fs::path(input).replace_extension(ending));
  return files;
}

std::vector<OutputFile> run_outputs(const fs::path& out) {
  std::vector<OutputFile> outputs;
  for (const fs::path& file : io::run_files(out)) outputs.push_back({"a file of --out", file, true});
  return outputs;
}

}  // namespace brisance::app
