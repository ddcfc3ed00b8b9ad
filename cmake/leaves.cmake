# SPDX-License-Identifier: Apache-2.0
# Leaf files (one potential each) and the hot kernels under isa/, compiled once per instruction set.
# A new file in a leaf folder is the whole registration of a potential.

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

set(generated ${CMAKE_BINARY_DIR}/generated)
file(GLOB isa_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/md/*/isa/*.cpp)
file(GLOB leaves CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/md/pair/leaves/*.hpp)

# Name of the potential = name of the first struct of its file.
set(declarations "")
set(rows "")
set(includes "")
set(lane_sources "")
foreach(leaf IN LISTS leaves)
    get_filename_component(stem ${leaf} NAME_WE)
    file(STRINGS ${leaf} lines REGEX "^struct [A-Za-z0-9]+ {")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${leaf})
    string(REGEX MATCH "struct ([A-Za-z0-9]+)" unused "${lines}")
    set(AUREOLE_LEAF ${CMAKE_MATCH_1})
    set(AUREOLE_LEAF_HEADER md/pair/leaves/${stem}.hpp)
    configure_file(${CMAKE_SOURCE_DIR}/cmake/leaf.cpp.in ${generated}/leaf_${stem}.cpp @ONLY)
    list(APPEND isa_sources ${generated}/leaf_${stem}.cpp)
    configure_file(${CMAKE_SOURCE_DIR}/cmake/lanes.cpp.in ${generated}/lanes_${stem}.cpp @ONLY)
    configure_file(${CMAKE_SOURCE_DIR}/cmake/lanes.cu.in ${generated}/lanes_${stem}.cu @ONLY)
    list(APPEND lane_sources ${generated}/lanes_${stem}.cpp)
    if(AUREOLE_CUDA_ENABLED)
        target_sources(aureole_md PRIVATE ${generated}/lanes_${stem}.cu)
    endif()
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

set(isa_names "")
set(searches "")
set(moves "")
set(constraints "")
foreach(isa IN LISTS isas)
    string(APPEND isa_names "Isa::${isa}, ")
    string(APPEND declarations "namespace ${isa} { SearchKernels search_kernels(); }\n"
                               "namespace ${isa} { MoveKernels move_kernels(); }\n"
                               "namespace ${isa} { ConstraintKernels constraint_kernels(); }\n")
    string(APPEND moves "&${isa}::move_kernels, ")
    string(APPEND constraints "&${isa}::constraint_kernels, ")
    string(APPEND searches "&${isa}::search_kernels, ")
    add_library(aureole_md_${isa} OBJECT ${isa_sources})
    target_include_directories(aureole_md_${isa} PRIVATE ${CMAKE_SOURCE_DIR}/src)
    target_link_libraries(aureole_md_${isa} PRIVATE aureole_third_party aureole_core)
    # No contraction: the same sum must round alike in every variant of a kernel.
    target_compile_options(aureole_md_${isa} PRIVATE ${isa_flags_${isa}} -ffp-contract=off
                                                     -fno-math-errno)
    target_compile_definitions(aureole_md_${isa} PRIVATE AUREOLE_ISA=${isa})
    aureole_own_target(aureole_md_${isa})
    target_sources(aureole_md PRIVATE $<TARGET_OBJECTS:aureole_md_${isa}>)
endforeach()

configure_file(${CMAKE_SOURCE_DIR}/cmake/registry.cpp.in ${generated}/registry.cpp @ONLY)
target_sources(aureole_md PRIVATE ${generated}/registry.cpp ${lane_sources})
set_source_files_properties(${lane_sources} PROPERTIES COMPILE_OPTIONS
                            "-ffp-contract=off;-fno-math-errno")

# The tests of packs, once per instruction set: an executable each, so that nothing compiled for one
# set is linked into what any processor may run.
set(processor_flag_sse4 sse4_2)
set(processor_flag_avx2 avx2)
set(processor_flag_avx512 avx512dq)
foreach(isa IN LISTS isas)
    if(AUREOLE_TESTS AND TARGET test_core AND DEFINED processor_flag_${isa})
        set(target test_core_${isa})
        add_executable(${target} ${CMAKE_SOURCE_DIR}/src/core/tests/pack.cpp)
        target_link_libraries(${target} PRIVATE aureole_core GTest::gtest_main)
        target_compile_options(${target} PRIVATE ${isa_flags_${isa}} -ffp-contract=off)
        aureole_own_target(${target})
        set(flag ${processor_flag_${isa}})
        add_test(NAME core.packs.${isa} COMMAND sh -c
            "grep -qw ${flag} /proc/cpuinfo || { echo \"skipped: no ${flag} here\"; exit 77; }; \
             exec $<TARGET_FILE:${target}>")
        set_tests_properties(core.packs.${isa} PROPERTIES SKIP_RETURN_CODE 77 LABELS core)
    endif()
endforeach()
