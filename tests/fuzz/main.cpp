/// fuzz_readers [READER ...] [--count N] [--seed S] [--first I]: reads damaged files, one after the other, in this
/// process. An input may be refused, with a message that names the file and the place, or taken, if what was read is
/// sound. Everything else is a finding: it is printed with the reader, seed and number that make it again, and its file
/// kept.
#include "brisance/core/error.hpp"
#include "brisance/core/log.hpp"
#include "brisance/core/timer.hpp"
#include "brisance/runtime/error.hpp"

#include "fuzz/reader.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <regex>

#include <mpi.h>
#include <signal.h>
#include <slepcsys.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>
#include <unistd.h>

namespace brisance::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kPatience_s = 20;    ///< for one input
constexpr rlim_t kMemory = 6ULL << 30;  ///< limit of the process [byte]: a request beyond it is a finding

struct Arguments {
  std::vector<std::string> readers;
  std::uint64_t count = 1000, seed = 1, first = 0;
};

struct Now {
  char text[160] = "";
};
Now now;  ///< for the signal handler

extern "C" void end_with_number(int signal) {
  const auto say = [](const char* text) { (void)!write(2, text, strlen(text)); };
  say(signal == SIGALRM ? "\nFINDING (hang): " : "\nFINDING (signal): ");
  say(now.text);
  say("\n");
  _exit(3);
}

void catch_signals() {
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM}) {
    struct sigaction action {};
    action.sa_handler = end_with_number;
    action.sa_flags = SA_ONSTACK;
    sigaction(signal, &action, nullptr);
  }
  static char stack[1 << 16];  // a stack of its own, since the search includes overflows of the normal one
  const stack_t own{stack, 0, sizeof stack};
  sigaltstack(&own, nullptr);
}

/// Messages about a whole file, which have no place in it.
bool is_about_all(const std::string& text) {
  static const std::regex whole(
      "holds no|not a mesh\\.|is empty|more than 2\\^|share one face|not a surface format|fewer than 3 corners at "
      "different|"
      "tets (is|are) inverted|have no number|no such file|is missing; say");
  return std::regex_search(text, whole);
}

/// The error in a message; empty if there is none.
std::string complaint_about(const std::string& text, const Reader& reader, const fs::path& file) {
  if (text.find(file.stem().string() + ".") == std::string::npos) return "no file named: " + text;
  if (text.find("out of memory") != std::string::npos) return "asked for too much memory: " + text;
  if (text.find("std::") != std::string::npos || text.find("internal error") != std::string::npos ||
      text.find("vector::") != std::string::npos)
    return "not for users: " + text;
  static const std::regex place(R"(\.\w+(:\d+|, byte \d+))");
  if (reader.has_places && !std::regex_search(text, place) && !is_about_all(text)) return "no place named: " + text;
  return "";
}

struct Tally {
  std::uint64_t taken = 0, refused = 0, findings = 0;
};

std::string outcome(const Reader& reader, const fs::path& file, Tally& tally) {
  try {
    const std::string complaint = reader.read(file);
    ++tally.taken;
    return complaint.empty() ? "" : "accepted " + complaint;
  } catch (const core::Error& e) {
    ++tally.refused;
    return complaint_about(e.what(), reader, file);
  } catch (const runtime::Error& e) {
    ++tally.refused;
    return complaint_about(e.what(), reader, file);
  } catch (const std::exception& e) {
    return std::string("an exception that is no core::Error: ") + e.what();
  }
}

Tally fuzz(const Reader& reader, const Arguments& arguments, const fs::path& folder) {
  Tally tally;
  if (reader.prepare) reader.prepare(folder);
  const double start = core::wall_seconds();
  for (std::uint64_t i = arguments.first; i < arguments.first + arguments.count; ++i) {
    Random random(arguments.seed, reader.name, i);
    std::snprintf(now.text, sizeof now.text, "%s --seed %llu --first %llu --count 1 (%s)", reader.name.c_str(),
                  static_cast<unsigned long long>(arguments.seed), static_cast<unsigned long long>(i), folder.c_str());
    const fs::path file = reader.damaged(random, folder);
    alarm(kPatience_s);
    const std::string finding = outcome(reader, file, tally);
    alarm(0);
    if (finding.empty()) continue;
    ++tally.findings;
    const fs::path kept = folder / ("kept-" + reader.name + "-" + std::to_string(i) + file.extension().string());
    fs::copy_file(file, kept, fs::copy_options::overwrite_existing);
    std::printf("FINDING: %s: %s\n", now.text, finding.c_str());
    if (tally.findings >= 20) break;
  }
  std::printf("%-10s %llu taken, %llu refused, %llu findings, %.1f s\n", reader.name.c_str(),
              static_cast<unsigned long long>(tally.taken), static_cast<unsigned long long>(tally.refused),
              static_cast<unsigned long long>(tally.findings), core::wall_seconds() - start);
  std::fflush(stdout);
  return tally;
}

std::vector<Reader> all_readers() {
  std::vector<Reader> readers;
  for (const auto& some : {surface_readers(), tet_readers(), scene_readers(), hdf5_readers(), runtime_readers()})
    readers.insert(readers.end(), some.begin(), some.end());
  return readers;
}

Arguments parsed(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&] { return std::strtoull(i + 1 < argc ? argv[++i] : "0", nullptr, 10); };
    if (word == "--count")
      arguments.count = value();
    else if (word == "--seed")
      arguments.seed = value();
    else if (word == "--first")
      arguments.first = value();
    else
      arguments.readers.push_back(word);
  }
  return arguments;
}

void limit_memory() {
#if !defined(__SANITIZE_ADDRESS__)  // which reserves terabytes of addresses
  const rlimit limit{kMemory, kMemory};
  setrlimit(RLIMIT_AS, &limit);
#endif
}

int run(const Arguments& arguments) {
  std::string pattern = (fs::temp_directory_path() / "brisance-fuzz-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) return 2;
  std::uint64_t findings = 0, num_readers = 0;
  for (const Reader& reader : all_readers()) {
    const auto& wanted = arguments.readers;
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), reader.name) == wanted.end()) continue;
    ++num_readers;
    findings += fuzz(reader, arguments, pattern).findings;
  }
  if (findings == 0) fs::remove_all(pattern);
  return findings > 0 || num_readers == 0 ? 1 : 0;
}

}  // namespace
}  // namespace brisance::fuzz

int main(int argc, char** argv) {
  int none = 0;
  SlepcInitialize(&none, nullptr, nullptr, nullptr);
  PetscPopSignalHandler();
  spdlog::set_level(spdlog::level::off);
  brisance::fuzz::limit_memory();
  brisance::fuzz::catch_signals();
  const int result = brisance::fuzz::run(brisance::fuzz::parsed(argc, argv));
  SlepcFinalize();
  return result;
}
