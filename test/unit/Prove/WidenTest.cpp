//===- WidenTest.cpp - Programs in f64 ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Widen.h"
#include "boost-mlir/Dialect/StableHLO/IR/CHLO.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::prove;

namespace {

class WidenTest : public ::testing::Test {
protected:
  WidenTest() : context(MLIRContext::Threading::DISABLED) {
    context.loadDialect<chlo::CHLODialect, func::FuncDialect,
                        boost::stablehlo::StableHLODialect>();
  }

  /// A function of an f32 and an i8 with this body.
  OwningOpRef<ModuleOp> parse(const Twine &body) {
    std::string text =
        ("func.func @f(%x: tensor<2xf32>, %n: tensor<2xi8>) {\n" + body +
         "\nreturn\n}")
            .str();
    auto module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    return module;
  }
  bool canWiden(const Twine &body) { return canWidenFloats(*parse(body)); }
  bool isNarrow(const Twine &body) { return hasNarrowFloats(*parse(body)); }

  MLIRContext context;
};

TEST_F(WidenTest, WhatDependsOnTheWidthStaysAsItIs) {
  EXPECT_TRUE(canWiden("%0 = stablehlo.tanh %x : tensor<2xf32>\n"
                       "%1 = stablehlo.constant dense<0.5> : tensor<2xf32>\n"
                       "%2 = stablehlo.constant dense<[1, 2]> : tensor<2xi8>"));
  EXPECT_FALSE(canWiden("%0 = chlo.erf %x : tensor<2xf32> -> tensor<2xf32>"));
  EXPECT_FALSE(canWiden("%0 = chlo.erfc %x : tensor<2xf32> -> tensor<2xf32>"));
  EXPECT_FALSE(canWiden("%0 = stablehlo.bitcast_convert %x : "
                        "(tensor<2xf32>) -> tensor<2xi32>"));
  EXPECT_FALSE(canWiden(
      "%0 = stablehlo.constant dense_resource<bytes> : tensor<2xf32>"));
}

TEST_F(WidenTest, EveryFloatBecomesOneOf64Bits) {
  auto module =
      parse("%0 = stablehlo.constant dense<[0.1, 2.5]> : tensor<2xf32>\n"
            "%1 = stablehlo.constant dense<[3, -4]> : tensor<2xi8>\n"
            "%2 = stablehlo.convert %n : (tensor<2xi8>) -> tensor<2xbf16>");
  widenFloats(*module);
  EXPECT_TRUE(succeeded(verify(*module)));
  auto function = *module->getOps<func::FuncOp>().begin();
  auto f64 = RankedTensorType::get({2}, Float64Type::get(&context));
  auto i8 = RankedTensorType::get({2}, IntegerType::get(&context, 8));
  EXPECT_EQ(function.getArgumentTypes(), (ArrayRef<Type>{f64, i8}));
  EXPECT_EQ(function.getArgument(0).getType(), f64);
  std::vector<Operation *> ops;
  for (Operation &op : function.getBody().front())
    ops.push_back(&op);
  // The number that the f32 was.
  auto numbers = cast<boost::stablehlo::ConstantOp>(ops[0]).getValue();
  auto values = cast<DenseElementsAttr>(numbers).getValues<double>();
  EXPECT_EQ(values[0], static_cast<double>(0.1f));
  EXPECT_EQ(values[1], 2.5);
  EXPECT_EQ(ops[0]->getResult(0).getType(), f64);
  EXPECT_EQ(ops[1]->getResult(0).getType(), i8);
  EXPECT_EQ(ops[2]->getResult(0).getType(), f64);
}

TEST_F(WidenTest, FloatsBelow32BitsAreNarrow) {
  auto convert = [&](StringRef type) {
    return isNarrow("%0 = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2x" +
                    type + ">");
  };
  for (StringRef type : {"bf16", "f16"})
    EXPECT_TRUE(convert(type)) << type.str();
  for (StringRef type : {"f32", "f64", "i8"})
    EXPECT_FALSE(convert(type)) << type.str();
  // An argument is one that nothing computes.
  EXPECT_TRUE(hasNarrowFloats(*parseSourceString<ModuleOp>(
      "func.func @f(%x: tensor<2xf32>, %w: tensor<bf16>) { return }",
      &context)));
}

} // namespace
