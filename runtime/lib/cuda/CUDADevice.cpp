//===- CUDADevice.cpp - Functions of a program on a GPU -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda/CUDADevice.h"
#include "common/Activity.h"
#include "common/Agreement.h"
#include "common/Failure.h"
#include "cuda/EventTimer.h"
#include "cuda/KernelImages.h"

#include <cstdlib>

using namespace boost_rt;

static constexpr const char *kCollectives = "BOOST_CUDA_COLLECTIVES";

/// BOOST_CUDA_COLLECTIVES: nccl or staged. By default NCCL where every rank of
/// this machine has a GPU of its own, which NCCL asks for. Throws on all ranks
/// if they would not use the same.
static bool usesNccl(const GPU &gpu, Communicator &communicator) {
  const char *text = std::getenv(kCollectives);
  std::string chosen = text ? text
                       : communicator.localSize() <= gpu.getDeviceCount()
                           ? "nccl"
                           : "staged";
  if (std::string message =
          findDisagreement(communicator, {{kCollectives, chosen}});
      !message.empty())
    throw Failure(ExitCode::usage, message);
  if (chosen != "nccl" && chosen != "staged")
    throw Failure(
        ExitCode::usage,
        concat(kCollectives, " expects nccl or staged, but is '", chosen, "'"));
  return chosen == "nccl";
}

boost_rt_context::boost_rt_context(const Program &program,
                                   Communicator &communicator,
                                   RunRecord &record)
    : mesh(program.mesh), record(record), rank(communicator.rank()),
      memory(gpu, program.stages[static_cast<size_t>(program.stageOf(rank))],
             program.constants),
      kernels(gpu, kernelImages(), program.deviceImages),
      matmuls(gpu, memory.workspace(), record),
      attention(gpu, memory.workspace(), record),
      factorizations(gpu, kernels, memory.workspace(), program) {
  if (mesh.size() == 1)
    return;
  collectives = usesNccl(gpu, communicator)
                    ? createNcclCommunicator(mesh, communicator, gpu, kernels,
                                             memory.workspace())
                    : createStagedCommunicator(mesh, communicator, gpu);
}

CUDADevice::CUDADevice(const Program &program, Communicator &communicator,
                       const DeviceOptions &options)
    : Device(program, communicator.rank()), program(program), options(options),
      context(program, communicator, record),
      pool(threadsPerRank(communicator.localSize())) {}

bool CUDADevice::usesGraphs(const Function &function) const {
  return options.graph && !record.onProbe && !record.timer &&
         !program.makesCall(function, Factorizations::callName) &&
         (!context.collectives || context.collectives->isCapturable());
}

void CUDADevice::start(const Function &function,
                       std::optional<int64_t> slotOffset) {
  if (!copies.empty())
    abortProgram("a function runs while a part of the arena is mapped");
  auto [known, isFirst] = recorded.try_emplace({&function, slotOffset});
  auto makeCalls = [&] {
    char *arena = context.memory.arena();
    function.run(&context, arena, slotOffset ? arena + *slotOffset : nullptr);
  };
  if (isFirst || !usesGraphs(function))
    return makeCalls();
  if (!known->second.isRecorded())
    known->second.recordCalls(context.gpu, record, makeCalls);
  known->second.replay(context.gpu, record);
}

bool CUDADevice::transfer(const Tensor &tensor, int64_t slot, bool sends,
                          uint32_t group, int64_t position) {
  char *data = context.memory.arena() + offsetOf(tensor, slot);
  return sends ? context.collectives->send(group, position, data, tensor.bytes)
               : context.collectives->receive(group, position, data,
                                              tensor.bytes);
}

std::unique_ptr<CallTimer> CUDADevice::createCallTimer() {
  return std::make_unique<EventTimer>(context.gpu);
}

void CUDADevice::synchronize() {
  if (context.collectives) {
    Waiting waiting("the GPU");
    context.gpu.synchronize([&] { context.collectives->checkPeers(); });
  }
  int32_t nonFinite = 0;
  context.gpu.copyToHost(&nonFinite, context.memory.nonFinite(),
                         sizeof(nonFinite));
  if (!nonFinite)
    return;
  record.updatedToNonFinite = true;
  context.gpu.fill(context.memory.nonFinite(), 0, sizeof(nonFinite));
}

void CUDADevice::fill(int value) {
  context.gpu.fill(context.memory.arena(), value, arenaBytes());
  context.gpu.synchronize();
}

void CUDADevice::clear(int64_t offset, int64_t size) {
  context.gpu.fill(context.memory.arena() + offset, 0, size);
  context.gpu.synchronize();
}

char *CUDADevice::openMapping(int64_t offset, int64_t size, Access access) {
  // Not set to zero first: pages of large copies are touched by the threads
  // that write them.
  std::unique_ptr<char[]> &copy = copies[offset];
  copy.reset(new char[static_cast<size_t>(size)]);
  if (access != Access::write)
    context.gpu.copyToHost(copy.get(), context.memory.arena() + offset, size);
  return copy.get();
}

void CUDADevice::closeMapping(const Mapping &mapping) {
  auto found = copies.find(mapping.offset);
  if (mapping.access != Access::read)
    context.gpu.copyToDevice(context.memory.arena() + mapping.offset,
                             found->second.get(), mapping.size);
  copies.erase(found);
}

std::unique_ptr<Device> boost_rt::createDevice(const Program &program,
                                               Communicator &communicator,
                                               const DeviceOptions &options) {
  return std::make_unique<CUDADevice>(program, communicator, options);
}
