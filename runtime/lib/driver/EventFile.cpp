//===- EventFile.cpp - Training curves for TensorBoard --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file is a sequence of records in TFRecord framing (the length, its
// checksum, the bytes, their checksum), each of which is a serialized protocol
// buffer `tensorflow.Event`. The few fields that scalars need are written by
// hand, since the library of protocol buffers would be linked into every
// program.
//
//===----------------------------------------------------------------------===//

#include "driver/EventFile.h"
#include "common/DurableFile.h"
#include "common/Failure.h"
#include "common/FileTimes.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <unistd.h>

using namespace boost_rt;

//===----------------------------------------------------------------------===//
// Framing
//===----------------------------------------------------------------------===//

/// Returns the table of CRC-32C, whose polynomial is 0x1EDC6F41, reflected.
static constexpr std::array<uint32_t, 256> makeChecksumTable() {
  std::array<uint32_t, 256> table{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit)
      value = (value >> 1) ^ (value & 1 ? 0x82F63B78U : 0U);
    table[byte] = value;
  }
  return table;
}

/// Returns the checksum of TFRecord: CRC-32C, rotated and with a constant
/// added.
static uint32_t maskedChecksum(std::string_view bytes) {
  static constexpr std::array<uint32_t, 256> table = makeChecksumTable();
  uint32_t value = ~0U;
  for (char byte : bytes)
    value = (value >> 8) ^ table[(value ^ static_cast<uint8_t>(byte)) & 0xFF];
  value = ~value;
  return ((value >> 15) | (value << 17)) + 0xA282EAD8U;
}

/// Returns the bytes of a number in the machine's order, which is
/// little-endian.
template <typename T> static std::string bytesOf(T value) {
  return {reinterpret_cast<const char *>(&value), sizeof(value)};
}

//===----------------------------------------------------------------------===//
// Protocol buffers
//===----------------------------------------------------------------------===//

static std::string varint(uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7)
    bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}

namespace {
/// The encodings of protocol buffers, by their numbers there.
enum class Wire : uint64_t { varint = 0, fixed64 = 1, length = 2, fixed32 = 5 };
} // namespace

static std::string key(uint64_t field, Wire wire) {
  return varint(field << 3 | static_cast<uint64_t>(wire));
}
static std::string integerField(uint64_t field, int64_t value) {
  return key(field, Wire::varint) + varint(static_cast<uint64_t>(value));
}
static std::string bytesField(uint64_t field, const std::string &value) {
  return key(field, Wire::length) + varint(value.size()) + value;
}

/// Returns an event of this moment: `wall_time`, then further fields.
static std::string event(const std::string &fields) {
  std::chrono::duration<double> now =
      std::chrono::system_clock::now().time_since_epoch();
  return key(1, Wire::fixed64) + bytesOf(now.count()) + fields;
}

/// Returns a `Summary.Value`, its tag and `simple_value`, as a field of the
/// summary.
static std::string scalar(const std::string &tag, float value) {
  return bytesField(1, bytesField(1, tag) + key(2, Wire::fixed32) +
                           bytesOf(value));
}

/// Returns the event of a step, without its time.
static std::string summarize(const StepRecord &record) {
  std::string values = scalar("train/loss", record.loss);
  if (record.lr)
    values += scalar("train/lr", *record.lr);
  for (const auto &[kind, value] : record.metrics)
    values += scalar("train/" + kind, value);
  values += scalar("train/tokens_per_second",
                   static_cast<float>(record.tokensPerSecond()));
  if (record.valLoss)
    values += scalar("validation/loss", *record.valLoss);
  return integerField(2, record.step) + bytesField(5, values);
}

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

/// Returns a name behind those of earlier files: TensorBoard reads the files of
/// a folder in the order of their names.
static std::string nameOfFile() {
  char host[256] = "host";
  ::gethostname(host, sizeof(host) - 1);
  auto now = std::chrono::system_clock::now().time_since_epoch();
  auto nanoseconds =
      std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
  char text[32];
  std::snprintf(text, sizeof(text), "%lld.%09lld",
                static_cast<long long>(nanoseconds / 1000000000),
                static_cast<long long>(nanoseconds % 1000000000));
  return concat("events.out.tfevents.", text, ".", host, ".", ::getpid());
}

EventFile::EventFile(const std::string &folder, int64_t firstStep) {
  if (folder.empty())
    return;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    refuse("cannot create the folder of --tensorboard, ", folder, ": ",
           error.message(), "; give another one");
  path = concat(folder, "/", nameOfFile());
  file = std::fopen(path.c_str(), "wbxe");
  if (!file)
    refuse("cannot write event file ", path, ": ", describeWriteError(errno));
  writeEvent(event(bytesField(3, "brain.Event:2")));
  // A session that starts (1) replaces steps of earlier files.
  writeEvent(
      event(integerField(2, firstStep) + bytesField(7, integerField(1, 1))));
}

EventFile::~EventFile() {
  if (file)
    std::fclose(file);
}

void EventFile::writeEvent(std::string_view event) {
  std::string length = bytesOf(static_cast<uint64_t>(event.size()));
  std::string record = concat(length, bytesOf(maskedChecksum(length)), event,
                              bytesOf(maskedChecksum(event)));
  bool isWritten =
      std::fwrite(record.data(), 1, record.size(), file) == record.size();
  isWritten &= std::fflush(file) == 0;
  if (!isWritten && !isErrorTold)
    std::fprintf(stderr, "warning: cannot write event file %s: %s\n",
                 path.c_str(), describeWriteError(errno).c_str());
  isErrorTold |= !isWritten;
}

void EventFile::write(const StepRecord &record) {
  if (file)
    writeEvent(event(summarize(record)));
}

void EventFile::sync() {
  TimedScope timed(fileTimes.syncs);
  if (file)
    ::fsync(::fileno(file));
}
