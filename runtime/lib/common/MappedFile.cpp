//===- MappedFile.cpp - A file read through the page cache ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/MappedFile.h"
#include "common/Failure.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace boost_rt;

MappedFile *MappedFile::newest = nullptr;

static struct sigaction previousAction;

/// Handles SIGBUS, which a read of a page that was truncated from the file
/// raises. Reports it with functions that are safe in a signal handler, and
/// ends the process.
void MappedFile::handleLostPage(int signal, siginfo_t *info, void *) {
  const char *address = static_cast<const char *>(info->si_addr);
  for (const MappedFile *file = newest; file; file = file->older) {
    if (address < file->bytes || address >= file->bytes + file->length)
      continue;
    for (const char *part :
         {"error: ", file->path.c_str(),
          " became shorter while it was read, or its disk failed; write it "
          "again\n"})
      if (::write(STDERR_FILENO, part, std::strlen(part)) < 0)
        break;
    ::_exit(static_cast<int>(ExitCode::inputRefused));
  }
  // Not ours: as if there were no handler.
  ::sigaction(signal, &previousAction, nullptr);
  ::raise(signal);
}

std::string boost_rt::describeReadError(int error) {
  std::string text = std::strerror(error);
  if (error == ENOENT || error == ENOTDIR)
    text += "; give the path of a file that exists on every node";
  if (error == EACCES)
    text += "; make the file readable for this user";
  return text;
}

MappedFile::MappedFile(const std::string &path, const std::string &what)
    : path(path) {
  // A pipe that nobody writes would not be opened ever otherwise.
  int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    refuse("cannot open ", what, " ", path, ": ", describeReadError(errno));
  struct stat status;
  if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(file);
    refuse("cannot read ", what, " ", path,
           ": not a regular file; give the path of a file");
  }
  length = status.st_size;
  if (length > 0) {
    void *address = ::mmap(nullptr, static_cast<size_t>(length), PROT_READ,
                           MAP_PRIVATE, file, 0);
    if (address == MAP_FAILED) {
      int error = errno;
      ::close(file);
      refuse("cannot map ", what, " ", path, ": ", std::strerror(error));
    }
    bytes = static_cast<const char *>(address);
  }
  ::close(file);
  if (!newest) {
    struct sigaction action = {};
    action.sa_sigaction = handleLostPage;
    action.sa_flags = SA_SIGINFO;
    ::sigaction(SIGBUS, &action, &previousAction);
  }
  older = newest;
  newest = this;
}

MappedFile::~MappedFile() {
  MappedFile **link = &newest;
  while (*link != this)
    link = &(*link)->older;
  *link = older;
  if (!newest)
    ::sigaction(SIGBUS, &previousAction, nullptr);
  if (bytes)
    ::munmap(const_cast<char *>(bytes), static_cast<size_t>(length));
}
