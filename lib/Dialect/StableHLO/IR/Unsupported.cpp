//===- Unsupported.cpp - What a program's text asks for in vain -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A scan over the tokens of a program: names of operations, tensor types and
// elided constants, outside of comments and strings.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/StableHLO/IR/Unsupported.h"
#include "boost-mlir/Dialect/StableHLO/IR/FactorizationCalls.h"
#include "boost-mlir/Dialect/StableHLO/IR/StopGradientCalls.h"
#include "boost-mlir/Dialect/StableHLO/IR/TriangularCalls.h"
#include "boost-mlir/Support/Sizes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::stablehlo;

namespace {

/// One pass over a text, collecting what is unsupported.
class Scanner {
public:
  Scanner(StringRef text, MLIRContext *context)
      : rest(text), context(context) {}

  SmallVector<Unsupported> run() {
    while (!rest.empty())
      scanToken();
    return std::move(found);
  }

private:
  void scanToken() {
    char c = rest.front();
    if (rest.starts_with("//"))
      rest = rest.drop_until([](char c) { return c == '\n'; });
    else if (c == '"')
      scanString();
    else if (llvm::isAlpha(c) || c == '_')
      scanWord();
    else if (StringRef("#@!%^").contains(c))
      skipSigil();
    else
      rest = rest.drop_front();
  }

  static bool isWordChar(char c) {
    return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$';
  }

  /// A name that is no operation: `#stablehlo.gather`, `@chlo.erf.impl`. That
  /// of a symbol may be a string, that of a value may contain `-`.
  void skipSigil() {
    rest = rest.drop_front();
    if (rest.starts_with("\""))
      takeString(rest);
    else
      rest = rest.drop_while([](char c) { return isWordChar(c) || c == '-'; });
  }

  /// Takes a string off the front of `text`; what is between its quotes.
  static StringRef takeString(StringRef &text) {
    text = text.drop_front();
    size_t size = 0;
    while (size < text.size() && text[size] != '"')
      size += text[size] == '\\' ? 2 : 1;
    StringRef content = text.take_front(size);
    text = text.drop_front(std::min(size + 1, text.size()));
    return content;
  }

  /// A string; followed by `(` it is the name of an operation in generic form.
  void scanString() {
    const char *begin = rest.data() + 1;
    StringRef content = takeString(rest);
    if (rest.starts_with("("))
      checkOperation(begin, content);
  }

  void scanWord() {
    const char *begin = rest.data();
    StringRef word = rest.take_while(isWordChar);
    rest = rest.drop_front(word.size());
    if (word == "tensor" && rest.starts_with("<")) {
      scanTensor(begin);
      return;
    }
    if (word == "dense_resource" && rest.starts_with("<__elided__>")) {
      found.push_back({begin, "the values of this constant were left out when "
                              "the program was printed"});
      return;
    }
    if (word == "stablehlo.custom_call") {
      checkCall(begin);
      return;
    }
    // `sdy.sharding = ...` is an attribute.
    if (!rest.ltrim(" ").starts_with("="))
      checkOperation(begin, word);
  }

  /// Checks the target of `stablehlo.custom_call @target`.
  void checkCall(const char *where) {
    StringRef target = rest.ltrim(" ");
    if (!target.consume_front("@"))
      return;
    target = target.starts_with("\"") ? takeString(target)
                                      : target.take_while(isWordChar);
    if (!isAnnotationTarget(target) && !isTriangularTarget(target) &&
        !isFactorizationTarget(target) && !isStopGradientTarget(target))
      found.push_back(
          {where, ("call of '" + target + "' is not supported").str()});
  }

  void checkOperation(const char *where, StringRef name) {
    StringRef dialect = name.split('.').first;
    if (dialect == name ||
        (dialect != "stablehlo" && dialect != "chlo" && dialect != "sdy"))
      return;
    if (!RegisteredOperationName::lookup(name, context))
      found.push_back(
          {where, ("operation '" + name + "' is not supported").str()});
  }

  /// The part of a tensor type between its angle brackets.
  void scanTensor(const char *begin) {
    rest = rest.drop_front();
    size_t size = 0;
    for (int depth = 1; size < rest.size(); ++size) {
      depth += rest[size] == '<' ? 1 : rest[size] == '>' ? -1 : 0;
      if (depth == 0)
        break;
    }
    StringRef body = rest.take_front(size);
    rest = rest.drop_front(std::min(size + 1, rest.size()));
    if (!seenTypes.insert(body).second)
      return;
    if (body.contains('?') || body.contains('*')) {
      found.push_back(
          {begin, ("type tensor<" + body + "> has a dynamic shape").str()});
      return;
    }
    checkSizesAndElement(begin, body);
  }

