//===- CudnnErrorsTest.cpp - Errors in graphs for cuDNN are noticed -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Changes one attribute of one descriptor at a time while a plan for attention
// is made and executed. Each change must be refused, or change a result beyond
// its bound.
//
//===----------------------------------------------------------------------===//

#include "CudnnAttentionRun.h"
#include "common/Failure.h"
#include "cuda/Vendor.h"
#include "gtest/gtest.h"

#include <cstring>
#include <set>

using namespace boost_rt;
using namespace boost_rt::cudnn;
using namespace boost_rt::vendor;

namespace {

/// An attribute that was set: descriptors, which have other addresses in every
/// run, by the order in which they were made.
struct Setting {
  size_t descriptor;
  int name, type;
  int64_t count;
  std::vector<char> bytes;
  std::vector<size_t> operands;

  template <typename T> std::vector<T> values() const {
    std::vector<T> result(static_cast<size_t>(count));
    std::memcpy(result.data(), bytes.data(), bytes.size());
    return result;
  }
};

/// Setting number `index` with other values.
struct Change {
  size_t index;
  Setting changed;
};

/// Stands between the runtime and cuDNN: notes what is set, and changes it.
class Observer {
public:
  explicit Observer(const Change *change) : change(change), before(table()) {
    active = this;
    table().cudnnBackendCreateDescriptor = [](int kind, DnnDescriptor *result) {
      return active->create(kind, result);
    };
    table().cudnnBackendSetAttribute = [](DnnDescriptor descriptor, int name,
                                          int type, int64_t count,
                                          const void *values) {
      return active->set(descriptor, name, type, count, values);
    };
    // A refusal of these ends the program.
    table().cudnnBackendExecute = [](DnnHandle handle, DnnDescriptor plan,
                                     DnnDescriptor pack) {
      DnnStatus status = active->before.cudnnBackendExecute(handle, plan, pack);
      active->isRefused |= status != dnnSuccess;
      return dnnSuccess + 0;
    };
    table().cudnnBackendFinalize = [](DnnDescriptor descriptor) {
      DnnStatus status = active->before.cudnnBackendFinalize(descriptor);
      bool isPack = active->kindOf(descriptor) == dnnVariantPack;
      active->isRefused |= isPack && status != dnnSuccess;
      return isPack ? dnnSuccess + 0 : status;
    };
  }
  ~Observer() {
    table() = before;
    active = nullptr;
  }
  Observer(const Observer &) = delete;
  Observer &operator=(const Observer &) = delete;

  std::vector<Setting> settings;
  /// Kinds of descriptors, in the order in which they were made.
  std::vector<int> kinds;
  bool isRefused = false;

private:
  static Functions &table() { return const_cast<Functions &>(functions()); }
  size_t indexOf(DnnDescriptor descriptor) const {
    for (size_t i = made.size(); i-- > 0;)
      if (made[i] == descriptor)
        return i;
    return made.size();
  }
  int kindOf(DnnDescriptor descriptor) const {
    return kinds[indexOf(descriptor)];
  }
  DnnStatus create(int kind, DnnDescriptor *result);
  DnnStatus set(DnnDescriptor descriptor, int name, int type, int64_t count,
                const void *values);

  static inline Observer *active = nullptr;
  const Change *change;
  Functions before;
  std::vector<DnnDescriptor> made;
};

} // namespace

DnnStatus Observer::create(int kind, DnnDescriptor *result) {
  DnnStatus status = before.cudnnBackendCreateDescriptor(kind, result);
  made.push_back(*result);
  kinds.push_back(kind);
  return status;
}

static size_t widthOf(int type) {
  if (type == dnnBooleanType)
    return 1;
  bool isWide = type == dnnInt64Type || type == dnnPointerType ||
                type == dnnHandleType || type == dnnDescriptorType;
  return isWide ? 8 : 4;
}

