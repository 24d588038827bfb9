//===- Feeds.cpp - What each batch argument takes -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Feeds.h"
#include "common/Failure.h"

#include <algorithm>

using namespace boost_rt;

bool BatchFeeds::take(Feed feed) const {
  return std::any_of(
      arguments.begin(), arguments.end(),
      [&](const auto &argument) { return argument.feed == feed; });
}

/// A mistake on the command line.
template <typename... Parts> [[noreturn]] static void misuse(Parts &&...parts) {
  throw Failure(ExitCode::usage, concat(parts...));
}

static std::string describe(const Tensor &tensor) {
  return concat("'", tensor.name, "' ", shapeToString(tensor.shape), " of ",
                nameOf(tensor.type));
}

static bool isInteger(const Tensor &tensor) {
  return !isFloat(tensor.type) && tensor.type != BOOST_RT_I1;
}

/// Returns true if an argument's type and shape allow a feed.
static bool canTake(const Tensor &tensor, Feed feed) {
  if (feed == Feed::step)
    return tensor.shape.empty() && isInteger(tensor);
  if (feed == Feed::key)
    return tensor.shape == std::vector<int64_t>{2} &&
           tensor.type == BOOST_RT_I32;
  return tensor.shape.size() == 2 && (feed == Feed::mask || isInteger(tensor));
}

/// Returns true for feeds of token ids, as opposed to facts about tokens.
static bool isOfIds(Feed feed) {
  return feed == Feed::tokens || feed == Feed::inputs || feed == Feed::targets;
}

namespace {
/// Finds the feeds of one function.
class FeedFinder {
public:
  FeedFinder(const Program &program, const Schedule &schedule);

  BatchFeeds find(const std::vector<FeedChoice> &choices);

private:
  struct Candidate {
    const Tensor *tensor;
    std::optional<Feed> feed;
  };

  Candidate *holder(Feed feed);
  std::vector<Candidate *> untold();
  void requireFillable() const;
  void choose(const std::vector<FeedChoice> &choices);
  void takeTold();
  void completePair();
  void requireAll();
  void measure(BatchFeeds &feeds);

  std::vector<Candidate> candidates;
};
} // namespace

FeedFinder::FeedFinder(const Program &program, const Schedule &schedule) {
  for (const Tensor *tensor : program.inputsOf(schedule))
    if (tensor->role == Role::batch)
      candidates.push_back({tensor, std::nullopt});
}

/// Returns the argument that takes this feed, or null.
FeedFinder::Candidate *FeedFinder::holder(Feed feed) {
  auto found = std::find_if(
      candidates.begin(), candidates.end(),
      [&](const Candidate &candidate) { return candidate.feed == feed; });
  return found == candidates.end() ? nullptr : &*found;
}

std::vector<FeedFinder::Candidate *> FeedFinder::untold() {
  std::vector<Candidate *> found;
  for (Candidate &candidate : candidates)
    if (!candidate.feed)
      found.push_back(&candidate);
  return found;
}

void FeedFinder::requireFillable() const {
  bool hasIds =
      std::any_of(candidates.begin(), candidates.end(), [](const auto &each) {
        return canTake(*each.tensor, Feed::inputs);
      });
  std::string wrong;
  for (const Candidate &candidate : candidates) {
    const Tensor &tensor = *candidate.tensor;
    if ((hasIds && canTake(tensor, Feed::mask)) ||
        canTake(tensor, Feed::step) || canTake(tensor, Feed::key))
      continue;
    wrong += concat("\n  ", describe(tensor),
                    isFloat(tensor.type)
                        ? ": token files hold integers"
                        : ": neither rows of tokens nor a single integer nor "
                          "a key");
  }
  if (!wrong.empty())
    refuse("`train` fills the batch from token files, but they hold nothing "
           "for",
           wrong, "\ntrain it through a loss over tokens, or use `eval`");
  if (!hasIds)
    refuse("`train` fills the batch from token files, but no argument of this "
           "program takes tokens: integers [rows, tokens]; use `eval`");
}

void FeedFinder::choose(const std::vector<FeedChoice> &choices) {
  for (const auto &[name, feed] : choices) {
    std::string names;
    Candidate *chosen = nullptr;
    for (Candidate &candidate : candidates) {
      names +=
          concat(names.empty() ? " '" : ", '", candidate.tensor->name, "'");
      if (candidate.tensor->name == name)
        chosen = &candidate;
    }
    if (!chosen)
      misuse("--batch ", name, "=", nameOf(feed),
             " names no batch argument of this program; it has", names);
    if (chosen->feed)
      misuse("--batch is given twice for '", name, "'");
    if (!canTake(*chosen->tensor, feed))
      misuse("--batch ", name, "=", nameOf(feed), ": ",
             describe(*chosen->tensor), " cannot take it; it takes ",
             feed == Feed::step   ? "a single integer"
             : feed == Feed::key  ? "the two words of a key, [2] of i32"
             : feed == Feed::mask ? "[rows, tokens]"
                                  : "integers [rows, tokens]");
    if (Candidate *other = isOfIds(feed) ? holder(feed) : nullptr)
      misuse("--batch gives ", nameOf(feed), " to both '", other->tensor->name,
             "' and '", name, "', but one of them takes ",
             nameOf(feed == Feed::inputs ? Feed::targets : Feed::inputs));
    chosen->feed = feed;
  }
}

