//===- RuntimeHeaders.h - What tests of the runtime include ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Precompiled, once for all; no source includes it by name.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_TEST_UNIT_RUNTIMEHEADERS_H
#define BOOST_TEST_UNIT_RUNTIMEHEADERS_H

#include "../../runtime/lib/Headers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#endif // BOOST_TEST_UNIT_RUNTIMEHEADERS_H
