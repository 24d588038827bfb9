//===- RuntimeCallOpInterface.cpp - What calls do -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface, and the answers of operations that depend on more than their
// class.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/BoostRT/IR/RuntimeCallOpInterface.h"

#include "boost-mlir/Dialect/BoostRT/IR/AttentionCalls.h"
#include "boost-mlir/Dialect/BoostRT/IR/BoostRT.h"
#include "boost-mlir/Dialect/BoostRT/IR/Factorize.h"
#include "boost-mlir/Support/TensorTypes.h"
#include "boost-runtime/Runtime.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::rt;

#include "boost-mlir/Dialect/BoostRT/IR/RuntimeCallOpInterface.cpp.inc"

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

bool GemmOp::readsWritten(OpOperand &) { return getAccumulate(); }

MutableOperandRange LaunchOp::getWrittenOperands() {
  auto outputs = static_cast<unsigned>(getNumOutputs());
  return {getOperation(), getOperation()->getNumOperands() - outputs, outputs};
}

/// The rounded parameters are new; the others are updated.
bool rt::AdamWOp::readsWritten(OpOperand &written) {
  size_t out = written.getOperandNumber() - getOuts().getBeginOperandIndex();
  return out % getOutsOfTensor() != 3;
}

SmallVector<SmallVector<Value>> rt::AdamWOp::getTensors() {
  SmallVector<SmallVector<Value>> tensors;
  size_t outs = getOutsOfTensor();
  for (auto [tensor, grad] : llvm::enumerate(getGrads())) {
    tensors.push_back({grad});
    llvm::append_range(tensors.back(), getOuts().slice(outs * tensor, outs));
  }
  return tensors;
}

int64_t rt::AdamWOp::getMaxTensors() { return BOOST_RT_MAX_UPDATES; }

//===----------------------------------------------------------------------===//
// Workspace on a GPU
//===----------------------------------------------------------------------===//

/// The workspace of a product by cublasLt, enough for any of its algorithms.
int64_t GemmOp::getDeviceWorkspaceBytes() { return int64_t(32) << 20; }

/// Returns the workspace of attention: the larger of those of cuDNN, where
/// cuDNN supports the call, and of the runtime's kernels.
static int64_t getAttentionBytes(const boost_rt::AttentionTraits &call) {
  int64_t byCudnn =
      boost_rt::whyNotCudnn(call) ? 0 : boost_rt::attentionWorkspaceBytes(call);
  return std::max(byCudnn, boost_rt::attentionKernelBytes(call));
}

int64_t AttentionForwardOp::getDeviceWorkspaceBytes() {
  return getAttentionBytes(getAttentionTraits(*this));
}

int64_t AttentionBackwardOp::getDeviceWorkspaceBytes() {
  return getAttentionBytes(getAttentionTraits(*this));
}

boost_rt::MatrixFactorization rt::getMatrixFactorization(FactorizeOp op) {
  auto type = cast<ShapedType>(op.getInputs().front().getType());
  FactorizedMatrices matrices(type);
  boost_rt::MatrixFactorization call = {
      static_cast<boost_rt_factorization>(op.getKind()),
      type.getElementType().isF64(),
      matrices.rows,
      matrices.columns,
      matrices.getRank(),
      matrices.batch};
  if (op.getKind() == Factorization::QRBasis)
    call.reflections =
        cast<ShapedType>(op.getInputs().back().getType()).getShape().back();
  return call;
}

int64_t rt::FactorizeOp::getDeviceWorkspaceBytes() {
  return boost_rt::factorizationWorkspaceBytes(getMatrixFactorization(*this));
}

/// Returns the bytes into which the tensors of a gather or a scatter are
/// packed: NCCL moves flat buffers. A collective along the outermost dimension
/// of more than one element needs none: NCCL reads and writes such a tensor
/// directly.
static int64_t getPackedBytes(ValueRange tensors, ArrayRef<int64_t> dims) {
  int64_t bytes = 0;
  for (auto [tensor, dim] : llvm::zip_equal(tensors, dims)) {
    auto type = cast<ShapedType>(tensor.getType());
    if (llvm::product_of(type.getShape().take_front(dim)) != 1)
      bytes += llvm::alignTo(getDenseBytes(type), BOOST_RT_PACKING_ALIGNMENT);
  }
  return bytes;
}

int64_t rt::AllGatherOp::getDeviceWorkspaceBytes() {
  return getPackedBytes(getOuts(), getDims());
}

int64_t rt::ReduceScatterOp::getDeviceWorkspaceBytes() {
  return getPackedBytes(getInputs(), getDims());
}

/// The sent and the received tensor.
int64_t AllToAllOp::getDeviceWorkspaceBytes() {
  return 2 * getDenseBytes(cast<ShapedType>(getInput().getType()));
}
