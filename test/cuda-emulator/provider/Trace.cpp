//===- Trace.cpp - What kernels have made of device memory ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// BOOST_EMULATOR_TRACE=FILE: the launches of a program and the bytes that its
// one allocation held before and after each, in the format of TraceFormat.h.
//
//===----------------------------------------------------------------------===//

#include "Provider.h"
#include "TraceFormat.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

using namespace boost_emu;

namespace {

class Trace {
public:
  Trace(const char *path, uint64_t start, uint64_t bytes, int filler)
      : file(std::fopen(path, "wb")), start(start),
        known(bytes, static_cast<char>(filler)) {
    if (!file) {
      report(std::string("cannot write ") + path);
      std::_Exit(1);
    }
    write(kTraceMagic, sizeof(kTraceMagic));
    writeNumber(start);
    writeNumber(bytes);
    writeNumber(static_cast<uint64_t>(filler));
  }
  ~Trace() { std::fclose(file); }
  Trace(const Trace &) = delete;
  Trace &operator=(const Trace &) = delete;

  void writeChanges();
  void writeLaunch(const std::string &kernel, const Launch &launch,
                   const std::vector<std::vector<char>> &arguments);

private:
  void write(const void *data, size_t bytes) {
    std::fwrite(data, 1, bytes, file);
  }
  void writeNumber(uint64_t number) { write(&number, sizeof(number)); }

  FILE *file;
  uint64_t start;
  /// The bytes at the last record.
  std::vector<char> known;
};

} // namespace

/// Ranges of bytes that differ from those of the last record, in whole lines.
void Trace::writeChanges() {
  const char *bytes =
      translateDeviceAddress(reinterpret_cast<const char *>(start));
  std::vector<std::pair<uint64_t, uint64_t>> ranges;
  for (uint64_t at = 0; at < known.size(); at += kTraceLine) {
    uint64_t length = std::min<uint64_t>(kTraceLine, known.size() - at);
    if (std::memcmp(bytes + at, known.data() + at, length) == 0)
      continue;
    if (!ranges.empty() && ranges.back().first + ranges.back().second == at)
      ranges.back().second += length;
    else
      ranges.emplace_back(at, length);
  }
  writeNumber(ranges.size());
  for (auto [at, length] : ranges) {
    writeNumber(at);
    writeNumber(length);
    write(bytes + at, length);
    std::memcpy(known.data() + at, bytes + at, length);
  }
}

void Trace::writeLaunch(const std::string &kernel, const Launch &launch,
                        const std::vector<std::vector<char>> &arguments) {
  writeNumber(kernel.size());
  write(kernel.data(), kernel.size());
  for (unsigned size : {launch.grid.x, launch.grid.y, launch.grid.z,
                        launch.block.x, launch.block.y, launch.block.z})
    writeNumber(size);
  writeNumber(launch.dynamicSharedBytes);
  writeNumber(arguments.size());
  for (const std::vector<char> &argument : arguments) {
    writeNumber(argument.size());
    write(argument.data(), argument.size());
  }
}

static std::unique_ptr<Trace> trace;

void boost_emu::beginTrace(uint64_t start, uint64_t bytes, int filler) {
  if (const char *path = std::getenv("BOOST_EMULATOR_TRACE"); path && !trace)
    trace = std::make_unique<Trace>(path, start, bytes, filler);
}

void boost_emu::endTrace() { trace.reset(); }

void boost_emu::traceLaunch(const std::string &kernel, const Launch &launch,
                            const std::vector<std::vector<char>> &arguments) {
  if (!trace)
    return;
  trace->writeChanges();
  trace->writeLaunch(kernel, launch, arguments);
}

void boost_emu::traceResult() {
  if (trace)
    trace->writeChanges();
}
