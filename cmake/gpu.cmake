# SPDX-License-Identifier: Apache-2.0
# Whose GPUs the build is for, and how device sources (.cu) are compiled.
#
#   AUREOLE_GPU_VENDOR          cuda, hip, emulated, or empty
#   AUREOLE_GPU_DEFINITIONS     of every source
#   AUREOLE_GPU_ARCHITECTURES   what device code is made for, with blanks between
#   aureole_gpu_sources(<target>)   compiles the target's device sources

set(AUREOLE_GPU_VENDOR "")
set(AUREOLE_GPU_ARCHITECTURES "")
set(known cuda hip emulated OFF AUTO)
if(DEFINED AUREOLE_CUDA) # the older option: ON, OFF or AUTO
    string(TOUPPER "${AUREOLE_CUDA}" older)
    if(older STREQUAL "AUTO")
        set(older AUTO)
    elseif(AUREOLE_CUDA)
        set(older cuda)
    else()
        set(older OFF)
    endif()
    if(DEFINED AUREOLE_GPU AND NOT AUREOLE_GPU STREQUAL older)
        message(FATAL_ERROR "AUREOLE_CUDA=${AUREOLE_CUDA} and AUREOLE_GPU=${AUREOLE_GPU} contradict each other. "
                            "Give AUREOLE_GPU alone, with -UAUREOLE_CUDA where the build's folder has the other.")
    endif()
    set(AUREOLE_GPU ${older})
endif()
if(NOT DEFINED AUREOLE_GPU)
    set(AUREOLE_GPU OFF CACHE STRING "Whose GPUs: cuda, hip, emulated (for tests), OFF, or AUTO (what this machine has)")
    set_property(CACHE AUREOLE_GPU PROPERTY STRINGS ${known})
endif()
if(NOT AUREOLE_GPU IN_LIST known)
    list(JOIN known ", " known)
    message(FATAL_ERROR "AUREOLE_GPU=${AUREOLE_GPU} is unknown (known: ${known}). Choose one of these.")
endif()

# Where ROCm is, before the system's folders, and its compiler before theirs.
set(rocm $ENV{ROCM_PATH} /opt/rocm)
find_program(AUREOLE_HIP_COMPILER NAMES amdclang++ clang++-19 clang++-18 clang++-17 clang++ NAMES_PER_DIR
             HINTS ${rocm} PATH_SUFFIXES bin llvm/bin)
find_path(AUREOLE_HIP_INCLUDE hip/hip_runtime.h HINTS ${rocm} PATH_SUFFIXES include)
find_library(AUREOLE_HIP_RUNTIME amdhip64 HINTS ${rocm} PATH_SUFFIXES lib)
find_path(AUREOLE_ROCPRIM_INCLUDE rocprim/rocprim.hpp HINTS ${rocm} PATH_SUFFIXES include)
mark_as_advanced(AUREOLE_HIP_COMPILER AUREOLE_HIP_INCLUDE AUREOLE_HIP_RUNTIME AUREOLE_ROCPRIM_INCLUDE)

set(wanted ${AUREOLE_GPU})
if(AUREOLE_GPU STREQUAL "AUTO")
    set(wanted OFF)
    if(EXISTS /dev/nvidiactl)
        set(wanted cuda)
    elseif(EXISTS /dev/kfd AND AUREOLE_HIP_COMPILER AND AUREOLE_HIP_INCLUDE AND AUREOLE_HIP_RUNTIME AND
           AUREOLE_ROCPRIM_INCLUDE)
        set(wanted hip)
    endif()
endif()
if(AUREOLE_SANITIZE AND wanted)
    if(NOT AUREOLE_GPU STREQUAL "AUTO")
        message(FATAL_ERROR "AUREOLE_GPU=${AUREOLE_GPU} and AUREOLE_SANITIZE=${AUREOLE_SANITIZE} cannot go together "
                            "(sanitizers watch code of hosts). Leave one of them out.")
    endif()
    set(wanted OFF)
endif()

