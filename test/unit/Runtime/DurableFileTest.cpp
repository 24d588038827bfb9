//===- DurableFileTest.cpp - Files that are replaced at once --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/DurableFile.h"
#include "RuntimeTest.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/file.h>

using namespace boost_rt;

TEST(DurableFile, errorsNameTheRemedy) {
  auto remedy = [](int error) {
    std::string text = describeWriteError(error), cause = std::strerror(error);
    EXPECT_EQ(text.substr(0, cause.size()), cause);
    return text.substr(cause.size());
  };
  EXPECT_EQ(remedy(ENOENT), "; create its folder first, or write elsewhere");
  EXPECT_EQ(remedy(EACCES), "; allow writing there, or write elsewhere");
  EXPECT_EQ(remedy(EROFS), remedy(EACCES));
  EXPECT_EQ(remedy(ENOSPC), "; free space, or write elsewhere");
  EXPECT_EQ(remedy(EDQUOT), "; free some of your quota, or write elsewhere");
  EXPECT_EQ(remedy(EFBIG),
            "; raise the limit on the size of files (ulimit -f)");
  EXPECT_EQ(remedy(EIO), "");
}

// Its folder is the one that the process works in.
TEST(DurableFile, nameWithoutAFolder) {
  namespace fs = std::filesystem;
  TemporaryFile file("relative");
  fs::path before = fs::current_path();
  fs::current_path(fs::path(file.path).parent_path());
  std::string name = fs::path(file.path).filename();
  std::ofstream(name + ".12ab.tmp") << "of a run that ended";
  {
    DurableFile written(name);
    written.write("abc", 3, 0);
    written.commit();
  }
  fs::current_path(before);
  EXPECT_EQ(namesBeside(file.path), std::vector{file.path});
}

// Temporaries of one run that ended, and files with similar names.
TEST(DurableFile, onlyTemporariesOfTheFileAreRemoved) {
  namespace fs = std::filesystem;
  TemporaryFile folder("temporaries");
  fs::create_directory(folder.path);
  std::vector<std::string> kept{"x..tmp", "x.1.tmp2", "x.1g.tmp",
                                "x.1tmp", "x1.1.tmp", "y.1.tmp"};
  for (const std::string &name : kept)
    std::ofstream(folder.path + "/" + name) << "x";
  std::ofstream(folder.path + "/x.1.tmp") << "x";
  std::ofstream(folder.path + "/x.09afAF.tmp") << "x";
  {
    DurableFile file(folder.path + "/x");
  }
  std::vector<std::string> names;
  for (const auto &entry : fs::directory_iterator(folder.path))
    names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, kept);
  fs::remove_all(folder.path);
}

TEST(DurableFile, foldersAreSyncedIfTheyCanBe) {
  EXPECT_EQ(messageOf([] { syncFolder("/nowhere"); }),
            "cannot sync folder /nowhere: No such file or directory; create "
            "its folder first, or write elsewhere");
  // These cannot.
  EXPECT_EQ(messageOf([] { syncFolder("/proc"); }), "");
}

// An earlier errno does not matter, nor that the folder may get the descriptor
// 0.
TEST(DurableFile, foldersAreSyncedAfterAnError) {
  int input = ::fcntl(0, F_DUPFD_CLOEXEC, 3);
  ::close(0);
  for (int error : {EACCES, EIO}) {
    EXPECT_EQ(messageOf([&] {
                errno = error;
                syncFolder(testing::TempDir());
              }),
              "");
    EXPECT_EQ(::fcntl(0, F_GETFD), -1) << "it stays open";
  }
  if (input >= 0)
    ::dup2(input, 0);
  ::close(input);
}

/// The number of calls of flock() that fail from now on, as where files cannot
/// be locked.
static int failingLocks = 0;

/// In place of the one of the C library.
extern "C" int flock(int file, int operation) noexcept {
  if (failingLocks > 0) {
    --failingLocks;
    errno = ENOLCK;
    return -1;
  }
  using Function = int(int, int);
  static auto *next = reinterpret_cast<Function *>(::dlsym(RTLD_NEXT, "flock"));
  return next(file, operation);
}

// They are written without, and nobody's temporaries are removed.
TEST(DurableFile, filesThatCannotBeLocked) {
  TemporaryFile file("unlocked"), other("unlocked.1.tmp", "of another run");
  failingLocks = 2;
  {
    DurableFile written(file.path);
    written.write("abc", 3, 0);
    written.commit();
  }
  EXPECT_EQ(failingLocks, 0);
  std::vector<std::string> names = namesBeside(file.path);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector{file.path, other.path}));
}
