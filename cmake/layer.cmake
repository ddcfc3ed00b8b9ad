# SPDX-License-Identifier: Apache-2.0
# aureole_layer(<name> BELOW <layer>...): folder src/<name> -> target aureole_<name>.
#
#   src/<name>/**/*.cpp           the layer, whatever the machine
#   src/<name>/**/*.cu            in builds for GPUs only (cmake/gpu.cmake)
#   src/<name>/**/gpu/*.cpp       likewise
#   src/<name>/**/emulated/*.cpp  in builds for emulated GPUs only
#   src/<name>/**/no_gpu/*.cpp    in others (what says that the back end is absent)
#   src/<name>/**/tests/*.{cpp,cu} the executable test_<name>, registered test by test or in shards
#   .../isa/... .../leaves/...    left to cmake/leaves.cmake, which may add to the target later
#   src/<name>/tests/isa/*.cpp    likewise
#   src/<name>/bench/*.{cpp,cu}   the executable bench_<name>, built on request
#   src/python                    the extension module aureole._core instead of a library
#
# A folder that is missing is passed over; one of headers alone becomes an INTERFACE target.

# Flags of a target of ours.
function(aureole_own_target target)
    get_target_property(type ${target} TYPE)
    if(NOT type STREQUAL "INTERFACE_LIBRARY")
        target_compile_options(${target} PRIVATE
            $<$<COMPILE_LANGUAGE:CXX>:${AUREOLE_WARNINGS}>
            $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr --extended-lambda -lineinfo>
            $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall>)
        aureole_gpu_sources(${target})
        if(target MATCHES "_(md|fft|amr)(_|$)")
            target_compile_options(${target} PRIVATE ${AUREOLE_KERNEL_FLAGS})
        endif()
    endif()
endfunction()