# Which GPUs of NVIDIA code is made for: those of this machine, or A100, H100 and B200 where it has none, with
# instructions that the driver translates for later ones.
function(aureole_cuda_architectures)
    execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
                    OUTPUT_VARIABLE here ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed)
    string(REGEX MATCHALL "[0-9]+\\.[0-9]" here "${here}")
    string(REPLACE "." "" here "${here}")
    list(REMOVE_DUPLICATES here)
    if(failed OR NOT here)
        set(here 80-real 90-real 100)
    endif()
    set(CMAKE_CUDA_ARCHITECTURES ${here} PARENT_SCOPE)
    message(STATUS "CUDA code for compute capabilities ${here}")
endfunction()

macro(aureole_enable_cuda)
    include(CheckLanguage)
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
        aureole_cuda_architectures()
    endif()
    check_language(CUDA)
    if(CMAKE_CUDA_COMPILER)
        enable_language(CUDA)
        find_package(CUDAToolkit REQUIRED)
        set(CMAKE_CUDA_STANDARD 20)
        set(CMAKE_CUDA_STANDARD_REQUIRED ON)
        # CMake 3.25 does not know that nvcc has C++20.
        if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
            set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
            set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
        endif()
        set(CMAKE_CUDA_VISIBILITY_PRESET hidden)
        set(AUREOLE_GPU_VENDOR cuda)
        string(REPLACE ";" " " AUREOLE_GPU_ARCHITECTURES "${CMAKE_CUDA_ARCHITECTURES}")
        set(AUREOLE_GPU_LIBRARIES CUDA::cudart_static)
    elseif(AUREOLE_GPU STREQUAL "cuda")
        unset(CMAKE_CUDA_COMPILER CACHE)  # or it would not be looked for again
        message(FATAL_ERROR "AUREOLE_GPU=cuda but there is no CUDA compiler (nvcc is not on PATH). "
                            "Put it there, or configure with AUREOLE_GPU=OFF.")
    endif()
endmacro()

# Sets `codes`, the GPUs of AMD that code is made for: AUREOLE_HIP_CODE, or those of this machine, or MI200 and MI300
# where it has none. What was found is not kept, as another machine may build in the same folder later.
macro(aureole_hip_architectures)
    if(DEFINED AUREOLE_HIP_CODE)
        string(REGEX REPLACE "[ ,]+" ";" codes "${AUREOLE_HIP_CODE}")
    else()
        find_program(enumerator rocm_agent_enumerator HINTS ${rocm} PATH_SUFFIXES bin NO_CACHE)
        execute_process(COMMAND ${enumerator} OUTPUT_VARIABLE codes ERROR_QUIET)
        string(REGEX MATCHALL "gfx[0-9a-f]+" codes "${codes}")
        list(REMOVE_ITEM codes gfx000)
        list(REMOVE_DUPLICATES codes)
        if(NOT codes)
            set(codes gfx90a gfx942)
        endif()
    endif()
    set(unknown ${codes})
    list(FILTER unknown EXCLUDE REGEX "^gfx[0-9]+[0-9a-f]*(:(xnack|sramecc)[+-])*$")
    if(unknown OR NOT codes)
        message(FATAL_ERROR "AUREOLE_HIP_CODE=${AUREOLE_HIP_CODE} names no GPUs of AMD. Give architectures such as "
                            "gfx90a;gfx942, or -UAUREOLE_HIP_CODE for those of this machine.")
    endif()
endmacro()