DnnStatus Observer::set(DnnDescriptor descriptor, int name, int type,
                        int64_t count, const void *values) {
  Setting setting = {indexOf(descriptor), name, type, count, {}, {}};
  const char *bytes = static_cast<const char *>(values);
  if (type == dnnDescriptorType)
    for (int64_t i = 0; i < count; ++i)
      setting.operands.push_back(
          indexOf(static_cast<const DnnDescriptor *>(values)[i]));
  else
    setting.bytes.assign(bytes,
                         bytes + static_cast<size_t>(count) * widthOf(type));
  bool isChanged = change && change->index == settings.size();
  settings.push_back(setting);
  if (!isChanged)
    return before.cudnnBackendSetAttribute(descriptor, name, type, count,
                                           values);
  const Setting &changed = change->changed;
  std::vector<DnnDescriptor> operands;
  for (size_t operand : changed.operands)
    operands.push_back(made[operand]);
  const void *replaced = operands.empty()
                             ? static_cast<const void *>(changed.bytes.data())
                             : operands.data();
  DnnStatus status = before.cudnnBackendSetAttribute(descriptor, name, type,
                                                     changed.count, replaced);
  isRefused |= status != dnnSuccess;
  return dnnSuccess;
}

//===----------------------------------------------------------------------===//
// Changes
//===----------------------------------------------------------------------===//

namespace {

/// All changes of the settings of one run.
class Changes {
public:
  Changes(const std::vector<Setting> &settings, const std::vector<int> &kinds);

  std::vector<Change> all;

private:
  template <typename T>
  void replace(size_t index, const std::vector<T> &values);
  void replaceOperand(size_t index, size_t operand);
  void exchange(size_t index);
  void changeNumber(size_t index);
  void changeOperand(size_t index);
  void collect(size_t index);

  const std::vector<Setting> &settings;
  const std::vector<int> &kinds;
  std::set<size_t> isVirtual;
  /// Virtual tensors whose strides say something.
  std::set<size_t> isReshaped;
  /// Operations with an operand whose values do not matter: they generate
  /// indices, or take the maximum that only keeps numbers small.
  std::set<size_t> isIndifferent;
  std::map<size_t, int64_t> ids;
};

} // namespace

Changes::Changes(const std::vector<Setting> &settings,
                 const std::vector<int> &kinds)
    : settings(settings), kinds(kinds) {
  std::set<size_t> indifferent;
  for (const Setting &setting : settings) {
    if (setting.name == dnnTensorIsVirtual)
      isVirtual.insert(setting.descriptor);
    if (setting.name == dnnReshapeX || setting.name == dnnReshapeY)
      isReshaped.insert(setting.operands.front());
    if (setting.name == dnnTensorId)
      ids[setting.descriptor] = setting.values<int64_t>().front();
    if (setting.name == dnnPointwiseAxis ||
        (setting.name == dnnReductionOperator &&
         setting.values<int>().front() == dnnReduceMax))
      indifferent.insert(setting.descriptor);
    bool isDescription = setting.name == dnnPointwiseDescription ||
                         setting.name == dnnReductionDescription;
    if (isDescription && indifferent.count(setting.operands.front()))
      isIndifferent.insert(setting.descriptor);
  }
  for (size_t i = 0; i < settings.size(); ++i)
    collect(i);
}

template <typename T>
void Changes::replace(size_t index, const std::vector<T> &values) {
  Setting changed = settings[index];
  changed.count = static_cast<int64_t>(values.size());
  const char *bytes = reinterpret_cast<const char *>(values.data());
  changed.bytes.assign(bytes, bytes + values.size() * sizeof(T));
  all.push_back({index, changed});
}

void Changes::replaceOperand(size_t index, size_t operand) {
  Setting changed = settings[index];
  changed.operands.front() = operand;
  all.push_back({index, changed});
}

