# SPDX-License-Identifier: Apache-2.0
# Kept libraries, from the system's packages.

add_library(aureole_third_party INTERFACE)

# One header-only library: its marker header, and the Debian package that has it.
function(aureole_header_library name header package)
    find_path(AUREOLE_${name}_INCLUDE ${header} NO_CACHE)
    if(NOT AUREOLE_${name}_INCLUDE)
        message(FATAL_ERROR "${header} was not found (${name} is needed by the core). "
                            "Install it: apt-get install ${package}.")
    endif()
    # A compiler's own include folder must not be named again: that breaks #include_next.
    if(NOT AUREOLE_${name}_INCLUDE IN_LIST CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
        target_include_directories(aureole_third_party SYSTEM INTERFACE ${AUREOLE_${name}_INCLUDE})
    endif()
endfunction()

aureole_header_library(Highway hwy/highway.h libhwy-dev)
aureole_header_library(Random123 Random123/philox.h librandom123-dev)
aureole_header_library(xxHash xxhash.h libxxhash-dev)
target_compile_definitions(aureole_third_party INTERFACE XXH_INLINE_ALL)

# GoogleTest: the installed library; from source for sanitizers, which should see it.
if(AUREOLE_TESTS)
    include(GoogleTest)
    if(NOT AUREOLE_SANITIZE)
        find_package(GTest QUIET)
    endif()
    set(folder /usr/src/googletest)
    if(NOT TARGET GTest::gtest_main AND EXISTS ${folder}/CMakeLists.txt)
        set(BUILD_GMOCK OFF CACHE BOOL "" FORCE)
        set(INSTALL_GTEST OFF CACHE BOOL "" FORCE)
        add_subdirectory(${folder} ${CMAKE_BINARY_DIR}/googletest EXCLUDE_FROM_ALL SYSTEM)
        target_compile_options(gtest PRIVATE -w)
        if(NOT TARGET GTest::gtest_main)
            add_library(GTest::gtest_main ALIAS gtest_main)
        endif()
    endif()
    if(NOT TARGET GTest::gtest_main)
        message(FATAL_ERROR "GoogleTest was not found (the unit tests need it). "
                            "Install it: apt-get install libgtest-dev; or set AUREOLE_TESTS=OFF.")
    endif()
endif()

if(AUREOLE_PYTHON)
    find_package(Python 3.11 COMPONENTS Interpreter Development.Module REQUIRED)
    execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir
                    OUTPUT_STRIP_TRAILING_WHITESPACE OUTPUT_VARIABLE nanobind_ROOT ERROR_QUIET)
    find_package(nanobind CONFIG REQUIRED)
endif()
