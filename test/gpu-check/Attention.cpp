//===- Attention.cpp - Attention by cuDNN and by kernels on a GPU ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GPUCheck.h"
#include "boost-runtime/Runtime.h"
#include "common/Failure.h"
#include "cuda/FusedAttention.h"
#include "cuda/KernelImages.h"
#include "cuda/Kernels.h"

#include <cmath>

using namespace boost_rt;

namespace {

/// One tensor of attention in device memory.
struct DeviceTensor {
  const char *name;
  ElementType type;
  int64_t count;
  char *data = nullptr;

  int64_t bytes() const { return count * sizeOf(type); }
};

/// Attention of random inputs in bf16, in memory of its own.
class AttentionTrial {
public:
  explicit AttentionTrial(const cuda::AttentionOptions &options);

  Json measure();

private:
  int64_t workspaceBytes(bool isBackward, bool isDeterministic) const;
  void fill(DeviceTensor &tensor, uint32_t &state);
  std::vector<char> read(const DeviceTensor &tensor);
  Json compare(const std::vector<DeviceTensor *> &results,
               const std::function<void()> &work,
               const std::vector<std::vector<char>> &expected);
  Json measureForward();
  Json measureBackward();

  const cuda::AttentionOptions options;
  GPU gpu;
  Kernels kernels;
  RunRecord record{0};
  DeviceTensor q, k, v, o, lse, dO, dQ, dK, dV;
  void *workspace;
  std::unique_ptr<FusedAttention> fused;
};

} // namespace

static int64_t align(int64_t bytes) { return roundUp(bytes, 256); }

AttentionTrial::AttentionTrial(const cuda::AttentionOptions &options)
    : options(options),
      kernels(gpu, kernelImages(), boost_program_device_images) {
  int64_t queries = options.b * options.sq * options.h * options.dh,
          keys = options.b * options.sk * options.kvh * options.dh;
  q = {"q", BOOST_RT_BF16, queries};
  k = {"k", BOOST_RT_BF16, keys};
  v = {"v", BOOST_RT_BF16, keys};
  o = {"o", BOOST_RT_BF16, queries};
  lse = {"lse", BOOST_RT_F32, options.b * options.h * options.sq};
  dO = {"do", BOOST_RT_BF16, queries};
  dQ = {"dq", BOOST_RT_BF16, queries};
  dK = {"dk", BOOST_RT_BF16, keys};
  dV = {"dv", BOOST_RT_BF16, keys};
  DeviceTensor *all[] = {&q, &k, &v, &o, &lse, &dO, &dQ, &dK, &dV};
  int64_t bytes = 0;
  for (DeviceTensor *tensor : all)
    bytes += align(tensor->bytes());
  int64_t room =
      std::max(workspaceBytes(true, true), workspaceBytes(true, false));
  char *at = gpu.allocate(bytes + room, "the measurement");
  uint32_t state = 1;
  for (DeviceTensor *tensor : all) {
    tensor->data = at;
    at += align(tensor->bytes());
    fill(*tensor, state);
  }
  workspace = at;
  fused = std::make_unique<FusedAttention>(gpu, Workspace{at, room}, record);
}

int64_t AttentionTrial::workspaceBytes(bool isBackward,
                                       bool isDeterministic) const {
  cudnn::AttentionCall call = {
      BOOST_RT_BF16, options.b,  options.sq,     options.sk, options.h,
      options.kvh,   options.dh, options.causal, isBackward, isDeterministic};
  return attentionWorkspaceBytes(call.getTraits());
}

/// Numbers of about a normal distribution's spread.
void AttentionTrial::fill(DeviceTensor &tensor, uint32_t &state) {
  std::vector<double> values(static_cast<size_t>(tensor.count));
  for (double &value : values) {
    value = 0;
    for (int i = 0; i < 4; ++i) {
      state = state * 1664525u + 1013904223u;
      value += static_cast<double>(state >> 8) * 0x1p-24 - 0.5;
    }
    value *= std::sqrt(3.0);
  }
  std::vector<char> bytes(static_cast<size_t>(tensor.bytes()));
  convertElements(BOOST_RT_F64, values.data(), tensor.type, bytes.data(),
                  tensor.count);
  gpu.copyToDevice(tensor.data, bytes.data(), tensor.bytes());
}

std::vector<char> AttentionTrial::read(const DeviceTensor &tensor) {
  std::vector<char> bytes(static_cast<size_t>(tensor.bytes()));
  gpu.copyToHost(bytes.data(), tensor.data, tensor.bytes());
  return bytes;
}

