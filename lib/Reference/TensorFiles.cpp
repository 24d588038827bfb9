//===- TensorFiles.cpp - Named tensors in safetensors files ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reader and writer are the runtime's; they report by exceptions, so this
// file alone of the compiler is built with them.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Reference/TensorFiles.h"

#include "common/Failure.h"
#include "common/SafeTensors.h"

using namespace mlir;
using namespace mlir::boost::reference;
using boost_rt::ElementType;

static llvm::Error makeError(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

/// The type of an element in a file, if files have it.
static std::optional<ElementType> getFileType(Type type) {
  if (isa<FloatType>(type))
    return BOOST_RT_F64;
  if (type.isInteger(1))
    return BOOST_RT_I1;
  if (type.isInteger(8))
    return BOOST_RT_I8;
  if (type.isInteger(32))
    return BOOST_RT_I32;
  if (type.isInteger(64))
    return BOOST_RT_I64;
  return std::nullopt;
}

static std::string describe(const boost_rt::SafeTensorsReader::Entry &entry) {
  std::string text = entry.typeName + "[";
  for (auto [i, extent] : llvm::enumerate(entry.shape))
    text += (i ? ", " : "") + std::to_string(extent);
  return text + "]";
}

static llvm::Expected<Tensor>
readTensor(const boost_rt::SafeTensorsReader &file, const NamedType &wanted) {
  const auto *entry = file.find(wanted.name);
  if (!entry)
    return makeError(file.getPath() + " has no tensor '" + wanted.name + "'");
  file.check(*entry, wanted.name);
  Tensor tensor(wanted.type);
  auto count = static_cast<int64_t>(tensor.size());
  bool fits = ArrayRef<int64_t>(entry->shape) == tensor.shape() && entry->type;
  if (fits && tensor.isFloat())
    fits = boost_rt::SafeTensorsReader::read(*entry, 0, BOOST_RT_F64,
                                             tensor.data.data(), count);
  else if (fits)
    fits = boost_rt::SafeTensorsReader::read(*entry, 0, BOOST_RT_I64,
                                             tensor.integers.data(), count);
  if (!fits) {
    std::string type;
    llvm::raw_string_ostream(type) << wanted.type;
    return makeError(file.getPath() + ": expects '" + wanted.name +
                     "' of type " + type + ", but got " + describe(*entry));
  }
  // Bits of the file that are a negative number may be those of an unsigned
  // one.
  if (!tensor.isFloat())
    roundToType(tensor);
  return tensor;
}

llvm::Expected<NamedTensors>
mlir::boost::reference::readTensors(StringRef path, ArrayRef<NamedType> wanted,
                                    bool allowMissing) {
  try {
    boost_rt::SafeTensorsReader file(path.str());
    NamedTensors tensors;
    for (const NamedType &type : wanted) {
      if (allowMissing && !file.find(type.name))
        continue;
      llvm::Expected<Tensor> tensor = readTensor(file, type);
      if (!tensor)
        return tensor.takeError();
      tensors[type.name] = std::move(*tensor);
    }
    return tensors;
  } catch (const boost_rt::Failure &failure) {
    return makeError(failure.what());
  }
}

/// The bytes of integers in a file.
template <typename T>
static std::vector<T> convertTo(const std::vector<int64_t> &integers) {
  std::vector<T> converted;
  converted.reserve(integers.size());
  for (int64_t value : integers)
    converted.push_back(static_cast<T>(value));
  return converted;
}

static void writeTensor(boost_rt::SafeTensorsWriter &file, size_t index,
                        ElementType type, const Tensor &tensor) {
  switch (type) {
  case BOOST_RT_I1:
  case BOOST_RT_I8:
    return file.write(index, convertTo<int8_t>(tensor.integers).data());
  case BOOST_RT_I32:
    return file.write(index, convertTo<int32_t>(tensor.integers).data());
  case BOOST_RT_I64:
    return file.write(index, tensor.integers.data());
  default:
    return file.write(index, tensor.data.data());
  }
}

llvm::Error mlir::boost::reference::writeTensors(StringRef path,
                                                 ArrayRef<NamedType> order,
                                                 const NamedTensors &tensors) {
  std::vector<boost_rt::SafeTensorsWriter::Entry> entries;
  for (const NamedType &named : order) {
    std::optional<ElementType> type = getFileType(named.type.getElementType());
    if (!type)
      return makeError("'" + named.name +
                       "' has an element type that safetensors files lack");
    entries.push_back({named.name, *type, named.type.getShape().vec()});
  }
  try {
    boost_rt::SafeTensorsWriter file(path.str(), entries);
    for (auto [i, entry] : llvm::enumerate(entries))
      writeTensor(file, i, entry.type, tensors.at(entry.name));
    file.finish();
    return llvm::Error::success();
  } catch (const boost_rt::Failure &failure) {
    return makeError(failure.what());
  }
}
