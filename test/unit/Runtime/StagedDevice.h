//===- StagedDevice.h - A CPU whose arena the host cannot touch -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stands in for devices with memory of their own, in tests of what uses them.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TEST_UNIT_RUNTIME_STAGEDDEVICE_H
#define BOOST_MLIR_TEST_UNIT_RUNTIME_STAGEDDEVICE_H

#include "cpu/CPUDevice.h"

#include <map>
#include <memory>

namespace boost_rt {

/// Mappings are copies. An access to the arena outside of functions faults;
/// bytes of a mapping that the host promised to write and has not become
/// `unwritten`; what Device.h asks of callers ends the process if it is not so.
class StagedDevice : public CPUDevice {
public:
  static constexpr int unwritten = 0xcd;

  StagedDevice(const Program &program, Communicator &communicator);

  void fill(int value) override;

protected:
  void start(const Function &function,
             std::optional<int64_t> slotOffset) override;
  char *openMapping(int64_t offset, int64_t size, Access access) override;
  void closeMapping(const Mapping &mapping) override;

private:
  void protect(bool isProtected);
  template <typename Work> void unprotected(Work work);

  /// Copies that are mapped, by offset.
  std::map<int64_t, std::vector<char>> copies;
};

} // namespace boost_rt

#endif // BOOST_MLIR_TEST_UNIT_RUNTIME_STAGEDDEVICE_H
