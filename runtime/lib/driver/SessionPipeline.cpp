//===- SessionPipeline.cpp - What ranks of several stages do together -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Session.h"

#include <algorithm>

using namespace boost_rt;

std::vector<const Tensor *>
Session::ofThisStage(const std::vector<const Tensor *> &tensors) const {
  std::vector<const Tensor *> own;
  std::copy_if(tensors.begin(), tensors.end(), std::back_inserter(own),
               [&](const Tensor *tensor) { return has(*tensor); });
  return own;
}

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

void Session::send(const Tensor &tensor, int64_t slot, int64_t toRank) {
  SiteCounter &counter = device->getRecord().sends;
  ++counter.executions;
  counter.bytes += tensor.bytes;
  if (tensor.strides.empty()) {
    Device::Mapping mapping = device->map(tensor, Access::read, slot);
    return communicator->send(mapping.data(), tensor.bytes, toRank);
  }
  std::vector<char> packed = pack(tensor, slot);
  communicator->send(packed.data(), tensor.bytes, toRank);
}

void Session::receive(const Tensor &tensor, int64_t slot, int64_t fromRank) {
  if (tensor.strides.empty()) {
    Device::Mapping mapping = device->map(tensor, Access::write, slot);
    return communicator->receive(mapping.data(), tensor.bytes, fromRank);
  }
  std::vector<char> packed(static_cast<size_t>(tensor.bytes));
  communicator->receive(packed.data(), tensor.bytes, fromRank);
  unpack(tensor, packed, slot);
}

void Session::transfer(const ScheduledTransfer &transfer) {
  bool sends = stage() == transfer.from;
  if (!sends && stage() != transfer.to)
    return;
  int64_t otherStage = sends ? transfer.to : transfer.from;
  int64_t other =
      program.mesh.memberRank(rank(), 1u << *program.pipelineAxis, otherStage);
  Transferring transferring(sends, otherStage, transfer.microBatch);
  for (const std::string &name : transfer.tensors)
    if (sends)
      send(program.tensor(name), transfer.fromSlot.value_or(0), other);
    else
      receive(program.tensor(name), transfer.toSlot.value_or(0), other);
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

double Session::shareFrom(int64_t stage, double value) {
  if (program.stages.size() == 1)
    return value;
  std::vector<double> values(program.stages.size());
  communicator->allGather(1u << *program.pipelineAxis, &value, values.data(),
                          sizeof(value));
  return values[static_cast<size_t>(stage)];
}

float Session::shareScalar(const Tensor &tensor) {
  float value = has(tensor) ? readScalar(tensor) : 0;
  return static_cast<float>(
      shareFrom(tensor.firstStage(), static_cast<double>(value)));
}

int64_t Session::largestOfStage(int64_t value) {
  uint32_t pipeline = program.pipelineAxis ? 1u << *program.pipelineAxis : 0;
  if (uint32_t others = program.mesh.allAxes() & ~pipeline)
    communicator->allReduce(others, BOOST_RT_MAX, BOOST_RT_I64, &value, 1);
  return value;
}
