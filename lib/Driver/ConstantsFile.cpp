//===- ConstantsFile.cpp - The constants beside a program -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The writer is the runtime's.
//
//===----------------------------------------------------------------------===//

#include "ConstantsFile.h"

#include "boost-runtime/ProgramFile.h"
#include "common/TensorFiles.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace mlir::boost;

std::string mlir::boost::getConstantsFile(StringRef program) {
  return (program + BOOST_PROGRAM_CONSTANTS_SUFFIX).str();
}

static uint64_t hashBytes(ArrayRef<char> bytes) {
  return llvm::xxh3_64bits(llvm::ArrayRef(
      reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()));
}

std::string mlir::boost::getConstantsDigest(DictionaryAttr constants) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (NamedAttribute entry : constants) {
    auto value = cast<DenseElementsAttr>(entry.getValue());
    stream << entry.getName().strref() << " " << value.getType() << " "
           << hashBytes(value.getRawData()) << "\n";
  }
  llvm::XXH128_hash_t hash =
      llvm::xxh3_128bits(llvm::arrayRefFromStringRef(text));
  std::string digits;
  llvm::raw_string_ostream(digits) << llvm::format(
      "%016llx%016llx", static_cast<unsigned long long>(hash.high64),
      static_cast<unsigned long long>(hash.low64));
  return digits;
}

/// Returns the type that elements have in a file. Those of unsigned integers
/// are the bits of signed ones.
static boost_rt::ElementType getFileType(Type type) {
  if (type.isBF16())
    return BOOST_RT_BF16;
  if (type.isF16())
    return BOOST_RT_F16;
  if (type.isF32())
    return BOOST_RT_F32;
  if (type.isF64())
    return BOOST_RT_F64;
  switch (type.getIntOrFloatBitWidth()) {
  case 1:
    return BOOST_RT_I1;
  case 8:
    return BOOST_RT_I8;
  case 16:
    return BOOST_RT_I16;
  case 32:
    return BOOST_RT_I32;
  default:
    return BOOST_RT_I64;
  }
}

llvm::Error mlir::boost::writeConstants(StringRef path,
                                        DictionaryAttr constants) {
  std::vector<boost_rt::TensorWrite> writes;
  std::vector<std::vector<char>> booleans;
  booleans.reserve(constants.size());
  for (NamedAttribute entry : constants) {
    auto value = cast<DenseElementsAttr>(entry.getValue());
    boost_rt::ElementType type = getFileType(value.getElementType());
    const void *data = value.getRawData().data();
    // An attribute has bits.
    if (type == BOOST_RT_I1) {
      auto range = value.getValues<bool>();
      data = booleans.emplace_back(range.begin(), range.end()).data();
    }
    writes.push_back(
        {entry.getName().str(), type, value.getType().getShape().vec(), data});
  }
  std::string problem = boost_rt::writeTensorFile(
      path.str(), writes,
      {{BOOST_PROGRAM_CONSTANTS_KEY, getConstantsDigest(constants)}});
  if (problem.empty())
    return llvm::Error::success();
  return llvm::createStringError(problem);
}
