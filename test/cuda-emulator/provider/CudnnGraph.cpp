//===- CudnnGraph.cpp - Graphs of operations that cuDNN is given ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudnnGraph.h"
#include "cuda/VendorTypes.h"

#include <algorithm>
#include <set>
#include <tuple>

using namespace boost_emu::cudnn;
using namespace boost_rt::vendor;

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

bool Tensor::operator==(const Tensor &other) const {
  auto everything = [](const Tensor &tensor) {
    return std::tie(tensor.id, tensor.type, tensor.dims, tensor.strides,
                    tensor.alignment, tensor.isVirtual, tensor.isByValue);
  };
  return everything(*this) == everything(other);
}

bool Tensor::is16Bit() const { return type == dnnHalf || type == dnnBFloat16; }

int64_t Tensor::getWidth() const {
  if (type == dnnBoolean)
    return 1;
  return is16Bit() ? 2 : 4;
}

int64_t Tensor::getNumElements() const {
  int64_t elements = 1;
  for (int64_t dim : dims)
    elements *= dim;
  return elements;
}

int64_t Tensor::getSpan() const {
  int64_t last = 0;
  for (size_t i = 0; i < dims.size(); ++i)
    last += (dims[i] - 1) * strides[i];
  return last + 1;
}

static std::string describe(const Tensor &tensor) {
  std::string text = "tensor " + std::to_string(tensor.id) + " of [";
  for (size_t i = 0; i < tensor.dims.size(); ++i)
    text += (i ? ", " : "") + std::to_string(tensor.dims[i]);
  return text + "]";
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// One of a pair of dimensions is a multiple of the other: the elements of the
/// smaller one are repeated.
static bool areRepeated(int64_t a, int64_t b) {
  return a % b == 0 || b % a == 0;
}

static std::string findMistakeOfProduct(const Operation &product) {
  const Tensor &a = product.inputs[0], &b = product.inputs[1],
               &c = product.result;
  size_t rank = c.dims.size();
  if (rank < 2)
    return "a product of vectors";
  size_t row = rank - 2, column = rank - 1;
  if (a.dims[row] != c.dims[row] || b.dims[column] != c.dims[column] ||
      a.dims[column] != b.dims[row])
    return "the product of " + describe(a) + " and " + describe(b) +
           " is not " + describe(c);
  for (size_t i = 0; i < row; ++i)
    if (!areRepeated(a.dims[i], b.dims[i]) ||
        c.dims[i] != std::max(a.dims[i], b.dims[i]))
      return "a product of batches of " + describe(a) + " and " + describe(b);
  return "";
}

static size_t getNumInputs(int mode) {
  switch (mode) {
  case dnnAdd:
  case dnnMultiply:
  case dnnDivide:
  case dnnSubtract:
  case dnnGreaterOrEqual:
    return 2;
  case dnnSelect:
    return 3;
  case dnnExp:
  case dnnLog:
  case dnnIdentity:
  case dnnGenerateIndex:
    return 1;
  default:
    return 0;
  }
}

static std::string findMistakeOfPointwise(const Operation &pointwise) {
  size_t count = getNumInputs(pointwise.mode);
  if (count == 0)
    return "no pointwise mode " + std::to_string(pointwise.mode) + " is known";
  if (count != pointwise.inputs.size())
    return "a pointwise operation has inputs that its mode does not read";
  const Extents &dims = pointwise.result.dims;
  for (const Tensor &input : pointwise.inputs)
    for (size_t i = 0; i < dims.size(); ++i)
      if (input.dims[i] != dims[i] && input.dims[i] != 1)
        return describe(input) + " becomes " + describe(pointwise.result);
  bool isIndex = pointwise.mode == dnnGenerateIndex;
  int64_t axis = pointwise.axis;
  if (isIndex ? axis < 0 || axis >= static_cast<int64_t>(dims.size())
              : axis != -1)
    return "an axis that there is not";
  bool isComparison = pointwise.mode == dnnGreaterOrEqual;
  if (isComparison != (pointwise.computeType == dnnBoolean) ||
      isComparison != (pointwise.result.type == dnnBoolean))
    return "a comparison and no other operation makes booleans";
  if (pointwise.mode == dnnSelect && pointwise.inputs[2].type != dnnBoolean)
    return "a condition that is no boolean";
  return "";
}

static std::string findMistakeOfReduction(const Operation &reduction) {
  if (reduction.mode != dnnReduceAdd && reduction.mode != dnnReduceMax)
    return "no reduction " + std::to_string(reduction.mode) + " is known";
  const Tensor &x = reduction.inputs[0], &y = reduction.result;
  for (size_t i = 0; i < y.dims.size(); ++i)
    if (x.dims[i] % y.dims[i] != 0)
      return describe(x) + " is reduced to " + describe(y);
  return "";
}

std::string boost_emu::cudnn::findMistake(const Operation &operation) {
  for (const Tensor &input : operation.inputs)
    if (input.dims.size() != operation.result.dims.size())
      return "an operation on " + describe(input) + " and " +
             describe(operation.result);
  switch (operation.kind) {
  case OperationKind::Matmul:
    return findMistakeOfProduct(operation);
  case OperationKind::Pointwise:
    return findMistakeOfPointwise(operation);
  case OperationKind::Reduction:
    return findMistakeOfReduction(operation);
  case OperationKind::Reshape:
    if (operation.inputs[0].getNumElements() !=
        operation.result.getNumElements())
      return describe(operation.inputs[0]) + " is reshaped to " +
             describe(operation.result);
    return "";
  }
  return "an unknown operation";
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

bool Graph::isResult(int64_t id) const {
  return std::any_of(
      operations.begin(), operations.end(),
      [&](const Operation &operation) { return operation.result.id == id; });
}

/// Names the tensors of all operations.
static std::string collectTensors(const std::vector<Operation> &operations,
                                  std::map<int64_t, Tensor> &tensors) {
  std::set<int64_t> results;
  for (const Operation &operation : operations) {
    std::vector<Tensor> used = operation.inputs;
    used.push_back(operation.result);
    for (const Tensor &tensor : used)
      if (!(tensors.emplace(tensor.id, tensor).first->second == tensor))
        return "two different tensors have the id " + std::to_string(tensor.id);
    if (!results.insert(operation.result.id).second)
      return "two operations make " + describe(operation.result);
    if (operation.result.isByValue)
      return "an operation makes a number of the host";
  }
  return "";
}

std::string boost_emu::cudnn::assemble(const std::vector<Operation> &operations,
                                       Graph &graph) {
  std::string mistake = collectTensors(operations, graph.tensors);
  if (!mistake.empty())
    return mistake;
  std::set<int64_t> pending;
  for (const Operation &operation : operations)
    pending.insert(operation.result.id);
  std::vector<const Operation *> rest;
  for (const Operation &operation : operations)
    rest.push_back(&operation);
  while (!rest.empty()) {
    auto isReady = [&](const Operation *operation) {
      return std::none_of(
          operation->inputs.begin(), operation->inputs.end(),
          [&](const Tensor &input) { return pending.count(input.id); });
    };
    auto next = std::find_if(rest.begin(), rest.end(), isReady);
    if (next == rest.end())
      return "the operations depend on each other in a circle";
    graph.operations.push_back(**next);
    pending.erase((*next)->result.id);
    rest.erase(next);
  }
  return "";
}

//===----------------------------------------------------------------------===//
// What engines take
//===----------------------------------------------------------------------===//

/// Engines load 16 bytes at once, and do not check that strides allow it.
static std::string findUnsupportedLayout(const Tensor &tensor) {
  constexpr int64_t kElementsAtOnce = 8, kMaxHeadSize = 256;
  size_t rank = tensor.dims.size(), contiguous = rank;
  for (size_t i = 0; i < rank; ++i)
    if (tensor.strides[i] == 1)
      contiguous = i;
  if (rank != 4 || contiguous < 2)
    return describe(tensor) + " has no contiguous dimension";
  int64_t headSize = tensor.dims[contiguous];
  if (headSize % kElementsAtOnce != 0 || headSize > kMaxHeadSize)
    return describe(tensor) +
           " has a size of heads that is not a multiple of " + "8 up to 256";
  for (size_t i = 0; i < rank; ++i)
    if (i != contiguous && tensor.strides[i] % kElementsAtOnce != 0)
      return describe(tensor) + " has rows that do not begin at a multiple of "
                                "16 bytes";
  if (tensor.alignment != 16)
    return describe(tensor) + " is not aligned to 16 bytes";
  return "";
}

/// Statistics are read and written as dense tensors, whatever their strides.
static std::string findUnsupportedStatistics(const Tensor &tensor) {
  int64_t stride = 1;
  for (size_t i = tensor.dims.size(); i-- > 0;) {
    if (tensor.dims[i] != 1 && tensor.strides[i] != stride)
      return describe(tensor) + " of f32 is not dense";
    stride *= tensor.dims[i];
  }
  return "";
}

std::string boost_emu::cudnn::findUnsupported(const Graph &graph) {
  std::set<int64_t> read;
  std::set<int> types;
  for (const Operation &operation : graph.operations)
    for (const Tensor &input : operation.inputs) {
      read.insert(input.id);
      if (operation.kind == OperationKind::Matmul && !input.isVirtual &&
          !input.is16Bit())
        return "a factor is neither of bf16 nor of f16";
    }
  for (const auto &[id, tensor] : graph.tensors) {
    if (tensor.isVirtual && (!graph.isResult(id) || !read.count(id)))
      return describe(tensor) + " is virtual, and not both made and read";
    if (!tensor.isInMemory())
      continue;
    std::string problem;
    if (tensor.is16Bit()) {
      types.insert(tensor.type);
      problem = findUnsupportedLayout(tensor);
    } else {
      problem = findUnsupportedStatistics(tensor);
    }
    if (!problem.empty())
      return problem;
  }
  if (types.size() > 1)
    return "tensors of bf16 and of f16";
  return "";
}

static int64_t roundUp(int64_t size, int64_t multiple) {
  return (size + multiple - 1) / multiple * multiple;
}

int64_t boost_emu::cudnn::getWorkspaceBytes(const Graph &graph) {
  int64_t bytes = 256;
  for (const Operation &operation : graph.operations) {
    const Tensor &result = operation.result;
    const Tensor &input = operation.inputs[0];
    bool isStored = result.isInMemory() && result.is16Bit();
    // Gradients of keys of all heads, before heads of one group are added.
    if (operation.kind == OperationKind::Reduction && isStored)
      bytes += input.getNumElements() * input.getWidth();
    // Gradients of scores, in tiles, for a product with a fixed order.
    if (operation.kind == OperationKind::Matmul && isStored && !input.is16Bit())
      bytes += input.dims[0] * input.dims[1] * roundUp(input.dims[2], 64) *
               roundUp(input.dims[3], 128) * 2;
  }
  return bytes;
}
