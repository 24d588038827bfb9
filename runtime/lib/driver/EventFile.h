//===- EventFile.h - Training curves for TensorBoard ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_DRIVER_EVENTFILE_H
#define BOOST_RUNTIME_DRIVER_EVENTFILE_H

#include "driver/Progress.h"

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace boost_rt {

/// An event file of TensorBoard with the numbers of each step as scalars. Every
/// start of a run writes a file of its own, whose first events have TensorBoard
/// drop what earlier files of the folder hold from `firstStep` on.
class EventFile {
public:
  /// Creates the file, and the folder if it is missing; throws if that is not
  /// possible. An empty path writes nothing.
  EventFile(const std::string &folder, int64_t firstStep);
  ~EventFile();
  EventFile(const EventFile &) = delete;
  EventFile &operator=(const EventFile &) = delete;

  /// Warns the first time that a record cannot be written.
  void write(const StepRecord &record);

  /// Makes what was written durable.
  void sync();

private:
  void writeEvent(std::string_view event);

  std::string path;
  bool isErrorTold = false;
  std::FILE *file = nullptr;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_DRIVER_EVENTFILE_H