  /// The type `tensor<BODY>` of static shape.
  void checkSizesAndElement(const char *begin, StringRef body) {
    StringRef element = body.split(',').first;
    SmallVector<int64_t> shape;
    bool isCounted = true;
    // Sizes, each with the `x` after it.
    while (!element.empty() && llvm::isDigit(element.front())) {
      StringRef digits = element.take_while(llvm::isDigit);
      isCounted &= !digits.getAsInteger(10, shape.emplace_back());
      element = element.substr(digits.size()).substr(1);
    }
    element = element.trim();
    unsigned width = llvm::StringSwitch<unsigned>(element)
                         .Cases({"i1", "i8", "ui8"}, 8)
                         .Cases({"i16", "ui16", "f16", "bf16"}, 16)
                         .Cases({"i32", "ui32", "f32"}, 32)
                         .Cases({"i64", "ui64", "f64", "index"}, 64)
                         .Default(0);
    if (width == 0)
      found.push_back(
          {begin, ("element type '" + element + "' is not supported").str()});
    else if (!isCounted || !isCountable(shape, width))
      found.push_back(
          {begin, describeUncountable(("tensor<" + body + ">").str())});
  }

  StringRef rest;
  MLIRContext *context;
  SmallVector<Unsupported> found;
  llvm::StringSet<> seenTypes;
};

} // namespace

std::string stablehlo::describeUncountable(const std::string &type) {
  return "type " + type + " has more than 2^" +
         std::to_string(kMaxTensorBytesLog2) + " bytes";
}

bool stablehlo::isAnnotationTarget(StringRef target) {
  return llvm::is_contained({"Sharding", "SPMDFullToShardShape",
                             "SPMDShardToFullShape", "LayoutConstraint",
                             "annotate_device_placement"},
                            target);
}

SmallVector<Unsupported> stablehlo::findUnsupported(StringRef text,
                                                    MLIRContext *context) {
  return Scanner(text, context).run();
}

LogicalResult stablehlo::checkProgramText(llvm::SourceMgr &sources,
                                          MLIRContext *context) {
  const llvm::MemoryBuffer *buffer =
      sources.getMemoryBuffer(sources.getMainFileID());
  SmallVector<Unsupported> found =
      findUnsupported(buffer->getBuffer(), context);
  if (found.empty())
    return success();
  for (const Unsupported &item : found) {
    auto [line, column] =
        sources.getLineAndColumn(llvm::SMLoc::getFromPointer(item.where));
    auto diag = emitError(FileLineColLoc::get(
                    context, buffer->getBufferIdentifier(), line, column))
                << item.message;
    if (&item == &found.back())
      diag.attachNote() << kUnsupportedRemedy;
  }
  return failure();
}

/// The beginning of the text that `where` points into. The parser keeps it to
/// itself, but tells line and column of any place: go back line by line.
static const char *findTextBegin(OpAsmParser &parser, llvm::SMLoc where) {
  const char *place = where.getPointer();
  while (true) {
    Location loc =
        parser.getEncodedSourceLoc(llvm::SMLoc::getFromPointer(place));
    auto position = dyn_cast<FileLineColLoc>(loc);
    if (!position || position.getColumn() == 0)
      return where.getPointer();
    place -= position.getColumn() - 1;
    if (position.getLine() <= 1)
      return place;
    --place;
  }
}

ParseResult stablehlo::refuseUnknownOp(OpAsmParser &parser,
                                       OperationState &state) {
  llvm::SMLoc where = parser.getNameLoc();
  StringRef text(findTextBegin(parser, where));
  SmallVector<Unsupported> found = findUnsupported(text, parser.getContext());
  if (found.empty())
    found.push_back(
        {where.getPointer(),
         ("operation '" + state.name.getStringRef() + "' is not supported")
             .str()});
  for (const Unsupported &item : found) {
    auto diag = emitError(parser.getEncodedSourceLoc(
                    llvm::SMLoc::getFromPointer(item.where)))
                << item.message;
    if (&item == &found.back())
      diag.attachNote() << kUnsupportedRemedy;
  }
  return failure();
}
