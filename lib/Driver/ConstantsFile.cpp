//===- ConstantsFile.cpp - The constants beside a program -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The writer is the runtime's.
//
//===----------------------------------------------------------------------===//

#include "ConstantsFile.h"

#include "boost-mlir/Support/RuntimeType.h"
#include "boost-mlir/Support/TextHash.h"
#include "boost-runtime/ProgramFile.h"
#include "common/TensorFiles.h"
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
  return hashText(text);
}

llvm::Error mlir::boost::writeConstants(StringRef path,
                                        DictionaryAttr constants) {
  std::vector<boost_rt::TensorWrite> writes;
  std::vector<std::vector<char>> booleans;
  booleans.reserve(constants.size());
  for (NamedAttribute entry : constants) {
    auto value = cast<DenseElementsAttr>(entry.getValue());
    auto type = static_cast<boost_rt::ElementType>(
        *getRuntimeType(value.getElementType()));
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
