//===- Grid.cpp - The threads of a launch, one after the other ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GridImpl.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <numeric>

using namespace boost_emu;

/// Limits of one block: shared memory is that of sm_90, the others are CUDA's.
static constexpr size_t kSharedBytes = 227 << 10;
static constexpr size_t kCanaryBytes = 128;
static constexpr uint32_t kMaxThreads = 1024, kMaxBlockZ = 64;
static constexpr uint32_t kMaxGridX = 0x7fffffff, kMaxGridYZ = 65535;
/// A NaN in every float format.
static constexpr int kPoison = 0xff;

static constexpr const char *kWarpBarrier = "bar.warp.sync";
static constexpr const char *kBarrier = "barrier";
static constexpr const char *kAlignedBarrier = "aligned barrier";

alignas(
    128) unsigned char boost_emu_dynamic_shared[kSharedBytes + kCanaryBytes];

static std::mutex oneGrid;
static Grid *currentGrid;

static uint64_t getVolume(Dim3 size) {
  return uint64_t(size.x) * size.y * size.z;
}

static std::string print(Dim3 at) {
  return "(" + std::to_string(at.x) + "," + std::to_string(at.y) + "," +
         std::to_string(at.z) + ")";
}

//===----------------------------------------------------------------------===//
// Launch
//===----------------------------------------------------------------------===//

Grid &Grid::current() {
  if (!currentGrid) {
    std::fputs("device code runs outside of a grid\n", stderr);
    std::abort();
  }
  return *currentGrid;
}

/// The threads of the last launch: their stacks serve the next.
std::deque<Grid::Thread> &Grid::getStacks() {
  static std::deque<Thread> threads;
  return threads;
}

Grid::Grid(const Launch &launch, const std::function<void()> &body)
    : launch(launch), body(body), threads(getStacks()),
      numThreads(static_cast<uint32_t>(getVolume(launch.block))),
      shared(launch.staticShared), random(launch.seed) {
  checkLaunch();
  if (threads.size() < numThreads)
    threads.resize(numThreads);
  if (launch.dynamicSharedBytes)
    shared.push_back({boost_emu_dynamic_shared, launch.dynamicSharedBytes});
  currentGrid = this;
}

Grid::~Grid() { currentGrid = nullptr; }

void Grid::checkLaunch() const {
  size_t sharedBytes = launch.dynamicSharedBytes;
  for (const SharedBuffer &buffer : launch.staticShared)
    sharedBytes += buffer.bytes;
  bool isPossible = getVolume(launch.block) - 1 < kMaxThreads && // not 0
                    launch.block.z <= kMaxBlockZ &&
                    getVolume(launch.grid) != 0 && launch.grid.x <= kMaxGridX &&
                    launch.grid.y <= kMaxGridYZ &&
                    launch.grid.z <= kMaxGridYZ && sharedBytes <= kSharedBytes;
  if (!isPossible)
    throw EmulationError(
        "kernel '" + launch.kernel + "': no GPU can launch a grid of " +
        print(launch.grid) + " blocks of " + print(launch.block) +
        " threads with " + std::to_string(sharedBytes) +
        " bytes of shared memory");
}

Dim3 Grid::unflatten(uint64_t index, Dim3 size) {
  return {static_cast<uint32_t>(index % size.x),
          static_cast<uint32_t>(index / size.x % size.y),
          static_cast<uint32_t>(index / size.x / size.y)};
}

std::vector<uint64_t> Grid::getOrder(uint64_t count) {
  std::vector<uint64_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  if (launch.order == ThreadOrder::Reverse)
    std::reverse(order.begin(), order.end());
  if (launch.order == ThreadOrder::Shuffled)
    std::shuffle(order.begin(), order.end(), random);
  return order;
}

void Grid::run() {
  for (uint64_t index : getOrder(getVolume(launch.grid))) {
    block = unflatten(index, launch.grid);
    runBlock();
  }
}

//===----------------------------------------------------------------------===//
// Blocks and threads
//===----------------------------------------------------------------------===//

void Grid::enterThread(void *argument) {
  Grid &grid = *static_cast<Grid *>(argument);
  try {
    grid.body();
  } catch (...) {
    grid.failure = std::current_exception();
  }
}

