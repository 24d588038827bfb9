//===- DurableFile.cpp - Files that survive a power failure ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/DurableFile.h"
#include "common/Activity.h"
#include "common/Failure.h"
#include "common/FileTimes.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <random>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace boost_rt;
namespace fs = std::filesystem;

std::string boost_rt::describeWriteError(int error) {
  std::string text = std::strerror(error);
  if (error == ENOENT)
    text += "; create its folder first, or write elsewhere";
  if (error == EACCES || error == EROFS)
    text += "; allow writing there, or write elsewhere";
  if (error == ENOSPC)
    text += "; free space, or write elsewhere";
  if (error == EDQUOT)
    text += "; free some of your quota, or write elsewhere";
  if (error == EFBIG)
    text += "; raise the limit on the size of files (ulimit -f)";
  return text;
}

/// The folder that holds the name `path`.
static std::string folderOf(const std::string &path) {
  std::string folder = fs::path(path).parent_path();
  return folder.empty() ? "." : folder;
}

void boost_rt::syncFolder(const std::string &path) {
  TimedScope timed(fileTimes.syncs);
  int folder = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  // Who may write names into a folder need not be allowed to list it.
  if (folder < 0 && errno == EACCES)
    return;
  bool isSynced = folder >= 0 && ::fsync(folder) == 0;
  // Some file systems cannot sync folders.
  int error = isSynced || errno == EINVAL || errno == ENOTSUP ? 0 : errno;
  if (folder >= 0)
    ::close(folder);
  if (error)
    refuse("cannot sync folder ", path, ": ", describeWriteError(error));
}

void boost_rt::createDurableFolder(const std::string &path) {
  std::string parent = folderOf(path);
  if (!fs::is_directory(path)) {
    if (parent != path)
      createDurableFolder(parent);
    fs::create_directory(path);
  }
  syncFolder(parent);
}

/// Returns true if `name` is `prefix`, hexadecimal digits and ".tmp".
static bool isTemporaryName(const std::string &name,
                            const std::string &prefix) {
  const std::string suffix = ".tmp";
  if (name.size() <= prefix.size() + suffix.size() ||
      name.compare(0, prefix.size(), prefix) != 0 ||
      name.compare(name.size() - suffix.size(), suffix.size(), suffix) != 0)
    return false;
  return std::all_of(name.begin() + static_cast<ptrdiff_t>(prefix.size()),
                     name.end() - static_cast<ptrdiff_t>(suffix.size()),
                     [](unsigned char c) { return std::isxdigit(c) != 0; });
}

/// Removes temporaries whose writer ended: nobody locks them. Where files
/// cannot be locked they stay.
void DurableFile::removeAbandoned() const {
  std::string prefix = fs::path(path).filename().string() + ".";
  std::error_code error;
  for (const auto &entry : fs::directory_iterator(folderOf(path), error)) {
    if (!isTemporaryName(entry.path().filename(), prefix))
      continue;
    int other = ::open(entry.path().c_str(),
                       O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (other < 0)
      continue;
    if (::flock(other, LOCK_EX | LOCK_NB) == 0)
      ::unlink(entry.path().c_str());
    ::close(other);
  }
}

/// Creates and locks the temporary under a name that nobody can foresee: what
/// others put into a shared folder, say a link to a file of the user, is never
/// written through. Unlike one of mkostemp() it has the permissions of any
/// other new file. Returns false if another process has that name, or took it
/// for abandoned before it was locked.
bool DurableFile::create() {
  std::random_device random;
  uint64_t number = uint64_t(random()) << 32 | random();
  temporaryPath = concat(path, ".", std::hex, number, ".tmp");
  file = ::open(temporaryPath.c_str(),
                O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (file < 0 && errno == EEXIST)
    return false;
  if (file < 0)
    refuse("cannot write ", path, ": ", describeWriteError(errno));
  bool isTaken = ::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  struct stat status = {};
  if (!isTaken && ::fstat(file, &status) == 0 && status.st_nlink > 0)
    return true;
  ::close(file);
  file = -1;
  return false;
}

/// Returns true for /dev/stdout and the like, which may lead to a regular file
/// and which a file would replace for everyone.
static bool namesOpenFile(const std::string &path) {
  std::string folder =
      std::filesystem::absolute(path).lexically_normal().parent_path();
  return folder == "/dev" || folder == "/dev/fd" ||
         folder.compare(0, 5, "/proc") == 0;
}

DurableFile::DurableFile(const std::string &path) : path(path) {
  // A path that is no regular file would be replaced by one, or could not be.
  struct stat status;
  bool isSpecial =
      ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
  if (isSpecial || namesOpenFile(path))
    refuse("cannot write ", path, ": it is not a regular file");
  removeAbandoned();
  while (!create())
    continue;
}

DurableFile::~DurableFile() {
  if (file < 0)
    return;
  ::close(file);
  ::unlink(temporaryPath.c_str());
}

/// Short enough for a slow disk to show now and then that it gets on.
static constexpr int64_t bytesAtOnce = int64_t(16) << 20;

void DurableFile::write(const void *data, int64_t bytes, int64_t position) {
  TimedScope timed(fileTimes.writes);
  const char *from = static_cast<const char *>(data);
  while (bytes > 0) {
    ssize_t written =
        ::pwrite(file, from, static_cast<size_t>(std::min(bytes, bytesAtOnce)),
                 position);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      refuse("cannot write ", path, ": ", describeWriteError(errno));
    Activity::ofThisRank().advance();
    from += written;
    position += written;
    bytes -= written;
  }
}

void DurableFile::commit() {
  {
    TimedScope timed(fileTimes.syncs);
    if (::fsync(file) != 0)
      refuse("cannot write ", path, ": ", describeWriteError(errno));
  }
  // The name comes last, while the lock is still held.
  if (::rename(temporaryPath.c_str(), path.c_str()) != 0)
    refuse("cannot write ", path, ": ", describeWriteError(errno));
  int error = ::close(file) == 0 ? 0 : errno;
  file = -1;
  if (error)
    refuse("cannot write ", path, ": ", describeWriteError(error));
  syncFolder(folderOf(path));
}
