//===- Batches.cpp - Batches from token files -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Batches.h"

#include <algorithm>
#include <cstring>

using namespace boost_rt;

static bool takesIds(Feed feed) {
  return feed == Feed::tokens || feed == Feed::inputs || feed == Feed::targets;
}

/// The largest place or number of a document that an argument takes: of the
/// table that it looks up, else of its type.
static int64_t largestPlaceOf(const Tensor &tensor) {
  return tensor.limit ? *tensor.limit - 1 : maxIntegerOf(tensor.type);
}

/// The ids that all arguments of ids take are below this.
static int64_t findIdLimit(const BatchFeeds &feeds) {
  int64_t limit = std::numeric_limits<int64_t>::max();
  for (const auto &[tensor, feed] : feeds.arguments)
    if (takesIds(feed))
      limit =
          std::min(limit, tensor->limit.value_or(maxIntegerOf(tensor->type)));
  return limit;
}

Batches::Batches(Session &session, const Schedule &schedule,
                 const TrainOptions &options, Purpose purpose)
    : session(session), options(options), purpose(purpose), facts(options),
      feeds(findFeeds(session.getProgram(), schedule, options.feeds)),
      idLimit(findIdLimit(feeds)) {
  bool isTraining = purpose == Purpose::training;
  checkOptions();
  windows = std::make_unique<TokenWindows>(
      isTraining ? options.data : options.valData,
      isTraining ? options.masks : options.valMasks, feeds.length);
  checkEnds();
  if (isTraining && options.shuffle)
    shuffleSeed = options.seed;
  // A row and the next token.
  rowBuffer.resize(static_cast<size_t>(feeds.length + 1));
  floatBuffer.resize(rowBuffer.size());
}

//===----------------------------------------------------------------------===//
// Checking
//===----------------------------------------------------------------------===//

/// A mistake on the command line.
template <typename... Parts> [[noreturn]] static void misuse(Parts &&...parts) {
  throw Failure(ExitCode::usage, concat(parts...));
}

/// Checks that the options and the batch arguments fit: no option may go
/// unused.
void Batches::checkOptions() const {
  bool hasMask = feeds.take(Feed::mask);
  bool hasSegments = feeds.take(Feed::segments);
  bool hasDocuments = hasSegments || feeds.take(Feed::positions);
  const char *unused = !hasMask && !options.masks.empty()      ? "--mask"
                       : !hasMask && options.maskStarts        ? "--mask-starts"
                       : !hasMask && !options.valMasks.empty() ? "--val-mask"
                                                               : nullptr;
  if (unused)
    misuse(unused, ": no batch argument of this program takes a mask; call one "
                   "'mask', or say --batch NAME=mask");
  if (options.padding && !hasMask && !hasSegments)
    misuse("--pad: no batch argument of this program takes a mask or segments; "
           "say --batch NAME=mask");
  if (options.endOfDocument && !hasDocuments && !options.maskStarts)
    misuse("--eod: no batch argument of this program takes positions or "
           "segments; say --batch NAME=segments, or --mask-starts with a mask");
  if (options.padding && options.padding == options.endOfDocument)
    misuse("--pad and --eod are both ", *options.padding,
           ", so that padding cannot be told from the ends of documents; leave "
           "--pad out and give a --mask");
  if (!hasMask)
    return;
  if (options.masks.empty() && !options.padding && !options.maskStarts)
    misuse("this program takes a mask, and nothing says which tokens count; "
           "give --mask FILE, --pad ID or --mask-starts");
  if (!options.valData.empty() &&
      options.masks.empty() != options.valMasks.empty())
    misuse(options.masks.empty()
               ? "--val-mask is given without --mask"
               : "--mask is given for --data, but no --val-mask for --val-data",
           "; both losses need one");
}

/// Every file says what ends its documents, if anything depends on it.
void Batches::checkEnds() const {
  const char *what = feeds.take(Feed::segments)    ? "segments"
                     : feeds.take(Feed::positions) ? "positions"
                     : options.maskStarts          ? "--mask-starts"
                                                   : nullptr;
  for (const auto &file : windows->getFiles())
    if (what && !facts.endOfDocument(*file))
      refuse("token file ", file->getPath(),
             " does not say which token ends a document, which ", what,
             " follow from; give --eod ID, or write the file with `boost-data "
             "--eot TOKEN`, which notes it");
}

/// The numbers of places and documents, and of batches, fit the types of the
/// arguments and the tables that they look up.
void Batches::checkPlaces(int64_t used) {
  for (const auto &[tensor, feed] : feeds.arguments) {
    if (feed != Feed::positions && feed != Feed::segments)
      continue;
    int64_t limit = largestPlaceOf(*tensor);
    int64_t count = tensor->shape[1];
    // No row has more documents than tokens.
    if (limit >= count)
      continue;
    for (int64_t i = session.rank(); i < used; i += session.ranks()) {
      TokenWindows::Window window = (*windows)[i];
      facts.read(window, count, feed, rowBuffer.data());
      auto largest =
          *std::max_element(rowBuffer.begin(), rowBuffer.begin() + count);
      if (largest > limit)
        refuse("token file ", window.file->getPath(), ": the row from token ",
               window.first, " has ", nameOf(feed), " up to ", largest,
               ", but '", tensor->name, "' of this program takes them up to ",
               limit, "; compile it with a larger table or type");
    }
  }
}

