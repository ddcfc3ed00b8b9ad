# SPDX-License-Identifier: Apache-2.0
# libaureole_mpi.so, which a program loads before its MPI library, and the launcher aureole-mpi. The library shows the
# functions of MPI and nothing else, and brings the C++ library with it.
if(AUREOLE_SANITIZE)
    return() # a preloaded library does not go together with a sanitizer's runtime
endif()

set(symbols ${CMAKE_SOURCE_DIR}/src/preload/symbols.map)
add_library(aureole_mpi MODULE ${symbols})
set_target_properties(aureole_mpi PROPERTIES LINKER_LANGUAGE CXX LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/preload
                                             LINK_DEPENDS ${symbols})
target_link_libraries(aureole_mpi PRIVATE -Wl,--whole-archive aureole_preload -Wl,--no-whole-archive)
target_link_options(aureole_mpi PRIVATE -Wl,--version-script=${symbols} -static-libstdc++ -static-libgcc)

add_executable(aureole-mpi ${CMAKE_SOURCE_DIR}/src/preload/launcher/aureole_mpi.c)
set_target_properties(aureole-mpi PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/preload)
add_dependencies(aureole-mpi aureole_mpi)
