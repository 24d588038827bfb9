//===- CompilerHeaders.h - What tests of the compiler include -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Precompiled, once for all; no source includes it by name.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_TEST_UNIT_COMPILERHEADERS_H
#define BOOST_TEST_UNIT_COMPILERHEADERS_H

#include "../../lib/DialectHeaders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#endif // BOOST_TEST_UNIT_COMPILERHEADERS_H