void Grid::startBlock() {
  numEnded = numAtBarrier = 0;
  for (const SharedBuffer &buffer : shared)
    std::memset(buffer.data, kPoison, buffer.bytes);
  std::memset(boost_emu_dynamic_shared + launch.dynamicSharedBytes, kPoison,
              kCanaryBytes);
  checker.startBlock(shared);
  fragments.assign((numThreads + kWarpSize - 1) / kWarpSize, WarpFragments());
  for (uint32_t i = 0; i < numThreads; ++i) {
    threads[i].state = State::Ready;
    threads[i].copies.clear();
    threads[i].fiber.start(enterThread, this);
  }
}

void Grid::runBlock() {
  startBlock();
  while (numEnded < numThreads) {
    bool doesProgress = false;
    for (uint64_t thread : getOrder(numThreads))
      if (threads[thread].state == State::Ready) {
        resume(static_cast<uint32_t>(thread));
        doesProgress = true;
      }
    if (!doesProgress)
      reportDeadlock();
  }
  checkCanary();
}

void Grid::resume(uint32_t thread) {
  running = thread;
  Fiber &fiber = threads[thread].fiber;
  fiber.resume();
  if (failure)
    std::rethrow_exception(failure);
  if (fiber.hasEnded())
    endThread();
}

void Grid::endThread() {
  threads[running].state = State::Ended;
  ++numEnded;
  if (numAtBarrier)
    throw getError("returns while " + describe(findThread(State::AtBarrier)));
}

void Grid::suspend(State state) {
  threads[running].state = state;
  threads[running].fiber.suspend();
}

/// A thread in this state; there is one.
uint32_t Grid::findThread(State state) const {
  uint32_t index = 0;
  while (threads[index].state != state)
    ++index;
  return index;
}

void Grid::reportDeadlock() {
  std::string waiting;
  for (uint32_t i = 0; i < numThreads && waiting.empty(); ++i)
    if (threads[i].state == State::InWarp)
      waiting = describe(i);
  if (numAtBarrier)
    waiting += " and " + describe(findThread(State::AtBarrier));
  throw getError("deadlock: " + waiting);
}

void Grid::checkCanary() const {
  const unsigned char *canary =
      boost_emu_dynamic_shared + launch.dynamicSharedBytes;
  if (std::any_of(canary, canary + kCanaryBytes,
                  [](unsigned char byte) { return byte != kPoison; }))
    throw getError("the block has written behind its dynamic shared memory");
}

//===----------------------------------------------------------------------===//
// Meetings
//===----------------------------------------------------------------------===//

void Grid::meetBlock(uint32_t barrier, bool isAligned, uint32_t site) {
  Thread &mine = threads[running];
  mine.operation = {isAligned ? kAlignedBarrier : kBarrier, barrier};
  mine.site = site;
  if (numEnded)
    fail("waits at " + mine.operation.print() + ", but " +
         describe(findThread(State::Ended)));
  if (numAtBarrier) {
    uint32_t first = findThread(State::AtBarrier);
    if (!(threads[first].operation == mine.operation))
      fail("waits at " + mine.operation.print() + ", but " + describe(first));
  }
  for (uint32_t mask = isAligned ? getWarpMask() : 0, lane = 0; mask;
       mask >>= 1, ++lane) {
    const Thread &other = threads[getWarpmate(lane)];
    if (other.state == State::AtBarrier && other.site != site)
      fail("waits at " + mine.operation.print() +
           ", but another lane of its warp at another place in the code");
  }
  if (++numAtBarrier < numThreads)
    return suspend(State::AtBarrier);
  numAtBarrier = 0;
  checker.passBlockBarrier();
  for (uint32_t i = 0; i < numThreads; ++i)
    threads[i].state = State::Ready;
  suspend(State::Ready);
}

void Grid::meetCount(uint32_t barrier, uint32_t count, bool isAligned,
                     uint32_t site) {
  if (count != numThreads)
    fail("waits at barrier " + std::to_string(barrier) + " for " +
         std::to_string(count) + " of " + std::to_string(numThreads) +
         " threads, which is not emulated");
  meetBlock(barrier, isAligned, site);
}