macro(aureole_enable_hip)
    if(NOT AUREOLE_HIP_COMPILER)
        message(FATAL_ERROR "AUREOLE_GPU=hip but there is no HIP compiler (neither clang++ nor ROCm's amdclang++ is on "
                            "PATH or in ROCM_PATH). Install ROCm, or Debian's clang-19, or configure with AUREOLE_GPU=OFF.")
    endif()
    foreach(part INCLUDE RUNTIME)
        if(NOT AUREOLE_HIP_${part})
            message(FATAL_ERROR "AUREOLE_GPU=hip but HIP's runtime is not here (hip/hip_runtime.h, libamdhip64.so). "
                                "Install ROCm, or Debian's libamdhip64-dev, and name its folder in ROCM_PATH.")
        endif()
    endforeach()
    if(DEFINED ENV{ROCM_PATH} AND NOT IS_DIRECTORY "$ENV{ROCM_PATH}")
        message(FATAL_ERROR "ROCM_PATH=$ENV{ROCM_PATH} is no folder. Name that of ROCm, or unset it.")
    endif()
    if(NOT AUREOLE_ROCPRIM_INCLUDE)
        message(FATAL_ERROR "AUREOLE_GPU=hip but rocPRIM is not here (rocprim/rocprim.hpp). "
                            "Install it with ROCm, or Debian's librocprim-dev.")
    endif()
    aureole_hip_architectures()
    set(AUREOLE_GPU_VENDOR hip)
    list(JOIN codes " " AUREOLE_GPU_ARCHITECTURES)
    set(AUREOLE_GPU_LIBRARIES ${AUREOLE_HIP_RUNTIME})
    get_filename_component(hip_root ${AUREOLE_HIP_INCLUDE} DIRECTORY)
    set(AUREOLE_HIP_FLAGS -x hip -std=c++20 -O2 -fPIC -fvisibility=hidden -fvisibility-inlines-hidden
        --rocm-path=${hip_root} -Wall)
    set(AUREOLE_GPU_INCLUDES "")
    foreach(folder ${AUREOLE_HIP_INCLUDE} ${AUREOLE_ROCPRIM_INCLUDE})
        if(NOT folder STREQUAL "/usr/include") # the compiler's own: named, it would come before those of C++
            list(APPEND AUREOLE_GPU_INCLUDES ${folder})
            list(APPEND AUREOLE_HIP_FLAGS -isystem ${folder})
        endif()
    endforeach()
    foreach(code IN LISTS codes)
        list(APPEND AUREOLE_HIP_FLAGS --offload-arch=${code})
    endforeach()
    foreach(bitcode /usr/lib/x86_64-linux-gnu/amdgcn/bitcode)
        if(EXISTS ${bitcode} AND hip_root STREQUAL "/usr")
            list(APPEND AUREOLE_HIP_FLAGS --rocm-device-lib-path=${bitcode})
        endif()
    endforeach()
    file(STRINGS ${AUREOLE_HIP_INCLUDE}/hip/hip_version.h hip_version REGEX "define HIP_VERSION_(MAJOR|MINOR) ")
    string(REGEX REPLACE "[^0-9;]" "" hip_version "${hip_version}")
    list(JOIN hip_version "." hip_version)
    message(STATUS "HIP ${hip_version} code for ${AUREOLE_GPU_ARCHITECTURES} by ${AUREOLE_HIP_COMPILER}")
    if(hip_version VERSION_LESS 6)
        message(STATUS "HIP ${hip_version} compiles, but runs are meant for ROCm 6 or later")
    endif()
endmacro()

if(wanted STREQUAL "cuda")
    aureole_enable_cuda()
elseif(wanted STREQUAL "hip")
    aureole_enable_hip()
elseif(wanted STREQUAL "emulated")
    set(AUREOLE_GPU_VENDOR emulated)
    set(AUREOLE_GPU_ARCHITECTURES emulated)
endif()

set(AUREOLE_GPU_DEFINITIONS "AUREOLE_GPU_VENDOR=\"${AUREOLE_GPU_VENDOR}\""
    "AUREOLE_GPU_ARCHITECTURES=\"${AUREOLE_GPU_ARCHITECTURES}\"")
if(AUREOLE_GPU_VENDOR)
    string(TOUPPER ${AUREOLE_GPU_VENDOR} upper)
    if(AUREOLE_GPU_VENDOR STREQUAL "hip")
        list(APPEND AUREOLE_GPU_DEFINITIONS __HIP_PLATFORM_AMD__=1)
    endif()
    list(APPEND AUREOLE_GPU_DEFINITIONS AUREOLE_GPU_${upper}=1)
endif()

# Device code: a·b + c is rounded once in kernels of forces alone, each of which is the same in every run. Stages
# exist by themselves and fused, and cells are found by two kernels: there compilers would choose differently in each.
function(aureole_contracts result source)
    set(${result} OFF PARENT_SCOPE)
    if(source MATCHES "/(pair|bonded|longrange|fft)/[a-z]+\\.cu$|/(lanes|terms)_[a-z_0-9]+\\.cu$")
        set(${result} ON PARENT_SCOPE)
    endif()
endfunction()

