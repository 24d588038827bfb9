//===- Factorize.cpp - boost_rt_factorize on the CPU ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread factorizes other matrices of the batch, by LAPACK and in scratch,
// where they are column-major.
//
//===----------------------------------------------------------------------===//

#include "boost-runtime/Factorization.h"

#include "common/Failure.h"
#include "cpu/Context.h"
#include "cpu/Lapack.h"

#include <cmath>
#include <limits>
#include <utility>

using namespace boost_rt;

namespace {

/// What is the same for all matrices of a call.
struct Shape {
  boost_rt_factorization kind;
  int64_t rows, columns, reflections;

  int64_t rank() const { return std::min(rows, columns); }
  bool isOfTriangle() const {
    return kind == BOOST_RT_CHOLESKY || kind == BOOST_RT_EIGH;
  }
  bool hasVectors() const {
    return kind == BOOST_RT_SVD || kind == BOOST_RT_FULL_SVD;
  }
  /// Columns of u and rows of v.
  int64_t left() const {
    return !hasVectors() ? 0 : kind == BOOST_RT_FULL_SVD ? rows : rank();
  }
  int64_t right() const {
    return !hasVectors() ? 0 : kind == BOOST_RT_FULL_SVD ? columns : rank();
  }
};

/// A number as LAPACK takes it.
struct Number {
  explicit Number(int64_t value) : value(static_cast<blasint>(value)) {}
  operator const blasint *() const { return &value; }
  blasint value;
};

/// The scratch of one thread.
template <typename T> struct Work {
  T *a, *vector, *u, *v, *work;
  blasint *integers;
  int64_t workSize, integersSize;
};

/// Factorizes one matrix after another, in one thread.
template <typename T> class Factorizer {
public:
  Factorizer(const Shape &shape, void *const *buffers)
      : shape(shape), buffers(buffers) {
    queryWork();
  }

  int64_t scratchBytes() const {
    using Stack = ScratchStack;
    return Stack::paddedBytes<T>(shape.rows * shape.columns) +
           Stack::paddedBytes<T>(shape.rank()) +
           Stack::paddedBytes<T>(shape.rows * shape.left()) +
           Stack::paddedBytes<T>(shape.right() * shape.columns) +
           Stack::paddedBytes<T>(work.workSize) +
           Stack::paddedBytes<blasint>(work.integersSize);
  }

  void useScratch(void *scratch) {
    ScratchStack stack(scratch);
    work.a = stack.take<T>(shape.rows * shape.columns);
    work.vector = stack.take<T>(shape.rank());
    work.u = stack.take<T>(shape.rows * shape.left());
    work.v = stack.take<T>(shape.right() * shape.columns);
    work.work = stack.take<T>(work.workSize);
    work.integers = stack.take<blasint>(work.integersSize);
  }

  void run(int64_t index) {
    if (!load(index) || call(work.workSize) != 0)
      fillWithNaN();
    else
      finish();
    store(index);
  }

private:
  /// Asks for the best sizes of work, which the values of matrices do not
  /// change.
  void queryWork() {
    T size = 0;
    blasint integers = 0;
    work = {nullptr, nullptr, nullptr, nullptr, &size, &integers, 0, 1};
    call(-1);
    work.workSize = std::max<int64_t>(1, static_cast<int64_t>(size));
    if (shape.kind == BOOST_RT_EIGH)
      work.integersSize = integers;
    else if (shape.kind >= BOOST_RT_SVD)
      work.integersSize = 8 * shape.rank();
  }

  /// Calls LAPACK on the matrix in scratch, or asks it for sizes; 0 if it
  /// succeeded.
  blasint call(int64_t workSize) {
    Number m(shape.rows), n(shape.columns), k(shape.reflections),
        size(workSize);
    Number right(std::max<int64_t>(1, shape.right()));
    Number integers(workSize < 0 ? -1 : work.integersSize);
    blasint info = 0;
    switch (shape.kind) {
    case BOOST_RT_CHOLESKY:
      if (workSize >= 0)
        Lapack<T>::potrf("L", n, work.a, n, &info, 1);
      break;
    case BOOST_RT_QR:
      Lapack<T>::geqrf(m, n, work.a, m, work.vector, work.work, size, &info);
      break;
    case BOOST_RT_QR_BASIS:
      Lapack<T>::orgqr(m, n, k, work.a, m, work.vector, work.work, size, &info);
      break;
    case BOOST_RT_EIGH:
      Lapack<T>::syevd("V", "L", n, work.a, n, work.vector, work.work, size,
                       work.integers, integers, &info, 1, 1);
      break;
    case BOOST_RT_SVD:
    case BOOST_RT_FULL_SVD:
    case BOOST_RT_SINGULAR_VALUES: {
      const char *mode = !shape.hasVectors()               ? "N"
                         : shape.kind == BOOST_RT_FULL_SVD ? "A"
                                                           : "S";
      Lapack<T>::gesdd(mode, m, n, work.a, m, work.vector, work.u, m, work.v,
                       right, work.work, size, work.integers, &info, 1);
      break;
    }
    }
    return info;
  }

  /// Loads a matrix; false if it has elements that are not finite.
  bool load(int64_t index) {
    const T *from = operand(0) + index * shape.rows * shape.columns;
    bool isFinite = true;
    for (int64_t i = 0; i < shape.rows; ++i)
      for (int64_t j = 0; j < shape.columns; ++j) {
        T element = from[i * shape.columns + j];
        work.a[j * shape.rows + i] = element;
        isFinite &= (shape.isOfTriangle() && j > i) || std::isfinite(element);
      }
    if (shape.kind == BOOST_RT_QR_BASIS) {
      const T *scales = operand(1) + index * shape.reflections;
      std::copy_n(scales, shape.reflections, work.vector);
      for (int64_t i = 0; i < shape.reflections; ++i)
        isFinite &= std::isfinite(scales[i]);
    }
    return isFinite;
  }

  void fillWithNaN() {
    constexpr T nan = std::numeric_limits<T>::quiet_NaN();
    std::fill_n(work.a, shape.rows * shape.columns, nan);
    std::fill_n(work.vector, shape.rank(), nan);
    std::fill_n(work.u, shape.rows * shape.left(), nan);
    std::fill_n(work.v, shape.right() * shape.columns, nan);
  }

  /// What LAPACK leaves open: the other triangle, and the signs of vectors.
  void finish() {
    if (shape.kind == BOOST_RT_CHOLESKY)
      for (int64_t j = 1; j < shape.columns; ++j)
        std::fill_n(work.a + j * shape.rows, j, T(0));
    if (shape.kind == BOOST_RT_EIGH)
      for (int64_t j = 0; j < shape.columns; ++j)
        if (isNegative(work.a + j * shape.rows, shape.rows, 1))
          negate(work.a + j * shape.rows, shape.rows, 1);
    if (shape.hasVectors())
      for (int64_t j = 0; j < std::max(shape.left(), shape.right()); ++j)
        turnPair(j);
  }

  /// A column of u and the row of v that belongs to it, if there are both.
  void turnPair(int64_t j) {
    T *column = work.u + j * shape.rows, *row = work.v + j;
    bool hasColumn = j < shape.left();
    if (hasColumn ? !isNegative(column, shape.rows, 1)
                  : !isNegative(row, shape.columns, shape.right()))
      return;
    if (hasColumn)
      negate(column, shape.rows, 1);
    if (j < shape.right())
      negate(row, shape.columns, shape.right());
  }

  /// Returns true if the sum of vector[i] * weight[i] is negative, where
  /// weight[i] is 1 plus the fractional part of i times the golden ratio.
  static bool isNegative(const T *vector, int64_t count, int64_t stride) {
    double sum = 0;
    for (int64_t i = 0; i < count; ++i) {
      double multiple = static_cast<double>(i) * 0.6180339887498949;
      sum += (1 + multiple - std::floor(multiple)) *
             static_cast<double>(vector[i * stride]);
    }
    return sum < 0;
  }

  static void negate(T *vector, int64_t count, int64_t stride) {
    for (int64_t i = 0; i < count; ++i)
      vector[i * stride] = -vector[i * stride];
  }

  void store(int64_t index) {
    switch (shape.kind) {
    case BOOST_RT_CHOLESKY:
    case BOOST_RT_QR_BASIS:
      return storeMatrix(work.a, shape.rows, shape.columns, 0, index);
    case BOOST_RT_QR:
    case BOOST_RT_EIGH:
      storeMatrix(work.a, shape.rows, shape.columns, 0, index);
      return storeVector(1, index);
    case BOOST_RT_SVD:
    case BOOST_RT_FULL_SVD:
      storeMatrix(work.u, shape.rows, shape.left(), 1, index);
      storeMatrix(work.v, shape.right(), shape.columns, 2, index);
      return storeVector(0, index);
    case BOOST_RT_SINGULAR_VALUES:
      return storeVector(0, index);
    }
  }

  void storeMatrix(const T *matrix, int64_t rows, int64_t columns, int number,
                   int64_t index) {
    T *to = result(number) + index * rows * columns;
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j)
        to[i * columns + j] = matrix[j * rows + i];
  }

