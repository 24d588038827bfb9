//===- Gemm.cpp - boost_rt_gemm on the CPU --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// f32 and f64 go to BLAS as they are. Other types are converted tile by tile
// into scratch of a fixed size and accumulate in f32, on top of what C holds if
// the product is added to it.
//
//===----------------------------------------------------------------------===//

#include "common/ElementType.h"
#include "common/Failure.h"
#include "cpu/Blas.h"
#include "cpu/Context.h"

#include <limits>

using namespace boost_rt;

namespace {
struct Operand {
  const char *data;
  ElementType type;
  bool transpose;
  int64_t ld, stride;

  /// Address of element (row, column) of matrix `batch` as it is stored.
  const char *at(int64_t batch, int64_t row, int64_t column) const {
    return data + (batch * stride + row * ld + column) * sizeOf(type);
  }
  /// Address of the element (row, column) of op(X).
  const char *opAt(int64_t batch, int64_t row, int64_t column) const {
    return transpose ? at(batch, column, row) : at(batch, row, column);
  }
};

struct Product {
  int64_t m, n, k, batch;
  Operand a, b, c;
  bool accumulate;

  char *result(int64_t batch, int64_t row, int64_t column) const {
    return const_cast<char *>(c.at(batch, row, column));
  }
};

/// A part of the result: rows and columns of one matrix of the batch.
struct Part {
  int64_t batch, rowBegin, rowEnd, columnBegin, columnEnd;
};
} // namespace

/// Tile sizes of the converting path: the B tile and the accumulators stay in
/// the second-level cache.
static constexpr int64_t tileM = 128, tileN = 512, tileK = 256;

/// Products with fewer multiplications than this run on the calling thread.
static constexpr int64_t serialWork = int64_t(64) * 64 * 64;

template <typename Compute>
static void multiplyDirect(const Product &p, const Part &part) {
  blasGemm(
      p.a.transpose, p.b.transpose, part.rowEnd - part.rowBegin,
      part.columnEnd - part.columnBegin, p.k, Compute(1),
      reinterpret_cast<const Compute *>(p.a.opAt(part.batch, part.rowBegin, 0)),
      p.a.ld,
      reinterpret_cast<const Compute *>(
          p.b.opAt(part.batch, 0, part.columnBegin)),
      p.b.ld, Compute(p.accumulate ? 1 : 0),
      reinterpret_cast<Compute *>(
          p.result(part.batch, part.rowBegin, part.columnBegin)),
      p.c.ld);
}

/// Copies the tile of op(X) at (row, column) in stored orientation; returns
/// its leading dimension.
template <typename Compute>
static int64_t loadTile(const Operand &x, int64_t batch, int64_t row,
                        int64_t column, int64_t rows, int64_t columns,
                        Compute *tile) {
  constexpr ElementType computeType =
      std::is_same_v<Compute, double> ? BOOST_RT_F64 : BOOST_RT_F32;
  if (x.transpose)
    std::swap(rows, columns);
  const char *src = x.opAt(batch, row, column);
  for (int64_t i = 0; i < rows; ++i)
    convertElements(x.type, src + i * x.ld * sizeOf(x.type), computeType,
                    tile + i * columns, columns);
  return columns;
}

/// Reads the tile of C at (row, column) into acc, where a product is added to
/// it, or zeroes acc.
template <typename Compute>
static void beginTile(const Product &p, int64_t batch, int64_t row,
                      int64_t column, int64_t rows, int64_t columns,
                      Compute *acc) {
  if (p.accumulate)
    loadTile(p.c, batch, row, column, rows, columns, acc);
  else
    std::fill_n(acc, rows * columns, Compute(0));
}

/// Writes acc to the tile of C at (row, column).
template <typename Compute>
static void storeTile(const Product &p, int64_t batch, int64_t row,
                      int64_t column, int64_t rows, int64_t columns,
                      const Compute *acc) {
  constexpr ElementType computeType =
      std::is_same_v<Compute, double> ? BOOST_RT_F64 : BOOST_RT_F32;
  for (int64_t i = 0; i < rows; ++i) {
    char *dst = p.result(batch, row + i, column);
    convertElements(computeType, acc + i * columns, p.c.type, dst, columns);
  }
}