/// The largest difference, as a part of the largest number.
static double differenceOf(const DeviceTensor &tensor,
                           const std::vector<char> &actual,
                           const std::vector<char> &expected) {
  auto widen = [&](const std::vector<char> &bytes) {
    std::vector<double> values(static_cast<size_t>(tensor.count));
    convertElements(tensor.type, bytes.data(), BOOST_RT_F64, values.data(),
                    tensor.count);
    return values;
  };
  std::vector<double> ours = widen(actual), theirs = widen(expected);
  double largest = 0, difference = 0;
  for (size_t i = 0; i < ours.size(); ++i) {
    largest = std::max(largest, std::abs(theirs[i]));
    // A NaN is found by no comparison.
    double each = std::abs(ours[i] - theirs[i]);
    difference = std::isfinite(each) ? std::max(difference, each) : INFINITY;
  }
  return difference / largest;
}

/// Runs `work` twice on results that were overwritten: their differences from
/// those of the kernels, and whether both runs make the same bytes.
Json AttentionTrial::compare(const std::vector<DeviceTensor *> &results,
                             const std::function<void()> &work,
                             const std::vector<std::vector<char>> &expected) {
  std::vector<std::vector<char>> first;
  Json errors = Json::object();
  bool isRepeatable = true;
  for (int run = 0; run < 2; ++run) {
    for (DeviceTensor *tensor : results)
      gpu.fill(tensor->data, 0x7f, tensor->bytes());
    work();
    gpu.synchronize();
    for (size_t i = 0; i < results.size(); ++i) {
      std::vector<char> bytes = read(*results[i]);
      if (run == 0) {
        errors[results[i]->name] =
            differenceOf(*results[i], bytes, expected[i]);
        first.push_back(std::move(bytes));
      } else {
        isRepeatable &= bytes == first[i];
      }
    }
  }
  return {{"errors", errors}, {"same_bytes_again", isRepeatable}};
}

Json AttentionTrial::measureForward() {
  cuda::AttentionInputs inputs = {q.data,  k.data,  v.data, nullptr,
                                  nullptr, nullptr, nullptr};
  auto byKernels = [&] {
    cuda::attentionForward(kernels, BOOST_RT_BF16, inputs, o.data, lse.data,
                           options);
  };
  Json result = {{"kernels", measureSeconds(gpu, byKernels)}};
  std::vector<DeviceTensor *> results = {&o, &lse};
  std::vector<std::vector<char>> expected = {read(o), read(lse)};
  auto byCudnn = [&] {
    return fused->forward(BOOST_RT_BF16, inputs, o.data, lse.data, options);
  };
  if (!byCudnn())
    return result;
  result["cudnn"] = measureSeconds(gpu, byCudnn);
  result.update(compare(results, byCudnn, expected));
  return result;
}

Json AttentionTrial::measureBackward() {
  cuda::AttentionInputs inputs = {q.data,  k.data,  v.data, nullptr,
                                  nullptr, nullptr, nullptr};
  cuda::AttentionGradientInputs gradients = {o.data, lse.data, dO.data,
                                             nullptr};
  auto byKernels = [&] {
    cuda::attentionBackward(kernels, BOOST_RT_BF16, inputs, gradients, dQ.data,
                            dK.data, dV.data, options, workspace);
  };
  Json result = {{"kernels", measureSeconds(gpu, byKernels)}};
  std::vector<DeviceTensor *> results = {&dQ, &dK, &dV};
  std::vector<std::vector<char>> expected = {read(dQ), read(dK), read(dV)};
  for (bool isDeterministic : {true, false}) {
    auto byCudnn = [&] {
      return fused->backward(BOOST_RT_BF16, inputs, gradients, dQ.data, dK.data,
                             dV.data, options, isDeterministic);
    };
    if (!byCudnn())
      continue;
    Json seconds = measureSeconds(gpu, byCudnn);
    Json found = compare(results, byCudnn, expected);
    found["seconds"] = seconds;
    found["workspace_bytes"] = workspaceBytes(true, isDeterministic);
    result[isDeterministic ? "cudnn" : "cudnn_nondeterministic"] = found;
  }
  return result;
}

Json AttentionTrial::measure() {
  Json forward = measureForward(), backward = measureBackward();
  Json served = Json::array();
  for (const ChosenAlgorithm &chosen : record.algorithms)
    served.push_back(
        {{"call", chosen.call}, {"by", chosen.by}, {"reason", chosen.reason}});
  return {{"forward", forward}, {"backward", backward}, {"served", served}};
}

Json boost_rt::measureAttention(const std::vector<int64_t> &shape) {
  cuda::AttentionOptions options = {};
  options.b = shape[0];
  options.sq = options.sk = shape[1];
  options.h = shape[2];
  options.kvh = shape[3];
  options.dh = shape[4];
  options.scale = 1 / std::sqrt(static_cast<double>(options.dh));
  options.causal = shape[5] != 0;
  return AttentionTrial(options).measure();
}
