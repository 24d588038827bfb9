//===- Intrinsics.cpp - What device code calls ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that replace llvm.nvvm intrinsics. Approximate functions are
// computed in double and rounded to float: a GPU gives up to 2 ulp of other
// results, so tests that compare with one need that tolerance.
//
//===----------------------------------------------------------------------===//

#include "GridImpl.h"

#include <cfenv>
#include <cmath>
#include <cstring>

using namespace boost_emu;

//===----------------------------------------------------------------------===//
// Warps
//===----------------------------------------------------------------------===//

namespace {

/// A lane to read from, and whether it is in range.
struct Source {
  uint32_t lane;
  bool isInRange;
};

} // namespace

/// The value of the source lane and, above it, whether it is in range; out of
/// range, lanes get their own value (PTX: shfl.sync).
template <typename Choose>
static uint64_t shuffle(const char *operation, uint32_t mask, uint32_t value,
                        uint32_t bounds, Choose choose) {
  Grid &grid = Grid::current();
  uint32_t lane = grid.getLane();
  const LaneValues &values = grid.meetWarp(operation, mask, value);
  uint32_t clamp = bounds & 31, segment = bounds >> 8 & 31;
  uint32_t first = lane & segment, last = first | (clamp & ~segment);
  Source source = choose(lane, first, last);
  if (!source.isInRange)
    return value;
  if (!(mask & grid.getWarpMask() & 1u << source.lane))
    grid.fail(std::string("reads lane ") + std::to_string(source.lane) +
              " in " + operation + ", which does not take part");
  return values[source.lane] | uint64_t(1) << 32;
}

/// The lanes of `mask` that give true.
static uint32_t ballot(const char *operation, uint32_t mask, uint32_t isTrue) {
  const LaneValues &values =
      Grid::current().meetWarp(operation, mask, isTrue & 1);
  uint32_t lanes = 0;
  for (uint32_t lane = 0; lane < kWarpSize; ++lane)
    lanes |= values[lane] << lane;
  return lanes;
}

static uint32_t getVoters(uint32_t mask) {
  return mask & Grid::current().getWarpMask();
}

//===----------------------------------------------------------------------===//
// Rounding
//===----------------------------------------------------------------------===//

/// `operation` under a rounding mode; volatile operands keep it from being
/// folded or moved out of it.
template <typename Operation>
static float roundTo(int mode, Operation operation, float a, float b,
                     float c = 0) {
  volatile float x = a, y = b, z = c;
  std::fesetround(mode);
  volatile float result = operation(x, y, z);
  std::fesetround(FE_TONEAREST);
  return result;
}

static float addFloats(float a, float b, float) { return a + b; }
static float multiplyFloats(float a, float b, float) { return a * b; }
static float fuseFloats(float a, float b, float c) { return std::fma(a, b, c); }

/// With zeros in the lower half of its bits.
static double takeUpperWord(double x) {
  uint64_t bits;
  std::memcpy(&bits, &x, sizeof(bits));
  bits &= 0xffffffff00000000;
  std::memcpy(&x, &bits, sizeof(bits));
  return x;
}

/// x or, for subnormal numbers, a zero of its sign.
static double flushDouble(double x) {
  return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0, x) : x;
}

extern "C" {

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

#define BOOST_EMU_INDEX(NAME, EXPRESSION)                                      \
  uint32_t boost_emu_read_ptx_sreg_##NAME##_x() {                              \
    return Grid::current().EXPRESSION.x;                                       \
  }                                                                            \
  uint32_t boost_emu_read_ptx_sreg_##NAME##_y() {                              \
    return Grid::current().EXPRESSION.y;                                       \
  }                                                                            \
  uint32_t boost_emu_read_ptx_sreg_##NAME##_z() {                              \
    return Grid::current().EXPRESSION.z;                                       \
  }
BOOST_EMU_INDEX(tid, getThreadIndex())
BOOST_EMU_INDEX(ntid, getLaunch().block)
BOOST_EMU_INDEX(ctaid, getBlockIndex())
BOOST_EMU_INDEX(nctaid, getLaunch().grid)
#undef BOOST_EMU_INDEX

uint32_t boost_emu_read_ptx_sreg_laneid() { return Grid::current().getLane(); }
uint32_t boost_emu_read_ptx_sreg_warpsize() { return kWarpSize; }

//===----------------------------------------------------------------------===//
// Barriers, warps, accesses
//===----------------------------------------------------------------------===//

void boost_emu_barrier_cta_sync_all(uint32_t barrier, uint32_t site) {
  Grid::current().meetBlock(barrier, false, site);
}

void boost_emu_barrier_cta_sync_aligned_all(uint32_t barrier, uint32_t site) {
  Grid::current().meetBlock(barrier, true, site);
}

void boost_emu_barrier_cta_sync_count(uint32_t barrier, uint32_t count,
                                      uint32_t site) {
  Grid::current().meetCount(barrier, count, false, site);
}

