//===- ProgramFile.cpp - Reading a program from a file --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Support/ProgramFile.h"

#include "boost-mlir/Support/TextCheck.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace mlir::boost;

/// The line of `where` is not shown: it may have a million brackets.
static void refuse(const llvm::MemoryBuffer &file, const char *where,
                   const llvm::Twine &message, StringRef remedy) {
  llvm::StringRef before(file.getBufferStart(), where - file.getBufferStart());
  size_t line = before.count('\n') + 1;
  size_t column = before.size() - (before.rfind('\n') + 1) + 1;
  std::string place = (file.getBufferIdentifier() + ":" + llvm::Twine(line) +
                       ":" + llvm::Twine(column))
                          .str();
  llvm::WithColor::error(llvm::errs(), place) << message << "\n";
  llvm::WithColor::note(llvm::errs(), place) << remedy << "\n";
}

/// The byte of an array of booleans that two digits spell.
static bool readBoolean(StringRef digits, uint64_t i) {
  return digits.substr(2 * i, 2) != "00";
}

/// Returns the digits of `booleans` in MLIR 22's spelling: eight elements a
/// byte, the first in the lowest bit, or FF for an array of one value. Empty if
/// that is how they are spelled. A single byte is a value for all elements, but
/// of at most eight elements it is MLIR 22's.
static std::string packBooleans(const BooleanBytes &booleans) {
  auto [digits, numElements] = booleans;
  if (digits.size() == 2 && numElements > 8)
    return readBoolean(digits, 0) ? "FF" : "00";
  if (digits.size() % 2 != 0 || numElements < 2 ||
      digits.size() / 2 != numElements)
    return {};
  std::string bytes(llvm::divideCeil(numElements, 8), '\0');
  for (uint64_t i = 0; i < numElements; ++i)
    if (readBoolean(digits, i))
      bytes[i / 8] = static_cast<char>(bytes[i / 8] | (1 << (i % 8)));
  return llvm::toHex(bytes);
}

/// A copy of `file` with these arrays in MLIR 22's spelling. Blanks behind the
/// quote of a shorter one keep what follows at its column.
static std::unique_ptr<llvm::MemoryBuffer>
packBooleans(const llvm::MemoryBuffer &file, ArrayRef<BooleanBytes> arrays) {
  auto copy = llvm::WritableMemoryBuffer::getNewUninitMemBuffer(
      file.getBufferSize(), file.getBufferIdentifier());
  llvm::copy(file.getBuffer(), copy->getBufferStart());
  for (const BooleanBytes &array : arrays) {
    std::string packed = packBooleans(array);
    if (packed.empty())
      continue;
    packed += '"';
    packed.resize(array.digits.size() + 1, ' ');
    llvm::copy(packed, copy->getBufferStart() +
                           (array.digits.data() - file.getBufferStart()));
  }
  return copy;
}

std::unique_ptr<llvm::MemoryBuffer>
mlir::boost::prepareProgramFile(std::unique_ptr<llvm::MemoryBuffer> file,
                                StringRef splitMarker) {
  if (isBytecode(*file)) {
    refuse(*file, file->getBufferStart(),
           "expects a program as text, but got bytecode",
           "python -m boost_mlir.import_artifact turns it into text");
    return {};
  }
  StringRef rest = file->getBuffer();
  if (size_t zero = rest.find('\0'); zero != StringRef::npos) {
    refuse(*file, rest.data() + zero,
           "expects a program as text, but got a byte of 0",
           "python -m boost_mlir.import_artifact makes text of what "
           "jax.export stores");
    return {};
  }
  SmallVector<BooleanBytes> booleans;
  while (true) {
    size_t size =
        splitMarker.empty() ? StringRef::npos : rest.find(splitMarker);
    TextScan scan = scanText(rest.substr(0, size));
    if (scan.error) {
      refuse(*file, scan.error->where, scan.error->message,
             "no model needs as much; look for what generated this text");
      return {};
    }
    llvm::append_range(booleans, scan.booleans);
    if (size == StringRef::npos)
      break;
    rest = rest.drop_front(size + splitMarker.size());
  }
  return booleans.empty() ? std::move(file) : packBooleans(*file, booleans);
}

OwningOpRef<ModuleOp>
mlir::boost::readProgram(std::unique_ptr<llvm::MemoryBuffer> file,
                         llvm::SourceMgr &sources, MLIRContext *context) {
  file = prepareProgramFile(std::move(file));
  if (!file)
    return {};
  sources.AddNewSourceBuffer(std::move(file), llvm::SMLoc());
  return parseSourceFile<ModuleOp>(sources, context);
}