void Batches::check(int64_t batches) {
  for (const auto &[tensor, feed] : feeds.arguments) {
    bool isOfNumber = feed == Feed::step || feed == Feed::key;
    if (isOfNumber && batches - 1 > maxIntegerOf(tensor->type))
      refuse("'", tensor->name, "' of ", nameOf(tensor->type),
             " takes the number of the batch, which goes up to ", batches - 1,
             "; use a wider type or fewer steps");
  }
  // Those of a random order may be anywhere.
  int64_t used = shuffleSeed ? windows->size() : batches * feeds.rows;
  windows->check(idLimit, used, session.rank(), session.ranks());
  checkPlaces(std::min(used, windows->size()));
}

//===----------------------------------------------------------------------===//
// Filling
//===----------------------------------------------------------------------===//

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

std::vector<TokenWindows::Window> Batches::rowsOf(int64_t first,
                                                  int64_t count) {
  std::vector<TokenWindows::Window> rows;
  for (int64_t row = first * feeds.rows; row < (first + count) * feeds.rows;
       ++row)
    rows.push_back((*windows)[findWindow(row)]);
  return rows;
}

/// All micro-batches of an exported batch have its number, and those that
/// nothing is trained on have -1.
int64_t Batches::numberOf(int64_t batch) const {
  return purpose == Purpose::training
             ? batch / session.getProgram().microBatches()
             : -1;
}

void Batches::fillStep(const Tensor &argument, int64_t batch) {
  int64_t number = numberOf(batch);
  convertElements(BOOST_RT_I64, &number, argument.type,
                  session.map(argument, Access::write).data(), 1);
}

/// The data of `jax.random.key(number)`, where JAX has integers of 32 bits.
void Batches::fillKey(const Tensor &argument, int64_t batch) {
  const uint32_t key[] = {0, static_cast<uint32_t>(numberOf(batch))};
  Shard shard = Shard::of(argument, session.getProgram().mesh, session.rank());
  std::memcpy(session.map(argument, Access::write).data(), key + shard.begin[0],
              argument.localShape[0] * sizeof(*key));
}

/// Refuses facts of a window that were in range when the run began: the file
/// is mapped, and another program can write it at any time.
void Batches::checkUnchanged(const FedArgument &fed,
                             const TokenWindows::Window &window,
                             int64_t count) const {
  int64_t largest = takesIds(fed.feed) ? idLimit - 1
                    : isFloat(fed.tensor->type)
                        ? std::numeric_limits<int64_t>::max()
                        : largestPlaceOf(*fed.tensor);
  const int64_t *facts = rowBuffer.data();
  const int64_t *found = std::find_if(facts, facts + count, [&](int64_t fact) {
    return fact < 0 || fact > largest;
  });
  if (found == facts + count)
    return;
  int64_t position = window.first + (found - facts);
  static constexpr const char *changed =
      ": another program has written this file since the run began; give the "
      "run a copy of its own, and start it again, with --resume from its last "
      "checkpoint";
  if (takesIds(fed.feed))
    refuse(TokenWindows::describeId(*window.file, position, idLimit), changed);
  refuse("token file ", window.file->getPath(), ": token ", position, " has ",
         nameOf(fed.feed), " ", *found, ", but '", fed.tensor->name,
         "' of this program takes them up to ", largest, changed);
}

void Batches::fillRows(const FedArgument &fed, int64_t batch) {
  const auto &[tensor, feed] = fed;
  const Tensor &argument = *tensor;
  Shard shard = Shard::of(argument, session.getProgram().mesh, session.rank());
  int64_t columns = argument.localShape[1];
  // A column more than the row has tokens: each is of the token of its number.
  bool isOfNext = argument.shape[1] == feeds.length &&
                  (feed == Feed::targets || feed == Feed::mask);
  int64_t first = shard.begin[1] + (isOfNext ? 1 : 0);
  Device::Mapping mapping = session.map(argument, Access::write);
  for (int64_t row = 0; row < argument.localShape[0]; ++row) {
    auto window =
        (*windows)[findWindow(batch * feeds.rows + shard.begin[0] + row)];
    facts.read(window, first + columns, feed, rowBuffer.data());
    session.alone([&] { checkUnchanged(fed, window, first + columns); });
    char *target = mapping.data() + row * columns * sizeOf(argument.type);
    if (!isFloat(argument.type)) {
      convertElements(BOOST_RT_I64, rowBuffer.data() + first, argument.type,
                      target, columns);
      continue;
    }
    std::copy_n(rowBuffer.begin() + first, columns, floatBuffer.begin());
    convertElements(BOOST_RT_F32, floatBuffer.data(), argument.type, target,
                    columns);
  }
}

void Batches::fill(int64_t batch) {
  for (const FedArgument &argument : feeds.arguments)
    if (!session.has(*argument.tensor))
      continue;
    else if (argument.feed == Feed::step)
      fillStep(*argument.tensor, batch);
    else if (argument.feed == Feed::key)
      fillKey(*argument.tensor, batch);
    else
      fillRows(argument, batch);
}
