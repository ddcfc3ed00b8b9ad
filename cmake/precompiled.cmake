# SPDX-License-Identifier: Apache-2.0
# Precompiled headers: what most units of a target read first. One build of `make test` precompiles those of the
# tests alone, so that every other file includes what it needs.

set(AUREOLE_PRECOMPILED OFF CACHE STRING "Precompile common headers: ON, OFF, or TESTS (those of the unit tests)")
set_property(CACHE AUREOLE_PRECOMPILED PROPERTY STRINGS ON OFF TESTS)

# aureole_precompile(<target> <header>...): names relative to src/, or <in brackets>.
function(aureole_precompile target)
    if(NOT AUREOLE_PRECOMPILED OR NOT TARGET ${target})
        return()
    endif()
    if(AUREOLE_PRECOMPILED STREQUAL "TESTS" AND NOT target MATCHES "^test_")
        return()
    endif()
    foreach(header IN LISTS ARGN)
        if(NOT header MATCHES "^<")
            set(header ${CMAKE_SOURCE_DIR}/src/${header})
        endif()
        target_precompile_headers(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${header}>")
    endforeach()
endfunction()

set(aureole_precompiled_md
    <algorithm> <array> <cmath> <functional> <numbers> <span> <string> <vector>
    device/copy.hpp device/launch.hpp device/reduce_ops.hpp md/engine.hpp)
