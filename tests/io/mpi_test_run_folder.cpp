#include "brisance/core/error.hpp"
#include "brisance/core/log.hpp"
#include "brisance/io/atomic_file.hpp"
#include "brisance/io/marked_run.hpp"
#include "brisance/io/monitor.hpp"
#include "brisance/io/run_folder.hpp"
#include "brisance/io/series.hpp"

#include "io/file_size_limit.hpp"
#include "io/shared_folder.hpp"

#include <limits>
#include <stdexcept>
#include <vector>

#include <gmock/gmock.h>

namespace brisance {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

class RunFolders : public test::SharedFolder {
protected:
  std::string failure_of_creating(const fs::path& path, bool overwrite) const {
    std::string text;
    try {
      io::RunFolder::create(comm_, path, overwrite);
    } catch (const core::Error& e) {
      text = e.what();
    }
    comm_.barrier();
    return text;
  }
};

TEST_F(RunFolders, ANewFolderIsMadeAndMarked) {
  const auto run = io::RunFolder::create(comm_, folder_ / "deep" / "run", false);
  run.write_scene(comm_, "[scene]\n");
  EXPECT_THAT(names(folder_ / "deep" / "run"), ElementsAre("run.json", "run.lock", "scene.toml", "snapshots"));
  EXPECT_EQ(run.status(), io::RunStatus::running);
  EXPECT_EQ(run.snapshot(12), folder_ / "deep" / "run" / "snapshots" / "000012.hdf");
  comm_.barrier();
  run.mark(comm_, io::RunStatus::finished);
  EXPECT_EQ(io::RunFolder::open(run.path()).status(), io::RunStatus::finished);
}

TEST_F(RunFolders, AnExistingRunIsRefusedAndLeftAlone) {
  const auto run = io::RunFolder::create(comm_, folder_ / "run", false);
  EXPECT_THAT(failure_of_creating(folder_ / "run", false), HasSubstr("in progress or was killed"));
  run.mark(comm_, io::RunStatus::finished);
  EXPECT_THAT(failure_of_creating(folder_ / "run", false),
              ::testing::AllOf(HasSubstr("finished run"), HasSubstr("--overwrite")));
  EXPECT_EQ(run.status(), io::RunStatus::finished);
}

TEST_F(RunFolders, OverwritingRemovesTheRunsOwnFilesOnly) {
  const auto path = folder_ / "run";
  io::RunFolder::create(comm_, path, false);
  on_root([&] {
    for (const char* name :
         {"scene.toml", "run.log", "monitor.csv", "run.hdf.series", "run.hdf.series.writing", "notes.txt",
          "snapshots/000000.hdf", "snapshots/000001.hdf.writing", "snapshots/keep.hdf", "snapshots/view.png"})
      write_text(path / name, "x");
  });
  io::RunFolder::create(comm_, path, true);
  EXPECT_THAT(names(path), ElementsAre("notes.txt", "run.json", "run.lock", "snapshots"));
  EXPECT_THAT(names(path / "snapshots"), ElementsAre("keep.hdf", "view.png"));
}

TEST_F(RunFolders, AFolderInUseIsRefusedWhateverIsAsked) {
  {
    const auto run = io::RunFolder::create(comm_, folder_ / "run", false);
    EXPECT_THAT(failure_of_creating(folder_ / "run", true), HasSubstr("a run is writing into"));
    EXPECT_THAT(failure_of([&] { io::RunFolder::reopen(comm_, folder_ / "run"); }), HasSubstr("a run is writing into"));
  }
  io::RunFolder::reopen(comm_, folder_ / "run");
}

TEST_F(RunFolders, FilesNotKnownToBeOfARunAreNeverReplaced) {
  on_root([&] { write_text(folder_ / "scene.toml", "the only copy"); });
  for (const bool overwrite : {false, true})
    EXPECT_THAT(failure_of_creating(folder_, overwrite), HasSubstr("holds scene.toml but no run.json"));
  on_root([&] { write_text(folder_ / "run.json", "{\"status\": \"finished\"}"); });
  for (const bool overwrite : {false, true})
    EXPECT_THAT(failure_of_creating(folder_, overwrite), HasSubstr("not written by `brisance run`"));
  EXPECT_EQ(io::read_text(folder_ / "scene.toml"), "the only copy");
  EXPECT_THAT(names(folder_), ElementsAre("run.json", "scene.toml"));
}

/// Remains of run.json after a kill, a full disk or a crashed machine: nothing, zeros, a part.
const std::vector<std::string> kCutShort{
    "", "\n", std::string(512, '\0'), "{\n \"format\": \"brisa",
    "{\n \"format\": \"brisance-run\",\n \"version\": 1,\n \"status\": \"running\",\n"};

TEST_F(RunFolders, AMarkerThatWasNotFinishedDoesNotLockTheFolder) {
  const auto path = folder_ / "run";
  for (const std::string& text : kCutShort)
    for (const int how : {0, 1, 2}) {
      on_root([&] {
        fs::remove_all(path);
        fs::create_directories(path / "snapshots");
        write_text(path / "run.json", text);
        write_text(path / "run.json.writing.12.34", "{");
      });
      EXPECT_EQ(io::RunFolder::open(path).status(), io::RunStatus::running);
      comm_.barrier();
      const auto run =
          how == 2 ? io::RunFolder::reopen(comm_, path, "before") : io::RunFolder::create(comm_, path, how == 1);
      EXPECT_THAT(names(path), ElementsAre("run.json", "run.lock", "snapshots")) << how << text;
      EXPECT_EQ(io::RunFolder::open(path).origin(), how == 2 ? "before" : "");
      comm_.barrier();
    }
}

TEST_F(RunFolders, FilesBesideAMarkerThatWasNotFinishedAreNotReplacedUnasked) {
  const auto path = folder_ / "run";
  on_root([&] {
    fs::create_directories(path);
    write_text(path / "run.json", "");
    write_text(path / "scene.toml", "x");
  });
  EXPECT_THAT(failure_of_creating(path, false), HasSubstr("was killed; nothing was touched"));
  EXPECT_EQ(io::read_text(path / "scene.toml"), "x");
  comm_.barrier();
  EXPECT_EQ(failure_of_creating(path, true), "");
  EXPECT_THAT(names(path), ElementsAre("run.json", "run.lock", "snapshots"));
}

TEST_F(RunFolders, WhatAKilledRunWasWritingIsClearedByTheNextAndRefusesNone) {
  const std::vector<std::string> leftovers{"run.json.writing",
                                           "run.json.writing.5.6",
                                           "scene.toml.writing",
                                           "run.hdf.series.writing",
                                           "debris.glb.writing",
                                           "snapshots/000001.hdf.writing",
                                           "snapshots/000001.hdf.writing.data.0",
                                           "checkpoints/000000007.h5.writing",
                                           "checkpoints/000000007.h5.writing.metadata.0",
                                           "checkpoints/000000007.h5.writing.data.12",
                                           "checkpoints/000000007.h5.sums.writing"};
  const std::vector<std::string> others{"snapshots/note.writing", "checkpoints/x.writing.data.0", "run.log.writings"};
  const auto path = folder_ / "run";
  for (const int how : {0, 1, 2, 3}) {  // a folder without a marker, or with one
    on_root([&] {
      fs::remove_all(path);
      fs::create_directories(path / "snapshots");
      fs::create_directories(path / "checkpoints");
      for (const auto& name : leftovers) write_text(path / name, "x");
      for (const auto& name : others) write_text(path / name, "x");
    });
    if (how > 1) io::RunFolder::create(comm_, path, false);
    on_root([&] {
      for (const auto& name : leftovers) write_text(path / name, "x");
    });
    const auto run = how % 2 == 0 ? io::RunFolder::reopen(comm_, path) : io::RunFolder::create(comm_, path, how == 3);
    for (const auto& name : leftovers) EXPECT_FALSE(fs::exists(path / name)) << how << name;
    for (const auto& name : others) EXPECT_TRUE(fs::exists(path / name)) << how << name;
    comm_.barrier();
  }
}

TEST_F(RunFolders, LinksAreReplacedAndNotFollowed) {
  const auto path = folder_ / "run";
  io::RunFolder::create(comm_, path, false);
  on_root([&] {
    write_text(folder_ / "outside", "the only copy");
    for (const char* name : {"run.log", "scene.toml.writing", "run.json.writing", "monitor.csv"})
      fs::create_symlink(folder_ / "outside", path / name);
    fs::create_symlink(folder_ / "nowhere", path / "run.hdf.series");
  });
  EXPECT_EQ(failure_of_creating(path, true), "");
  EXPECT_THAT(names(path), ElementsAre("run.json", "run.lock", "snapshots"));
  const auto run = io::RunFolder::reopen(comm_, path);
  on_root([&] {
    for (const char* name : {"scene.toml.writing", "run.json.writing"})
      fs::create_symlink(folder_ / "outside", path / name);
  });
  run.write_scene(comm_, "new");
  run.mark(comm_, io::RunStatus::finished);
  EXPECT_EQ(io::read_text(path / "scene.toml"), "new");
  EXPECT_EQ(io::read_text(folder_ / "outside"), "the only copy");
  EXPECT_FALSE(fs::exists(folder_ / "nowhere"));
}

TEST_F(RunFolders, AStopIsSaidAtOnceAndNotOfARunThatHasEnded) {
  const auto run = io::RunFolder::create(comm_, folder_ / "run", false);
  run.announce_stop();
  comm_.barrier();
  EXPECT_EQ(run.status(), io::RunStatus::interrupted);
  comm_.barrier();
  run.mark(comm_, io::RunStatus::running);  // by a run that gets the signal while it starts
  EXPECT_EQ(run.status(), io::RunStatus::interrupted);
  comm_.barrier();
  run.mark(comm_, io::RunStatus::finished);
  run.announce_stop();
  comm_.barrier();
  EXPECT_EQ(run.status(), io::RunStatus::finished);
}

TEST_F(RunFolders, WhateverEndsARunIsWrittenDown) {
  const auto path = folder_ / "run";
  const auto run = io::RunFolder::create(comm_, path, false);
  EXPECT_THROW(
      io::marked_run(comm_, run, "", []() -> io::RunEnd { throw std::runtime_error("a byte \x92 of a name"); }),
      std::runtime_error);
  comm_.barrier();
  EXPECT_EQ(run.status(), io::RunStatus::failed);
  EXPECT_THAT(io::read_text(path / "run.json"), HasSubstr("a byte \uFFFD of a name"));
  comm_.barrier();
}

TEST_F(RunFolders, ARankThatFailsAloneWritesItDown) {
  struct GoesOn {};  // the other ranks, without an error
  const auto run = io::RunFolder::create(comm_, folder_ / "run", false);
  try {
    io::marked_run(comm_, run, "", [&]() -> io::RunEnd {
      if (comm_.rank() != comm_.size() - 1) throw GoesOn();
      throw core::Error("alone");
    });
  } catch (const GoesOn&) {
  } catch (const core::Error& e) {
    io::mark_left_run(e.what());
  }
  comm_.barrier();
  EXPECT_EQ(run.status(), io::RunStatus::failed);
  EXPECT_THAT(io::read_text(folder_ / "run" / "run.json"), HasSubstr("alone"));
  comm_.barrier();
}

TEST_F(RunFolders, AMarkerThatIsAFolderIsNamed) {
  on_root([&] { fs::create_directories(folder_ / "run" / "run.json"); });
  for (const bool overwrite : {false, true})
    EXPECT_THAT(failure_of_creating(folder_ / "run", overwrite),
                HasSubstr((folder_ / "run" / "run.json").string() + " is a folder"));
}

TEST_F(RunFolders, OfTwoThatMakeAFileOneDoes) {
  on_root([&] {
    EXPECT_TRUE(io::write_new(folder_ / "a", "first"));
    EXPECT_FALSE(io::write_new(folder_ / "a", "second"));
    EXPECT_EQ(io::read_text(folder_ / "a"), "first");
    EXPECT_THAT(names(folder_), ElementsAre("a"));
  });
}

TEST_F(RunFolders, AFileInTheWayOrUnderneath) {
  on_root([&] { write_text(folder_ / "file", "x"); });
  EXPECT_THAT(failure_of_creating(folder_ / "file", true), HasSubstr("is a file"));
  EXPECT_THAT(failure_of_creating(folder_ / "file" / "run", false), HasSubstr("Not a directory"));
}

TEST_F(RunFolders, AReadOnlyFileSystemIsFoundAtOnce) {
  EXPECT_THAT(failure_of_creating("/proc/brisance/run", false), HasSubstr("cannot make the run folder"));
}

TEST_F(RunFolders, SnapshotsAreListedByFrameNumber) {
  const auto run = io::RunFolder::create(comm_, folder_ / "run", false);
  EXPECT_THROW(static_cast<void>(io::list_snapshots(run.path())), core::Error);
  on_root([&] {
    for (const char* name : {"1000000.hdf", "999999.hdf", "000002.hdf", "000003.hdf.writing", "x.hdf"})
      write_text(run.path() / "snapshots" / name, "");
  });
  const auto at = run.path() / "snapshots";
  EXPECT_THAT(io::list_snapshots(run.path()), ElementsAre(at / "000002.hdf", at / "999999.hdf", at / "1000000.hdf"));
  EXPECT_EQ(io::list_snapshots(at), io::list_snapshots(run.path()));
}

TEST_F(RunFolders, SeriesIsCompleteAfterEachFrame) {
  io::Series series(folder_ / "run.hdf.series");
  for (int frame = 0; frame < 3; ++frame) {
    series.append(comm_, {io::RunFolder::snapshot_name(frame), 0.1 * frame});
    EXPECT_EQ(std::ssize(io::read_series(folder_ / "run.hdf.series")), frame + 1);
    comm_.barrier();
  }
  EXPECT_EQ(io::read_series(folder_ / "run.hdf.series")[2].time_s, 0.1 * 2);
  comm_.barrier();
  // taken up again from frame 1
  io::Series again(folder_ / "run.hdf.series", io::read_series(folder_ / "run.hdf.series"));
  comm_.barrier();
  again.append(comm_, {io::RunFolder::snapshot_name(1), 0.15});
  const auto frames = io::read_series(folder_ / "run.hdf.series");
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_EQ(frames[1].name, "snapshots/000001.hdf");
  EXPECT_EQ(frames[1].time_s, 0.15);
  EXPECT_THAT(names(folder_), ElementsAre("run.hdf.series"));
}

TEST_F(RunFolders, SeriesThatIsNoneIsRefused) {
  on_root([&] { write_text(folder_ / "run.hdf.series", "{\"files\": 3"); });
  EXPECT_THAT(failure_of([&] { static_cast<void>(io::read_series(folder_ / "run.hdf.series")); }),
              ::testing::AllOf(HasSubstr("run.hdf.series is not a list of frames: it is damaged"),
                               ::testing::Not(HasSubstr("json"))));
  EXPECT_THROW(static_cast<void>(io::read_series(folder_ / "absent.series")), core::Error);
}

TEST_F(RunFolders, MonitorKeepsEveryBit) {
  const fs::path file = folder_ / "monitor.csv";
  io::Monitor monitor(comm_, file, {"step", "time_s", "kinetic_energy_j"});
  monitor.append(std::vector{0.0, 0.1, 1.0 / 3});
  monitor.append(std::vector{1e6, std::numeric_limits<double>::denorm_min(), -1e300});
  EXPECT_EQ(io::read_text(file).substr(0, 35), "step,time_s,kinetic_energy_j\n0,0.1,");
  const auto table = io::read_monitor(file);
  EXPECT_THAT(table.column("step"), ElementsAre(0, 1e6));
  EXPECT_THAT(table.column("time_s"), ElementsAre(0.1, std::numeric_limits<double>::denorm_min()));
  EXPECT_THAT(table.column("kinetic_energy_j"), ElementsAre(1.0 / 3, -1e300));
  EXPECT_THROW(static_cast<void>(table.column("time")), core::Error);
  EXPECT_THROW(monitor.append(std::vector{1.0}), core::Error);
  EXPECT_THROW(io::Monitor(comm_, file, {"step"}), core::Error) << "an existing file must not be overwritten";
}

TEST_F(RunFolders, MonitorOfAKilledRunIsReadToItsLastCompleteLine) {
  on_root([&] { write_text(folder_ / "monitor.csv", "step,time_s\n0,0.5\n1,0."); });
  EXPECT_THAT(io::read_monitor(folder_ / "monitor.csv").column("time_s"), ElementsAre(0.5));
  on_root([&] { write_text(folder_ / "monitor.csv", "step,time_s\n0,half\n"); });
  EXPECT_THROW(static_cast<void>(io::read_monitor(folder_ / "monitor.csv")), core::Error);
}

TEST_F(RunFolders, AFullDiskIsAnErrorOnAllRanks) {
  const test::FileSizeLimit full(0);
  EXPECT_THAT(failure_of([&] { io::Series(folder_ / "full.csv").append(comm_, {"a", 0}); }), HasSubstr("cannot write"));
  EXPECT_TRUE(names(folder_).empty());
}

}  // namespace
}  // namespace brisance
