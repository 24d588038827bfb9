//===- CudnnInterpreter.cpp - Operations one after another ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every operation is computed in double and rounded to the type of its result,
// whether that is in memory or not.
//
//===----------------------------------------------------------------------===//

#include "CudnnGraph.h"
#include "common/ElementType.h"
#include "cuda/VendorTypes.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

using namespace boost_emu::cudnn;
using namespace boost_rt::vendor;

namespace {

/// The elements of a tensor, dense and row-major.
using Elements = std::vector<float>;

/// Counts through the elements of a tensor, row-major.
class Position {
public:
  explicit Position(const Extents &dims) : dims(dims), index(dims.size()) {}

  void advance() {
    for (size_t i = dims.size(); i-- > 0;) {
      if (++index[i] < dims[i])
        return;
      index[i] = 0;
    }
  }
  int64_t operator[](size_t i) const { return index[i]; }
  /// The element in memory with these strides.
  int64_t offsetBy(const Extents &strides) const {
    int64_t offset = 0;
    for (size_t i = 0; i < index.size(); ++i)
      offset += index[i] * strides[i];
    return offset;
  }
  /// The element of a smaller tensor that belongs to this one. Dimensions of
  /// the smaller one divide those of this one: neighbors share an element.
  int64_t elementOf(const Extents &smaller) const {
    int64_t element = 0;
    for (size_t i = 0; i < index.size(); ++i)
      element = element * smaller[i] + index[i] / (dims[i] / smaller[i]);
    return element;
  }

private:
  const Extents &dims;
  Extents index;
};

class Interpreter {
public:
  Interpreter(const Graph &graph, const std::map<int64_t, char *> &addresses)
      : graph(graph), addresses(addresses) {}

  void run();

private:
  const Elements &valueOf(const Tensor &tensor);
  void store(const Tensor &tensor, Elements values);

  Elements multiply(const Operation &operation);
  Elements map(const Operation &operation);
  Elements reduce(const Operation &operation);
  Elements reshape(const Operation &operation);

  const Graph &graph;
  const std::map<int64_t, char *> &addresses;
  std::map<int64_t, Elements> values;
};

} // namespace

static boost_rt::ElementType elementTypeOf(const Tensor &tensor) {
  if (tensor.type == dnnHalf)
    return BOOST_RT_F16;
  return tensor.type == dnnBFloat16 ? BOOST_RT_BF16 : BOOST_RT_F32;
}

static std::vector<char> roundTo(const Tensor &tensor, const Elements &values) {
  std::vector<char> bytes(values.size() *
                          static_cast<size_t>(tensor.getWidth()));
  boost_rt::convertElements(BOOST_RT_F32, values.data(), elementTypeOf(tensor),
                            bytes.data(), static_cast<int64_t>(values.size()));
  return bytes;
}

const Elements &Interpreter::valueOf(const Tensor &tensor) {
  auto [known, isNew] = values.try_emplace(tensor.id);
  if (!isNew)
    return known->second;
  auto width = static_cast<size_t>(tensor.getWidth());
  auto count = static_cast<size_t>(tensor.getNumElements());
  const char *from = addresses.at(tensor.id);
  std::vector<char> bytes(count * width);
  Position position(tensor.dims);
  for (size_t i = 0; i < count; ++i, position.advance())
    std::memcpy(&bytes[i * width],
                from + static_cast<size_t>(position.offsetBy(tensor.strides)) *
                           width,
                width);
  known->second.resize(count);
  boost_rt::convertElements(elementTypeOf(tensor), bytes.data(), BOOST_RT_F32,
                            known->second.data(), static_cast<int64_t>(count));
  return known->second;
}

void Interpreter::store(const Tensor &tensor, Elements result) {
  if (tensor.is16Bit()) {
    std::vector<char> bytes = roundTo(tensor, result);
    boost_rt::convertElements(elementTypeOf(tensor), bytes.data(), BOOST_RT_F32,
                              result.data(),
                              static_cast<int64_t>(result.size()));
  }
  if (tensor.isInMemory()) {
    auto width = static_cast<size_t>(tensor.getWidth());
    std::vector<char> bytes = roundTo(tensor, result);
    char *to = addresses.at(tensor.id);
    Position position(tensor.dims);
    for (size_t i = 0; i < result.size(); ++i, position.advance())
      std::memcpy(to + static_cast<size_t>(position.offsetBy(tensor.strides)) *
                           width,
                  &bytes[i * width], width);
  }
  values[tensor.id] = std::move(result);
}

/// Returns the first term of sums that are added to memory. It changes with
/// every product, as the order of atomic additions does.
static int64_t getFirstTerm(int64_t terms) {
  constexpr int64_t kTile = 8;
  static int64_t turn = 0;
  return (turn++ * kTile) % terms;
}

