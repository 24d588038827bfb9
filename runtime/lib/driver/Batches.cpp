//===- Batches.cpp - Batches from a token file ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Batches.h"

#include <algorithm>

using namespace boost_rt;

Batches::Batches(Session &session, const std::string &function,
                 const std::string &path)
    : session(session), file(path) {
  findArguments(function);
  windows = (file.size() - 1) / length;
  if (windows < 1)
    refuse("token file ", path, " has ", file.size(),
           " tokens, but one row of a batch needs ", length + 1,
           "; use more data or a program with a shorter sequence");
}

void Batches::findArguments(const std::string &function) {
  const Program &program = session.getProgram();
  std::string shapes;
  bool usable = true;
  for (const std::string &name : program.findFunction(function)->inputs) {
    const Tensor &tensor = program.tensor(name);
    if (tensor.role != Role::batch)
      continue;
    arguments.push_back(&tensor);
    shapes += concat(" '", name, "' ", shapeToString(tensor.shape), " of ",
                     nameOf(tensor.type));
    usable &= !isFloat(tensor.type) && tensor.type != BOOST_RT_I1 &&
              tensor.shape.size() == 2 &&
              tensor.shape == arguments.front()->shape;
  }
  bool joined = arguments.size() == 1;
  if (usable && (joined || arguments.size() == 2)) {
    rows = arguments.front()->shape[0];
    length = arguments.front()->shape[1] - (joined ? 1 : 0);
  }
  if (rows < 1 || length < 1)
    refuse("`train` fills one integer batch argument [rows, tokens + 1] or two "
           "[rows, tokens], but this program's batch is",
           shapes.empty() ? " empty" : shapes,
           "; train it through a loss over tokens, or use `eval`");
  // The two may be cut differently.
  for (const Tensor *argument : arguments)
    rowBuffer.resize(std::max(rowBuffer.size(),
                              static_cast<size_t>(argument->localShape[1])));
}

void Batches::checkIds(int64_t batches) const {
  int64_t limit = std::numeric_limits<int64_t>::max();
  for (const Tensor *argument : arguments) {
    limit = std::min(limit, maxIntegerOf(argument->type));
    if (argument->limit)
      limit = std::min(limit, *argument->limit);
  }
  int64_t used = windows;
  if (batches < windows / rows)
    used = batches * rows;
  int64_t tokens = used * length + 1;
  auto position =
      file.findAbove(limit, tokens * session.rank() / session.ranks(),
                     tokens * (session.rank() + 1) / session.ranks());
  if (position)
    refuse("token file ", file.getPath(), ": token ", *position, " is id ",
           file[*position], ", but this program was compiled for ids below ",
           limit,
           "; use data that was tokenized for its vocabulary, or compile the "
           "model with a larger one");
}

void Batches::fill(int64_t batch) {
  const Program &program = session.getProgram();
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Tensor &argument = *arguments[i];
    Shard shard = Shard::of(argument, program.mesh, session.rank());
    int64_t columns = argument.localShape[1];
    for (int64_t row = 0; row < argument.localShape[0]; ++row) {
      int64_t window = (batch * rows + shard.begin[0] + row) % windows;
      int64_t first =
          window * length + shard.begin[1] + static_cast<int64_t>(i);
      for (int64_t column = 0; column < columns; ++column)
        rowBuffer[static_cast<size_t>(column)] = file[first + column];
      convertElements(BOOST_RT_I64, rowBuffer.data(), argument.type,
                      session.data(argument) +
                          row * columns * sizeOf(argument.type),
                      columns);
    }
  }
}
