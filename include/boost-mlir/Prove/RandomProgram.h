//===- RandomProgram.h - Random losses --------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program is a function of a sequence of choices. The choices are drawn from
// a seed, or given: a sequence with some of them left out or made smaller gives
// a smaller program, which is how failures shrink.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_PROVE_RANDOMPROGRAM_H
#define BOOST_MLIR_PROVE_RANDOMPROGRAM_H

#include "boost-mlir/Dialect/Boost/IR/Mesh.h"
#include "boost-mlir/Dialect/Boost/Transforms/Options.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <random>
#include <string>
#include <vector>

namespace mlir::boost::prove {

/// The source of a program's choices. Zero is always the simplest choice.
class Choices {
public:
  /// Part of the sequence that one operation was made from.
  struct Span {
    size_t begin, end;
  };

  /// Choices drawn from a seed, the same on every machine.
  explicit Choices(uint64_t seed) : engine(seed), isDrawn(true) {}
  /// The given choices, and zeros after them.
  explicit Choices(std::vector<uint32_t> given) : given(std::move(given)) {}

  /// A number below `count`.
  uint32_t below(uint32_t count);
  /// True once in `count` times.
  bool oneIn(uint32_t count) { return below(count) == count - 1; }

  void beginSpan() { open.push_back(record.size()); }
  void endSpan() {
    spans.push_back({open.back(), record.size()}), open.pop_back();
  }

  const std::vector<uint32_t> &getRecord() const { return record; }
  const std::vector<Span> &getSpans() const { return spans; }

private:
  std::mt19937_64 engine;
  bool isDrawn = false;
  std::vector<uint32_t> given, record;
  std::vector<size_t> open;
  std::vector<Span> spans;
};

/// A loss with a mesh; its arguments say how they are sharded over it.
struct RandomProgram {
  OwningOpRef<ModuleOp> module;
  Mesh mesh;
  /// Rewrites to leave out, and what to recompute: `--disable-pass`, `--remat`.
  std::vector<std::string> disabledPasses;
  RematKind remat = RematKind::None;
};

/// The program of a sequence of choices. Values stay of moderate size and away
/// from poles, so that results are well conditioned.
RandomProgram makeRandomProgram(MLIRContext *context, Choices &choices);

} // namespace mlir::boost::prove

#endif // BOOST_MLIR_PROVE_RANDOMPROGRAM_H
