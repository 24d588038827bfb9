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

/// Waits for its end: the next call of this rank needs it, or comes long after.
bool Session::transferOnDevice(const Tensor &tensor, int64_t slot, bool sends,
                               int64_t otherStage) {
  if (!tensor.strides.empty() ||
      !device->transfer(tensor, slot, sends, pipelineGroup(), otherStage))
    return false;
  device->synchronize();
  return true;
}

/// What is kept goes as a copy while this rank computes on. Tensors that last
/// are few and may be large: they go from where they are.
void Session::send(const Tensor &tensor, int64_t slot, int64_t toStage) {
  SiteCounter &counter = device->getRecord().sends;
  ++counter.executions;
  counter.bytes += tensor.bytes;
  if (transferOnDevice(tensor, slot, /*sends=*/true, toStage))
    return;
  if (tensor.role == Role::kept)
    return communicator->startSend(pack(tensor, slot), rankOn(toStage));
  if (tensor.strides.empty()) {
    Device::Mapping mapping = map(tensor, Access::read);
    return communicator->send(mapping.data(), tensor.bytes, rankOn(toStage));
  }
  std::vector<char> packed = pack(tensor);
  communicator->send(packed.data(), tensor.bytes, rankOn(toStage));
}

void Session::receive(const Tensor &tensor, int64_t slot, int64_t fromStage) {
  if (transferOnDevice(tensor, slot, /*sends=*/false, fromStage))
    return;
  if (tensor.strides.empty()) {
    Device::Mapping mapping = device->map(tensor, Access::write, slot);
    return communicator->receive(mapping.data(), tensor.bytes,
                                 rankOn(fromStage));
  }
  std::vector<char> packed(static_cast<size_t>(tensor.bytes));
  communicator->receive(packed.data(), tensor.bytes, rankOn(fromStage));
  unpack(tensor, packed, slot);
}

/// Copies what is kept from one slot to another.
void Session::copy(const ScheduledTransfer &transfer) {
  for (const std::string &name : transfer.tensors) {
    const Tensor &tensor = program.tensor(name);
    unpack(tensor, pack(tensor, *transfer.fromSlot), *transfer.toSlot);
  }
}

void Session::transfer(const ScheduledTransfer &transfer) {
  bool sends = stage() == transfer.from;
  if (transfer.from == transfer.to)
    return copy(transfer);
  int64_t otherStage = sends ? transfer.to : transfer.from;
  Transferring transferring(sends, otherStage, transfer.microBatch);
  for (const std::string &name : transfer.tensors)
    if (sends)
      send(program.tensor(name), transfer.fromSlot.value_or(0), otherStage);
    else
      receive(program.tensor(name), transfer.toSlot.value_or(0), otherStage);
}

void Session::finishTransfers() { communicator->finishSends(); }

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

double Session::shareFrom(int64_t stage, double value) {
  if (program.stages.size() == 1)
    return value;
  std::vector<double> values(program.stages.size());
  communicator->allGather(pipelineGroup(), &value, values.data(),
                          sizeof(value));
  return values[static_cast<size_t>(stage)];
}

float Session::shareScalar(const Tensor &tensor) {
  float value = has(tensor) ? readScalar(tensor) : 0;
  return static_cast<float>(
      shareFrom(tensor.firstStage(), static_cast<double>(value)));
}

nlohmann::json Session::arenaAsJson() {
  const int64_t own[] = {device->arenaBytes(), device->touchedBytes()};
  nlohmann::json arena = {{"bytes", own[0]}, {"touched", own[1]}};
  if (!program.pipelineAxis)
    return arena;
  std::vector<int64_t> all(2 * program.stages.size());
  communicator->allGather(pipelineGroup(), own, all.data(), sizeof(own));
  for (size_t i = 0; i < all.size(); i += 2)
    arena["stages"].push_back({{"bytes", all[i]}, {"touched", all[i + 1]}});
  return arena;
}

int64_t Session::largestOfStage(int64_t value) {
  if (uint32_t others = program.mesh.allAxes() & ~pipelineGroup())
    communicator->allReduce(others, BOOST_RT_MAX, BOOST_RT_I64, &value, 1);
  return value;
}
