//===- BufferAddressTest.cpp - Where views of memory lie ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For every kind of view, the distance from its root and its bytes.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/BoostRT/Utils/BufferAddress.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::boost::rt;

namespace {

class BufferAddressTest : public testing::Test {
protected:
  BufferAddressTest() {
    context.loadDialect<arith::ArithDialect, func::FuncDialect,
                        memref::MemRefDialect>();
    context.allowUnregisteredDialects();
  }

  /// Returns the operand of the first "test.use" after `body`.
  Value parse(const std::string &body) {
    module =
        parseSourceString<ModuleOp>("func.func @f(%arena: memref<256xi8>, "
                                    "%x: memref<4x8xf32>, %at: index) {\n" +
                                        body + "\nreturn\n}",
                                    &context);
    if (!module)
      return {};
    Operation *use = nullptr;
    module->walk([&](Operation *op) {
      if (op->getName().getStringRef() == "test.use")
        use = op;
    });
    return use->getOperand(0);
  }

  Value getArgument(unsigned number) {
    return module->lookupSymbol<func::FuncOp>("f").getArgument(number);
  }

  void expectRange(const std::string &body, unsigned argument, int64_t bytes,
                   int64_t begin, int64_t end) {
    Value memref = parse(body);
    ASSERT_TRUE(memref);
    FailureOr<BufferAddress> address = resolveBufferAddress(memref);
    ASSERT_TRUE(succeeded(address));
    EXPECT_EQ(address->root, getArgument(argument));
    EXPECT_EQ(address->bytes, bytes);
    FailureOr<ByteRange> range = getByteRange(memref);
    ASSERT_TRUE(succeeded(range));
    EXPECT_EQ(range->root, getArgument(argument));
    EXPECT_EQ(range->begin, begin);
    EXPECT_EQ(range->end, end);
  }

  void expectUnknown(const std::string &body) {
    Value memref = parse(body);
    ASSERT_TRUE(memref);
    EXPECT_TRUE(failed(resolveBufferAddress(memref)));
    EXPECT_TRUE(failed(getByteRange(memref)));
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

} // namespace

TEST_F(BufferAddressTest, OfAnArgument) {
  expectRange(R"("test.use"(%x) : (memref<4x8xf32>) -> ())", 1, 0, 0, 128);
}

TEST_F(BufferAddressTest, OfAViewOfTheArena) {
  expectRange(R"(
    %c64 = arith.constant 64 : index
    %v = memref.view %arena[%c64][] : memref<256xi8> to memref<4xbf16>
    "test.use"(%v) : (memref<4xbf16>) -> ()
  )",
              0, 64, 64, 72);
}

TEST_F(BufferAddressTest, OfAViewOfAView) {
  expectRange(R"(
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %bytes = memref.view %arena[%c64][] : memref<256xi8> to memref<64xi8>
    %v = memref.view %bytes[%c16][] : memref<64xi8> to memref<4xf32>
    "test.use"(%v) : (memref<4xf32>) -> ()
  )",
              0, 80, 80, 96);
}

TEST_F(BufferAddressTest, OfPartsOfParts) {
  // Elements (1, 2) to (2, 5), and of these the second row.
  expectRange(R"(
    %s = memref.subview %x[1, 2][2, 4][1, 1]
        : memref<4x8xf32> to memref<2x4xf32, strided<[8, 1], offset: 10>>
    "test.use"(%s) : (memref<2x4xf32, strided<[8, 1], offset: 10>>) -> ()
  )",
              1, 40, 40, 88);
  expectRange(R"(
    %s = memref.subview %x[1, 2][2, 4][1, 1]
        : memref<4x8xf32> to memref<2x4xf32, strided<[8, 1], offset: 10>>
    %t = memref.subview %s[1, 0][1, 4][1, 1]
        : memref<2x4xf32, strided<[8, 1], offset: 10>>
          to memref<4xf32, strided<[1], offset: 18>>
    "test.use"(%t) : (memref<4xf32, strided<[1], offset: 18>>) -> ()
  )",
              1, 72, 72, 88);
}

TEST_F(BufferAddressTest, OfPartsOfAView) {
  expectRange(R"(
    %c64 = arith.constant 64 : index
    %v = memref.view %arena[%c64][] : memref<256xi8> to memref<8xf32>
    %s = memref.subview %v[2][3][2]
        : memref<8xf32> to memref<3xf32, strided<[2], offset: 2>>
    "test.use"(%s) : (memref<3xf32, strided<[2], offset: 2>>) -> ()
  )",
              0, 72, 72, 92);
}