uint32_t Grid::getWarpMask() const {
  uint32_t lanes = numThreads - getWarpmate(0);
  return lanes >= kWarpSize ? ~0u : (1u << lanes) - 1;
}

/// A lane that the mask names must have come to the same place, or yet come.
void Grid::checkWarpmate(uint32_t lane) {
  const Thread &mine = threads[running];
  const Thread &other = threads[getWarpmate(lane)];
  bool isSame = other.operation == mine.operation && other.mask == mine.mask;
  if (other.state == State::Ready || (other.state == State::InWarp && isSame))
    return;
  fail("names lane " + std::to_string(lane) + " in the mask of " +
       mine.operation.print() + ", but " + describe(getWarpmate(lane)) +
       (other.state == State::InWarp ? " with another mask or operation" : ""));
}

const LaneValues &Grid::meetWarp(const char *operation, uint32_t mask,
                                 uint32_t value) {
  Thread &mine = threads[running];
  mine.operation = {operation};
  mine.mask = mask & getWarpMask();
  mine.value = value;
  if (!(mine.mask >> getLane() & 1))
    fail("does " + mine.operation.print() +
         " with a mask that does not name it");
  bool isLast = true;
  for (uint32_t lane = 0; lane < kWarpSize; ++lane)
    if (lane != getLane() && mine.mask >> lane & 1) {
      checkWarpmate(lane);
      isLast &= threads[getWarpmate(lane)].state == State::InWarp;
    }
  if (!isLast) {
    suspend(State::InWarp);
  } else {
    finishWarp();
    suspend(State::Ready);
  }
  return mine.values;
}

void Grid::finishWarp() {
  uint32_t mask = threads[running].mask;
  if (threads[running].operation.name == kWarpBarrier)
    checker.passWarpBarrier(running / kWarpSize);
  LaneValues values = {};
  for (uint32_t lane = 0; lane < kWarpSize; ++lane)
    if (mask >> lane & 1)
      values[lane] = threads[getWarpmate(lane)].value;
  for (uint32_t lane = 0; lane < kWarpSize; ++lane)
    if (mask >> lane & 1) {
      threads[getWarpmate(lane)].values = values;
      threads[getWarpmate(lane)].state = State::Ready;
    }
}

void Grid::synchronizeWarp(uint32_t mask) {
  if ((mask & getWarpMask()) != getWarpMask())
    fail("does bar.warp.sync for a part of its warp, which is not emulated");
  meetWarp(kWarpBarrier, mask, 0);
}

void Grid::recordAccess(const void *data, uint64_t bytes, bool isWrite,
                        bool isAtomic) {
  if (threads[running].fiber.owns(data))
    return;
  std::string rival = checker.record(
      {static_cast<const char *>(data), bytes, running, isWrite, isAtomic});
  failIfRace(rival,
             isAtomic  ? "atomic operation"
             : isWrite ? "write"
                       : "read",
             data, bytes);
}

void Grid::failIfRace(const std::string &rival, const char *what,
                      const void *data, uint64_t bytes) {
  if (!rival.empty())
    fail("race: its " + std::string(what) + " of " + std::to_string(bytes) +
         " bytes at " + describeAddress(data) + " meets " + rival);
}

char *Grid::findShared(uint32_t address, uint64_t bytes) {
  for (const SharedBuffer &buffer : shared) {
    // Buffers are smaller than what the lower half can tell apart.
    auto begin =
        static_cast<uint32_t>(reinterpret_cast<uintptr_t>(buffer.data));
    uint32_t offset = address - begin;
    if (offset + bytes <= buffer.bytes)
      return static_cast<char *>(buffer.data) + offset;
  }
  fail("accesses " + std::to_string(bytes) +
       " bytes that are not in shared memory");
}

//===----------------------------------------------------------------------===//
// Asynchronous copies
//===----------------------------------------------------------------------===//

/// As an access of the thread that does it.
static AccessChecker::Access getAccess(const AsyncCopy &copy, uint32_t thread) {
  return {copy.to, copy.bytes, thread, /*isWrite=*/true, /*isAtomic=*/false};
}

