//===- OpenPlugin.cpp - The embedded plugin for MPI -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The build gives the plugin's path as BOOST_MPI_PLUGIN, unless it is without
// MPI. The plugin is embedded, so that a program stays one file.
//
//===----------------------------------------------------------------------===//

#include "common/Failure.h"
#include "common/LibraryFile.h"
#include "mpi/Plugin.h"

#include <dlfcn.h>

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

const boost_mpi_functions &boost_rt::openMPIPlugin(int64_t ranks) {
  const std::string path =
      makeLibraryFile("boost-runtime-mpi", "the library for MPI",
                      {boost_mpi_image, boost_mpi_image_bytes});
  // MPI's own plugins look for its symbols among the global ones.
  void *library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (!library)
    refuse("this program needs ", ranks,
           " ranks, which talk through MPI, but MPI cannot be loaded: ",
           ::dlerror(),
           "; install the MPI library that boost-mlir was built with, such as "
           "Debian's libopenmpi3 or the extra boost-mlir[mpi], or start the "
           "ranks by torchrun");
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
