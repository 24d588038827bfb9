//===- JoinRowKernels.cpp - Kernels of the same rows become one -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements boostrt-join-row-kernels. Every sum along rows looks for kernels
// near it that can stand where it does, or it where they do.
//
//===----------------------------------------------------------------------===//

#include "JoinedKernel.h"
#include "KernelTable.h"
#include "RowLaunch.h"

#include "boost-mlir/Dialect/BoostRT/Transforms/Passes.h"

#include <map>

namespace mlir::boost::rt {
#define GEN_PASS_DEF_JOINROWKERNELSPASS
#include "boost-mlir/Dialect/BoostRT/Transforms/Passes.h.inc"
} // namespace mlir::boost::rt

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::rt;

//===----------------------------------------------------------------------===//
// Which of them become one
//===----------------------------------------------------------------------===//

namespace {

/// The calls around a sum along rows or of columns, and those of them that
/// become one kernel, where the call of number `place` stands.
class RowGroup {
public:
  RowGroup(ArrayRef<Operation *> calls, size_t place, RowLaunch first,
           PatternRelations &relations)
      : calls(calls), place(place), relations(relations) {
    for (Operation *call : calls)
      accesses.push_back(findAccesses(call));
    chunks = first.chunks;
    members.insert({place, std::move(first)});
  }

  bool contains(size_t number) const { return members.count(number) != 0; }
  bool add(size_t number, RowLaunch launch);
  Operation *getPlace() const { return calls[place]; }
  /// Chunks of rows of which columns are summed; 0 if none are.
  int64_t getChunks() const { return chunks; }
  /// The launches, in the order of the program.
  SmallVector<RowLaunch *> getLaunches() {
    return llvm::map_to_vector(
        members, [](auto &member) -> RowLaunch * { return &member.second; });
  }

private:
  bool canShareChunks(const RowLaunch &launch) const;
  bool canJoin(const RowLaunch &launch) const;
  bool canCross(size_t number, size_t begin, size_t end) const;

  ArrayRef<Operation *> calls;
  SmallVector<std::optional<SmallVector<Access>>> accesses;
  size_t place;
  int64_t chunks = 0;
  PatternRelations &relations;
  /// By the number of the call.
  std::map<size_t, RowLaunch> members;
};

} // namespace

/// Returns true if both belong to the same component and phase. They may belong
/// to different layers: the last addition of a layer and the first norm of the
/// next one work on the same rows.
static bool areInSamePart(Operation *a, Operation *b) {
  return llvm::all_of(
      ArrayRef<StringRef>{kComponentAttr, kPhaseAttr},
      [&](StringRef name) { return a->getAttr(name) == b->getAttr(name); });
}

/// Returns true if both see a buffer alike and walk through it row by row: what
/// one of them writes in a row the other touches in no other one.
static bool shareRows(const RowLaunch &a, size_t bufferOfA, const RowLaunch &b,
                      size_t bufferOfB) {
  auto walksByRows = [](const RowLaunch &launch, size_t buffer) {
    return llvm::all_of(launch.nest.operands, [&](const NestOperand &operand) {
      auto argument = cast<BlockArgument>(operand.operand->get());
      return argument.getArgNumber() - kFirstBuffer != buffer ||
             operand.strides.front() != 0;
    });
  };
  return a.types[bufferOfA] == b.types[bufferOfB] &&
         a.accesses[bufferOfA].bytes == b.accesses[bufferOfB].bytes &&
         walksByRows(a, bufferOfA) && walksByRows(b, bufferOfB);
}

