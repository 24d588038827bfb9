//===- OpenPlugin.cpp - The embedded plugin for MPI -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The build gives the plugin's path as BOOST_MPI_PLUGIN, unless it is without
// MPI. A file in memory carries the plugin to the dynamic linker, so that a
// program stays one file.
//
//===----------------------------------------------------------------------===//

#include "common/Failure.h"
#include "mpi/Plugin.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace boost_rt;

#ifdef BOOST_MPI_PLUGIN
asm(".pushsection .rodata\n"
    ".globl boost_mpi_image, boost_mpi_image_bytes\n"
    ".hidden boost_mpi_image, boost_mpi_image_bytes\n"
    "boost_mpi_image: .incbin \"" BOOST_MPI_PLUGIN "\"\n"
    ".balign 8\n"
    "boost_mpi_image_bytes: .quad boost_mpi_image_bytes - boost_mpi_image\n"
    ".popsection\n");
extern "C" const char boost_mpi_image[];
/// With what aligns it, behind the image.
extern "C" const uint64_t boost_mpi_image_bytes;

/// The path of a file in memory that holds the plugin, and its descriptor.
static std::string writeImage(int &file) {
  file = ::memfd_create("boost-runtime-mpi", MFD_CLOEXEC);
  if (file < 0)
    refuse("cannot open the library for MPI: ", std::strerror(errno));
  for (size_t done = 0; done < boost_mpi_image_bytes;) {
    ssize_t written =
        ::write(file, boost_mpi_image + done, boost_mpi_image_bytes - done);
    if (written < 0 && errno != EINTR)
      refuse("cannot open the library for MPI: ", std::strerror(errno));
    done += static_cast<size_t>(std::max<ssize_t>(written, 0));
  }
  return concat("/proc/self/fd/", file);
}

const boost_mpi_functions &boost_rt::openMPIPlugin(int64_t ranks) {
  int file = -1;
  std::string path = writeImage(file);
  // MPI's own plugins look for its symbols among the global ones.
  void *library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  const char *error = library ? nullptr : ::dlerror();
  if (library)
    ::close(file);
  if (error)
    refuse("this program needs ", ranks,
           " ranks, which talk through MPI, but MPI cannot be loaded: ", error,
           "; install the MPI library that boost-mlir was built with, such as "
           "Debian's libopenmpi3, or start the ranks by torchrun");
  return *static_cast<const boost_mpi_functions *>(
      ::dlsym(library, "boost_mpi_plugin"));
}
#else
const boost_mpi_functions &boost_rt::openMPIPlugin(int64_t ranks) {
  refuse(
      "this program needs ", ranks,
      " ranks, but its runtime was built without MPI; start them by torchrun, "
      "or build boost-mlir with -DBOOST_MLIR_ENABLE_MPI=ON");
}
#endif
