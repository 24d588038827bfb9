//===- CreateStagedDevice.cpp - Programs that run on a StagedDevice -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StagedDevice.h"

std::unique_ptr<boost_rt::Device>
boost_rt::createDevice(const Program &program, Communicator &communicator,
                       const DeviceOptions &) {
  return std::make_unique<StagedDevice>(program, communicator);
}