# Compiles a device source of a target by clang; `object` is set to what comes out.
function(aureole_hip_object object target source)
    get_filename_component(name ${source} NAME_WE)
    string(SHA1 hash ${source})
    string(SUBSTRING ${hash} 0 8 hash)
    set(made ${CMAKE_CURRENT_BINARY_DIR}/hip/${target}/${name}-${hash}.o)
    file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/hip/${target})
    set(contract off)
    aureole_contracts(contracts ${source})
    if(contracts)
        set(contract fast)
    endif()
    set(by "")
    if(AUREOLE_HIP_REMARKS)
        set(by ${Python_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tools/kernel_resources.py compile ${made}.remarks)
    endif()
    if(NOT target MATCHES "_extended")
        set_property(GLOBAL APPEND PROPERTY AUREOLE_HIP_OBJECTS ${made})
    endif()
    set_property(GLOBAL APPEND_STRING PROPERTY AUREOLE_HIP_COMPILES
                 "{\"source\": \"${source}\", \"contract\": \"${contract}\"},\n")
    set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
    set(includes "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
    add_custom_command(OUTPUT ${made}
        COMMAND ${by} ${AUREOLE_HIP_COMPILER} ${AUREOLE_HIP_FLAGS} -ffp-contract=${contract}
                "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
                "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>"
                -MD -MF ${made}.d -c ${source} -o ${made}
        DEPENDS ${source} DEPFILE ${made}.d COMMAND_EXPAND_LISTS VERBATIM
        COMMENT "Building HIP object ${name} of ${target}")
    set_source_files_properties(${made} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
    set(${object} ${made} PARENT_SCOPE)
endfunction()

# What tools/kernel_resources.py looks at, and a target that compiles all device sources.
function(aureole_note_hip_compiles)
    get_property(all GLOBAL PROPERTY AUREOLE_HIP_COMPILES)
    get_property(objects GLOBAL PROPERTY AUREOLE_HIP_OBJECTS)
    add_custom_target(device_objects DEPENDS ${objects})
    file(WRITE ${CMAKE_BINARY_DIR}/compile_hip.json "[\n${all}{\"source\": \"\", \"contract\": \"off\"}]\n")
endfunction()
if(AUREOLE_GPU_VENDOR STREQUAL "hip")
    option(AUREOLE_HIP_REMARKS "Keep what clang says about registers of kernels (tools/kernel_resources.py)" OFF)
    find_package(Python COMPONENTS Interpreter)
    cmake_language(DEFER DIRECTORY ${CMAKE_SOURCE_DIR} CALL aureole_note_hip_compiles)
endif()

function(aureole_gpu_sources target)
    get_target_property(sources ${target} SOURCES)
    if(AUREOLE_GPU_VENDOR STREQUAL "emulated") # whatever hosts' code is compiled with
        set(fibers ${sources})
        list(FILTER fibers INCLUDE REGEX "/device/emulated/.*\\.cpp$")
        set_source_files_properties(${fibers} PROPERTIES COMPILE_OPTIONS -O1)
    endif()
    list(FILTER sources INCLUDE REGEX "\\.cu$")
    foreach(source IN LISTS sources)
        aureole_contracts(contracts ${source})
        if(AUREOLE_GPU_VENDOR STREQUAL "cuda")
            set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS -fmad=$<IF:$<BOOL:${contracts}>,true,false>)
        elseif(AUREOLE_GPU_VENDOR STREQUAL "emulated")
            set_source_files_properties(${source} PROPERTIES LANGUAGE CXX SKIP_PRECOMPILE_HEADERS ON
                COMPILE_OPTIONS "-O1;-ffp-contract=off;-Wno-nonnull")
        elseif(AUREOLE_GPU_VENDOR STREQUAL "hip")
            set_source_files_properties(${source} PROPERTIES HEADER_FILE_ONLY ON)
            aureole_hip_object(object ${target} ${source})
            target_sources(${target} PRIVATE ${object})
            set_property(TARGET ${target} APPEND PROPERTY AUREOLE_HIP_OBJECTS ${object})
        endif()
    endforeach()
endfunction()

# All objects of an object library: TARGET_OBJECTS leaves out those that clang makes.
function(aureole_objects_of result target)
    get_target_property(by_clang ${target} AUREOLE_HIP_OBJECTS)
    if(NOT by_clang)
        set(by_clang "")
    endif()
    set(${result} $<TARGET_OBJECTS:${target}> ${by_clang} PARENT_SCOPE)
endfunction()
