//===- NoMPI.cpp - The mpi communicator of a build without MPI ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Communicator.h"
#include "common/Failure.h"

std::unique_ptr<boost_rt::Communicator>
boost_rt::createMPICommunicator(const Mesh &mesh, const std::string &) {
  refuse("this program needs ", mesh.size(),
         " ranks, but its runtime was built without MPI; build boost-mlir with "
         "-DBOOST_MLIR_ENABLE_MPI=ON or compile the program for --mesh tp=1");
}
