//===- Calls.cpp - Functions.def on a GPU ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every function resolves the addresses that generated code passes and puts its
// work on the stream.
//
//===----------------------------------------------------------------------===//

#include "common/Activity.h"
#include "common/Failure.h"
#include "cuda/Attention.h"
#include "cuda/Context.h"
#include "cuda/Embedding.h"
#include "cuda/Optimizer.h"
#include "cuda/Packing.h"

#include <algorithm>

using namespace boost_rt;

static ElementType typeOf(int32_t type) {
  return static_cast<ElementType>(type);
}

/// Buffers of one call, in device memory.
static std::vector<void *> resolveAll(const boost_rt_context &context,
                                      void *buffers, int64_t count) {
  std::vector<void *> resolved(static_cast<size_t>(count));
  auto *given = static_cast<void **>(buffers);
  std::transform(given, given + count, resolved.begin(),
                 [&](void *buffer) { return context.memory.resolve(buffer); });
  return resolved;
}

//===----------------------------------------------------------------------===//
// Kernels and copies
//===----------------------------------------------------------------------===//

extern "C" void boost_rt_launch(boost_rt_context *context, void *kernel,
                                void *buffers, int64_t) {
  TimedCall timed(context->record.timer);
  const auto &launched = *static_cast<const boost_rt_gpu_kernel *>(kernel);
  auto resolved = resolveAll(*context, buffers, launched.buffers);
  context->kernels.launch(launched, resolved.data());
}

extern "C" void boost_rt_copy(boost_rt_context *context, void *dst, void *src,
                              int64_t bytes) {
  TimedCall timed(context->record.timer);
  context->gpu.copy(context->memory.resolve(dst), context->memory.resolve(src),
                    bytes);
}

extern "C" void boost_rt_probe(boost_rt_context *context, int32_t site,
                               int32_t type, void *data, int64_t count) {
  if (!context->record.onProbe)
    return;
  std::vector<char> &copy = context->probed;
  copy.resize(static_cast<size_t>(count * sizeOf(typeOf(type))));
  context->gpu.copyToHost(copy.data(), context->memory.resolve(data),
                          static_cast<int64_t>(copy.size()));
  context->record.onProbe(site, typeOf(type), copy.data(), count);
}

//===----------------------------------------------------------------------===//
// Matrix products
//===----------------------------------------------------------------------===//

static int64_t alignmentOf(const void *pointer) {
  constexpr uintptr_t largest = 256;
  auto address = reinterpret_cast<uintptr_t>(pointer) | largest;
  return static_cast<int64_t>(address & (~address + 1));
}

