//===- Fragments.h - Fragments of emulated warps ------------------*- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TEST_CUDA_EMULATOR_FRAGMENTS_H
#define BOOST_MLIR_TEST_CUDA_EMULATOR_FRAGMENTS_H

#include <array>
#include <cstdint>

namespace boost_emu {

/// Operands that the lanes of a warp contribute to products and to loads of
/// matrices. There are two sets, since a lane may reach the next operation
/// while others still read the operands of this one.
struct WarpFragments {
  /// The operands of a product.
  struct Operands {
    float a[16][16], b[16][8];
  };
  /// A row of 8 numbers from each lane.
  using Rows = std::array<std::array<uint16_t, 8>, 32>;

  std::array<Operands, 2> operands;
  std::array<Rows, 2> rows;
  std::array<uint8_t, 32> numOperations = {}; ///< by lane, modulo 2

  /// The set of the operation that a lane comes to.
  unsigned next(uint32_t lane) {
    unsigned set = numOperations[lane];
    numOperations[lane] ^= 1;
    return set;
  }
};

} // namespace boost_emu

extern "C" {
void boost_emu_ldmatrix(uint32_t *words, uint32_t address, uint32_t count,
                        uint32_t isTransposed);
void boost_emu_mma(uint32_t *words, uint32_t type);
}

#endif // BOOST_MLIR_TEST_CUDA_EMULATOR_FRAGMENTS_H
