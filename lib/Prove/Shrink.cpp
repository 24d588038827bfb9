//===- Shrink.cpp - Smaller programs that fail alike ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Prove/Shrink.h"

using namespace mlir;
using namespace mlir::boost::prove;

namespace {
/// The smallest failing sequence so far.
class Shrinker {
public:
  Shrinker(const Choices &failing, const ShrinkLimits &limits,
           llvm::function_ref<bool(Choices &)> fails)
      : best(failing), limits(limits), fails(fails) {}

  Shrunk run();

private:
  std::chrono::duration<double> getTime() const {
    return std::chrono::steady_clock::now() - start;
  }
  bool hasReachedLimit() const {
    return attempts >= limits.attempts || getTime() >= limits.time;
  }
  bool keep(std::vector<uint32_t> sequence);
  bool removeSpans();
  bool removeChunks(size_t length);
  bool lowerChoices();

  Choices best;
  const ShrinkLimits limits;
  unsigned attempts = 0;
  const std::chrono::steady_clock::time_point start =
      std::chrono::steady_clock::now();
  llvm::function_ref<bool(Choices &)> fails;
};
} // namespace

/// Shorter is simpler; of one length, the smaller first difference is.
static bool isSimpler(const std::vector<uint32_t> &a,
                      const std::vector<uint32_t> &b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

/// Takes a sequence that fails and is simpler; whether it did.
bool Shrinker::keep(std::vector<uint32_t> sequence) {
  if (hasReachedLimit())
    return false;
  ++attempts;
  Choices candidate(std::move(sequence));
  if (!fails(candidate) || !isSimpler(candidate.getRecord(), best.getRecord()))
    return false;
  best = std::move(candidate);
  return true;
}

/// Leaves out whole operations, the last one first.
bool Shrinker::removeSpans() {
  bool changed = false;
  for (size_t i = best.getSpans().size(); i-- > 0;) {
    if (i >= best.getSpans().size())
      continue;
    Choices::Span span = best.getSpans()[i];
    std::vector<uint32_t> shorter = best.getRecord();
    shorter.erase(shorter.begin() + static_cast<ptrdiff_t>(span.begin),
                  shorter.begin() + static_cast<ptrdiff_t>(span.end));
    changed |= keep(std::move(shorter));
  }
  return changed;
}

bool Shrinker::removeChunks(size_t length) {
  bool changed = false;
  for (size_t begin = best.getRecord().size(); begin-- > 0;) {
    if (begin + length > best.getRecord().size())
      continue;
    std::vector<uint32_t> shorter = best.getRecord();
    auto first = shorter.begin() + static_cast<ptrdiff_t>(begin);
    shorter.erase(first, first + static_cast<ptrdiff_t>(length));
    changed |= keep(std::move(shorter));
  }
  return changed;
}

bool Shrinker::lowerChoices() {
  bool changed = false;
  for (size_t i = 0; i < best.getRecord().size(); ++i) {
    uint32_t value = best.getRecord()[i];
    for (uint32_t lower : {0u, value / 2, value - 1}) {
      if (i >= best.getRecord().size() || lower >= best.getRecord()[i])
        continue;
      std::vector<uint32_t> lowered = best.getRecord();
      lowered[i] = lower;
      if (keep(std::move(lowered))) {
        changed = true;
        break;
      }
    }
  }
  return changed;
}

Shrunk Shrinker::run() {
  bool changed = true;
  while (changed && !hasReachedLimit()) {
    changed = removeSpans();
    for (size_t length : {8, 4, 2, 1})
      changed |= removeChunks(length);
    changed |= lowerChoices();
  }
  return {best, attempts, getTime(), !changed && !hasReachedLimit()};
}

Shrunk mlir::boost::prove::shrink(const Choices &failing,
                                  const ShrinkLimits &limits,
                                  llvm::function_ref<bool(Choices &)> fails) {
  return Shrinker(failing, limits, fails).run();
}
