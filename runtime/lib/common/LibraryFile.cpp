//===- LibraryFile.cpp - Shared libraries that a program carries ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/LibraryFile.h"
#include "common/DurableFile.h"
#include "common/Failure.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace boost_rt;
namespace fs = std::filesystem;

/// MFD_NOEXEC_SEAL, a flag of memfd_create since Linux 6.3, which headers may
/// lack. It forbids to start the file as a program, as systems may demand, but
/// not to map its code.
static constexpr unsigned notStarted = 8;

static constexpr mode_t ownersMode = 0600;

namespace {
/// While it lives, the limit on the size of files is the largest one that this
/// process may set. Limits apply to files in memory as well.
class RaisedFileLimit {
public:
  RaisedFileLimit() {
    isRaised = ::getrlimit(RLIMIT_FSIZE, &before) == 0;
    rlimit limit = before;
    limit.rlim_cur = limit.rlim_max;
    isRaised = isRaised && ::setrlimit(RLIMIT_FSIZE, &limit) == 0;
  }
  ~RaisedFileLimit() {
    if (isRaised)
      ::setrlimit(RLIMIT_FSIZE, &before);
  }
  RaisedFileLimit(const RaisedFileLimit &) = delete;
  RaisedFileLimit &operator=(const RaisedFileLimit &) = delete;

private:
  rlimit before;
  bool isRaised;
};
} // namespace

/// Returns 0 or the errno of the failure.
static int writeAll(int file, std::string_view bytes) {
  RaisedFileLimit raised;
  while (!bytes.empty()) {
    ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR)
      return errno;
    bytes.remove_prefix(static_cast<size_t>(std::max<ssize_t>(written, 0)));
  }
  return 0;
}

static std::string makeFileInMemory(const std::string &name,
                                    const std::string &what,
                                    std::string_view image) {
  int file = ::memfd_create(name.c_str(), MFD_CLOEXEC | notStarted);
  if (file < 0 && errno == EINVAL)
    file = ::memfd_create(name.c_str(), MFD_CLOEXEC);
  if (file < 0)
    refuse("cannot load ", what,
           ": no file can be made in memory: ", std::strerror(errno),
           "; let BOOST_CODE_FOLDER name a folder that it is copied into");
  if (int error = writeAll(file, image))
    refuse("cannot load ", what, ": cannot write ", image.size(),
           " bytes into a file in memory: ", describeWriteError(error));
  // The file stays open: it exists for as long as that, and the dynamic linker
  // would take another one of the same number for this one. Debuggers open the
  // path too, so it names the process.
  std::error_code error;
  fs::path process = fs::read_symlink("/proc/self", error);
  if (error)
    refuse("cannot load ", what,
           ": /proc/self cannot be read: ", error.message(), "; mount /proc");
  return concat("/proc/", process.string(), "/fd/", file);
}

static std::string makeFileIn(const std::string &folder,
                              const std::string &name, const std::string &what,
                              std::string_view image) {
  std::string path = concat(folder, "/", name, "-", ::getpid(), ".so");
  // A file of an earlier process with this number goes. The open below follows
  // no link that others have put there.
  ::unlink(path.c_str());
  int file =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, ownersMode);
  int error = file < 0 ? errno : writeAll(file, image);
  if (file >= 0)
    ::close(file);
  if (error)
    refuse("cannot load ", what, ": cannot write ", path,
           ", into the folder that BOOST_CODE_FOLDER names: ",
           describeWriteError(error));
  return path;
}

std::string boost_rt::makeLibraryFile(const std::string &name,
                                      const std::string &what,
                                      std::string_view image) {
  const char *folder = std::getenv("BOOST_CODE_FOLDER");
  if (folder && *folder)
    return makeFileIn(folder, name, what, image);
  return makeFileInMemory(name, what, image);
}
