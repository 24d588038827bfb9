# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The helpers that every CMakeLists.txt of the project uses, and no more.

# add_boost_headers(name header COMPILE_OPTIONS options... DEPENDS targets...
# LINK_LIBS libs...): an object library that precompiles a header, for targets
# that reuse it and compile with the same options. More than half of a build
# goes into parsing headers otherwise. Sources name what they use all the same:
# the preset asan builds without (CMAKE_DISABLE_PRECOMPILE_HEADERS).
function(add_boost_headers name header)
  cmake_parse_arguments(ARG "" "" "COMPILE_OPTIONS;DEPENDS;LINK_LIBS" ${ARGN})
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  file(GENERATE OUTPUT ${source} CONTENT "// Owns a precompiled header.\n")
  add_library(${name} OBJECT EXCLUDE_FROM_ALL ${source})
  target_precompile_headers(${name} PRIVATE ${header})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS})
  target_compile_options(${name} PRIVATE ${ARG_COMPILE_OPTIONS}
    "SHELL:-Xclang -fno-pch-timestamp")
  boost_set_warnings(${name})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

# add_boost_library(name sources... HEADERS headers DEPENDS tablegen-targets...
# LINK_LIBS libs...): a static library of the compiler, with the precompiled
# header of the target `headers`, by default BoostMLIRHeaders.
function(add_boost_library name)
  cmake_parse_arguments(ARG "" "HEADERS" "DEPENDS;LINK_LIBS" ${ARGN})
  if(NOT ARG_HEADERS)
    set(ARG_HEADERS BoostMLIRHeaders)
  endif()
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_precompile_headers(${name} REUSE_FROM ${ARG_HEADERS})
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS} boost_llvm)
  boost_set_warnings(${name})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

# add_boost_tool(name sources... LINK_LIBS libs...): an executable in bin/.
function(add_boost_tool name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_precompile_headers(${name} REUSE_FROM BoostMLIRDialectHeaders)
  # As the precompiled header is.
  target_compile_options(${name} PRIVATE -fPIC)
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} boost_llvm)
  boost_set_warnings(${name})
endfunction()

# How the sources of unit tests are compiled: as parts of an executable, and
# quickly, as they run for seconds at most.
set(boost_unittest_options -fPIE $<$<CONFIG:Release>:-O0>)

# add_boost_unittest(name sources... HEADERS headers LINK_LIBS libs...): a
# GoogleTest binary that check-boost runs, with the precompiled header of the
# target `headers`.
function(add_boost_unittest name)
  cmake_parse_arguments(ARG "" "HEADERS" "LINK_LIBS" ${ARGN})
  add_executable(${name} EXCLUDE_FROM_ALL ${ARG_UNPARSED_ARGUMENTS})
  if(ARG_HEADERS)
    target_precompile_headers(${name} REUSE_FROM ${ARG_HEADERS})
  endif()
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} GTest::gtest_main)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY
    ${PROJECT_BINARY_DIR}/test/unit)
  target_compile_options(${name} PRIVATE ${boost_unittest_options})
  boost_set_warnings(${name})
  set_property(GLOBAL APPEND PROPERTY BOOST_MLIR_UNITTESTS ${name})
endfunction()

function(boost_set_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wno-unused-parameter
    $<$<BOOL:${BOOST_MLIR_WERROR}>:-Werror>)
endfunction()
