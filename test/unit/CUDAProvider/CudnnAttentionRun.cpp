//===- CudnnAttentionRun.cpp - Attention by the emulated cuDNN ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudnnAttentionRun.h"
#include "common/Failure.h"
#include "common/Random.h"

#include <cmath>

using namespace boost_rt;
using namespace boost_rt::cudnn;
using namespace boost_rt::vendor;

AttentionCall CudnnCase::getCall(bool isBackward) const {
  const AttentionCase &a = attention;
  return {type,  a.b,  a.sq,     a.sk,       a.h,
          a.kvh, a.dh, a.causal, isBackward, isDeterministic};
}

static std::vector<char> toBytes(ElementType type, const Doubles &values) {
  std::vector<char> bytes(values.size() * static_cast<size_t>(sizeOf(type)));
  convertElements(BOOST_RT_F64, values.data(), type, bytes.data(),
                  static_cast<int64_t>(values.size()));
  return bytes;
}

static Doubles fromBytes(ElementType type, const std::vector<char> &bytes) {
  Doubles values(bytes.size() / static_cast<size_t>(sizeOf(type)));
  convertElements(type, bytes.data(), BOOST_RT_F64, values.data(),
                  static_cast<int64_t>(values.size()));
  return values;
}

/// Numbers of the type.
static Doubles randomValues(ElementType type, int64_t count, const char *name) {
  Doubles values(static_cast<size_t>(count));
  NormalStream(3, name).generate(0, count, [&](int64_t i, double value) {
    values[static_cast<size_t>(i)] = value;
  });
  return fromBytes(type, toBytes(type, values));
}

CudnnAttentionRun::CudnnAttentionRun(const CudnnCase &attention)
    : c(attention), oracle(attention.attention),
      q(randomValues(c.type, c.attention.getQueries(), "q")),
      k(randomValues(c.type, c.attention.getKeys(), "k")),
      v(randomValues(c.type, c.attention.getKeys(), "v")),
      dO(randomValues(c.type, c.attention.getQueries(), "do")) {
  oracle.run(q, k, v, {}, dO, {});
}

/// Numbers that are summed are rounded `roundings` times to 16 bits on their
/// way, and the sum once; what is in f32 adds far less.
std::string CudnnAttentionRun::compare(const char *name, const Doubles &actual,
                                       const Doubles &expected,
                                       const Doubles &magnitudes,
                                       int roundings) const {
  double unit = c.type == BOOST_RT_BF16 ? 0x1p-8 : 0x1p-11;
  for (size_t i = 0; i < expected.size(); ++i) {
    double bound = (unit * roundings + 0x1p-15) * magnitudes[i] +
                   unit * std::fabs(expected[i]) + 0x1p-25;
    if (!(std::fabs(actual[i] - expected[i]) <= bound))
      return concat(name, " ", i, " is ", actual[i], ", not ", expected[i]);
  }
  return "";
}

/// Tensors in slots of device memory, and the handle that computes with them.
class CudnnAttentionRun::Memory {
public:
  Memory() {
    // Once: a test may have replaced some of its functions.
    static const std::string missing = openDnn();
    if (!missing.empty() || functions().cudnnCreate(&handle) ||
        functions().cudnnSetStream(handle, gpu.getStream()))
      throw Failure(ExitCode::inputRefused, "there is no cuDNN");
  }
  ~Memory() { functions().cudnnDestroy(handle); }
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;

  /// Forgets what was in the slots.
  void clear() {
    used = 0;
    gpu.fill(emulated.memory, 0xff, kSlots * kSlot);
  }
  /// The next slot.
  char *take() { return emulated.memory + kSlot * used++; }
  char *put(const std::vector<char> &bytes) {
    char *to = take();
    gpu.copyToDevice(to, bytes.data(), static_cast<int64_t>(bytes.size()));
    return to;
  }
  std::vector<char> get(const void *from, int64_t bytes) {
    std::vector<char> values(static_cast<size_t>(bytes));
    gpu.copyToHost(values.data(), from, bytes);
    return values;
  }
  /// Behind all slots.
  char *getWorkspace() const { return emulated.memory + kSlots * kSlot; }

private:
  static constexpr int64_t kSlots = 9, kSlot = 1 << 15;

  EmulatedGPU emulated;
  GPU &gpu = emulated.open();
  int64_t used = 0;

public:
  DnnHandle handle = nullptr;
};

std::string CudnnAttentionRun::run(bool isBackward) {
  if (!memory)
    memory = std::make_shared<Memory>();
  memory->clear();
  Device device;
  device.handle = memory->handle;
  AttentionPlan plan(c.getCall(isBackward), device, /*architecture=*/90);
  if (!plan.getProblem().empty())
    return plan.getProblem();
  auto in = [&](const Doubles &values) {
    return memory->put(toBytes(c.type, values));
  };
  AttentionTensors tensors = {};
  tensors.q = in(q);
  tensors.k = in(k);
  tensors.v = in(v);
  tensors.o = isBackward ? in(oracle.o) : memory->take();
  tensors.lse = isBackward ? memory->put(toBytes(BOOST_RT_F32, oracle.lse))
                           : memory->take();
  tensors.dO = in(dO);
  tensors.dQ = memory->take();
  tensors.dK = memory->take();
  tensors.dV = memory->take();
  plan.run(memory->handle, tensors, static_cast<float>(oracle.scale),
           memory->getWorkspace());
  auto out = [&](const void *from, size_t count, ElementType type) {
    stored = memory->get(from, static_cast<int64_t>(count) * sizeOf(type));
    return fromBytes(type, stored);
  };
  // Probabilities are rounded, and of a gradient of scores o, which is
  // subtracted in it, and itself. Sums over a group are of rounded numbers.
  constexpr int kOnce = 1, kThrice = 3;
  int ofGroup = c.attention.h == c.attention.kvh ? 0 : 1;
  std::string wrong;
  auto check = [&](const char *name, const void *from, const Doubles &expected,
                   const Doubles &magnitudes, int roundings) {
    if (wrong.empty())
      wrong = compare(name, out(from, expected.size(), c.type), expected,
                      magnitudes, roundings);
  };
  if (!isBackward) {
    check("o", tensors.o, oracle.o, oracle.magnitudes.o, kOnce);
    Doubles lse = out(tensors.lse, oracle.lse.size(), BOOST_RT_F32);
    for (size_t i = 0; i < lse.size() && wrong.empty(); ++i)
      if (!(std::fabs(lse[i] - oracle.lse[i]) <= 4e-6))
        wrong = concat("lse ", i, " is ", lse[i], ", not ", oracle.lse[i]);
    return wrong;
  }
  check("dV", tensors.dV, oracle.dV, oracle.magnitudes.dV, kOnce + ofGroup);
  check("dK", tensors.dK, oracle.dK, oracle.magnitudes.dK, kThrice + ofGroup);
  check("dQ", tensors.dQ, oracle.dQ, oracle.magnitudes.dQ, kThrice);
  return wrong;
}

std::string CudnnAttentionRun::runForward() { return tryTo(false); }

std::string CudnnAttentionRun::runBackward() { return tryTo(true); }

std::string CudnnAttentionRun::tryTo(bool isBackward) {
  try {
    return run(isBackward);
  } catch (const Failure &failure) {
    memory = nullptr;
    return failure.what();
  }
}
