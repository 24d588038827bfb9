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

MappedFile::MappedFile(const std::string &path, const std::string &what) {
  int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    refuse("cannot open ", what, " ", path, ": ", std::strerror(errno));
  struct stat status;
  if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(file);
    refuse("cannot read ", what, " ", path, ": not a regular file");
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
}

MappedFile::~MappedFile() {
  if (bytes)
    ::munmap(const_cast<char *>(bytes), static_cast<size_t>(length));
}
