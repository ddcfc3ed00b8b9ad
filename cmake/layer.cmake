# SPDX-License-Identifier: Apache-2.0
# aureole_layer(<name> BELOW <layer>...): folder src/<name> -> target aureole_<name>.
#
#   src/<name>/**/*.cpp           the layer, whatever the machine
#   src/<name>/**/*.cu            with the CUDA backend only
#   src/<name>/**/cuda/*.cpp      with the CUDA backend only
#   src/<name>/**/no_cuda/*.cpp   without it only (what says that the backend is absent)
#   src/<name>/**/tests/*.{cpp,cu} the executable test_<name>, registered test by test or in shards
#   .../isa/... .../leaves/...    left to cmake/leaves.cmake, which may add to the target later
#   src/<name>/tests/isa/*.cpp    likewise
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
        if(target MATCHES "_(md|fft)(_|$)")
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
    list(FILTER sources EXCLUDE REGEX "/(tests|isa|leaves)/|\\.hpp$")
    if(AUREOLE_CUDA_ENABLED)
        list(FILTER sources EXCLUDE REGEX "/no_cuda/")
    else()
        list(FILTER sources EXCLUDE REGEX "/cuda/|\\.cu$")
        list(FILTER tests EXCLUDE REGEX "/cuda/|\\.cu$")
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
    target_compile_definitions(${target} ${scope}
        AUREOLE_HAS_CUDA=$<BOOL:${AUREOLE_CUDA_ENABLED}> AUREOLE_VERSION="${PROJECT_VERSION}")
    target_link_libraries(${target} ${scope} ${lower} ${CMAKE_DL_LIBS})
    if(AUREOLE_CUDA_ENABLED)
        target_link_libraries(${target} ${scope} CUDA::cudart_static)
        if(name STREQUAL "fft")
            target_link_libraries(${target} ${scope} CUDA::cufft)
        endif()
    endif()
    aureole_own_target(${target})

    if(AUREOLE_TESTS AND tests)
        aureole_layer_tests(${name} "${tests}")
    endif()
endfunction()

# What ThreadSanitizer need not watch: tests whose name says that they have one thread, and those of functions.
string(JOIN ":" tests_of_one_thread
    "*/host1*" "*/hostlanes1*" "*_host1_*" "*_hostlanes1_*" "*/normal1threads1lanes" "*/packs1"
    "*.MissesNoPairOnOneThread/*" "Leaves/*Contract.*" "EwaldSplit.*" "Lifetimes/Drift.*")

function(aureole_layer_tests name tests)
    set(target test_${name})
    add_executable(${target} ${tests})
    target_link_libraries(${target} PRIVATE aureole_${name} GTest::gtest_main)
    aureole_own_target(${target})
    # Tests compile faster so; the library that they link is as shipped.
    target_compile_options(${target} PRIVATE $<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:-O1>)
    # One word, as gtest_discover_tests takes no lists; `ctest -L threads` finds it all the same.
    set(label ${name})
    if(name MATCHES "^(device|tasks|comm|halo|fft|io|md)$")
        set(label ${name}+threads)
        add_dependencies(threaded_tests ${target})
    endif()
    set(label_of_ranks ${label}+ranks)  # `ctest -L ranks`: one simulation on many ranks
    if(name MATCHES "^(comm|halo)$")
        set(label ${label_of_ranks})
    endif()
    # Once more where ranks share no memory; what needs it is left out.
    if(name MATCHES "^(comm|halo)$")
        add_test(NAME ${name}.apart COMMAND ${target} --gtest_filter=-*Fused*:RanksAsProcesses*)
        set_tests_properties(${name}.apart PROPERTIES
            TIMEOUT 1800 LABELS ${label} ENVIRONMENT AUREOLE_TRANSPORT=messages)
    endif()
    if(AUREOLE_TEST_SHARDS GREATER 0)
        set(filter "")
        if(AUREOLE_SANITIZE STREQUAL "thread")
            set(filter ";GTEST_FILTER=-${tests_of_one_thread}")
        endif()
        foreach(shard RANGE 1 ${AUREOLE_TEST_SHARDS})
            math(EXPR index "${shard} - 1")
            add_test(NAME ${name}.${shard}_of_${AUREOLE_TEST_SHARDS} COMMAND ${target})
            set_tests_properties(${name}.${shard}_of_${AUREOLE_TEST_SHARDS} PROPERTIES
                TIMEOUT 1800 LABELS ${label}
                ENVIRONMENT "GTEST_TOTAL_SHARDS=${AUREOLE_TEST_SHARDS};GTEST_SHARD_INDEX=${index}${filter}")
        endforeach()
        return()
    endif()
    set(how TEST_PREFIX ${name}. DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 120
        PROPERTIES TIMEOUT 300)
    gtest_discover_tests(${target} TEST_FILTER "-*Rank*" ${how} LABELS ${label})
    gtest_discover_tests(${target} TEST_FILTER "*Rank*" ${how} LABELS ${label_of_ranks})
endfunction()

function(aureole_extension sources libraries)
    nanobind_add_module(_core NB_STATIC ${sources})
    target_link_libraries(_core PRIVATE ${libraries})
    aureole_own_target(_core)
    target_include_directories(_core PRIVATE ${CMAKE_SOURCE_DIR}/src)
    target_include_directories(_core SYSTEM PRIVATE ${NB_DIR}/include)
    if(SKBUILD)
        install(TARGETS _core LIBRARY DESTINATION aureole)
    elseif(AUREOLE_PACKAGE)
        aureole_link_package(${AUREOLE_PACKAGE})
        set_target_properties(_core PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${AUREOLE_PACKAGE}/aureole)
    else()
        # Beside the Python files, so that the folder is importable as it stands.
        set_target_properties(_core PROPERTIES
            LIBRARY_OUTPUT_DIRECTORY ${CMAKE_SOURCE_DIR}/python/aureole)
    endif()
endfunction()

# Makes <folder>/aureole a package with the Python files of ours, for an extension module that is put there.
function(aureole_link_package folder)
    set(package ${CMAKE_SOURCE_DIR}/python/aureole)
    file(GLOB names CONFIGURE_DEPENDS RELATIVE ${package} ${package}/*)
    list(FILTER names EXCLUDE REGEX "\\.so$|^__pycache__$")
    file(MAKE_DIRECTORY ${folder}/aureole)
    foreach(name IN LISTS names)
        file(CREATE_LINK ${package}/${name} ${folder}/aureole/${name} SYMBOLIC)
    endforeach()
endfunction()
