# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The helpers that every CMakeLists.txt of the project uses, and no more.

# add_boost_library(name sources... DEPENDS tablegen-targets... LINK_LIBS libs...)
# A static library of the compiler. The headers of lib/MLIRHeaders.h are parsed
# once for all.
function(add_boost_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK_LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  if(TARGET BoostMLIRHeaders)
    target_precompile_headers(${name} REUSE_FROM BoostMLIRHeaders)
  endif()
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
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} boost_llvm)
  boost_set_warnings(${name})
endfunction()

# add_boost_unittest(name sources... LINK_LIBS libs...): a GoogleTest binary
# that check-boost runs.
function(add_boost_unittest name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_executable(${name} EXCLUDE_FROM_ALL ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} GTest::gtest_main)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY
    ${PROJECT_BINARY_DIR}/test/unit)
  boost_set_warnings(${name})
  set_property(GLOBAL APPEND PROPERTY BOOST_MLIR_UNITTESTS ${name})
endfunction()

function(boost_set_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wno-unused-parameter
    $<$<BOOL:${BOOST_MLIR_WERROR}>:-Werror>)
endfunction()
