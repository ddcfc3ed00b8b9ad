# SPDX-License-Identifier: Apache-2.0
# Leaf files (one potential or bonded term each) and the hot kernels under isa/, compiled once per instruction set.
# A new file in a leaf folder is the whole registration of what it holds. Leaf folders are src/md/<kind>/leaves
# and <kind> in every folder of AUREOLE_EXTENSIONS.

if(NOT TARGET aureole_md)
    return()
endif()

if(AUREOLE_SIMD STREQUAL "scalar")
    set(isas scalar)
    set(isa_flags_scalar -DHWY_COMPILE_ONLY_SCALAR)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set(isas sse4 avx2 avx512)
    set(isa_flags_sse4 -march=x86-64-v2)
    set(isa_flags_avx2 -march=haswell -maes -mpclmul) # Highway asks for these two
    set(isa_flags_avx512 -march=x86-64-v4 -maes -mpclmul -mprefer-vector-width=512)
else()
    set(isas native)
    set(isa_flags_native "")
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    list(APPEND isa_flags_avx512 -Wno-uninitialized) # false alarms in GCC 12's own header
endif()

if(AUREOLE_ISAS) # fewer of them: sanitized kernels take a minute each to compile
    set(isas ${AUREOLE_ISAS})
endif()

# Sources of a layer, compiled for one instruction set.
function(aureole_isa_library layer isa sources)
    set(target aureole_${layer}_${isa})
    add_library(${target} OBJECT ${sources})
    target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR}/src)
    target_link_libraries(${target} PRIVATE aureole_third_party aureole_core)
    # No contraction: the same sum must round alike in every variant of a kernel.
    target_compile_options(${target} PRIVATE ${isa_flags_${isa}} -ffp-contract=off
                                             -fno-math-errno)
    target_compile_definitions(${target} PRIVATE AUREOLE_ISA=${isa})
    target_compile_options(${target} PRIVATE ${AUREOLE_PACK_FLAGS})
    aureole_own_target(${target})
    target_sources(aureole_${layer} PRIVATE $<TARGET_OBJECTS:${target}>)
endfunction()

