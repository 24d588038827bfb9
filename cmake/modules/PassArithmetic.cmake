# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DTBLGEN=llvm-tblgen -DINCLUDES="dir;dir" -DTD="a.td;b.td" -DOUTPUT=FILE
#       -P PassArithmetic.cmake
# What every pass does to arithmetic, from the "Arithmetic: TAG" in its
# description: one line BOOST_PASS_ARITHMETIC("flag", TAG, bound) per pass.

list(TRANSFORM INCLUDES PREPEND "-I")
set(lines "")
foreach(td ${TD})
  execute_process(COMMAND ${TBLGEN} --dump-json ${INCLUDES} ${td}
    OUTPUT_VARIABLE records RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${TBLGEN} cannot read ${td}")
  endif()
  string(JSON count LENGTH "${records}" "!instanceof" PassBase)
  math(EXPR last "${count} - 1")
  foreach(i RANGE ${last})
    string(JSON name GET "${records}" "!instanceof" PassBase ${i})
    string(JSON flag GET "${records}" ${name} argument)
    string(JSON description GET "${records}" ${name} description)
    if(NOT description MATCHES "Arithmetic:[ \n]+(exact|reassociating|approximate)( \\(([0-9.e-]+)\\))?")
      continue()
    endif()
    set(bound 0)
    if(CMAKE_MATCH_1 STREQUAL approximate)
      set(bound "${CMAKE_MATCH_3}")
      if(bound STREQUAL "")
        message(FATAL_ERROR
          "${td}: ${flag} is approximate, but does not say how much; write "
          "'Arithmetic: approximate (BOUND)'")
      endif()
    endif()
    string(APPEND lines
      "BOOST_PASS_ARITHMETIC(\"${flag}\", ${CMAKE_MATCH_1}, ${bound})\n")
  endforeach()
endforeach()
file(WRITE ${OUTPUT} "${lines}")