/// Assigns the feeds that the program tells, unless an option has given them to
/// another argument.
void FeedFinder::takeTold() {
  bool hasPair = holder(Feed::inputs) || holder(Feed::targets);
  for (Candidate &candidate : candidates) {
    std::optional<Feed> told = candidate.tensor->feed;
    if (candidate.feed || !told || !canTake(*candidate.tensor, *told))
      continue;
    bool isTaken =
        isOfIds(*told) && (holder(*told) || (hasPair && *told == Feed::tokens));
    if (!isTaken)
      candidate.feed = told;
  }
}

/// The last argument of ids takes what no other does.
void FeedFinder::completePair() {
  std::vector<Candidate *> ids;
  for (Candidate *candidate : untold())
    if (canTake(*candidate->tensor, Feed::inputs))
      ids.push_back(candidate);
  if (ids.size() != 1 || holder(Feed::tokens))
    return;
  bool hasInputs = holder(Feed::inputs), hasTargets = holder(Feed::targets);
  if (!hasInputs || !hasTargets)
    ids.front()->feed = hasInputs    ? Feed::targets
                        : hasTargets ? Feed::inputs
                                     : Feed::tokens;
}

void FeedFinder::requireAll() {
  std::vector<Candidate *> rest = untold();
  bool arePair =
      rest.size() == 2 && !holder(Feed::tokens) && !holder(Feed::inputs) &&
      !holder(Feed::targets) &&
      std::all_of(rest.begin(), rest.end(), [&](const Candidate *each) {
        return canTake(*each->tensor, Feed::inputs);
      });
  if (arePair) {
    const std::string &first = rest[0]->tensor->name,
                      &second = rest[1]->tensor->name;
    refuse("this program does not tell which batch argument takes inputs and "
           "which takes targets, one token ahead: either '",
           first, "' <- inputs, '", second, "' <- targets, or '", first,
           "' <- targets, '", second, "' <- inputs; say so with --batch '",
           first, "=inputs' or --batch '", first,
           "=targets', or that one takes mask, positions or segments");
  }
  std::string readings;
  for (const Candidate *candidate : rest) {
    readings += concat("\n  ", describe(*candidate->tensor), ":");
    const char *separator = " ";
    for (Feed feed : {Feed::inputs, Feed::targets, Feed::mask, Feed::positions,
                      Feed::segments, Feed::step, Feed::key}) {
      if (!canTake(*candidate->tensor, feed) || (isOfIds(feed) && holder(feed)))
        continue;
      readings += concat(separator, nameOf(feed));
      separator = ", ";
    }
  }
  if (!rest.empty())
    refuse("this program does not tell what these batch arguments take, which "
           "may be",
           readings, "\nsay so with --batch '", rest.front()->tensor->name,
           "=...', once for each");
}

void FeedFinder::measure(BatchFeeds &feeds) {
  const Candidate *joined = holder(Feed::tokens);
  const Candidate *inputs = holder(Feed::inputs),
                  *targets = holder(Feed::targets);
  if (!joined && !(inputs && targets)) {
    const Candidate *only = inputs ? inputs : targets;
    if (!only)
      misuse("no batch argument is left for tokens; leave one out of --batch");
    misuse("--batch: '", only->tensor->name,
           "' is the only batch argument of tokens of this program and takes "
           "inputs and targets together; leave --batch out");
  }
  const Tensor &ids = *(joined ? joined : inputs)->tensor;
  feeds.rows = ids.shape[0];
  feeds.length = ids.shape[1] - (joined ? 1 : 0);
  if (feeds.rows < 1 || feeds.length < 1)
    refuse("`train` fills rows of tokens, but ", describe(ids),
           joined ? " has no room for a token and the next" : " has none",
           "; use `eval`");
  for (const Candidate &candidate : candidates) {
    const std::vector<int64_t> &shape = candidate.tensor->shape;
    bool hasRows =
        *candidate.feed != Feed::step && *candidate.feed != Feed::key;
    if (!hasRows || shape == ids.shape)
      continue;
    bool isBeside = !isOfIds(*candidate.feed) && shape[0] == feeds.rows &&
                    (shape[1] == feeds.length || shape[1] == feeds.length + 1);
    if (!isBeside)
      refuse("the batch has rows of other sizes: ", describe(ids), ", but ",
             describe(*candidate.tensor), ", which takes ",
             nameOf(*candidate.feed),
             "; `train` needs them alike, only mask, positions and segments "
             "may have a column more or less; or use `eval`");
  }
}

BatchFeeds FeedFinder::find(const std::vector<FeedChoice> &choices) {
  choose(choices);
  requireFillable();
  takeTold();
  completePair();
  requireAll();
  BatchFeeds feeds;
  measure(feeds);
  for (const Candidate &candidate : candidates)
    feeds.arguments.push_back({candidate.tensor, *candidate.feed});
  return feeds;
}

BatchFeeds boost_rt::findFeeds(const Program &program, const Schedule &schedule,
                               const std::vector<FeedChoice> &choices) {
  return FeedFinder(program, schedule).find(choices);
}
