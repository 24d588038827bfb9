//===- Convolution.cpp - Text and verifier of convolutions ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WindowChecks.h"

#include "boost-mlir/Dialect/StableHLO/IR/Assembly.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::stablehlo;

//===----------------------------------------------------------------------===//
// Dimension numbers
//===----------------------------------------------------------------------===//

namespace {

/// The dimensions of one tensor: two with a letter, the others with a number.
struct LetteredDims {
  int64_t first = -1, second = -1;
  SmallVector<int64_t> spatial;
};

} // namespace

/// `[b, 0, f]`, where the letters are `first` and `second`.
static ParseResult parseLetteredDims(AsmParser &parser, StringRef first,
                                     StringRef second, LetteredDims &dims) {
  SMLoc loc = parser.getCurrentLocation();
  int64_t dim = 0;
  SmallVector<std::pair<int64_t, int64_t>> numbered;
  auto parseOne = [&]() -> ParseResult {
    StringRef letter;
    int64_t number = 0;
    if (OptionalParseResult parsed = parser.parseOptionalInteger(number);
        parsed.has_value()) {
      numbered.emplace_back(number, dim++);
      return *parsed;
    }
    if (parser.parseKeyword(&letter))
      return failure();
    int64_t *place = letter == first    ? &dims.first
                     : letter == second ? &dims.second
                                        : nullptr;
    if (!place || *place != -1)
      return parser.emitError(loc)
             << "expects '" << first << "', '" << second
             << "' and numbers, each once, but got '" << letter << "'";
    *place = dim++;
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne))
    return failure();
  llvm::sort(numbered);
  for (auto [i, entry] : llvm::enumerate(numbered)) {
    if (entry.first != static_cast<int64_t>(i))
      return parser.emitError(loc) << "expects the numbers from 0 to "
                                   << numbered.size() - 1 << ", each once";
    dims.spatial.push_back(entry.second);
  }
  if (dims.first == -1 || dims.second == -1)
    return parser.emitError(loc)
           << "expects '" << first << "' and '" << second << "'";
  return success();
}

FailureOr<ConvDimensionNumbersAttr>
stablehlo::parseConvNumbers(AsmParser &parser) {
  LetteredDims input, kernel, output;
  if (parseLetteredDims(parser, "b", "f", input) || parser.parseKeyword("x") ||
      parseLetteredDims(parser, "i", "o", kernel) || parser.parseArrow() ||
      parseLetteredDims(parser, "b", "f", output))
    return failure();
  return ConvDimensionNumbersAttr::get(
      parser.getContext(), input.first, input.second, input.spatial,
      kernel.first, kernel.second, kernel.spatial, output.first, output.second,
      output.spatial);
}

static void printLetteredDims(AsmPrinter &printer, char first, int64_t firstDim,
                              char second, int64_t secondDim,
                              ArrayRef<int64_t> spatial) {
  SmallVector<std::string> words(spatial.size() + 2);
  words[firstDim] = first;
  words[secondDim] = second;
  for (auto [i, dim] : llvm::enumerate(spatial))
    words[dim] = std::to_string(i);
  printer << '[';
  llvm::interleaveComma(words, printer);
  printer << ']';
}

void stablehlo::printConvNumbers(AsmPrinter &printer,
                                 ConvDimensionNumbersAttr numbers) {
  printLetteredDims(printer, 'b', numbers.getInputBatchDimension(), 'f',
                    numbers.getInputFeatureDimension(),
                    numbers.getInputSpatialDimensions());
  printer << 'x';
  printLetteredDims(printer, 'i', numbers.getKernelInputFeatureDimension(), 'o',
                    numbers.getKernelOutputFeatureDimension(),
                    numbers.getKernelSpatialDimensions());
  printer << "->";
  printLetteredDims(printer, 'b', numbers.getOutputBatchDimension(), 'f',
                    numbers.getOutputFeatureDimension(),
                    numbers.getOutputSpatialDimensions());
}

ParseResult stablehlo::parseConvDimensions(OpAsmParser &parser,
                                           ConvDimensionNumbersAttr &numbers) {
  FailureOr<ConvDimensionNumbersAttr> parsed = parseConvNumbers(parser);
  if (failed(parsed))
    return failure();
  numbers = *parsed;
  return success();
}

void stablehlo::printConvDimensions(OpAsmPrinter &printer, Operation *,
                                    ConvDimensionNumbersAttr numbers) {
  printConvNumbers(printer, numbers);
}

Attribute ConvDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  FailureOr<ConvDimensionNumbersAttr> numbers = parseConvNumbers(parser);
  if (failed(numbers) || parser.parseGreater())
    return {};
  return *numbers;
}

void ConvDimensionNumbersAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printConvNumbers(printer, *this);
  printer << '>';
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