void boost_emu_barrier_cta_sync_aligned_count(uint32_t barrier, uint32_t count,
                                              uint32_t site) {
  Grid::current().meetCount(barrier, count, true, site);
}

void boost_emu_bar_warp_sync(uint32_t mask) {
  Grid::current().synchronizeWarp(mask);
}

uint64_t boost_emu_shfl_sync_bfly(uint32_t mask, uint32_t value, uint32_t lanes,
                                  uint32_t bounds) {
  return shuffle("shfl.sync.bfly", mask, value, bounds,
                 [&](uint32_t lane, uint32_t, uint32_t last) -> Source {
                   uint32_t source = lane ^ (lanes & 31);
                   return {source, source <= last};
                 });
}

uint64_t boost_emu_shfl_sync_up(uint32_t mask, uint32_t value, uint32_t delta,
                                uint32_t bounds) {
  // Here, `last` is the lowest lane: the clamp is 0.
  return shuffle("shfl.sync.up", mask, value, bounds,
                 [&](uint32_t lane, uint32_t, uint32_t last) -> Source {
                   return {lane - (delta & 31), lane >= last + (delta & 31)};
                 });
}

uint64_t boost_emu_shfl_sync_down(uint32_t mask, uint32_t value, uint32_t delta,
                                  uint32_t bounds) {
  return shuffle("shfl.sync.down", mask, value, bounds,
                 [&](uint32_t lane, uint32_t, uint32_t last) -> Source {
                   uint32_t source = lane + (delta & 31);
                   return {source, source <= last};
                 });
}

uint64_t boost_emu_shfl_sync_idx(uint32_t mask, uint32_t value, uint32_t index,
                                 uint32_t bounds) {
  uint32_t segment = bounds >> 8 & 31;
  return shuffle("shfl.sync.idx", mask, value, bounds,
                 [&](uint32_t, uint32_t first, uint32_t last) -> Source {
                   uint32_t source = first | (index & 31 & ~segment);
                   return {source, source <= last};
                 });
}

uint32_t boost_emu_vote_ballot_sync(uint32_t mask, uint32_t isTrue) {
  return ballot("vote.ballot.sync", mask, isTrue);
}

uint32_t boost_emu_vote_all_sync(uint32_t mask, uint32_t isTrue) {
  return ballot("vote.all.sync", mask, isTrue) == getVoters(mask);
}

uint32_t boost_emu_vote_any_sync(uint32_t mask, uint32_t isTrue) {
  return ballot("vote.any.sync", mask, isTrue) != 0;
}

uint32_t boost_emu_vote_uni_sync(uint32_t mask, uint32_t isTrue) {
  uint32_t lanes = ballot("vote.uni.sync", mask, isTrue);
  return lanes == 0 || lanes == getVoters(mask);
}

//===----------------------------------------------------------------------===//
// Asynchronous copies
//===----------------------------------------------------------------------===//

void boost_emu_cp_async(void *to, const void *from, uint32_t bytes,
                        uint32_t sourceBytes) {
  Grid::current().startCopy({static_cast<char *>(to),
                             static_cast<const char *>(from), bytes,
                             sourceBytes});
}

void boost_emu_cp_async_commit_group() { Grid::current().commitCopies(); }

void boost_emu_cp_async_wait_group(uint32_t groupsLeft) {
  Grid::current().waitForCopies(groupsLeft);
}

void boost_emu_cp_async_wait_all() { Grid::current().waitForAllCopies(); }

void boost_emu_access(const void *data, uint64_t bytes, uint32_t isWrite,
                      uint32_t isAtomic) {
  Grid::current().recordAccess(data, bytes, isWrite, isAtomic);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

#define BOOST_EMU_APPROXIMATE(NAME, EXPRESSION)                                \
  float boost_emu_##NAME(float argument) {                                     \
    double x = argument;                                                       \
    return static_cast<float>(EXPRESSION);                                     \
  }
BOOST_EMU_APPROXIMATE(ex2_approx_f32, std::exp2(x))
BOOST_EMU_APPROXIMATE(lg2_approx_f, std::log2(x))
BOOST_EMU_APPROXIMATE(rsqrt_approx_f, 1 / std::sqrt(x))
BOOST_EMU_APPROXIMATE(rcp_approx_f, 1 / x)
BOOST_EMU_APPROXIMATE(sqrt_approx_f, std::sqrt(x))
BOOST_EMU_APPROXIMATE(sin_approx_f, std::sin(x))
BOOST_EMU_APPROXIMATE(cos_approx_f, std::cos(x))
#undef BOOST_EMU_APPROXIMATE

float boost_emu_div_approx_f(float a, float b) {
  return static_cast<float>(double(a) / double(b));
}

/// PTX, rcp.approx.ftz.f64: of the upper word of x, into the upper word.
double boost_emu_rcp_approx_d(double x) {
  double result = flushDouble(1 / flushDouble(takeUpperWord(x)));
  return std::isnan(x) ? x : takeUpperWord(result);
}

