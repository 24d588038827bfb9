//===- AccessChecker.cpp - Races of emulated threads ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessChecker.h"

#include <algorithm>

using namespace boost_emu;

/// Touch::who beyond thread indices: warps of which several threads were there,
/// and several warps.
static constexpr uint16_t kSeveralThreads = 1 << 14;
static constexpr uint16_t kSeveralWarps = 1 << 15;

static uint32_t getWarp(uint16_t who) {
  return who & kSeveralThreads ? who & ~kSeveralThreads : who / kWarpSize;
}

void AccessChecker::Touch::add(const Moment &now, uint32_t blockStart) {
  uint32_t warp = now.thread / kWarpSize;
  if (interval != now.interval) {
    bool isEarlier = isByOtherBlock(blockStart);
    *this = {now.interval, isEarlier, now.warpInterval, now.thread};
  } else if (who == kSeveralWarps || who == now.thread) {
    // A thread that comes again touches it in its present warp interval.
    if (who == now.thread)
      warpInterval = now.warpInterval;
  } else if (getWarp(who) != warp) {
    who = kSeveralWarps;
  } else if (warpInterval != now.warpInterval) {
    // The barrier orders what was before with the rest of the warp, and one
    // thread is enough to race with other warps.
    warpInterval = now.warpInterval;
    who = now.thread;
  } else {
    who = kSeveralThreads | warp;
  }
}

bool AccessChecker::Touch::isByOtherBlock(uint32_t blockStart) const {
  return isFromEarlierBlock || (interval != 0 && interval < blockStart);
}

/// Returns true if another thread of this block may access the byte
/// concurrently.
bool AccessChecker::Touch::isUnordered(const Moment &now) const {
  if (interval != now.interval)
    return false;
  if (who == kSeveralWarps || getWarp(who) != now.thread / kWarpSize)
    return true;
  return warpInterval == now.warpInterval && who != now.thread;
}

void AccessChecker::startBlock(const std::vector<SharedBuffer> &shared) {
  blockStart = ++interval;
  for (const SharedBuffer &buffer : shared) {
    auto begin = reinterpret_cast<uint64_t>(buffer.data);
    for (uint64_t at = begin - begin % kWordBytes; at < begin + buffer.bytes;
         at += kWordBytes)
      getWord(at) = Word();
  }
}

AccessChecker::Word &AccessChecker::getWord(uint64_t address) {
  uint64_t index = address / kPageBytes;
  if (!lastPage || index != lastPageIndex) {
    std::unique_ptr<Page> &page = pages[index];
    if (!page)
      page = std::make_unique<Page>();
    lastPage = page.get();
    lastPageIndex = index;
  }
  return (*lastPage)[address % kPageBytes / kWordBytes];
}

AccessChecker::Rival AccessChecker::touch(Byte &byte, const Access &access,
                                          const Moment &now) {
  // Reads do not race with each other, nor do atomics.
  const std::pair<const Touch *, const char *> rivals[] = {
      {&byte.write, "a write"},
      {access.isWrite ? &byte.read : nullptr, "a read"},
      {access.isAtomic ? nullptr : &byte.atomic, "an atomic operation"}};
  for (auto [rival, what] : rivals) {
    if (!rival)
      continue;
    if (rival->isByOtherBlock(blockStart))
      return {what, " by another block"};
    if (rival->isUnordered(now))
      return {what, " by another thread since the last barrier"};
  }
  Touch &mine = access.isAtomic  ? byte.atomic
                : access.isWrite ? byte.write
                                 : byte.read;
  mine.add(now, blockStart);
  return {};
}

AccessChecker::Rival AccessChecker::touchWord(uint64_t address, uint64_t bytes,
                                              const Access &access,
                                              const Moment &now) {
  Word &word = getWord(address);
  if (word.isAwaited)
    return {"an asynchronous copy", " that was not waited for"};
  if (bytes != kWordBytes && !word.isSplit) {
    word.bytes.fill(word.bytes[0]);
    word.isSplit = true;
  }
  if (!word.isSplit)
    return touch(word.bytes[0], access, now);
  for (uint64_t i = 0; i < bytes; ++i)
    if (Rival rival = touch(word.bytes[address % kWordBytes + i], access, now);
        rival.what)
      return rival;
  return {};
}

std::string AccessChecker::record(const Access &access) {
  auto address = reinterpret_cast<uint64_t>(access.data);
  uint64_t end = address + access.bytes;
  Moment now = {interval, warpIntervals[access.thread / kWarpSize],
                static_cast<uint16_t>(access.thread)};
  while (address < end) {
    uint64_t bytes = std::min(end - address, kWordBytes - address % kWordBytes);
    if (Rival rival = touchWord(address, bytes, access, now); rival.what)
      return std::string(rival.what) + rival.where;
    address += bytes;
  }
  return "";
}

void AccessChecker::setAwaited(const Access &access, bool isAwaited) {
  auto address = reinterpret_cast<uint64_t>(access.data);
  for (uint64_t i = 0; i < access.bytes; i += kWordBytes)
    getWord(address + i).isAwaited = isAwaited;
}

std::string AccessChecker::startCopy(const Access &access) {
  std::string rival = record(access);
  setAwaited(access, true);
  return rival;
}

std::string AccessChecker::finishCopy(const Access &access) {
  setAwaited(access, false);
  return record(access);
}