static ParseResult parseDims(OpAsmParser &parser, DenseI64ArrayAttr &attr) {
  FailureOr<SmallVector<int64_t>> dims = parseDimList(parser);
  if (failed(dims))
    return failure();
  attr = parser.getBuilder().getDenseI64ArrayAttr(*dims);
  return success();
}

/// `[[3, 0], [1, 1]]`.
static ParseResult parsePairs(OpAsmParser &parser, DenseIntElementsAttr &attr) {
  SmallVector<int64_t> values;
  auto parsePair = [&]() -> ParseResult {
    return failure(
        parser.parseLSquare() || parser.parseInteger(values.emplace_back()) ||
        parser.parseComma() || parser.parseInteger(values.emplace_back()) ||
        parser.parseRSquare());
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parsePair))
    return failure();
  auto count = static_cast<int64_t>(values.size() / 2);
  attr = DenseIntElementsAttr::get(
      RankedTensorType::get({count, 2}, parser.getBuilder().getI64Type()),
      values);
  return success();
}

/// `[true, false]`.
static ParseResult parseFlags(OpAsmParser &parser, DenseBoolArrayAttr &attr) {
  SmallVector<bool> flags;
  auto parseFlag = [&]() -> ParseResult {
    StringRef word;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseOptionalKeyword(&word, {"true", "false"}))
      return parser.emitError(loc, "expects 'true' or 'false'");
    flags.push_back(word == "true");
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseFlag))
    return failure();
  attr = parser.getBuilder().getDenseBoolArrayAttr(flags);
  return success();
}

ParseResult stablehlo::parseConvWindow(OpAsmParser &parser,
                                       DenseI64ArrayAttr &strides,
                                       DenseIntElementsAttr &padding,
                                       DenseI64ArrayAttr &lhsDilation,
                                       DenseI64ArrayAttr &rhsDilation,
                                       DenseBoolArrayAttr &reversal) {
  StringRef key;
  if (failed(parser.parseOptionalKeyword(
          &key, {"stride", "pad", "lhs_dilate", "rhs_dilate", "reverse"})))
    return success();
  do {
    if (key.empty() && parser.parseKeyword(&key))
      return failure();
    if (parser.parseEqual())
      return failure();
    ParseResult result = key == "stride"       ? parseDims(parser, strides)
                         : key == "pad"        ? parsePairs(parser, padding)
                         : key == "lhs_dilate" ? parseDims(parser, lhsDilation)
                         : key == "rhs_dilate" ? parseDims(parser, rhsDilation)
                         : key == "reverse"
                             ? parseFlags(parser, reversal)
                             : parser.emitError(parser.getCurrentLocation())
                                   << "'" << key
                                   << "' is nothing that a window has";
    if (result)
      return failure();
    key = {};
  } while (succeeded(parser.parseOptionalComma()));
  return success();
}

void stablehlo::printConvWindow(OpAsmPrinter &printer, Operation *,
                                DenseI64ArrayAttr strides,
                                DenseIntElementsAttr padding,
                                DenseI64ArrayAttr lhsDilation,
                                DenseI64ArrayAttr rhsDilation,
                                DenseBoolArrayAttr reversal) {
  StringRef separator = "";
  auto printKey = [&](StringRef key) {
    printer << separator << key << " = ";
    separator = ", ";
  };
  auto printDims = [&](StringRef key, DenseI64ArrayAttr dims) {
    if (!dims)
      return;
    printKey(key);
    printDimList(printer, dims);
  };
  printDims("stride", strides);
  if (padding) {
    printKey("pad");
    SmallVector<int64_t> values(padding.getValues<int64_t>());
    printer << '[';
    llvm::interleaveComma(
        llvm::seq<size_t>(0, values.size() / 2), printer, [&](size_t i) {
          printDimList(printer, ArrayRef(values).slice(2 * i, 2));
        });
    printer << ']';
  }
  printDims("lhs_dilate", lhsDilation);
  printDims("rhs_dilate", rhsDilation);
  if (reversal) {
    printKey("reverse");
    printer << '[';
    llvm::interleaveComma(reversal.asArrayRef(), printer, [&](bool flag) {
      printer << (flag ? "true" : "false");
    });
    printer << ']';
  }
}

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

/// A tensor has as many dimensions as its numbers say. The parser has seen that
/// each is there once.
static LogicalResult checkRank(ConvolutionOp op, StringRef what,
                               RankedTensorType type, size_t spatial) {
  if (type.getRank() != static_cast<int64_t>(spatial) + 2)
    return op.emitOpError() << "expects " << what << " of rank " << spatial + 2
                            << " by the dimension numbers, but got " << type;
  return success();
}