  void storeVector(int number, int64_t index) {
    std::copy_n(work.vector, shape.rank(),
                result(number) + index * shape.rank());
  }

  const T *operand(int number) const {
    return static_cast<const T *>(buffers[number]);
  }
  T *result(int number) const {
    int operands = shape.kind == BOOST_RT_QR_BASIS ? 2 : 1;
    return static_cast<T *>(buffers[operands + number]);
  }

  Shape shape;
  void *const *buffers;
  Work<T> work;
};

} // namespace

template <typename T>
static void factorize(boost_rt_context &context, const Shape &shape,
                      void *const *buffers, int64_t batch) {
  // Each thread has its own, which has its own scratch.
  const Factorizer<T> first(shape, buffers);
  context.pool.forTasks(batch, [&](int64_t index, int thread) {
    Factorizer<T> factorizer = first;
    factorizer.useScratch(
        context.scratch.get(thread, factorizer.scratchBytes()));
    factorizer.run(index);
  });
}

extern "C" void boost_rt_factorize(boost_rt_context *context, int32_t kind,
                                   int32_t type, void *buffers, int64_t rows,
                                   int64_t columns, int64_t reflections,
                                   int64_t batch) {
  TimedCall timed(context->record.timer);
  Shape shape{static_cast<boost_rt_factorization>(kind), rows, columns,
              reflections};
  if (std::max(rows, columns) > std::numeric_limits<blasint>::max())
    abortProgram(concat("a factorization of ", rows, " x ", columns,
                        " is larger than LAPACK takes"));
  auto *pointers = static_cast<void *const *>(buffers);
  if (type == BOOST_RT_F64)
    factorize<double>(*context, shape, pointers, batch);
  else
    factorize<float>(*context, shape, pointers, batch);
}