/// The bytes may arrive at once or late: they are written now and when they
/// arrive, and in between nobody may touch them.
void Grid::startCopy(const AsyncCopy &copy) {
  auto from = reinterpret_cast<uintptr_t>(copy.from);
  auto to = reinterpret_cast<uintptr_t>(copy.to);
  if (copy.sourceBytes > copy.bytes)
    fail("copies more bytes than there is room for");
  if (from % copy.bytes || to % copy.bytes)
    fail("copies " + std::to_string(copy.bytes) +
         " bytes from or to an address that is not a multiple of that");
  findShared(static_cast<uint32_t>(to), copy.bytes);
  if (copy.sourceBytes)
    recordAccess(copy.from, copy.sourceBytes, /*isWrite=*/false,
                 /*isAtomic=*/false);
  failIfRace(checker.startCopy(getAccess(copy, running)), "asynchronous copy",
             copy.to, copy.bytes);
  threads[running].copies.start(copy);
}

void Grid::finishCopy(const AsyncCopy &copy) {
  failIfRace(checker.finishCopy(getAccess(copy, running)), "asynchronous copy",
             copy.to, copy.bytes);
  std::memset(copy.to, 0, copy.bytes);
  std::memcpy(copy.to, translateDeviceAddress(copy.from), copy.sourceBytes);
}

void Grid::waitForCopies(uint32_t groupsLeft) {
  threads[running].copies.waitForGroups(
      groupsLeft, [&](const AsyncCopy &copy) { finishCopy(copy); });
}

void Grid::waitForAllCopies() {
  threads[running].copies.waitForAll(
      [&](const AsyncCopy &copy) { finishCopy(copy); });
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

std::string Grid::Operation::print() const {
  bool isBarrier = name == kBarrier || name == kAlignedBarrier;
  return isBarrier ? name + (" " + std::to_string(number)) : name;
}

std::string Grid::describe(uint32_t thread) const {
  const Thread &other = threads[thread];
  std::string name = "thread " + print(unflatten(thread, launch.block));
  if (other.state == State::Ended)
    return name + " has returned";
  return name + " waits at " + other.operation.print();
}

std::string Grid::describeAddress(const void *data) const {
  auto *at = static_cast<const char *>(data);
  for (size_t i = 0; i < shared.size(); ++i) {
    auto *begin = static_cast<const char *>(shared[i].data);
    if (at >= begin && at < begin + shared[i].bytes)
      return "offset " + std::to_string(at - begin) + " of shared buffer " +
             std::to_string(i);
  }
  char text[32];
  std::snprintf(text, sizeof(text), "%p", data);
  return "global address " + std::string(text);
}

EmulationError Grid::getError(const std::string &what) const {
  return EmulationError("kernel '" + launch.kernel + "', block " +
                        print(block) + ", thread " + print(getThreadIndex()) +
                        ": " + what);
}

void Grid::fail(const std::string &what) {
  // Device code cannot be unwound: leave its stack.
  failure = std::make_exception_ptr(getError(what));
  threads[running].fiber.suspend();
  std::abort();
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

void boost_emu::runGrid(const Launch &launch,
                        const std::function<void()> &thread) {
  std::lock_guard<std::mutex> lock(oneGrid);
  Grid(launch, thread).run();
}

void boost_emu::runKernel(const EmulatedModule &module,
                          const std::string &kernel, Launch launch,
                          void **arguments) {
  const EmulatedKernel *end = module.kernels + module.numKernels;
  const EmulatedKernel *found =
      std::find_if(module.kernels, end, [&](const EmulatedKernel &entry) {
        return kernel == entry.name;
      });
  if (found == end)
    throw EmulationError("the module has no kernel '" + kernel + "'");
  if (getVolume(launch.block) > found->maxThreads)
    throw EmulationError("kernel '" + kernel + "' is compiled for at most " +
                         std::to_string(found->maxThreads) +
                         " threads in a block");
  launch.kernel = kernel;
  launch.staticShared.assign(module.shared, module.shared + module.numShared);
  runGrid(launch, [&] { found->call(arguments); });
}