/// Returns true if the launch has rows of a buffer in common with one of the
/// group, and no other memory that one of them writes.
bool RowGroup::canJoin(const RowLaunch &launch) const {
  bool shares = false;
  for (const auto &[number, member] : members) {
    if (!areInSamePart(launch.launch, member.launch))
      return false;
    for (auto [i, own] : llvm::enumerate(launch.accesses))
      for (auto [j, other] : llvm::enumerate(member.accesses)) {
        if (!own.meets(other, relations))
          continue;
        // An out may take the place of what is read before, but of no other
        // out.
        bool isReplaced =
            own.buffer != other.buffer && own.isWritten && other.isWritten;
        if (!shareRows(launch, i, member, j) || isReplaced) {
          if (own.isWritten || other.isWritten)
            return false;
          continue;
        }
        // In memory that two buffers have one after the other, nothing is
        // handed on.
        shares |= own.buffer == other.buffer;
      }
  }
  return shares;
}

/// Returns true if a call may move across those between two others, but for
/// those of the group.
bool RowGroup::canCross(size_t number, size_t begin, size_t end) const {
  for (size_t other = begin + 1; other < end; ++other) {
    if (contains(other))
      continue;
    if (!accesses[other])
      return false;
    for (const Access &a : *accesses[number])
      for (const Access &b : *accesses[other])
        if ((a.isWritten || b.isWritten) && a.meets(b, relations))
          return false;
  }
  return true;
}

/// Returns true if a block can do to several rows what a launch does to each:
/// all sums of columns have the same chunks of rows, and nothing depends on the
/// number of a row, which is one of a chunk then.
bool RowGroup::canShareChunks(const RowLaunch &launch) const {
  if (launch.chunks == 0)
    return chunks == 0 || !launch.nest.loops.front().readsIndex;
  if (chunks != 0)
    return launch.chunks == chunks;
  return llvm::none_of(members, [](const auto &member) {
    return member.second.nest.loops.front().readsIndex;
  });
}

/// Adds a launch if it can move to where the group stands, or all of the group
/// to where it does.
bool RowGroup::add(size_t number, RowLaunch launch) {
  constexpr size_t kMaxBuffers = 20, kMaxLaunches = 8;
  size_t buffers = launch.accesses.size();
  for (const auto &[other, member] : members)
    buffers += member.accesses.size();
  if (members.size() == kMaxLaunches || buffers > kMaxBuffers ||
      !canShareChunks(launch) || !canJoin(launch))
    return false;
  auto [begin, end] = std::minmax(number, place);
  if (!canCross(number, begin, end)) {
    for (const auto &[member, unused] : members)
      if (!canCross(member, begin, end))
        return false;
    place = number;
  }
  chunks = std::max(chunks, launch.chunks);
  members.insert({number, std::move(launch)});
  return true;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

struct JoinRowKernelsPass
    : boost::rt::impl::JoinRowKernelsPassBase<JoinRowKernelsPass> {
  void runOnOperation() override;

private:
  void joinAround(LaunchOp launch, int64_t rows);
  linalg::GenericOp findOperationOf(LaunchOp launch);
  void eraseUnused();

  /// By kernel, its only operation, or null.
  DenseMap<Attribute, linalg::GenericOp> operations;
  std::optional<KernelTable> kernels;
  PatternRelations relations;
  /// Kernels that are launched less often than before, and launches that are
  /// gone.
  llvm::SetVector<Operation *> replaced;
  llvm::DenseSet<Operation *> joined;
};

} // namespace

linalg::GenericOp JoinRowKernelsPass::findOperationOf(LaunchOp launch) {
  auto it = operations.find(launch.getKernelAttr());
  return it == operations.end() ? linalg::GenericOp() : it->second;
}

/// Returns true if an operation is a call: what makes buffers and numbers is
/// none.
static bool isCall(Operation &op) { return !isPure(&op); }

/// The calls around a launch, and its number among them.
static size_t listCalls(LaunchOp launch, SmallVectorImpl<Operation *> &calls) {
  constexpr size_t kMostCalls = 12;
  for (Operation *op = launch->getPrevNode(); op && calls.size() < kMostCalls;
       op = op->getPrevNode())
    if (isCall(*op))
      calls.push_back(op);
  std::reverse(calls.begin(), calls.end());
  size_t place = calls.size();
  calls.push_back(launch);
  for (Operation *op = launch->getNextNode();
       op && calls.size() <= place + kMostCalls; op = op->getNextNode())
    if (isCall(*op))
      calls.push_back(op);
  return place;
}

