# SPDX-License-Identifier: Apache-2.0
# libaureole_mpi.so, which a program loads before its MPI library, and the launcher aureole-mpi. The library shows the
# functions of MPI and nothing else, and brings the C++ library with it.
target_compile_options(aureole_preload PRIVATE -ftls-model=initial-exec) # it is there when the program starts
if(AUREOLE_SANITIZE)
    # A preloaded library does not go together with a sanitizer's runtime. Without the library nobody uses the entries,
    # which take long to compile.
    set_source_files_properties(${CMAKE_SOURCE_DIR}/src/preload/entries.gen.cpp TARGET_DIRECTORY aureole_preload
                                PROPERTIES HEADER_FILE_ONLY ON)
    return()
endif()

set(symbols ${CMAKE_SOURCE_DIR}/src/preload/symbols.map)
set(old_glibc "")
set(old_libraries "")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    # So that both files run with glibc 2.18 too, where functions that are now in libc are in these libraries.
    set(old_glibc ${CMAKE_SOURCE_DIR}/src/preload/old_glibc.c)
    set_source_files_properties(${old_glibc} PROPERTIES COMPILE_OPTIONS "-ffunction-sections;-fvisibility=hidden")
    set(old_libraries -Wl,--push-state,--no-as-needed -l:libdl.so.2 -l:libpthread.so.0 -Wl,--pop-state)
endif()

add_library(aureole_mpi MODULE ${symbols} ${old_glibc})
set_target_properties(aureole_mpi PROPERTIES LINKER_LANGUAGE CXX LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/preload
                                             LINK_DEPENDS ${symbols})
target_link_libraries(aureole_mpi PRIVATE -Wl,--whole-archive aureole_preload -Wl,--no-whole-archive ${old_libraries})
# The unwinder stays outside, and parts of the C++ library that nothing uses: they would ask for glibc 2.36.
target_link_options(aureole_mpi PRIVATE -Wl,--version-script=${symbols} -static-libstdc++ -Wl,--gc-sections)

add_executable(aureole-mpi ${CMAKE_SOURCE_DIR}/src/preload/launcher/aureole_mpi.c ${old_glibc})
set_target_properties(aureole-mpi PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/preload)
target_compile_definitions(aureole-mpi PRIVATE AUREOLE_VERSION="${PROJECT_VERSION}")
target_link_options(aureole-mpi PRIVATE -Wl,--gc-sections)
add_dependencies(aureole-mpi aureole_mpi)

# What `aureole bench mpi`, `stencil` and `hpcg` start on each rank. It exports the emulated kernels, which the driver
# double finds by their names.
file(GLOB bench CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/preload/bench/*.c)
add_executable(aureole-mpi-bench ${bench} ${old_glibc})
set_target_properties(aureole-mpi-bench PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/preload ENABLE_EXPORTS ON
                                                   C_VISIBILITY_PRESET hidden)
target_compile_options(aureole-mpi-bench PRIVATE -std=gnu11 -Wall -Wextra -ffp-contract=off)
target_link_libraries(aureole-mpi-bench PRIVATE ${old_libraries} ${CMAKE_DL_LIBS} m)
target_link_options(aureole-mpi-bench PRIVATE -Wl,--gc-sections)
add_dependencies(aureole-mpi-bench aureole-mpi)

# Parts of the Python package, which has them beside the extension.
if(SKBUILD)
    install(TARGETS aureole_mpi LIBRARY DESTINATION aureole/preload)
    install(TARGETS aureole-mpi aureole-mpi-bench RUNTIME DESTINATION aureole/preload)
endif()
