//===- Fragments.cuh - Matrices in the registers of a warp ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mma.sync.m16n8k16 of 16-bit floats with sums in f32, and what brings its
// operands: ldmatrix and cp.async. The PTX ISA defines which numbers of a
// matrix a lane holds; it is the same on every GPU since sm_80.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_CUDA_KERNELS_FRAGMENTS_CUH
#define BOOST_RUNTIME_CUDA_KERNELS_FRAGMENTS_CUH

#include "Types.cuh"

namespace boost_rt {

/// The rows and columns of a left operand, and the columns of a right operand
/// and of sums.
constexpr int kFragment = 16, kFragmentColumns = 8;

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// A lane's part of a left operand, of 16 x 16 numbers.
struct LeftFragment {
  uint32_t words[4];
};

/// A lane's part of a right operand, of 16 x 8 numbers.
struct RightFragment {
  uint32_t words[2];
};

/// A lane's part of 16 x 8 sums. Numbers 0 and 1 are in one row, and numbers 2
/// and 3 are 8 rows below.
struct SumFragment {
  float values[4];

  __device__ static int getRow(int i) {
    return threadIdx.x % kWarp / 4 + i / 2 * 8;
  }
  __device__ static int getColumn(int i) { return threadIdx.x % 4 * 2 + i % 2; }
};

#define BOOST_MULTIPLY(TYPE)                                                   \
  asm("mma.sync.aligned.m16n8k16.row.col.f32." TYPE "." TYPE ".f32 "           \
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"        \
      : "+f"(sums.values[0]), "+f"(sums.values[1]), "+f"(sums.values[2]),      \
        "+f"(sums.values[3])                                                   \
      : "r"(left.words[0]), "r"(left.words[1]), "r"(left.words[2]),            \
        "r"(left.words[3]), "r"(right.words[0]), "r"(right.words[1]))

/// Computes sums += left right for numbers of type T.
template <typename T>
__device__ inline void multiply(SumFragment &sums, const LeftFragment &left,
                                const RightFragment &right);
template <>
__device__ inline void multiply<__bf16>(SumFragment &sums,
                                        const LeftFragment &left,
                                        const RightFragment &right) {
  BOOST_MULTIPLY("bf16");
}
template <>
__device__ inline void multiply<_Float16>(SumFragment &sums,
                                          const LeftFragment &left,
                                          const RightFragment &right) {
  BOOST_MULTIPLY("f16");
}
#undef BOOST_MULTIPLY

/// Returns two numbers rounded to 16 bits, the first in the lower half.
template <typename T>
__device__ inline uint32_t roundPair(float first, float second) {
  return __builtin_bit_cast(uint32_t, Vector<T, 2>{T(first), T(second)});
}

/// Returns two neighbors among sums as a left operand. Lanes hold the same
/// numbers in both.
template <typename T>
__device__ inline LeftFragment roundToLeft(const SumFragment &first,
                                           const SumFragment &second) {
  const float *a = first.values, *b = second.values;
  return {{roundPair<T>(a[0], a[1]), roundPair<T>(a[2], a[3]),
           roundPair<T>(b[0], b[1]), roundPair<T>(b[2], b[3])}};
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

__device__ inline uint32_t getSharedAddress(const void *pointer) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}

/// Loads four matrices of 8 x 8 numbers; lane i has the address of row i of all
/// of them.
__device__ inline void loadMatrices(uint32_t (&words)[4], uint32_t address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 "
               "{%0, %1, %2, %3}, [%4];"
               : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
               : "r"(address)
               : "memory");
}
__device__ inline void loadTransposedMatrices(uint32_t (&words)[4],
                                              uint32_t address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 "
               "{%0, %1, %2, %3}, [%4];"
               : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
               : "r"(address)
               : "memory");
}

#define BOOST_SHARED(POINTER)                                                  \
  ((__attribute__((address_space(3))) void *)(POINTER))
#define BOOST_GLOBAL(POINTER)                                                  \
  ((const __attribute__((address_space(1))) void *)(POINTER))

/// Begins to copy 16 bytes to shared memory, or zeros if they are not present.
__device__ inline void copyWords(void *to, const void *from, bool isPresent) {
  __nvvm_cp_async_cg_shared_global_16(BOOST_SHARED(to), BOOST_GLOBAL(from),
                                      isPresent ? 16 : 0);
}
#undef BOOST_SHARED
#undef BOOST_GLOBAL

/// Waits until all threads see what all threads have begun to copy.
__device__ __forceinline__ void waitForCopies() {
  __nvvm_cp_async_wait_all();
  __syncthreads();
}

//===----------------------------------------------------------------------===//
// Rows in shared memory
//===----------------------------------------------------------------------===//

/// Pieces of 16 bytes of rows of 16-bit floats. Those of a row change places
/// with each other, so that the same piece of 8 rows one after the other is in
/// different banks.
template <int columns> struct Pieces {
  static_assert(columns % kFragment == 0);
  static constexpr int count = columns * 2 / 16, rowBytes = columns * 2;
  /// The number of pieces that change places with each other.
  static constexpr int group = count % 8 == 0 ? 8 : count % 4 == 0 ? 4 : 2;

  /// Returns the place of the first piece of a row. The place of another piece
  /// is its exclusive or with this one.
  __device__ static unsigned getFirst(unsigned row) {
    return row / (8 / group) % group;
  }
  __device__ static unsigned getOffset(unsigned row, unsigned piece) {
    return row * rowBytes + (piece ^ getFirst(row)) * 16;
  }
};

