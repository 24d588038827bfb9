//===- Matrices.h - Products of matrices by emulated warps ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TEST_CUDA_EMULATOR_MATRICES_H
#define BOOST_MLIR_TEST_CUDA_EMULATOR_MATRICES_H

#include <array>
#include <cstdint>

namespace boost_emu {

/// Operands of products, by the lanes of a warp. There are two sets, since a
/// lane may reach the next product while others still read those of this one.
struct WarpMatrices {
  using Matrix = std::array<std::array<float, 16>, 16>;
  struct Operands {
    Matrix a, b, c;
  };

  std::array<Operands, 2> operands;
  std::array<uint8_t, 32> numProducts = {}; ///< by lane, modulo 2
};

} // namespace boost_emu

extern "C" {
void boost_emu_wmma_load(uint32_t *words, const void *source, uint32_t stride,
                         uint32_t matrix, uint32_t isColumnMajor,
                         uint32_t type);
void boost_emu_wmma_store(uint32_t *words, void *destination, uint32_t stride,
                          uint32_t matrix, uint32_t isColumnMajor,
                          uint32_t type);
void boost_emu_wmma_mma(uint32_t *words, uint32_t type);
}

#endif // BOOST_MLIR_TEST_CUDA_EMULATOR_MATRICES_H
