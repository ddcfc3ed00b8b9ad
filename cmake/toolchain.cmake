# SPDX-License-Identifier: Apache-2.0
# Compilers and the flags that hold for every target.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
find_package(Threads REQUIRED)

# docs/decisions/032: -O3 takes a third longer, and gains in kernels for instruction sets alone
# (aureole_isa_objects), but for loops vectorised as it does. GCC 12's vectoriser of basic blocks
# takes double(float(x)) of two neighbours for x.
string(REPLACE "-O3" "-O2" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    foreach(flag -fvect-cost-model=dynamic -fno-tree-slp-vectorize)
        add_compile_options($<$<COMPILE_LANGUAGE:CXX>:${flag}>
                            $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${flag}>)
    endforeach()
endif()

find_program(CCACHE ccache)
mark_as_advanced(CCACHE)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
    set(CMAKE_CUDA_COMPILER_LAUNCHER ${CCACHE})
endif()

# Warnings go to our own targets only (see layer.cmake).
set(AUREOLE_WARNINGS -Wall -Wextra -Wshadow)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    list(APPEND AUREOLE_WARNINGS -Wno-stringop-overflow -Wno-restrict) # false alarms of GCC 12
    if(AUREOLE_SANITIZE)
        list(APPEND AUREOLE_WARNINGS -Wno-maybe-uninitialized)
    endif()
endif()

if(AUREOLE_SANITIZE STREQUAL "address")
    # Checks of addresses are calls: the unrolled kernels would take minutes each otherwise.
    add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all
                        --param asan-instrumentation-with-call-threshold=0
                        -fno-omit-frame-pointer -g1)
    add_link_options(-fsanitize=address,undefined)
elseif(AUREOLE_SANITIZE STREQUAL "thread")
    add_compile_options(-fsanitize=thread -fno-omit-frame-pointer -g1)
    add_link_options(-fsanitize=thread)
elseif(NOT AUREOLE_SANITIZE STREQUAL "")
    message(FATAL_ERROR "AUREOLE_SANITIZE=${AUREOLE_SANITIZE} is unknown "
                        "(known: address, thread, empty). Choose one of these.")
endif()

if(AUREOLE_SANITIZE)
    add_compile_definitions(AUREOLE_FEW_KERNELS AUREOLE_SANITIZED)
endif()
if(AUREOLE_SANITIZE STREQUAL "address")
    add_compile_definitions(AUREOLE_SANITIZED_ADDRESSES)
endif()

# Layers of kernels: what these flags leave out is a pointer that is wrong but not used, checked at each of a
# thousand unrolled accesses, for which the compiler takes two fifths of its time; its use is an error of addresses.
# Layers that read what others write (core, io, comm, halo, device) have all checks.
set(AUREOLE_KERNEL_FLAGS "")
# Packs are small objects by the thousand: watching each would take the compiler minutes a unit.
set(AUREOLE_PACK_FLAGS "")
if(AUREOLE_SANITIZE STREQUAL "address")
    set(AUREOLE_KERNEL_FLAGS -fno-sanitize=null,alignment,object-size,pointer-overflow,vptr)
    set(AUREOLE_PACK_FLAGS ${AUREOLE_KERNEL_FLAGS})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        list(APPEND AUREOLE_PACK_FLAGS --param=asan-stack=0)
    endif()
endif()
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
if(CMAKE_CXX_FLAGS_${build_type} MATCHES "-O0")
    list(APPEND AUREOLE_PACK_FLAGS -O1) # unoptimised, packs take the compiler three times as long
endif()

include(gpu)
