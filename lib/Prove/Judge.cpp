//===- Judge.cpp - Are two results the same? ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Judge.h"

#include "llvm/Support/Format.h"

using namespace mlir;
using namespace mlir::boost::prove;
using namespace mlir::boost::reference;

/// The number of evaluations with disturbed operations, and the factor by which
/// a result may exceed the worst of them. A result that follows a normal
/// distribution is beyond with a probability below 1e-9.
static constexpr unsigned kSamples = 4;
static constexpr double kSafety = 6;

/// The inputs in the float types of the function: a pass may have changed them.
/// Their values are those before.
static NamedTensors getTypedInputs(const NamedTensors &inputs,
                                   const Program &program) {
  NamedTensors typed = inputs;
  for (const NamedType &argument : program.arguments()) {
    auto input = typed.find(argument.name);
    if (input != typed.end() && input->second.isFloat() &&
        isa<FloatType>(argument.type.getElementType()))
      input->second.type = argument.type;
  }
  return typed;
}

FailureOr<Evaluation>
mlir::boost::prove::evaluateFunction(ModuleOp module, StringRef name,
                                     const NamedTensors &inputs,
                                     const Precision &precision) {
  FailureOr<Program> program = Program::create(module, name);
  if (failed(program))
    return failure();
  // Copies are disturbed alike, but not what ranks compute differently.
  double agreement = precision.noise == 0 ? kReassociationBound : INFINITY;
  FailureOr<NamedTensors> results =
      program->run(getTypedInputs(inputs, *program), precision, agreement);
  if (failed(results))
    return failure();
  return Evaluation{SmallVector<NamedType>(program->results()),
                    std::move(*results)};
}

std::string mlir::boost::prove::describeMismatch(const NamedType &result,
                                                 const Difference &difference,
                                                 const Tensor &before,
                                                 const Tensor &after,
                                                 double allowed) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << result.name
     << describeElement(result.type.getShape(), difference.element) << ": "
     << before.spell(difference.element) << " before, "
     << after.spell(difference.element) << " after; relative difference "
     << llvm::format("%.3g", difference.relative()) << ", allowed "
     << llvm::format("%.3g", allowed);
  return text;
}

/// Returns the largest distance of a result from the undisturbed one when every
/// operation is off by the bound of the pass.
double Judge::getConditionedBound(StringRef result) {
  while (disturbed.size() < kSamples) {
    Precision precision;
    precision.noise = arithmetic.bound;
    precision.seed = disturbed.size();
    FailureOr<Evaluation> sample = reevaluate(precision);
    if (failed(sample))
      return 0;
    disturbed.push_back(std::move(*sample));
  }
  double largest = 0;
  for (const Evaluation &sample : disturbed)
    largest = std::max(largest,
                       compareTensors(before[result], sample[result]).absolute);
  return kSafety * largest;
}

std::string Judge::compare(const NamedType &result, const Tensor &other) {
  const Tensor &expected = before[result.name];
  std::string text;
  llvm::raw_string_ostream os(text);
  if (expected.shape() != other.shape()) {
    os << result.name << ": of type " << expected.type << " before, "
       << other.type << " after";
    return text;
  }
  Difference difference = compareTensors(expected, other);
  if (difference.isEqual)
    return "";
  // Integers are exact, unless they are made from floats.
  double allowed = expected.isFloat() ? arithmetic.bound : 0;
  if (difference.relative() <= allowed)
    return "";
  if (arithmetic.bound > 0)
    allowed += getConditionedBound(result.name) / difference.scale;
  if (difference.relative() <= allowed)
    return "";
  return describeMismatch(result, difference, expected, other, allowed);
}

std::string Judge::findMismatch() {
  for (auto [i, result] : llvm::enumerate(before.order)) {
    // A pass may give a name to a result that had none.
    auto other = after.results.find(result.name);
    if (other == after.results.end() &&
        before.order.size() == after.order.size())
      other = after.results.find(after.order[i].name);
    if (other == after.results.end())
      return "result '" + result.name + "' is lost";
    if (std::string text = compare(result, other->second); !text.empty())
      return text;
  }
  return "";
}
