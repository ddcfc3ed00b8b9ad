# SPDX-License-Identifier: Apache-2.0
# `extended`, a target for tests: the unit tests, and a Python package in <build>/extended, with the leaf files of
# tests/extensions beside the others and with kernels of packs without registers (AUREOLE_ISA=scalar) beside those of
# the instruction sets. All but these, the registries and the layer amr are objects of the main build.
# Builds with extensions of their own have none, as names may clash.
# The lane `extended` (tests/lanes.toml) runs them.

if(NOT AUREOLE_TESTS OR AUREOLE_SANITIZE OR AUREOLE_EXTENSIONS OR NOT TARGET test_md OR "scalar" IN_LIST isas)
    return()
endif()
add_custom_target(extended)

# Object library of `extended`, made with it alone.
macro(aureole_add_to_extended target)
    set_property(TARGET ${target} PROPERTY EXCLUDE_FROM_ALL ON)
    aureole_objects_of(objects ${target})
    list(APPEND extended_objects ${objects})
endmacro()

# test_<layer>_extended: the tests of a layer.
function(aureole_extended_tests layer)
    set(target test_${layer}_extended)
    add_executable(${target} EXCLUDE_FROM_ALL $<TARGET_OBJECTS:test_${layer}> ${extended_objects})
    target_link_libraries(${target} PRIVATE aureole_md aureole_amr GTest::gtest_main)
    add_dependencies(extended ${target})
endfunction()

set(all_isa_sources ${isa_sources})
aureole_add_extension(${CMAKE_SOURCE_DIR}/tests/extensions)
aureole_register_leaves()
aureole_write_fluid_leaves(${generated}/extended)
list(APPEND all_isa_sources ${isa_sources})
foreach(isa IN LISTS isas)
    aureole_isa_objects(aureole_extended_${isa} ${isa} "${isa_sources};${amr_isa_sources}")
    aureole_add_to_extended(aureole_extended_${isa})
endforeach()
aureole_isa_objects(aureole_extended_scalar scalar "${md_isa_sources};${fft_isa_sources};${amr_isa_sources};${all_isa_sources}")
aureole_add_to_extended(aureole_extended_scalar)
list(PREPEND isas scalar)
aureole_write_registries(${generated}/extended)
aureole_launch_objects(aureole_extended "${launch_sources};${registries};${fft_registry};${amr_registry};${isa_list}")
aureole_add_to_extended(aureole_extended)

# Kernels of fluids choose among all leaves.
get_target_property(amr_sources aureole_amr SOURCES)
list(FILTER amr_sources INCLUDE REGEX "/src/amr/")
add_library(aureole_extended_amr OBJECT ${amr_sources})
target_link_libraries(aureole_extended_amr PRIVATE $<TARGET_PROPERTY:aureole_amr,LINK_LIBRARIES>)
target_compile_options(aureole_extended_amr PRIVATE ${amr_options})
aureole_own_target(aureole_extended_amr)
aureole_add_to_extended(aureole_extended_amr)
foreach(target amr scalar ${isas})
    target_include_directories(aureole_extended_${target} BEFORE PRIVATE ${generated}/extended)
endforeach()
target_include_directories(aureole_extended_amr PRIVATE ${CMAKE_SOURCE_DIR}/src)

aureole_extended_tests(fft)
aureole_extended_tests(amr)
aureole_extended_tests(md)
aureole_core_isa_test(scalar)
set_property(TARGET test_core_scalar PROPERTY EXCLUDE_FROM_ALL ON)
add_dependencies(extended test_core_scalar)

if(TARGET _core)
    nanobind_add_module(_core_extended NB_STATIC $<TARGET_OBJECTS:_core> ${extended_objects})
    target_link_libraries(_core_extended PRIVATE aureole_md aureole_amr aureole_io)
    set_target_properties(_core_extended PROPERTIES EXCLUDE_FROM_ALL ON OUTPUT_NAME _core LINKER_LANGUAGE CXX
                          LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/extended/aureole)
    aureole_link_package(${CMAKE_BINARY_DIR}/extended)
    add_dependencies(extended _core_extended)
endif()