TEST_F(BufferAddressTest, Backwards) {
  expectRange(R"(
    %r = memref.reinterpret_cast %x to offset: [31], sizes: [32], strides: [-1]
        : memref<4x8xf32> to memref<32xf32, strided<[-1], offset: 31>>
    "test.use"(%r) : (memref<32xf32, strided<[-1], offset: 31>>) -> ()
  )",
              1, 124, 0, 128);
  // The rows backwards, the columns not.
  expectRange(R"(
    %r = memref.reinterpret_cast %x to offset: [24], sizes: [3, 2],
        strides: [-8, 1]
        : memref<4x8xf32> to memref<3x2xf32, strided<[-8, 1], offset: 24>>
    "test.use"(%r) : (memref<3x2xf32, strided<[-8, 1], offset: 24>>) -> ()
  )",
              1, 96, 32, 104);
}

TEST_F(BufferAddressTest, OfOtherShapes) {
  expectRange(R"(
    %t = memref.transpose %x (i, j) -> (j, i)
        : memref<4x8xf32> to memref<8x4xf32, strided<[1, 8]>>
    "test.use"(%t) : (memref<8x4xf32, strided<[1, 8]>>) -> ()
  )",
              1, 0, 0, 128);
  expectRange(R"(
    %s = memref.subview %x[2, 0][2, 8][1, 1]
        : memref<4x8xf32> to memref<2x8xf32, strided<[8, 1], offset: 16>>
    %c = memref.collapse_shape %s [[0, 1]]
        : memref<2x8xf32, strided<[8, 1], offset: 16>>
          into memref<16xf32, strided<[1], offset: 16>>
    %e = memref.expand_shape %c [[0, 1]] output_shape [4, 4]
        : memref<16xf32, strided<[1], offset: 16>>
          into memref<4x4xf32, strided<[4, 1], offset: 16>>
    "test.use"(%e) : (memref<4x4xf32, strided<[4, 1], offset: 16>>) -> ()
  )",
              1, 64, 64, 128);
  expectRange(R"(
    %shape = memref.alloc() : memref<1xindex>
    %r = memref.reshape %x(%shape)
        : (memref<4x8xf32>, memref<1xindex>) -> memref<32xf32>
    "test.use"(%r) : (memref<32xf32>) -> ()
  )",
              1, 0, 0, 128);
}

TEST_F(BufferAddressTest, OfNewMemory) {
  Value memref = parse(R"(
    %new = memref.alloc() : memref<4xf32>
    "test.use"(%new) : (memref<4xf32>) -> ()
  )");
  FailureOr<BufferAddress> address = resolveBufferAddress(memref);
  ASSERT_TRUE(succeeded(address));
  EXPECT_EQ(address->root, memref);
  EXPECT_EQ(address->bytes, 0);
}

TEST_F(BufferAddressTest, IsNotKnown) {
  expectUnknown(R"(
    %v = memref.view %arena[%at][] : memref<256xi8> to memref<4xf32>
    "test.use"(%v) : (memref<4xf32>) -> ()
  )");
  // A part at a place that is not known, and one of that part.
  expectUnknown(R"(
    %s = memref.subview %x[%at, 0][1, 8][1, 1]
        : memref<4x8xf32> to memref<8xf32, strided<[1], offset: ?>>
    "test.use"(%s) : (memref<8xf32, strided<[1], offset: ?>>) -> ()
  )");
  expectUnknown(R"(
    %s = memref.subview %x[%at, 0][1, 8][1, 1]
        : memref<4x8xf32> to memref<8xf32, strided<[1], offset: ?>>
    %c = memref.cast %s : memref<8xf32, strided<[1], offset: ?>>
        to memref<8xf32>
    "test.use"(%c) : (memref<8xf32>) -> ()
  )");
  // It could be anywhere.
  expectUnknown(R"(
    %c = memref.memory_space_cast %x : memref<4x8xf32> to memref<4x8xf32, 1>
    "test.use"(%c) : (memref<4x8xf32, 1>) -> ()
  )");
}

TEST_F(BufferAddressTest, BeginsButDoesNotEndSomewhere) {
  Value memref = parse(R"(
    %new = memref.alloc(%at) : memref<?xf32>
    "test.use"(%new) : (memref<?xf32>) -> ()
  )");
  EXPECT_TRUE(succeeded(resolveBufferAddress(memref)));
  EXPECT_TRUE(failed(getByteRange(memref)));
}

TEST_F(BufferAddressTest, RangesOverlap) {
  ASSERT_TRUE(parse(R"("test.use"(%x) : (memref<4x8xf32>) -> ())"));
  ByteRange range{getArgument(0), 16, 32};
  auto overlaps = [&](unsigned argument, int64_t begin, int64_t end) {
    ByteRange other{getArgument(argument), begin, end};
    EXPECT_EQ(range.overlaps(other), other.overlaps(range));
    return range.overlaps(other);
  };
  EXPECT_TRUE(overlaps(0, 16, 32));
  EXPECT_TRUE(overlaps(0, 20, 24));
  EXPECT_TRUE(overlaps(0, 0, 17));
  EXPECT_TRUE(overlaps(0, 31, 64));
  EXPECT_FALSE(overlaps(0, 0, 16));
  EXPECT_FALSE(overlaps(0, 32, 64));
  EXPECT_FALSE(overlaps(1, 16, 32));
}