Elements Interpreter::multiply(const Operation &operation) {
  const Tensor &c = operation.result;
  const Elements &a = valueOf(operation.inputs[0]),
                 &b = valueOf(operation.inputs[1]);
  size_t rank = c.dims.size();
  auto m = static_cast<size_t>(c.dims[rank - 2]),
       n = static_cast<size_t>(c.dims[rank - 1]);
  int64_t terms = operation.inputs[0].dims[rank - 1];
  bool isAtomic = c.isInMemory() && !c.is16Bit();
  int64_t first = isAtomic ? getFirstTerm(terms) : 0;
  auto batchesOf = [](const Tensor &tensor) {
    return Extents(tensor.dims.begin(), tensor.dims.end() - 2);
  };
  Extents batches = batchesOf(c), batchesOfA = batchesOf(operation.inputs[0]),
          batchesOfB = batchesOf(operation.inputs[1]);
  Elements result(static_cast<size_t>(c.getNumElements()));
  std::vector<double> row(n);
  Position batch(batches);
  for (size_t at = 0; at < result.size(); at += m * n, batch.advance()) {
    const float *left = &a[static_cast<size_t>(batch.elementOf(batchesOfA)) *
                           m * static_cast<size_t>(terms)];
    const float *right = &b[static_cast<size_t>(batch.elementOf(batchesOfB)) *
                            static_cast<size_t>(terms) * n];
    for (size_t i = 0; i < m; ++i) {
      std::fill(row.begin(), row.end(), 0);
      for (int64_t term = 0; term < terms; ++term) {
        auto k = static_cast<size_t>((first + term) % terms);
        double factor = left[i * static_cast<size_t>(terms) + k];
        for (size_t j = 0; j < n; ++j) {
          double sum = row[j] + factor * right[k * n + j];
          row[j] = isAtomic ? static_cast<float>(sum) : sum;
        }
      }
      std::transform(row.begin(), row.end(), &result[at + i * n],
                     [](double sum) { return static_cast<float>(sum); });
    }
  }
  return result;
}

static double apply(int mode, double x, double b, bool condition) {
  switch (mode) {
  case dnnAdd:
    return x + b;
  case dnnMultiply:
    return x * b;
  case dnnDivide:
    return x / b;
  case dnnSubtract:
    return x - b;
  case dnnExp:
    return std::exp(x);
  case dnnLog:
    return std::log(x);
  case dnnGreaterOrEqual:
    return x >= b;
  case dnnSelect:
    return condition ? x : b;
  default:
    return x;
  }
}

Elements Interpreter::map(const Operation &operation) {
  const Extents &dims = operation.result.dims;
  Elements result(static_cast<size_t>(operation.result.getNumElements()));
  if (operation.mode == dnnGenerateIndex) {
    Position position(dims);
    for (float &element : result) {
      element =
          static_cast<float>(position[static_cast<size_t>(operation.axis)]);
      position.advance();
    }
    return result;
  }
  std::vector<const Elements *> inputs;
  for (const Tensor &input : operation.inputs)
    inputs.push_back(&valueOf(input));
  Position position(dims);
  for (float &element : result) {
    double operands[3] = {};
    for (size_t i = 0; i < inputs.size(); ++i)
      operands[i] = (*inputs[i])[static_cast<size_t>(
          position.elementOf(operation.inputs[i].dims))];
    element = static_cast<float>(
        apply(operation.mode, operands[0], operands[1], operands[2] != 0));
    position.advance();
  }
  return result;
}

Elements Interpreter::reduce(const Operation &operation) {
  const Tensor &x = operation.inputs[0], &y = operation.result;
  bool isMaximum = operation.mode == dnnReduceMax;
  double first = isMaximum ? -std::numeric_limits<double>::infinity() : 0;
  std::vector<double> sums(static_cast<size_t>(y.getNumElements()), first);
  Position position(x.dims);
  for (float element : valueOf(x)) {
    double &sum = sums[static_cast<size_t>(position.elementOf(y.dims))];
    if (!isMaximum)
      sum += element;
    else if (element > sum || std::isnan(element))
      sum = element;
    position.advance();
  }
  return {sums.begin(), sums.end()};
}

/// Reads memory with other dimensions and strides.
Elements Interpreter::reshape(const Operation &operation) {
  const Tensor &x = operation.inputs[0], &y = operation.result;
  Elements memory(static_cast<size_t>(std::max(x.getSpan(), y.getSpan())),
                  std::numeric_limits<float>::quiet_NaN());
  Position from(x.dims);
  for (float element : valueOf(x)) {
    memory[static_cast<size_t>(from.offsetBy(x.strides))] = element;
    from.advance();
  }
  Elements result(static_cast<size_t>(y.getNumElements()));
  Position to(y.dims);
  for (float &element : result) {
    element = memory[static_cast<size_t>(to.offsetBy(y.strides))];
    to.advance();
  }
  return result;
}

void Interpreter::run() {
  for (const Operation &operation : graph.operations) {
    switch (operation.kind) {
    case OperationKind::Matmul:
      store(operation.result, multiply(operation));
      break;
    case OperationKind::Pointwise:
      store(operation.result, map(operation));
      break;
    case OperationKind::Reduction:
      store(operation.result, reduce(operation));
      break;
    case OperationKind::Reshape:
      store(operation.result, reshape(operation));
      break;
    }
  }
}

void boost_emu::cudnn::interpret(const Graph &graph,
                                 const std::map<int64_t, char *> &addresses) {
  Interpreter(graph, addresses).run();
}
