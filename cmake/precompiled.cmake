# SPDX-License-Identifier: Apache-2.0
# Precompiled headers: what most units of a target read first. The lane `isas` builds without, so that every file
# includes what it needs.

option(AUREOLE_PRECOMPILED "Precompile common headers" ON)

# aureole_precompile(<target> <header>...): names relative to src/, or <in brackets>.
function(aureole_precompile target)
    if(NOT AUREOLE_PRECOMPILED OR NOT TARGET ${target})
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
    device/copy.hpp device/launch.hpp device/reduce_ops.hpp md/system/engine.hpp)