/// The order of the four matrices of 8 x 8 numbers that ldmatrix loads: the
/// second one is below the first one or beside it.
enum class MatrixOrder { Below, Beside };

/// Reads 16 rows, from a multiple of 16, and 16 columns, which are a part, at a
/// time. A lane keeps two registers for all of them.
template <int columns, MatrixOrder order> class FragmentReader {
public:
  __device__ explicit FragmentReader(const unsigned char *data) {
    unsigned lane = opaque(threadIdx.x % kWarp), matrix = lane / 8;
    bool isBelow = order == MatrixOrder::Below;
    unsigned row = lane % 8 + (isBelow ? matrix % 2 : matrix / 2) * 8;
    unsigned half = isBelow ? matrix / 2 : matrix % 2;
    address = getSharedAddress(data) + row * Pieces<columns>::rowBytes;
    place = (half ^ Pieces<columns>::getFirst(row)) * 16;
  }

  __device__ LeftFragment loadLeft(int row, int part) const {
    static_assert(order == MatrixOrder::Below);
    LeftFragment left;
    loadMatrices(left.words, getAddress(row, part));
    return left;
  }

  /// Loads the transpose: 16 rows are the columns of two right operands.
  __device__ void loadRight(RightFragment (&right)[2], int row,
                            int part) const {
    static_assert(order == MatrixOrder::Beside);
    uint32_t words[4];
    loadMatrices(words, getAddress(row, part));
    split(right, words);
  }

  /// Loads two right operands that are side by side.
  __device__ void loadPlainRight(RightFragment (&right)[2], int row,
                                 int part) const {
    static_assert(order == MatrixOrder::Below);
    uint32_t words[4];
    loadTransposedMatrices(words, getAddress(row, part));
    split(right, words);
  }

private:
  __device__ uint32_t getAddress(int row, int part) const {
    return address + (place ^ part * 32) + row * Pieces<columns>::rowBytes;
  }

  __device__ static void split(RightFragment (&right)[2],
                               const uint32_t (&words)[4]) {
    right[0] = {{words[0], words[1]}};
    right[1] = {{words[2], words[3]}};
  }

  uint32_t address, place;
};

/// Rows of 16-bit floats, `columns` of each.
template <typename T, int columns> class SharedRows {
public:
  using Piece = Pieces<columns>;
  static constexpr int bytes(int rows) { return rows * Piece::rowBytes; }

  __device__ explicit SharedRows(unsigned char *data) : data(data) {}

  /// Begins to copy `rows` rows from `first`. Rows and columns that do not
  /// exist become zeros. All threads of the block take part.
  template <int rows, int threads, typename From>
  __device__ __forceinline__ void copy(const From &from, int64_t first,
                                       int64_t width) const {
    constexpr int together = threads / Piece::count;
    int row = threadIdx.x / Piece::count, piece = threadIdx.x % Piece::count;
    if (row >= together)
      return;
    int64_t stride = opaque(from.stride);
    const T *source = from.data + (first + row) * stride + piece * kPack<T>;
    bool isColumn = piece * kPack<T> < width;
    int64_t present = from.rows - first;
#pragma unroll
    for (int i = 0; i < (rows + together - 1) / together; ++i) {
      bool isPresent = isColumn && row < present;
      if (rows % together == 0 || row < rows)
        copyWords(data + Piece::getOffset(row, piece),
                  isPresent ? source : from.data, isPresent);
      source += together * stride;
      row += together;
    }
  }

  template <MatrixOrder order>
  __device__ FragmentReader<columns, order> read() const {
    return FragmentReader<columns, order>(data);
  }

  /// Puts sums times `factors` of their rows, rounded. The warp owns the rows.
  template <int tiles>
  __device__ void put(const SumFragment (&sums)[tiles],
                      const float (&factors)[2], int row) const {
#pragma unroll
    for (int j = 0; j < tiles; ++j)
#pragma unroll
      for (int i = 0; i < 4; i += 2) {
        float factor = factors[i / 2];
        uint32_t pair = roundPair<T>(sums[j].values[i] * factor,
                                     sums[j].values[i + 1] * factor);
        *reinterpret_cast<uint32_t *>(
            data + Piece::getOffset(row + SumFragment::getRow(i), j) +
            SumFragment::getColumn(i) * 2) = pair;
      }
  }

  /// Writes the 16 rows of a warp to the rows from `first` that exist.
  template <typename To>
  __device__ void store(const To &to, int row, int64_t first,
                        int64_t width) const {
#pragma unroll
    for (int i = threadIdx.x % kWarp; i < kFragment * Piece::count;
         i += kWarp) {
      int piece = i % Piece::count;
      int64_t target = first + i / Piece::count;
      if (target < to.rows && piece * kPack<T> < width)
        *reinterpret_cast<Words *>(to.data + target * to.stride +
                                   piece * kPack<T>) =
            *reinterpret_cast<const Words *>(
                data + Piece::getOffset(row + i / Piece::count, piece));
    }
  }

private:
  unsigned char *data;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_CUDA_KERNELS_FRAGMENTS_CUH
