//===- FusedAttention.cpp - Attention by cuDNN where it can ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda/FusedAttention.h"
#include "common/Failure.h"

using namespace boost_rt;
using namespace boost_rt::cudnn;
using namespace boost_rt::vendor;

FusedAttention::~FusedAttention() {
  plans.clear();
  if (handle)
    functions().cudnnDestroy(handle);
}

/// Returns why cuDNN cannot be used, or an empty string.
std::string FusedAttention::open() {
  if (std::string reason = openDnn(); !reason.empty())
    return reason;
  if (DnnStatus status = functions().cudnnCreate(&handle))
    return concat("cuDNN cannot start on ", gpu.getName(), " (status ", status,
                  ")");
  if (DnnStatus status = functions().cudnnSetStream(handle, gpu.getStream()))
    return concat("cuDNN takes no stream (status ", status, ")");
  return "";
}

/// "8 x 1024 x 32 x 64 of bf16 with 8 key heads, causal, backward": batch,
/// queries, heads, and their size.
static std::string describe(const AttentionCall &call) {
  std::string text = concat(call.b, " x ", call.sq, " x ", call.h, " x ",
                            call.dh, " of ", nameOf(call.type));
  if (call.sk != call.sq)
    text += concat(" with ", call.sk, " keys");
  if (call.kvh != call.h)
    text += concat(" with ", call.kvh, " key heads");
  if (call.causal)
    text += ", causal";
  if (call.isBackward)
    text += ", backward";
  return text;
}

static std::string versionText(int64_t version) {
  return concat("cuDNN ", version / 10000, ".", version / 100 % 100, ".",
                version % 100);
}

/// Makes the plan of a call that is seen for the first time, unless there is a
/// reason against it, and notes which it is. Returns null without a plan.
std::unique_ptr<AttentionPlan> FusedAttention::choose(const AttentionCall &call,
                                                      std::string reason) {
  if (reason.empty() && !isOpened) {
    isOpened = true;
    missing = open();
  }
  if (reason.empty())
    reason = missing;
  std::unique_ptr<AttentionPlan> plan;
  if (reason.empty()) {
    plan = std::make_unique<AttentionPlan>(call, Device{handle, ""},
                                           gpu.getArchitecture());
    reason = plan->getProblem();
  }
  if (reason.empty() && plan->getWorkspaceBytes() > workspace.bytes)
    reason = concat("it needs a workspace of ", plan->getWorkspaceBytes(),
                    " bytes, but the program has one of ", workspace.bytes);
  ChosenAlgorithm chosen;
  chosen.kind = "attention";
  chosen.call = describe(call);
  if (reason.empty()) {
    chosen.by =
        versionText(static_cast<int64_t>(functions().cudnnGetVersion()));
    chosen.numbers = {{"engine", plan->getEngine()},
                      {"workspace_bytes", plan->getWorkspaceBytes()}};
  } else {
    chosen.by = "kernels";
    chosen.reason = reason;
    plan = nullptr;
  }
  record.algorithms.push_back(std::move(chosen));
  return plan;
}

bool FusedAttention::serve(const AttentionCall &call,
                           const AttentionTensors &tensors,
                           const AttentionTraits &traits, double scale) {
  std::string reason;
  if (const char *unfit = whyNotCudnn(traits))
    reason = unfit;
  else if (!areAligned(16, tensors.q, tensors.k, tensors.v, tensors.o,
                       tensors.lse, tensors.dO, tensors.dQ, tensors.dK,
                       tensors.dV))
    reason = "a tensor does not begin at a multiple of 16 bytes";
  auto [known, isFirst] = plans.try_emplace(Key(call, reason));
  if (isFirst)
    known->second = choose(call, reason);
  if (!known->second)
    return false;
  known->second->run(handle, tensors, static_cast<float>(scale),
                     workspace.take(known->second->getWorkspaceBytes()));
  return true;
}

static AttentionCall callOf(ElementType type,
                            const cuda::AttentionOptions &options,
                            bool isBackward, bool isDeterministic) {
  return {type,        options.b,  options.sq,     options.sk, options.h,
          options.kvh, options.dh, options.causal, isBackward, isDeterministic};
}

static AttentionTraits traitsOf(const AttentionCall &call,
                                const cuda::AttentionInputs &inputs,
                                const cuda::AttentionOptions &options) {
  AttentionTraits traits = call.getTraits();
  traits.hasBias = inputs.bias != nullptr;
  traits.hasMask = inputs.mask != nullptr;
  traits.hasSoftCap = options.softCap != 0;
  return traits;
}

bool FusedAttention::forward(ElementType type,
                             const cuda::AttentionInputs &inputs, void *o,
                             void *lse, const cuda::AttentionOptions &options) {
  AttentionCall call = callOf(type, options, false, true);
  AttentionTensors tensors = {};
  tensors.q = inputs.q;
  tensors.k = inputs.k;
  tensors.v = inputs.v;
  tensors.o = o;
  tensors.lse = lse;
  return serve(call, tensors, traitsOf(call, inputs, options), options.scale);
}

bool FusedAttention::backward(ElementType type,
                              const cuda::AttentionInputs &inputs,
                              const cuda::AttentionGradientInputs &gradients,
                              void *dQ, void *dK, void *dV,
                              const cuda::AttentionOptions &options,
                              bool isDeterministic) {
  AttentionCall call = callOf(type, options, true, isDeterministic);
  AttentionTraits traits = traitsOf(call, inputs, options);
  traits.hasLseGradient = gradients.dLse != nullptr;
  AttentionTensors tensors = {inputs.q,
                              inputs.k,
                              inputs.v,
                              const_cast<void *>(gradients.o),
                              const_cast<void *>(gradients.lse),
                              gradients.dO,
                              dQ,
                              dK,
                              dV};
  return serve(call, tensors, traits, options.scale);
}