#define BOOST_EMU_ROUNDED(SUFFIX, MODE)                                        \
  float boost_emu_add_##SUFFIX##_f(float a, float b) {                         \
    return roundTo(MODE, addFloats, a, b);                                     \
  }                                                                            \
  float boost_emu_mul_##SUFFIX##_f(float a, float b) {                         \
    return roundTo(MODE, multiplyFloats, a, b);                                \
  }                                                                            \
  float boost_emu_fma_##SUFFIX##_f(float a, float b, float c) {                \
    return roundTo(MODE, fuseFloats, a, b, c);                                 \
  }
BOOST_EMU_ROUNDED(rz, FE_TOWARDZERO)
BOOST_EMU_ROUNDED(rm, FE_DOWNWARD)
BOOST_EMU_ROUNDED(rp, FE_UPWARD)
#undef BOOST_EMU_ROUNDED

} // extern "C"

//===----------------------------------------------------------------------===//
// Table
//===----------------------------------------------------------------------===//

template <typename Symbol>
static EmulatorSymbol name(const char *name, Symbol &symbol) {
  return {name, reinterpret_cast<void *>(&symbol)};
}

#define BOOST_EMU_SYMBOL(NAME) name("boost_emu_" #NAME, boost_emu_##NAME)
#define BOOST_EMU_SYMBOLS_XYZ(NAME)                                            \
  BOOST_EMU_SYMBOL(read_ptx_sreg_##NAME##_x),                                  \
      BOOST_EMU_SYMBOL(read_ptx_sreg_##NAME##_y),                              \
      BOOST_EMU_SYMBOL(read_ptx_sreg_##NAME##_z)
#define BOOST_EMU_SYMBOLS_ROUNDED(SUFFIX)                                      \
  BOOST_EMU_SYMBOL(add_##SUFFIX##_f), BOOST_EMU_SYMBOL(mul_##SUFFIX##_f),      \
      BOOST_EMU_SYMBOL(fma_##SUFFIX##_f)

const std::vector<EmulatorSymbol> &boost_emu::getEmulatorSymbols() {
  static const std::vector<EmulatorSymbol> symbols = {
      BOOST_EMU_SYMBOL(dynamic_shared),
      BOOST_EMU_SYMBOL(access),
      BOOST_EMU_SYMBOLS_XYZ(tid),
      BOOST_EMU_SYMBOLS_XYZ(ntid),
      BOOST_EMU_SYMBOLS_XYZ(ctaid),
      BOOST_EMU_SYMBOLS_XYZ(nctaid),
      BOOST_EMU_SYMBOL(read_ptx_sreg_laneid),
      BOOST_EMU_SYMBOL(read_ptx_sreg_warpsize),
      BOOST_EMU_SYMBOL(barrier_cta_sync_all),
      BOOST_EMU_SYMBOL(barrier_cta_sync_aligned_all),
      BOOST_EMU_SYMBOL(barrier_cta_sync_count),
      BOOST_EMU_SYMBOL(barrier_cta_sync_aligned_count),
      BOOST_EMU_SYMBOL(bar_warp_sync),
      BOOST_EMU_SYMBOL(shfl_sync_bfly),
      BOOST_EMU_SYMBOL(shfl_sync_up),
      BOOST_EMU_SYMBOL(shfl_sync_down),
      BOOST_EMU_SYMBOL(shfl_sync_idx),
      BOOST_EMU_SYMBOL(ldmatrix),
      BOOST_EMU_SYMBOL(mma),
      BOOST_EMU_SYMBOL(cp_async),
      BOOST_EMU_SYMBOL(cp_async_commit_group),
      BOOST_EMU_SYMBOL(cp_async_wait_group),
      BOOST_EMU_SYMBOL(cp_async_wait_all),
      BOOST_EMU_SYMBOL(vote_ballot_sync),
      BOOST_EMU_SYMBOL(vote_all_sync),
      BOOST_EMU_SYMBOL(vote_any_sync),
      BOOST_EMU_SYMBOL(vote_uni_sync),
      BOOST_EMU_SYMBOL(ex2_approx_f32),
      BOOST_EMU_SYMBOL(lg2_approx_f),
      BOOST_EMU_SYMBOL(rsqrt_approx_f),
      BOOST_EMU_SYMBOL(rcp_approx_f),
      BOOST_EMU_SYMBOL(rcp_approx_d),
      BOOST_EMU_SYMBOL(sqrt_approx_f),
      BOOST_EMU_SYMBOL(sin_approx_f),
      BOOST_EMU_SYMBOL(cos_approx_f),
      BOOST_EMU_SYMBOL(div_approx_f),
      BOOST_EMU_SYMBOLS_ROUNDED(rz),
      BOOST_EMU_SYMBOLS_ROUNDED(rm),
      BOOST_EMU_SYMBOLS_ROUNDED(rp)};
  return symbols;
}