/// Checks the window's attributes, one entry per dimension that it moves along.
static LogicalResult checkWindow(ConvolutionOp op, int64_t count) {
  if (failed(checkWindowEntries(op, "'window_strides'", op.getWindowStrides(),
                                count)) ||
      failed(checkWindowEntries(op, "'lhs_dilation'", op.getLhsDilation(),
                                count)) ||
      failed(checkWindowEntries(op, "'rhs_dilation'", op.getRhsDilation(),
                                count)) ||
      failed(checkWindowPadding(op, op.getPadding(), count)))
    return failure();
  if (auto flags = op.getWindowReversal();
      flags && static_cast<int64_t>(flags->size()) != count)
    return op.emitOpError() << "expects one entry of 'window_reversal' per "
                               "dimension, but got "
                            << flags->size() << " for rank " << count;
  SmallVector<WindowDim> window = getWindow(op);
  for (auto [i, dim] : llvm::enumerate(window))
    if (dim.size < 1)
      return op.emitOpError() << "expects a kernel of at least one element "
                                 "along window dimension "
                              << i << ", but got " << op.getRhs().getType();
  auto extents = llvm::map_to_vector(
      op.getDimensionNumbers().getInputSpatialDimensions(),
      [&](int64_t dim) { return op.getLhs().getType().getDimSize(dim); });
  return checkWindowOverflow(op, window, extents);
}

/// Groups divide what they split.
static LogicalResult checkGroups(ConvolutionOp op) {
  ConvDimensionNumbersAttr dims = op.getDimensionNumbers();
  auto features = static_cast<int64_t>(op.getFeatureGroupCount());
  auto batches = static_cast<int64_t>(op.getBatchGroupCount());
  if (features < 1 || batches < 1 || (features > 1 && batches > 1))
    return op.emitOpError()
           << "expects positive group counts, one of them 1, but got "
           << features << " groups of features and " << batches
           << " of the batch";
  RankedTensorType lhs = op.getLhs().getType(), rhs = op.getRhs().getType();
  int64_t given = lhs.getDimSize(dims.getInputFeatureDimension());
  int64_t taken = rhs.getDimSize(dims.getKernelInputFeatureDimension());
  if (given % features != 0 || given / features != taken)
    return op.emitOpError() << "expects a kernel that takes " << given << " / "
                            << features << " features, but got " << taken;
  int64_t made = rhs.getDimSize(dims.getKernelOutputFeatureDimension());
  if (made % features != 0 || made % batches != 0)
    return op.emitOpError()
           << "expects a kernel that gives a multiple of "
           << std::max(features, batches) << " features, but got " << made;
  int64_t batch = lhs.getDimSize(dims.getInputBatchDimension());
  if (batch % batches != 0)
    return op.emitOpError() << "expects a batch that is a multiple of "
                            << batches << ", but got " << batch;
  return success();
}

LogicalResult ConvolutionOp::verify() {
  ConvDimensionNumbersAttr dims = getDimensionNumbers();
  RankedTensorType lhs = getLhs().getType(), rhs = getRhs().getType();
  size_t count = dims.getInputSpatialDimensions().size();
  if (lhs.getElementType() != rhs.getElementType())
    return emitOpError() << "expects operands of one element type, but got "
                         << lhs.getElementType() << " and "
                         << rhs.getElementType();
  if (dims.getKernelSpatialDimensions().size() != count ||
      dims.getOutputSpatialDimensions().size() != count)
    return emitOpError() << "expects as many window dimensions of the kernel "
                            "and the result as of the input, "
                         << count;
  if (failed(checkRank(*this, "an input", lhs, count)) ||
      failed(checkRank(*this, "a kernel", rhs, count)) ||
      failed(checkWindow(*this, static_cast<int64_t>(count))) ||
      failed(checkGroups(*this)))
    return failure();
  if (getPrecisionConfig() && getPrecisionConfig()->size() != 2)
    return emitOpError() << "expects a precision for each of 2 operands, but "
                            "got "
                         << getPrecisionConfig()->size();

  SmallVector<int64_t> shape(count + 2);
  shape[dims.getOutputBatchDimension()] =
      lhs.getDimSize(dims.getInputBatchDimension()) /
      static_cast<int64_t>(getBatchGroupCount());
  shape[dims.getOutputFeatureDimension()] =
      rhs.getDimSize(dims.getKernelOutputFeatureDimension());
  for (auto [window, from, to] :
       llvm::zip_equal(getWindow(*this), dims.getInputSpatialDimensions(),
                       dims.getOutputSpatialDimensions()))
    shape[to] = window.getResultSize(lhs.getDimSize(from));
  if (auto expected = getType().clone(shape); expected != getType())
    return emitOpError() << "expects a result of type " << expected
                         << ", but got " << getType();
  if (isa<FloatType>(lhs.getElementType()) !=
      isa<FloatType>(getType().getElementType()))
    return emitOpError() << "expects floats of floats and integers of "
                            "integers, but got "
                         << getType().getElementType() << " of "
                         << lhs.getElementType();
  return success();
}
