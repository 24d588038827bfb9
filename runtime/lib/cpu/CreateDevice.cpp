//===- CreateDevice.cpp - The device of programs for the CPU --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By itself, so that tests can link another device with the same functions.
//
//===----------------------------------------------------------------------===//

#include "common/Failure.h"
#include "cpu/CPUDevice.h"

std::unique_ptr<boost_rt::Device>
boost_rt::createDevice(const Program &program, Communicator &communicator,
                       const DeviceOptions &options) {
  if (!options.graph)
    throw Failure(ExitCode::usage,
                  "--no-graph is for programs that were compiled with "
                  "--target=cuda; this one runs on the CPU");
  return std::make_unique<CPUDevice>(program, communicator);
}