/// Every two different values in each other's place.
void Changes::exchange(size_t index) {
  auto values = settings[index].values<int64_t>();
  for (size_t i = 0; i < values.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (values[i] != values[j]) {
        auto exchanged = values;
        std::swap(exchanged[i], exchanged[j]);
        replace(index, exchanged);
      }
}

/// Other types, modes and operators.
void Changes::changeNumber(size_t index) {
  static const std::map<int, std::vector<int>> others = {
      {dnnTensorType, {dnnFloat, dnnHalf, dnnBFloat16}},
      {dnnPointwiseMode,
       {dnnAdd, dnnMultiply, dnnDivide, dnnSubtract, dnnExp, dnnLog,
        dnnIdentity}},
      {dnnReductionOperator, {dnnReduceAdd, dnnReduceMax}}};
  int value = settings[index].values<int>().front();
  for (int other : others.at(settings[index].name))
    if (other != value)
      replace(index, std::vector<int>{other});
}

/// Every other tensor that has been made by then.
void Changes::changeOperand(size_t index) {
  const Setting &setting = settings[index];
  for (size_t other = 0; other < setting.descriptor; ++other)
    if (kinds[other] == dnnTensor &&
        ids.at(other) != ids.at(setting.operands.front()))
      replaceOperand(index, other);
}

void Changes::collect(size_t index) {
  const Setting &setting = settings[index];
  bool isBetween = isVirtual.count(setting.descriptor) != 0;
  switch (setting.name) {
  case dnnTensorStrides:
    if (!isBetween || isReshaped.count(setting.descriptor))
      exchange(index);
    return;
  case dnnTensorDimensions:
  case dnnPackPointers:
    exchange(index);
    return;
  case dnnTensorType:
    // Values between operations may as well be rounded.
    if (!isBetween)
      changeNumber(index);
    return;
  case dnnPointwiseMode:
  case dnnReductionOperator:
    changeNumber(index);
    return;
  case dnnPointwiseAxis:
    replace(index, std::vector<int64_t>{1});
    replace(index, std::vector<int64_t>{5 - setting.values<int64_t>().front()});
    return;
  case dnnTensorIsVirtual:
  case dnnTensorIsByValue:
    replace(index, std::vector<char>{0});
    return;
  case dnnPointwiseX:
  case dnnReductionX:
    if (!isIndifferent.count(setting.descriptor))
      changeOperand(index);
    return;
  case dnnPointwiseB:
  case dnnPointwiseT:
  case dnnMatmulA:
  case dnnMatmulB:
  case dnnReshapeX:
    changeOperand(index);
    return;
  default:
    return;
  }
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

static std::string describe(const Change &change) {
  const Setting &changed = change.changed;
  std::string text =
      concat("setting ", change.index, ", attribute ", changed.name,
             " of descriptor ", changed.descriptor, ", becomes");
  if (changed.type == dnnInt64Type)
    for (int64_t value : changed.values<int64_t>())
      text += concat(" ", value);
  else if (widthOf(changed.type) == 4)
    text += concat(" ", changed.values<int>().front());
  for (size_t operand : changed.operands)
    text += concat(" descriptor ", operand);
  return text;
}

namespace {

/// Results of the changes of one direction.
struct Outcome {
  size_t changes = 0;
  /// Attributes of changes that nobody notices, and how many.
  std::map<int, int> unnoticed;
  std::string descriptions;
};

} // namespace

static Outcome makeChanges(CudnnAttentionRun &run, bool isBackward) {
  auto compute = [&] {
    return isBackward ? run.runBackward() : run.runForward();
  };
  // Opens the library, whose functions are replaced then.
  EXPECT_EQ(compute(), "");
  std::unique_ptr<Changes> changes;
  {
    Observer observer(nullptr);
    EXPECT_EQ(compute(), "");
    changes = std::make_unique<Changes>(observer.settings, observer.kinds);
  }
  Outcome outcome;
  outcome.changes = changes->all.size();
  ::testing::internal::CaptureStderr();
  for (const Change &change : changes->all) {
    Observer observer(&change);
    if (!compute().empty() || observer.isRefused)
      continue;
    ++outcome.unnoticed[change.changed.name];
    outcome.descriptions += describe(change) + "\n";
  }
  ::testing::internal::GetCapturedStderr();
  return outcome;
}

TEST(CudnnErrors, are_refused_or_change_a_result) {
  AttentionCase attention;
  attention.b = 2;
  attention.sq = 5;
  attention.sk = 6;
  attention.h = 4;
  attention.kvh = 2;
  attention.dh = 8;
  attention.causal = true;
  for (bool isDeterministic : {true, false}) {
    CudnnAttentionRun run({attention, BOOST_RT_F16, isDeterministic});
    Outcome forward = makeChanges(run, /*isBackward=*/false);
    EXPECT_GT(forward.changes, 200u);
    EXPECT_EQ(forward.unnoticed, (std::map<int, int>()))
        << forward.descriptions;
    Outcome backward = makeChanges(run, /*isBackward=*/true);
    EXPECT_GT(backward.changes, 600u);
    // The sums of rows are multiplied by one: they may be divided by it, and
    // read before that.
    std::map<int, int> harmless = {{dnnPointwiseMode, 1}, {dnnPointwiseB, 1}};
    // dQ may be rounded to its type before it is copied.
    if (!isDeterministic)
      harmless[dnnTensorType] = 1;
    EXPECT_EQ(backward.unnoticed, harmless) << backward.descriptions;
  }
}