include(extensions)
set(generated ${CMAKE_BINARY_DIR}/generated)
file(GLOB fft_isa_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/fft/isa/*.cpp)
file(GLOB isa_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/md/*/isa/*.cpp)
aureole_leaf_files(leaves pair)
aureole_leaf_files(term_leaves bonded)

# What leaf files generate: <prefix>leaf_<stem>.cpp once per instruction set, the launches on devices of
# any kind once; those of CUDA follow below. Sets AUREOLE_LEAF, the name of the first struct of the file.
macro(aureole_leaf leaf prefix unit lanes)
    get_filename_component(stem ${leaf} NAME_WE)
    file(STRINGS ${leaf} lines REGEX "^struct [A-Za-z0-9]+ {")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${leaf})
    string(REGEX MATCH "struct ([A-Za-z0-9]+)" unused "${lines}")
    set(AUREOLE_LEAF ${CMAKE_MATCH_1})
    string(REPLACE "${CMAKE_SOURCE_DIR}/src/" "" AUREOLE_LEAF_HEADER ${leaf})
    set(made ${generated}/${prefix})
    configure_file(${CMAKE_SOURCE_DIR}/cmake/${unit}.cpp.in ${made}leaf_${stem}.cpp @ONLY)
    configure_file(${CMAKE_SOURCE_DIR}/cmake/${lanes}.cpp.in ${made}lanes_${stem}.cpp @ONLY)
    list(APPEND isa_sources ${made}leaf_${stem}.cpp)
    list(APPEND lane_sources ${made}lanes_${stem}.cpp)
endmacro()

set(declarations "")
set(rows "")
set(includes "")
set(lane_sources "")
set(device_sources "")
set(term_launches "")
foreach(leaf IN LISTS leaves)
    aureole_leaf(${leaf} "" leaf lanes)
    configure_file(${CMAKE_SOURCE_DIR}/cmake/lanes.cu.in ${made}lanes_${stem}.cu @ONLY)
    list(APPEND device_sources ${made}lanes_${stem}.cu)
    string(APPEND includes "#include \"${AUREOLE_LEAF_HEADER}\"\n")
    set(kernels "")
    string(APPEND declarations "namespace lanes { LaneKernels kernels_of_${AUREOLE_LEAF}(); }\n")
    foreach(isa IN LISTS isas)
        string(APPEND declarations
               "namespace ${isa} { PotentialKernels kernels_of_${AUREOLE_LEAF}(); }\n")
        string(APPEND kernels "&${isa}::kernels_of_${AUREOLE_LEAF}, ")
    endforeach()
    string(APPEND rows
           "        make_potential<leaves::${AUREOLE_LEAF}>(\"${AUREOLE_LEAF}\", {${kernels}},\n"
           "                                lanes::kernels_of_${AUREOLE_LEAF}()),\n")
endforeach()

# Bonded terms are called as their files are.
set(term_declarations "")
set(term_rows "")
set(term_includes "")
foreach(leaf IN LISTS term_leaves)
    aureole_leaf(${leaf} term_ term term_lanes)
    configure_file(${CMAKE_SOURCE_DIR}/cmake/term_lanes.cu.in ${made}lanes_${stem}.cuh @ONLY)
    list(APPEND term_launches "#include \"${made}lanes_${stem}.cuh\"\n")
    set(maker "kernels_of_term_${AUREOLE_LEAF}")
    string(APPEND term_includes "#include \"${AUREOLE_LEAF_HEADER}\"\n")
    string(APPEND term_declarations "namespace lanes { TermLaunches ${maker}(); }\n")
    set(kernels "")
    foreach(isa IN LISTS isas)
        string(APPEND term_declarations "namespace ${isa} { BlockKernels ${maker}(); }\n")
        string(APPEND kernels "&${isa}::${maker}, ")
    endforeach()
    string(APPEND term_rows "        make_term<terms::${AUREOLE_LEAF}>(\"${stem}\", {${kernels}},\n"
                            "                                lanes::${maker}()),\n")
endforeach()

# Terms on CUDA devices: small kernels after long headers, so that several share a unit.
list(LENGTH term_launches last)
math(EXPR last "${last} - 1")
foreach(first RANGE 0 ${last} 8)
    list(SUBLIST term_launches ${first} 8 some)
    list(JOIN some "" some)
    file(CONFIGURE OUTPUT ${generated}/terms_from_${first}.cu CONTENT
         "// SPDX-License-Identifier: Apache-2.0\n// Generated by cmake/leaves.cmake.\n${some}")
    list(APPEND device_sources ${generated}/terms_from_${first}.cu)
endforeach()
if(AUREOLE_CUDA_ENABLED)
    target_sources(aureole_md PRIVATE ${device_sources})
endif()

# Tables of kernels that files under isa/ fill for their instruction set: function and type.
set(isa_tables
    "constraint_kernels ConstraintKernels"
    "move_kernels MoveKernels"
    "nonbonded_kernels NonbondedKernels"
    "pme_kernels PmeKernels"
    "search_kernels SearchKernels")

set(isa_names "")
set(fft_declarations "")
set(fft_kernels "")
foreach(isa IN LISTS isas)
    string(APPEND isa_names "Isa::${isa}, ")
    string(APPEND fft_declarations "namespace ${isa} { FftKernels fft_kernels(); }\n")
    string(APPEND fft_kernels "&${isa}::fft_kernels, ")
    aureole_isa_library(md ${isa} "${isa_sources}")
    aureole_precompile(aureole_md_${isa} <algorithm> <array> <span> <vector> core/simd_math.hpp
                       md/bonded/blocks_cpu.kernel.hpp)
    aureole_isa_library(fft ${isa} "${fft_isa_sources}")
endforeach()

set(tables "")
foreach(entry IN LISTS isa_tables)
    separate_arguments(entry)
    list(GET entry 0 function)
    list(GET entry 1 type)
    set(choices "")
    foreach(isa IN LISTS isas)
        string(APPEND declarations "namespace ${isa} { ${type} ${function}(); }\n")
        string(APPEND choices "&${isa}::${function}, ")
    endforeach()
    string(APPEND tables
           "${type} ${function}() {\n"
           "    constexpr ${type} (*choices[])() = {${choices}};\n"
           "    return choices[place(isa_in_use())]();\n"
           "}\n\n")
endforeach()

configure_file(${CMAKE_SOURCE_DIR}/cmake/terms.cpp.in ${generated}/terms.cpp @ONLY)
configure_file(${CMAKE_SOURCE_DIR}/cmake/registry.cpp.in ${generated}/registry.cpp @ONLY)
configure_file(${CMAKE_SOURCE_DIR}/cmake/fft_registry.cpp.in ${generated}/fft_registry.cpp @ONLY)
target_sources(aureole_fft PRIVATE ${generated}/fft_registry.cpp)
target_sources(aureole_md PRIVATE ${generated}/registry.cpp ${generated}/terms.cpp)

# The launches of leaf files, for any processor.
add_library(aureole_md_lanes OBJECT ${lane_sources})
target_include_directories(aureole_md_lanes PRIVATE ${CMAKE_SOURCE_DIR}/src)
target_link_libraries(aureole_md_lanes PRIVATE aureole_device)
target_compile_options(aureole_md_lanes PRIVATE -ffp-contract=off -fno-math-errno)
aureole_own_target(aureole_md_lanes)
aureole_precompile(aureole_md_lanes <algorithm> <array> <span> <vector> md/bonded/lanes.hpp)
target_sources(aureole_md PRIVATE $<TARGET_OBJECTS:aureole_md_lanes>)

# Tests under core/tests/isa, once per instruction set: an executable each, so that nothing compiled for
# one set is linked into what any processor may run.
file(GLOB core_isa_tests CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/core/tests/isa/*.cpp)
set(processor_flag_sse4 sse4_2)
set(processor_flag_avx2 avx2)
set(processor_flag_avx512 avx512dq)
foreach(isa IN LISTS isas)
    if(AUREOLE_TESTS AND TARGET test_core)
        set(target test_core_${isa})
        add_executable(${target} ${core_isa_tests})
        target_link_libraries(${target} PRIVATE aureole_core GTest::gtest_main)
        target_compile_options(${target} PRIVATE ${isa_flags_${isa}} -ffp-contract=off
                                                 ${AUREOLE_PACK_FLAGS})
        aureole_own_target(${target})
        set(look true)
        if(DEFINED processor_flag_${isa})
            set(flag ${processor_flag_${isa}})
            set(look "grep -qw ${flag} /proc/cpuinfo || { echo \"skipped: no ${flag} here\"; exit 77; }")
        endif()
        add_test(NAME core.packs.${isa} COMMAND sh -c "${look}; exec $<TARGET_FILE:${target}>")
        set_tests_properties(core.packs.${isa} PROPERTIES SKIP_RETURN_CODE 77 LABELS core)
        add_dependencies(test_core ${target})
    endif()
endforeach()