void JoinRowKernelsPass::joinAround(LaunchOp launch, int64_t rows) {
  std::optional<RowLaunch> first =
      findRowLaunch(launch, findOperationOf(launch), rows);
  if (!first)
    return;
  SmallVector<Operation *> calls;
  size_t place = listCalls(launch, calls);
  RowGroup group(calls, place, std::move(*first), relations);
  auto tryAdd = [&](size_t number, bool fromAnyLayer) {
    auto other = dyn_cast<LaunchOp>(calls[number]);
    linalg::GenericOp op = other ? findOperationOf(other) : linalg::GenericOp();
    if (!op || group.contains(number) ||
        (!fromAnyLayer &&
         other->getAttr(kLayerAttr) != launch->getAttr(kLayerAttr)))
      return false;
    std::optional<RowLaunch> found = findRowLaunch(other, op, rows);
    return found && group.add(number, std::move(*found));
  };
  // Those of the same layer and next to it first; each that joins may be what
  // others need.
  for (bool fromAnyLayer : {false, true}) {
    for (bool isLarger = true; isLarger;) {
      isLarger = false;
      for (size_t distance = 1; distance < calls.size(); ++distance) {
        if (distance <= place)
          isLarger |= tryAdd(place - distance, fromAnyLayer);
        if (place + distance < calls.size())
          isLarger |= tryAdd(place + distance, fromAnyLayer);
      }
    }
  }
  SmallVector<RowLaunch *> launches = group.getLaunches();
  if (launches.size() < 2)
    return;
  for (RowLaunch *each : launches) {
    replaced.insert(each->getKernel());
    joined.insert(each->launch);
  }
  if (int64_t chunks = group.getChunks()) {
    for (RowLaunch *each : launches)
      divideIntoChunks(*each, chunks);
    rows = chunks;
  }
  KernelJoiner joiner(launches, rows);
  joiner.launch(group.getPlace(), kernels->insert(joiner.build()));
}

void JoinRowKernelsPass::eraseUnused() {
  llvm::DenseSet<StringAttr> used;
  getOperation().walk(
      [&](LaunchOp launch) { used.insert(launch.getKernelAttr().getAttr()); });
  for (Operation *kernel : replaced)
    if (!used.contains(cast<func::FuncOp>(kernel).getSymNameAttr()))
      kernel->erase();
}

void JoinRowKernelsPass::runOnOperation() {
  operations.clear();
  replaced.clear();
  joined.clear();
  kernels.emplace(getOperation());
  // By kernel, its rows: those that sum rows, and those that sum columns.
  DenseMap<Attribute, int64_t> rowsOf, rowsOfColumns;
  SmallVector<func::FuncOp> functions;
  for (auto function : getOperation().getOps<func::FuncOp>()) {
    if (!function->hasAttr(kKernelAttr)) {
      functions.push_back(function);
      continue;
    }
    linalg::GenericOp op = findOperation(function);
    if (!op)
      continue;
    auto name = FlatSymbolRefAttr::get(function);
    operations[name] = op;
    if (int64_t rows = countReducedRows(op))
      rowsOf[name] = rows;
    else if (std::optional<ColumnSum> sum = findColumnSum(op))
      rowsOfColumns[name] = sum->rows;
  }
  // A sum of columns needs the kernels of its rows, which need not it.
  for (func::FuncOp function : functions)
    for (const auto &rows : {rowsOfColumns, rowsOf}) {
      SmallVector<LaunchOp> sums;
      function.walk([&](LaunchOp launch) {
        if (rows.contains(launch.getKernelAttr()))
          sums.push_back(launch);
      });
      for (LaunchOp sum : sums)
        if (!joined.contains(sum))
          joinAround(sum, rows.lookup(sum.getKernelAttr()));
    }
  eraseUnused();
}