extern "C" void boost_rt_gemm(boost_rt_context *context, int32_t inputType,
                              int32_t outputType, int32_t transposeA,
                              int32_t transposeB, int64_t m, int64_t n,
                              int64_t k, void *a, int64_t lda, int64_t strideA,
                              void *b, int64_t ldb, int64_t strideB, void *c,
                              int64_t ldc, int64_t strideC, int64_t batch,
                              int32_t accumulate) {
  TimedCall timed(context->record.timer);
  void *left = context->memory.resolve(a), *right = context->memory.resolve(b);
  void *result = context->memory.resolve(c);
  ElementType input = typeOf(inputType), output = typeOf(outputType);
  Matmul product{m,
                 n,
                 k,
                 batch,
                 {input, transposeA != 0, lda, strideA, alignmentOf(left)},
                 {input, transposeB != 0, ldb, strideB, alignmentOf(right)},
                 {output, false, ldc, strideC, alignmentOf(result)},
                 accumulate != 0};
  context->matmuls.run(product, left, right, result);
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

/// Collects q, k, v, the bias and the mask of a call.
static cuda::AttentionInputs attentionInputs(const boost_rt_context &context,
                                             void *q, void *k, void *v,
                                             void *bias, void *biasStrides,
                                             void *mask, void *maskStrides) {
  const DeviceMemory &memory = context.memory;
  return {memory.resolve(q),
          memory.resolve(k),
          memory.resolve(v),
          memory.resolve(bias),
          static_cast<const int64_t *>(biasStrides),
          memory.resolve(mask),
          static_cast<const int64_t *>(maskStrides)};
}

extern "C" void boost_rt_attention_forward(
    boost_rt_context *context, int32_t type, void *q, void *k, void *v,
    void *bias, void *biasStrides, void *mask, void *maskStrides, void *o,
    void *lse, int64_t b, int64_t sq, int64_t sk, int64_t h, int64_t kvh,
    int64_t dh, double scale, double softCap, int32_t causal) {
  TimedCall timed(context->record.timer);
  cuda::AttentionInputs inputs =
      attentionInputs(*context, q, k, v, bias, biasStrides, mask, maskStrides);
  void *result = context->memory.resolve(o),
       *sums = context->memory.resolve(lse);
  cuda::AttentionOptions options = {b,  sq,    sk,      h,          kvh,
                                    dh, scale, softCap, causal != 0};
  if (!context->attention.forward(typeOf(type), inputs, result, sums, options))
    cuda::attentionForward(context->kernels, typeOf(type), inputs, result, sums,
                           options);
}

extern "C" void boost_rt_attention_backward(
    boost_rt_context *context, int32_t type, void *q, void *k, void *v,
    void *bias, void *biasStrides, void *mask, void *maskStrides, void *o,
    void *lse, void *dO, void *dLse, void *dq, void *dk, void *dv, int64_t b,
    int64_t sq, int64_t sk, int64_t h, int64_t kvh, int64_t dh, double scale,
    double softCap, int32_t causal, int32_t nondeterministic) {
  TimedCall timed(context->record.timer);
  const DeviceMemory &memory = context->memory;
  cuda::AttentionInputs inputs =
      attentionInputs(*context, q, k, v, bias, biasStrides, mask, maskStrides);
  cuda::AttentionGradientInputs gradients = {
      memory.resolve(o), memory.resolve(lse), memory.resolve(dO),
      memory.resolve(dLse)};
  void *dQ = memory.resolve(dq), *dK = memory.resolve(dk),
       *dV = memory.resolve(dv);
  cuda::AttentionOptions options = {b,  sq,    sk,      h,          kvh,
                                    dh, scale, softCap, causal != 0};
  if (!context->attention.backward(typeOf(type), inputs, gradients, dQ, dK, dV,
                                   options, nondeterministic == 0))
    cuda::attentionBackward(
        context->kernels, typeOf(type), inputs, gradients, dQ, dK, dV, options,
        memory.workspace().take(
            cuda::getAttentionBackwardBytes(typeOf(type), options)));
}

extern "C" void boost_rt_attention_bias_backward(
    boost_rt_context *context, int32_t type, void *q, void *k, void *v,
    void *bias, void *biasStrides, void *mask, void *maskStrides, void *o,
    void *lse, void *dO, void *dLse, void *dbias, int64_t b, int64_t sq,
    int64_t sk, int64_t h, int64_t kvh, int64_t dh, double scale,
    double softCap, int32_t causal) {
  TimedCall timed(context->record.timer);
  const DeviceMemory &memory = context->memory;
  cuda::attentionBiasBackward(
      context->kernels, typeOf(type),
      attentionInputs(*context, q, k, v, bias, biasStrides, mask, maskStrides),
      {memory.resolve(o), memory.resolve(lse), memory.resolve(dO),
       memory.resolve(dLse)},
      memory.resolve(dbias),
      {b, sq, sk, h, kvh, dh, scale, softCap, causal != 0});
}

//===----------------------------------------------------------------------===//
// Embedding, factorizations and optimizer
//===----------------------------------------------------------------------===//

extern "C" void boost_rt_embedding(boost_rt_context *context, int32_t type,
                                   void *table, void *ids, void *out,
                                   int64_t rows, int64_t columns,
                                   int64_t count) {
  TimedCall timed(context->record.timer);
  const DeviceMemory &memory = context->memory;
  cuda::embedding(context->kernels, typeOf(type), memory.resolve(table),
                  memory.resolve(ids), memory.resolve(out), rows, columns,
                  count);
}

extern "C" void boost_rt_embedding_grad(boost_rt_context *context, int32_t type,
                                        void *ids, void *grad, void *table,
                                        int64_t rows, int64_t columns,
                                        int64_t count) {
  TimedCall timed(context->record.timer);
  const DeviceMemory &memory = context->memory;
  cuda::embeddingGrad(context->kernels, typeOf(type), memory.resolve(ids),
                      memory.resolve(grad), memory.resolve(table), rows,
                      columns, count);
}

extern "C" void boost_rt_factorize(boost_rt_context *context, int32_t kind,
                                   int32_t type, void *buffers, int64_t rows,
                                   int64_t columns, int64_t reflections,
                                   int64_t batch) {
  TimedCall timed(context->record.timer);
  MatrixFactorization call{static_cast<boost_rt_factorization>(kind),
                           typeOf(type) == BOOST_RT_F64,
                           rows,
                           columns,
                           reflections,
                           batch};
  context->factorizations.run(
      call, resolveAll(*context, buffers, call.buffers()).data());
}

/// Tensors of four buffers each, or of five with the rounded parameter.
static void runAdamW(boost_rt_context *context, cuda::AdamWTypes types,
                     int64_t tensors, void *buffers, void *counts,
                     void *decays) {
  const DeviceMemory &memory = context->memory;
  int64_t width = types.rounded == types.p ? 4 : 5;
  auto resolved =
      resolveAll(*context, buffers, BOOST_RT_ADAMW_NUMBERS + width * tensors);
  cuda::AdamWTensor updated[BOOST_RT_MAX_UPDATES];
  for (int64_t i = 0; i < tensors; ++i) {
    void **ofTensor = resolved.data() + BOOST_RT_ADAMW_NUMBERS + width * i;
    updated[i] = {ofTensor[0],
                  ofTensor[1],
                  ofTensor[2],
                  ofTensor[3],
                  width == 5 ? ofTensor[4] : nullptr,
                  static_cast<int64_t *>(counts)[i],
                  static_cast<int32_t *>(decays)[i] != 0};
  }
  AdamWNumbers numbers;
  for (int i = 0; i < BOOST_RT_ADAMW_NUMBERS; ++i)
    numbers.at[i] =
        static_cast<const float *>(resolved[static_cast<size_t>(i)]);
  cuda::adamw(context->kernels, types, tensors, updated, numbers,
              memory.nonFinite());
}

extern "C" void boost_rt_adamw(boost_rt_context *context, int32_t type,
                               int32_t gradType, int64_t tensors, void *buffers,
                               void *counts, void *decays) {
  TimedCall timed(context->record.timer);
  runAdamW(context, {typeOf(type), typeOf(gradType), typeOf(type)}, tensors,
           buffers, counts, decays);
}

extern "C" void boost_rt_adamw_rounded(boost_rt_context *context,
                                       int32_t roundedType, int32_t gradType,
                                       int64_t tensors, void *buffers,
                                       void *counts, void *decays) {
  TimedCall timed(context->record.timer);
  runAdamW(context, {BOOST_RT_F32, typeOf(gradType), typeOf(roundedType)},
           tensors, buffers, counts, decays);
}

extern "C" void boost_rt_sum_of_squares(boost_rt_context *context,
                                        int64_t tensors, void *buffers,
                                        void *counts, void *types, void *out) {
  TimedCall timed(context->record.timer);
  cuda::sumOfSquares(
      context->kernels, tensors, resolveAll(*context, buffers, tensors).data(),
      static_cast<const int64_t *>(counts), static_cast<const int32_t *>(types),
      context->memory.resolve(out));
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

extern "C" void boost_rt_all_reduce(boost_rt_context *context, int32_t site,
                                    int32_t group, int32_t reduction,
                                    int64_t tensors, void *buffers,
                                    void *counts, void *types) {
  TimedCall timed(context->record.timer);
  AtSite atSite(context->record.getMeeting(site));
  const auto *elements = static_cast<const int64_t *>(counts);
  const auto *elementTypes = static_cast<const int32_t *>(types);
  context->record.countTensors(site, tensors, elements, elementTypes);
  context->collectives->allReduce(
      static_cast<uint32_t>(group), static_cast<boost_rt_reduction>(reduction),
      tensors, resolveAll(*context, buffers, tensors).data(), elements,
      elementTypes);
}

extern "C" void boost_rt_all_gather(boost_rt_context *context, int32_t site,
                                    int32_t group, int64_t tensors,
                                    void *buffers, void *extents, void *types) {
  TimedCall timed(context->record.timer);
  AtSite atSite(context->record.getMeeting(site));
  auto resolved = resolveAll(*context, buffers, 2 * tensors);
  PieceList pieces(tensors, resolved.data(),
                   static_cast<const int64_t *>(extents),
                   static_cast<const int32_t *>(types));
  context->record.countCollective(site, pieces.pieceBytes());
  context->collectives->allGather(static_cast<uint32_t>(group), pieces);
}

extern "C" void boost_rt_reduce_scatter(boost_rt_context *context, int32_t site,
                                        int32_t group, int32_t reduction,
                                        int64_t tensors, void *buffers,
                                        void *extents, void *types) {
  TimedCall timed(context->record.timer);
  AtSite atSite(context->record.getMeeting(site));
  auto mask = static_cast<uint32_t>(group);
  auto resolved = resolveAll(*context, buffers, 2 * tensors);
  PieceList pieces(tensors, resolved.data(),
                   static_cast<const int64_t *>(extents),
                   static_cast<const int32_t *>(types));
  context->record.countCollective(site, context->mesh.groupSize(mask) *
                                            pieces.pieceBytes());
  context->collectives->reduceScatter(
      mask, static_cast<boost_rt_reduction>(reduction), pieces);
}

extern "C" void boost_rt_broadcast(boost_rt_context *context, int32_t site,
                                   int32_t group, int64_t root, int64_t tensors,
                                   void *buffers, void *counts, void *types) {
  TimedCall timed(context->record.timer);
  AtSite atSite(context->record.getMeeting(site));
  const auto *elements = static_cast<const int64_t *>(counts);
  const auto *elementTypes = static_cast<const int32_t *>(types);
  context->record.countTensors(site, tensors, elements, elementTypes);
  context->collectives->broadcast(static_cast<uint32_t>(group), root, tensors,
                                  resolveAll(*context, buffers, tensors).data(),
                                  elements, elementTypes);
}

extern "C" void boost_rt_all_to_all(boost_rt_context *context, int32_t site,
                                    int32_t group, int32_t type, void *src,
                                    void *dst, int64_t rank, void *shape,
                                    int64_t split, int64_t concat) {
  TimedCall timed(context->record.timer);
  AtSite atSite(context->record.getMeeting(site));
  const auto *extents = static_cast<const int64_t *>(shape);
  int64_t bytes = sizeOf(typeOf(type));
  for (int64_t i = 0; i < rank; ++i)
    bytes *= extents[i];
  context->record.countCollective(site, bytes);
  context->collectives->allToAll(
      static_cast<uint32_t>(group), typeOf(type), context->memory.resolve(src),
      context->memory.resolve(dst), rank, extents, split, concat);
}

extern "C" void boost_rt_all_slice(boost_rt_context *context, int32_t group,
                                   int32_t type, void *src, void *dst,
                                   int64_t outer, int64_t inner) {
  TimedCall timed(context->record.timer);
  auto mask = static_cast<uint32_t>(group);
  cuda::sliceBlocks(context->kernels, context->memory.resolve(src),
                    context->memory.resolve(dst), outer,
                    context->mesh.groupSize(mask),
                    context->mesh.groupPosition(context->rank, mask),
                    inner * sizeOf(typeOf(type)));
}

extern "C" void boost_rt_process_index(boost_rt_context *context, int32_t group,
                                       void *out) {
  TimedCall timed(context->record.timer);
  auto position = static_cast<unsigned>(
      context->mesh.groupPosition(context->rank, static_cast<uint32_t>(group)));
  vendor::checkInStep(
      vendor::functions().cuMemsetD32Async(
          reinterpret_cast<vendor::DevicePointer>(context->memory.resolve(out)),
          position, 1, context->gpu.getStream()),
      "write the position in a group");
}