function(aureole_layer name)
    cmake_parse_arguments(arg "" "" "BELOW" ${ARGN})
    set(folder ${CMAKE_SOURCE_DIR}/src/${name})
    file(GLOB_RECURSE all CONFIGURE_DEPENDS ${folder}/*.cpp ${folder}/*.cu ${folder}/*.hpp)
    if(NOT all)
        return()
    endif()
    list(APPEND AUREOLE_LAYERS ${name})
    set(AUREOLE_LAYERS ${AUREOLE_LAYERS} PARENT_SCOPE)

    set(tests ${all})
    list(FILTER tests INCLUDE REGEX "/tests/.*\\.(cpp|cu)$")
    list(FILTER tests EXCLUDE REGEX "/isa/")
    set(sources ${all})
    list(FILTER sources EXCLUDE REGEX "/(tests|bench|isa|leaves)/|\\.hpp$")
    if(AUREOLE_GPU_VENDOR)
        list(FILTER sources EXCLUDE REGEX "/no_gpu/")
    else()
        list(FILTER sources EXCLUDE REGEX "/gpu/|\\.cu$")
        list(FILTER tests EXCLUDE REGEX "/gpu/|\\.cu$")
    endif()
    if(NOT AUREOLE_GPU_VENDOR STREQUAL "emulated")
        list(FILTER sources EXCLUDE REGEX "/emulated/")
        list(FILTER tests EXCLUDE REGEX "/emulated/")
    endif()

    set(lower aureole_third_party Threads::Threads)
    foreach(layer IN LISTS arg_BELOW)
        if(TARGET aureole_${layer})
            list(APPEND lower aureole_${layer})
        endif()
    endforeach()

    set(target aureole_${name})
    if(name STREQUAL "python")
        if(NOT AUREOLE_PYTHON OR NOT sources)
            return()
        endif()
        aureole_extension("${sources}" "${lower}")
        return()
    endif()

    if(sources)
        add_library(${target} STATIC ${sources})
        set(scope PUBLIC)
    else()
        add_library(${target} INTERFACE)
        set(scope INTERFACE)
    endif()
    target_include_directories(${target} ${scope} ${CMAKE_SOURCE_DIR}/src)
    target_include_directories(${target} SYSTEM ${scope} ${AUREOLE_GPU_INCLUDES})
    target_compile_definitions(${target} ${scope}
        ${AUREOLE_GPU_DEFINITIONS} AUREOLE_VERSION="${PROJECT_VERSION}")
    target_link_libraries(${target} ${scope} ${lower} ${AUREOLE_GPU_LIBRARIES} ${CMAKE_DL_LIBS})
    if(name STREQUAL "fft" AND AUREOLE_GPU_VENDOR STREQUAL "cuda") # opens cuFFT at run time
        target_include_directories(${target} ${scope} ${CUDAToolkit_INCLUDE_DIRS})
    endif()
    aureole_own_target(${target})

    set(bench ${all})
    list(FILTER bench INCLUDE REGEX "/bench/.*\\.(cpp|cu)$")
    if(NOT AUREOLE_GPU_VENDOR OR name STREQUAL "preload") # preload's become text (tools/stencil_ptx.sh)
        list(FILTER bench EXCLUDE REGEX "\\.cu$")
    endif()
    if(bench)
        find_library(AUREOLE_TBB tbb) # a peer, where it is installed
        mark_as_advanced(AUREOLE_TBB)
        if(AUREOLE_TBB)
            list(FILTER bench EXCLUDE REGEX "/no_tbb/")
        else()
            list(FILTER bench EXCLUDE REGEX "/tbb/")
        endif()
        add_executable(bench_${name} EXCLUDE_FROM_ALL ${bench})
        target_link_libraries(bench_${name} PRIVATE ${target} $<$<BOOL:${AUREOLE_TBB}>:${AUREOLE_TBB}>)
        aureole_own_target(bench_${name})
    endif()

    if(AUREOLE_TESTS AND tests)
        aureole_layer_tests(${name} "${tests}")
    endif()
endfunction()

# Files of md's tests that ThreadSanitizer need not watch: of functions, or of one thread.
string(JOIN "|" tests_of_one_thread
    bonded_terms constrained_motion constraints_of_gromacs coupling drift_buffer ewald_split external_contract gromacs
    kernel_contract lattice_shifts mesh_of_charges packed potential_contract term_contract term_kernels)

function(aureole_layer_tests name tests)
    set(target test_${name})
    string(TOUPPER ${name} upper)
    if(AUREOLE_${upper}_TESTS)
        list(FILTER tests INCLUDE REGEX "/(${AUREOLE_${upper}_TESTS})\\.cpp$")
    endif()
    if(name STREQUAL "md" AND AUREOLE_SANITIZE STREQUAL "thread")
        list(FILTER tests EXCLUDE REGEX "/(${tests_of_one_thread})\\.cpp$")
    endif()
    add_executable(${target} ${tests})
    target_link_libraries(${target} PRIVATE aureole_${name} GTest::gtest_main)
    aureole_own_target(${target})
    # Tests compile faster so; the library that they link is as shipped.
    target_compile_options(${target} PRIVATE $<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:-O1>)
    if(AUREOLE_SANITIZE STREQUAL "address" AND name STREQUAL "md")
        # Watched are the library, and the templates of core and device in their own tests.
        target_compile_options(${target} PRIVATE -fno-sanitize=all)
    endif()
    gtest_discover_tests(${target} TEST_PREFIX ${name}. DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 120
                         PROPERTIES TIMEOUT 300 LABELS ${name})
endfunction()

function(aureole_extension sources libraries)
    nanobind_add_module(_core NB_STATIC ${sources})
    target_link_libraries(_core PRIVATE ${libraries})
    aureole_own_target(_core)
    target_include_directories(_core PRIVATE ${CMAKE_SOURCE_DIR}/src)
    target_include_directories(_core SYSTEM PRIVATE ${NB_DIR}/include)
    if(AUREOLE_GPU_VENDOR STREQUAL "hip") # a ROCm that is outside the linker's folders
        get_filename_component(runtime ${AUREOLE_HIP_RUNTIME} DIRECTORY)
        if(NOT runtime MATCHES "^/usr/lib")
            set_target_properties(_core PROPERTIES INSTALL_RPATH ${runtime})
        endif()
    endif()
    if(SKBUILD)
        install(TARGETS _core LIBRARY DESTINATION aureole)
    elseif(AUREOLE_PACKAGE)
        aureole_link_package(${AUREOLE_PACKAGE})
        set_target_properties(_core PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${AUREOLE_PACKAGE}/aureole)
    else()
        # Beside the Python files, so that the folder is importable as it stands.
        set_target_properties(_core PROPERTIES
            LIBRARY_OUTPUT_DIRECTORY ${CMAKE_SOURCE_DIR}/python/aureole)
        file(CREATE_LINK ${CMAKE_BINARY_DIR}/preload ${CMAKE_SOURCE_DIR}/python/aureole/preload SYMBOLIC)
    endif()
endfunction()

# Makes <folder>/aureole a package with the Python files of ours, for an extension module that is put there,
# and with what cmake/preload.cmake builds.
function(aureole_link_package folder)
    set(package ${CMAKE_SOURCE_DIR}/python/aureole)
    file(GLOB names CONFIGURE_DEPENDS RELATIVE ${package} ${package}/*)
    list(FILTER names EXCLUDE REGEX "\\.so$|^__pycache__$|^preload$")
    file(MAKE_DIRECTORY ${folder}/aureole)
    file(CREATE_LINK ${CMAKE_BINARY_DIR}/preload ${folder}/aureole/preload SYMBOLIC)
    foreach(name IN LISTS names)
        file(CREATE_LINK ${package}/${name} ${folder}/aureole/${name} SYMBOLIC)
    endforeach()
endfunction()
