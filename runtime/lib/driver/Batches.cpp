//===- Batches.cpp - Batches from token files -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Batches.h"

#include <algorithm>

using namespace boost_rt;

Batches::Batches(Session &session, const std::string &function,
                 const std::vector<std::string> &paths,
                 const std::vector<FeedChoice> &choices,
                 std::optional<uint64_t> shuffleSeed)
    : session(session), shuffleSeed(shuffleSeed) {
  findArguments(function);
  assignFeeds(choices);
  windows = std::make_unique<TokenWindows>(paths, length);
}

void Batches::findArguments(const std::string &function) {
  const Program &program = session.getProgram();
  std::string shapes;
  bool usable = true;
  for (const std::string &name : program.findFunction(function)->inputs) {
    const Tensor &tensor = program.tensor(name);
    if (tensor.role != Role::batch)
      continue;
    // One argument alone takes both inputs and targets.
    arguments.push_back({&tensor, Feed::tokens});
    shapes += concat(" '", name, "' ", shapeToString(tensor.shape), " of ",
                     nameOf(tensor.type));
    usable &= !isFloat(tensor.type) && tensor.type != BOOST_RT_I1 &&
              tensor.shape.size() == 2 &&
              tensor.shape == arguments.front().tensor->shape;
  }
  bool joined = arguments.size() == 1;
  if (usable && (joined || arguments.size() == 2)) {
    rows = arguments.front().tensor->shape[0];
    length = arguments.front().tensor->shape[1] - (joined ? 1 : 0);
  }
  if (rows < 1 || length < 1)
    refuse("`train` fills one integer batch argument [rows, tokens + 1] or two "
           "[rows, tokens], but this program's batch is",
           shapes.empty() ? " empty" : shapes,
           "; train it through a loss over tokens, or use `eval`");
  // The two may be sharded differently.
  for (const Argument &argument : arguments)
    rowBuffer.resize(std::max(
        rowBuffer.size(), static_cast<size_t>(argument.tensor->localShape[1])));
}

static Feed otherOf(Feed feed) {
  return feed == Feed::inputs ? Feed::targets : Feed::inputs;
}

/// What the program tells of the first of two arguments.
static std::optional<Feed> tellFeed(const Tensor &first, const Tensor &second) {
  bool isTold = first.feed && first.feed != Feed::tokens &&
                second.feed == otherOf(*first.feed);
  return isTold ? first.feed : std::nullopt;
}

/// A mistake on the command line.
template <typename... Parts> [[noreturn]] static void misuse(Parts &&...parts) {
  throw Failure(ExitCode::usage, concat(parts...));
}

size_t Batches::findArgument(const FeedChoice &choice) const {
  std::string names;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].tensor->name == choice.argument)
      return i;
    names += concat(i ? ", '" : " '", arguments[i].tensor->name, "'");
  }
  misuse("--batch ", choice.argument, "=", nameOf(choice.feed),
         " names no batch argument of this program; it has", names);
}

void Batches::assignFeeds(const std::vector<FeedChoice> &choices) {
  std::optional<Feed> chosen[2];
  for (const FeedChoice &choice : choices) {
    std::optional<Feed> &feed = chosen[findArgument(choice)];
    if (feed)
      misuse("--batch is given twice for '", choice.argument, "'");
    feed = choice.feed;
  }
  const std::string &first = arguments.front().tensor->name;
  if (arguments.size() == 1) {
    if (!choices.empty())
      misuse("--batch: '", first,
             "' is the only batch argument of this program and takes inputs "
             "and targets together; leave --batch out");
    return;
  }
  const std::string &second = arguments.back().tensor->name;
  if (chosen[0] && chosen[0] == chosen[1])
    misuse("--batch gives ", nameOf(*chosen[0]), " to both '", first, "' and '",
           second, "', but one of them takes ", nameOf(otherOf(*chosen[0])));
  std::optional<Feed> feed =
      tellFeed(*arguments.front().tensor, *arguments.back().tensor);
  if (chosen[0])
    feed = chosen[0];
  if (chosen[1])
    feed = otherOf(*chosen[1]);
  if (!feed)
    refuse("this program does not tell which batch argument takes inputs and "
           "which takes targets, one token ahead: either '",
           first, "' <- inputs, '", second, "' <- targets, or '", first,
           "' <- targets, '", second, "' <- inputs; say so with --batch '",
           first, "=inputs' or --batch '", first, "=targets'");
  arguments.front().feed = *feed;
  arguments.back().feed = otherOf(*feed);
}

void Batches::checkIds(int64_t batches) const {
  int64_t limit = std::numeric_limits<int64_t>::max();
  for (const Argument &argument : arguments) {
    limit = std::min(limit, maxIntegerOf(argument.tensor->type));
    if (argument.tensor->limit)
      limit = std::min(limit, *argument.tensor->limit);
  }
  // Those of a random order may be anywhere.
  int64_t used = shuffleSeed ? windows->size() : batches * rows;
  windows->checkIds(limit, used, session.rank(), session.ranks());
}

int64_t Batches::findWindow(int64_t row) {
  int64_t position = row % windows->size();
  if (!shuffleSeed)
    return position;
  if (int64_t now = row / windows->size(); now != epoch) {
    epoch = now;
    order.emplace(windows->size(), *shuffleSeed, static_cast<uint64_t>(now));
  }
  return (*order)[position];
}

void Batches::fill(int64_t batch) {
  const Program &program = session.getProgram();
  for (const auto &[tensor, feed] : arguments) {
    const Tensor &argument = *tensor;
    Shard shard = Shard::of(argument, program.mesh, session.rank());
    int64_t columns = argument.localShape[1];
    Device::Mapping mapping = session.map(argument, Access::write);
    for (int64_t row = 0; row < argument.localShape[0]; ++row) {
      auto [file, start] =
          (*windows)[findWindow(batch * rows + shard.begin[0] + row)];
      int64_t first = start + shard.begin[1] + (feed == Feed::targets ? 1 : 0);
      for (int64_t column = 0; column < columns; ++column)
        rowBuffer[static_cast<size_t>(column)] = (*file)[first + column];
      convertElements(BOOST_RT_I64, rowBuffer.data(), argument.type,
                      mapping.data() + row * columns * sizeOf(argument.type),
                      columns);
    }
  }
}
