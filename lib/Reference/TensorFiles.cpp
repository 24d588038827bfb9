//===- TensorFiles.cpp - Named tensors in safetensors files ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reader and writer are the runtime's.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Reference/TensorFiles.h"

#include "boost-mlir/Support/RuntimeType.h"
#include "common/TensorFiles.h"

#include <cstring>

using namespace mlir;
using namespace mlir::boost::reference;
using boost_rt::ElementType;

static llvm::Error makeError(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

/// The type that elements have in a file: floats are kept as they are computed,
/// in double, and integers of every width that the subset has in their own.
static ElementType getFileType(Type type) {
  if (isa<FloatType>(type))
    return BOOST_RT_F64;
  return static_cast<ElementType>(*boost::getRuntimeType(type));
}

static llvm::Error refuseType(StringRef path, const NamedType &wanted,
                              StringRef found) {
  std::string type;
  llvm::raw_string_ostream(type) << wanted.type;
  return makeError(path + ": expects '" + wanted.name + "' of type " + type +
                   ", but got " + found);
}

llvm::Expected<NamedTensors>
mlir::boost::reference::readTensors(StringRef path, ArrayRef<NamedType> wanted,
                                    bool allowMissing) {
  std::vector<Tensor> values;
  std::vector<boost_rt::TensorRead> reads;
  for (const NamedType &named : wanted) {
    Tensor &tensor = values.emplace_back(named.type);
    void *data = tensor.isFloat() ? static_cast<void *>(tensor.data.data())
                                  : tensor.integers.data();
    reads.push_back({named.name, tensor.shape().vec(),
                     tensor.isFloat() ? BOOST_RT_F64 : BOOST_RT_I64, data});
  }
  std::string problem = boost_rt::readTensorFile(path.str(), reads);
  if (!problem.empty())
    return makeError(problem);
  NamedTensors tensors;
  for (auto [named, tensor, read] : llvm::zip_equal(wanted, values, reads)) {
    if (read.outcome == boost_rt::TensorRead::Outcome::missing) {
      if (allowMissing)
        continue;
      return makeError(path + " has no tensor '" + named.name + "'");
    }
    if (read.outcome == boost_rt::TensorRead::Outcome::misfit)
      return refuseType(path, named, read.found);
    // Bits of the file that are a negative number may be those of an unsigned
    // one.
    if (!tensor.isFloat())
      roundToType(tensor);
    tensors[named.name] = std::move(tensor);
  }
  return tensors;
}

/// The bytes of integers in a file.
template <typename T>
static std::vector<char> convertTo(const std::vector<int64_t> &integers) {
  std::vector<char> bytes(integers.size() * sizeof(T));
  for (auto [i, integer] : llvm::enumerate(integers)) {
    auto converted = static_cast<T>(integer);
    std::memcpy(bytes.data() + i * sizeof(T), &converted, sizeof(T));
  }
  return bytes;
}

/// The elements of a tensor as a file has them; in `buffer` if they differ from
/// those in memory.
static const void *convertElements(ElementType type, const Tensor &tensor,
                                   std::vector<char> &buffer) {
  switch (type) {
  case BOOST_RT_I1:
  case BOOST_RT_I8:
    buffer = convertTo<int8_t>(tensor.integers);
    return buffer.data();
  case BOOST_RT_I16:
    buffer = convertTo<int16_t>(tensor.integers);
    return buffer.data();
  case BOOST_RT_I32:
    buffer = convertTo<int32_t>(tensor.integers);
    return buffer.data();
  case BOOST_RT_I64:
    return tensor.integers.data();
  default:
    return tensor.data.data();
  }
}

llvm::Error mlir::boost::reference::writeTensors(StringRef path,
                                                 ArrayRef<NamedType> order,
                                                 const NamedTensors &tensors) {
  std::vector<std::vector<char>> buffers(order.size());
  std::vector<boost_rt::TensorWrite> writes;
  for (auto [named, buffer] : llvm::zip_equal(order, buffers)) {
    ElementType type = getFileType(named.type.getElementType());
    const Tensor &tensor = tensors.find(named.name)->second;
    writes.push_back({named.name, type, named.type.getShape().vec(),
                      convertElements(type, tensor, buffer)});
  }
  std::string problem = boost_rt::writeTensorFile(path.str(), writes);
  return problem.empty() ? llvm::Error::success() : makeError(problem);
}
