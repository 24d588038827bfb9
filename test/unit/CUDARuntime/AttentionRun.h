//===- AttentionRun.h - Attention on an emulated device ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TEST_UNIT_CUDARUNTIME_ATTENTIONRUN_H
#define BOOST_MLIR_TEST_UNIT_CUDARUNTIME_ATTENTIONRUN_H

#include "AttentionOracle.h"
#include "EmulatedDevice.h"
#include "cuda/Attention.h"

namespace boost_rt {

template <typename T>
using StatisticOf =
    std::conditional_t<std::is_same_v<T, double>, double, float>;

template <typename T> struct AttentionTensors {
  std::vector<T> q, k, v, dO;
  std::vector<StatisticOf<T>> bias, dLse;
  std::vector<uint8_t> mask;
};

template <typename T> struct AttentionResults {
  std::vector<T> o, dQ, dK, dV;
  std::vector<StatisticOf<T>> lse, dBias;

  bool operator==(const AttentionResults &other) const {
    return getBits(o) == getBits(other.o) && getBits(dQ) == getBits(other.dQ) &&
           getBits(dK) == getBits(other.dK) &&
           getBits(dV) == getBits(other.dV) &&
           getBits(lse) == getBits(other.lse) &&
           getBits(dBias) == getBits(other.dBias);
  }
};

/// The variant by which a case is computed.
struct AttentionWay {
  cuda::AttentionPath path = cuda::AttentionPath::WithoutTensorCores;
  size_t alignment = 64;
};

template <typename T>
AttentionTensors<T> makeTensors(const AttentionCase &c,
                                const AttentionOracle &oracle) {
  AttentionTensors<T> in;
  in.q = randomValues<T>(c.getQueries(), "q");
  in.dO = randomValues<T>(c.getQueries(), "do");
  in.k = randomValues<T>(c.getKeys(), "k");
  in.v = randomValues<T>(c.getKeys(), "v");
  in.bias = randomValues<StatisticOf<T>>(c.countOf(c.bias), "bias");
  for (int64_t i = 0; i < c.infiniteBefore; ++i)
    in.bias[static_cast<size_t>(i)] = -HUGE_VALF;
  for (size_t i : oracle.hiding)
    in.bias[i] = StatisticOf<T>(-1e30);
  in.dLse = randomValues<StatisticOf<T>>(c.b * c.h * c.sq, "dlse");
  in.mask = oracle.masks;
  return in;
}

/// Results on one device.
template <typename T>
AttentionResults<T>
computeAttention(EmulatedDevice &device, const AttentionCase &c,
                 const AttentionOracle &oracle, const AttentionTensors<T> &in,
                 const AttentionWay &way) {
  using Stat = StatisticOf<T>;
  cuda::AttentionOptions options{c.b,  c.sq,         c.sk,      c.h,     c.kvh,
                                 c.dh, oracle.scale, c.softCap, c.causal};
  auto biasStrides = oracle.biasStrides, maskStrides = oracle.maskStrides;
  cuda::AttentionInputs inputs{
      device.put(in.q, way.alignment),
      device.put(in.k, way.alignment),
      device.put(in.v, way.alignment),
      in.bias.empty() ? nullptr : device.put(in.bias, sizeof(Stat)),
      biasStrides.data(),
      in.mask.empty() ? nullptr : device.put(in.mask, 1),
      maskStrides.data()};
  int64_t rows = c.b * c.h * c.sq, queries = c.getQueries(), keys = c.getKeys(),
          biases = c.countOf(c.bias);
  void *o = device.reserve<T>(queries, way.alignment);
  void *lse = device.reserve<Stat>(rows, sizeof(Stat));
  cuda::attentionForward(device, typeOf<T>(), inputs, o, lse, options,
                         way.path);
  cuda::AttentionGradientInputs gradients{
      o, lse, device.put(in.dO, way.alignment),
      c.ofLse ? device.put(in.dLse, sizeof(Stat)) : nullptr};
  void *dQ = device.reserve<T>(queries, way.alignment);
  void *dK = device.reserve<T>(keys, way.alignment);
  void *dV = device.reserve<T>(keys, way.alignment);
  void *workspace = device.reserve<char>(
      cuda::getAttentionBackwardBytes(typeOf<T>(), options), 256);
  cuda::attentionBackward(device, typeOf<T>(), inputs, gradients, dQ, dK, dV,
                          options, workspace, way.path);
  void *dBias = device.reserve<Stat>(biases, sizeof(Stat));
  if (inputs.bias)
    cuda::attentionBiasBackward(device, typeOf<T>(), inputs, gradients, dBias,
                                options);
  return {device.get<T>(o, queries),   device.get<T>(dQ, queries),
          device.get<T>(dK, keys),     device.get<T>(dV, keys),
          device.get<Stat>(lse, rows), device.get<Stat>(dBias, biases)};
}

} // namespace boost_rt

#endif // BOOST_MLIR_TEST_UNIT_CUDARUNTIME_ATTENTIONRUN_H