template <typename Compute>
static void multiplyConverted(const Product &p, const Part &part,
                              void *scratch) {
  ScratchStack stack(scratch);
  Compute *a = stack.take<Compute>(tileM * tileK);
  Compute *b = stack.take<Compute>(tileK * tileN);
  Compute *acc = stack.take<Compute>(tileM * tileN);
  for (int64_t j = part.columnBegin; j < part.columnEnd; j += tileN) {
    int64_t columns = std::min(tileN, part.columnEnd - j);
    for (int64_t i = part.rowBegin; i < part.rowEnd; i += tileM) {
      int64_t rows = std::min(tileM, part.rowEnd - i);
      beginTile(p, part.batch, i, j, rows, columns, acc);
      for (int64_t l = 0; l < p.k; l += tileK) {
        int64_t depth = std::min(tileK, p.k - l);
        int64_t lda = loadTile(p.a, part.batch, i, l, rows, depth, a);
        int64_t ldb = loadTile(p.b, part.batch, l, j, depth, columns, b);
        blasGemm(p.a.transpose, p.b.transpose, rows, columns, depth, Compute(1),
                 a, lda, b, ldb, Compute(1), acc, columns);
      }
      storeTile(p, part.batch, i, j, rows, columns, acc);
    }
  }
}

static void multiply(boost_rt_context &context, const Product &p,
                     const Part &part, int thread) {
  ElementType type = p.a.type;
  if (type == p.c.type && type == BOOST_RT_F32)
    return multiplyDirect<float>(p, part);
  if (type == p.c.type && type == BOOST_RT_F64)
    return multiplyDirect<double>(p, part);
  bool wide = type == BOOST_RT_F64;
  int64_t elements = tileM * tileK + tileK * tileN + tileM * tileN;
  void *scratch = context.scratch.get(
      thread, elements * (wide ? sizeof(double) : sizeof(float)));
  if (wide)
    multiplyConverted<double>(p, part, scratch);
  else
    multiplyConverted<float>(p, part, scratch);
}

static void checkExtents(const Product &p) {
  int64_t largest = std::max({p.m, p.n, p.k, p.a.ld, p.b.ld, p.c.ld});
  if (largest > std::numeric_limits<blasint>::max())
    abortProgram(concat("a matrix product of ", p.m, " x ", p.k, " x ", p.n,
                        " is larger than BLAS takes; use a smaller batch"));
}

extern "C" void boost_rt_gemm(boost_rt_context *context, int32_t inputType,
                              int32_t outputType, int32_t transposeA,
                              int32_t transposeB, int64_t m, int64_t n,
                              int64_t k, void *a, int64_t lda, int64_t strideA,
                              void *b, int64_t ldb, int64_t strideB, void *c,
                              int64_t ldc, int64_t strideC, int64_t batch,
                              int32_t accumulate) {
  TimedCall timed(context->record.timer);
  auto input = static_cast<ElementType>(inputType);
  auto output = static_cast<ElementType>(outputType);
  Product p{m,
            n,
            k,
            batch,
            {static_cast<char *>(a), input, transposeA != 0, lda, strideA},
            {static_cast<char *>(b), input, transposeB != 0, ldb, strideB},
            {static_cast<char *>(c), output, false, ldc, strideC},
            accumulate != 0};
  checkExtents(p);
  int64_t work = p.batch * p.m * p.n * std::max<int64_t>(1, p.k);
  ThreadPool &pool = context->pool;
  if (p.batch == 1 && p.n > p.m) {
    pool.forRange(p.n, work < serialWork ? std::max<int64_t>(p.n, 1) : 16,
                  [&](int64_t begin, int64_t end, int thread) {
                    multiply(*context, p, {0, 0, p.m, begin, end}, thread);
                  });
    return;
  }
  int64_t rows = p.batch * p.m;
  int64_t grain = p.batch > 1 ? 1 : 8;
  pool.forRange(rows, work < serialWork ? std::max<int64_t>(rows, 1) : grain,
                [&](int64_t begin, int64_t end, int thread) {
                  while (begin < end) {
                    int64_t index = begin / p.m, row = begin % p.m;
                    int64_t rowEnd = std::min(p.m, row + end - begin);
                    multiply(*context, p, {index, row, rowEnd, 0, p.n}, thread);
                    begin += rowEnd - row;
                  }
                });
}
