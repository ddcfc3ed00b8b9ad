# SPDX-License-Identifier: Apache-2.0
# Instruction sets that the hot kernels are compiled for: `isas`, lowest first, and the flags of each.

set(isa_flags_scalar -DHWY_COMPILE_ONLY_SCALAR -O1) # packs without registers, for tests
set(isa_flags_native "")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set(all_isas sse4 avx2 avx512)
    set(isa_flags_sse4 -march=x86-64-v2)
    set(isa_flags_avx2 -march=haswell -maes -mpclmul) # Highway asks for these two
    set(isa_flags_avx512 -march=x86-64-v4 -maes -mpclmul -mprefer-vector-width=512)
else()
    set(all_isas native)
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    list(APPEND isa_flags_avx512 -Wno-uninitialized -Wno-maybe-uninitialized) # false alarms in GCC 12's own header
endif()

# Sets `result` to the one that this processor would choose, as core::processor() does at run time.
function(aureole_isa_of_this_processor result)
    if(NOT DEFINED AUREOLE_ISA_OF_THIS_PROCESSOR)
        try_run(code compiled ${CMAKE_BINARY_DIR}/isa_here ${CMAKE_SOURCE_DIR}/cmake/isa_here.cpp
                CMAKE_FLAGS -DINCLUDE_DIRECTORIES=${CMAKE_SOURCE_DIR}/src
                CXX_STANDARD 20
                RUN_OUTPUT_VARIABLE found)
        if(NOT compiled OR NOT code EQUAL 0)
            message(FATAL_ERROR "The instruction sets of this processor could not be found "
                                "(cmake/isa_here.cpp did not run). Set AUREOLE_ISAS to some of: ${all_isas}.")
        endif()
        set(AUREOLE_ISA_OF_THIS_PROCESSOR ${found} CACHE INTERNAL "")
    endif()
    set(${result} ${AUREOLE_ISA_OF_THIS_PROCESSOR} PARENT_SCOPE)
endfunction()

if(AUREOLE_ISAS STREQUAL "all")
    set(isas ${all_isas})
elseif(AUREOLE_ISAS STREQUAL "native")
    aureole_isa_of_this_processor(isas)
else()
    set(isas ${AUREOLE_ISAS})
endif()
foreach(isa IN LISTS isas)
    if(NOT isa IN_LIST all_isas AND NOT isa STREQUAL "scalar")
        list(JOIN all_isas ", " known)
        message(FATAL_ERROR "AUREOLE_ISAS=${AUREOLE_ISAS} names the unknown instruction set '${isa}' "
                            "(known: native, all, or some of scalar, ${known}). Choose among these.")
    endif()
endforeach()
if(NOT isas)
    message(FATAL_ERROR "AUREOLE_ISAS is empty, so there would be no kernels. Use native (this processor's) or all.")
endif()
