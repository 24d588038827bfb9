//===- ArenaState.cpp - What the arena holds, call by call ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers are intervals of the arena; what was written of a buffer is a short
// list of patterns. Both are looked up in logarithmic or constant time.
//
//===----------------------------------------------------------------------===//

#include "ArenaState.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::boost::rt;

LogicalResult ArenaState::enter(Operation *function) {
  Builder builder(function->getContext());
  for (auto [number, buffer] : llvm::enumerate(buffers)) {
    if (!buffer.plan.isArgument)
      continue;
    if (failed(takeMemory(function, number)))
      return failure();
    auto number64 = static_cast<int64_t>(number);
    buffer.pieces.push_back({buffer.plan.getBytes(),
                             builder.getDenseI64ArrayAttr({number64}),
                             nullptr});
  }
  return success();
}

LogicalResult ArenaState::takeMemory(Operation *op, int64_t number) {
  Buffer &buffer = buffers[number];
  if (buffer.hasMemory || buffer.plan.bytes == 0)
    return success();
  int64_t begin = buffer.plan.getBegin(), end = buffer.plan.getEnd();
  auto it = owners.lower_bound(begin);
  if (it != owners.begin()) {
    auto previous = std::prev(it);
    if (buffers[previous->second].plan.getEnd() > begin)
      it = previous;
  }
  while (it != owners.end() && it->first < end) {
    Buffer &owner = buffers[it->second];
    if (owner.plan.isArgument)
      return op->emitOpError()
             << "expects buffer " << number
             << " to share no memory with the arguments, but it overlaps "
                "argument "
             << it->second;
    owner.hasMemory = false;
    owner.takenOverBy = op;
    owner.pieces.clear();
    owner.areDisjoint = true;
    it = owners.erase(it);
  }
  owners[begin] = number;
  buffer.hasMemory = true;
  return success();
}

static void print(Diagnostic &diag, DenseI64ArrayAttr values) {
  diag << "[";
  llvm::interleaveComma(values.asArrayRef(), diag);
  diag << "]";
}

/// Returns true if a piece holds no other values than these. All calls of a
/// function have a record, or none has.
static bool holdsOnly(DenseI64ArrayAttr held, DenseI64ArrayAttr values) {
  if (!values)
    return true;
  ArrayRef<int64_t> expected = values, found = held;
  return std::includes(expected.begin(), expected.end(), found.begin(),
                       found.end());
}

LogicalResult ArenaState::refuseValues(Operation *op, const Twine &what,
                                       int64_t buffer, const Piece &piece,
                                       DenseI64ArrayAttr values) {
  InFlightDiagnostic diag = op->emitOpError();
  diag << "expects " << what << " to be of the values ";
  print(*diag.getUnderlyingDiagnostic(), values);
  diag << ", but buffer " << buffer << " holds ";
  print(*diag.getUnderlyingDiagnostic(), piece.values);
  if (piece.writer)
    diag.attachNote(piece.writer->getLoc()) << "which was written here";
  return diag;
}

/// Returns true if the runs of the pieces cover all of `bytes`.
static bool coverRuns(ArrayRef<AccessPattern::Interval> runs,
                      const AccessPattern &bytes) {
  std::vector<AccessPattern::Interval> sorted(runs.begin(), runs.end());
  llvm::sort(sorted);
  auto run = sorted.begin();
  int64_t covered = 0;
  for (auto [from, to] : bytes.getIntervals()) {
    covered = std::max(covered, from);
    // Runs of pieces may overlap: the one before may reach further.
    while (run != sorted.end() && run->first <= covered)
      covered = std::max(covered, (run++)->second);
    if (covered < to)
      return false;
  }
  return true;
}

bool ArenaState::areCovered(const Buffer &buffer,
                            ArrayRef<const Piece *> pieces,
                            const AccessPattern &bytes) {
  int64_t inside = 0;
  bool areParts = buffer.areDisjoint;
  for (const Piece *piece : pieces) {
    areParts = areParts && relations.contains(bytes, piece->bytes);
    if (!areParts)
      break;
    inside += piece->bytes.count();
  }
  if (areParts)
    return inside == bytes.count();
  if (!bytes.isListable() || !llvm::all_of(pieces, [](auto *piece) {
        return piece->bytes.isListable();
      }))
    return false;
  std::vector<AccessPattern::Interval> runs;
  for (const Piece *piece : pieces)
    llvm::append_range(runs, piece->bytes.getIntervals());
  return coverRuns(runs, bytes);
}

LogicalResult ArenaState::read(Operation *op, const Twine &what, int64_t number,
                               const AccessPattern &bytes,
                               DenseI64ArrayAttr values) {
  // Undefined values of the program on tensors may be anything.
  if (bytes.isEmpty() || (values && values.empty()))
    return success();
  Buffer &buffer = buffers[number];
  if (!buffer.hasMemory && buffer.takenOverBy) {
    InFlightDiagnostic diag = op->emitOpError();
    diag << "expects " << what << " to be live, but the memory of buffer "
         << number << " is another buffer's";
    diag.attachNote(buffer.takenOverBy->getLoc()) << "which is written here";
    return diag;
  }
  SmallVector<const Piece *> seen;
  bool isCovered = false;
  for (const Piece &piece : llvm::reverse(buffer.pieces)) {
    if (!relations.intersects(piece.bytes, bytes))
      continue;
    if (!holdsOnly(piece.values, values)) {
      // Later pieces may hide this one together.
      isCovered = areCovered(buffer, seen, bytes);
      if (isCovered)
        break;
      return refuseValues(op, what, number, piece, values);
    }
    seen.push_back(&piece);
    if (relations.contains(piece.bytes, bytes)) {
      isCovered = true;
      break;
    }
  }
  if (isCovered || areCovered(buffer, seen, bytes))
    return success();
  return op->emitOpError() << "expects " << what
                           << " to have been written, but of bytes ["
                           << bytes.getBegin() - buffer.plan.getBegin() << ", "
                           << bytes.getEnd() - buffer.plan.getBegin()
                           << ") of buffer " << number
                           << (seen.empty() ? " none were" : " some were not");
}

LogicalResult ArenaState::write(Operation *op, int64_t number,
                                const AccessPattern &bytes,
                                DenseI64ArrayAttr values) {
  if (bytes.isEmpty())
    return success();
  if (failed(takeMemory(op, number)))
    return failure();
  Buffer &buffer = buffers[number];
  llvm::erase_if(buffer.pieces, [&](const Piece &piece) {
    return relations.contains(bytes, piece.bytes);
  });
  for (const Piece &piece : buffer.pieces)
    if (relations.intersects(piece.bytes, bytes))
      buffer.areDisjoint = false;
  buffer.pieces.push_back({bytes, values, op});
  return success();
}
