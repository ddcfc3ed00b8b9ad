# SPDX-License-Identifier: Apache-2.0
# Folders of leaf files outside src (AUREOLE_EXTENSIONS): <folder>/<kind>/*.hpp stand beside src/md/<kind>/leaves/*.hpp,
# and beside those of fluids (fluid_leaves.cmake).

# What an extension folder may hold: one name for each kind of leaf file.
set(aureole_leaf_kinds pair bonded external stages reconstruct riemann criteria)

set(aureole_extension_folders "")
macro(aureole_add_extension folder)
    get_filename_component(path ${folder} ABSOLUTE BASE_DIR ${CMAKE_SOURCE_DIR})
    if(NOT IS_DIRECTORY ${path})
        message(FATAL_ERROR "The extension folder ${path} was not found (AUREOLE_EXTENSIONS names it). "
                            "Make it, or correct the name.")
    endif()
    list(APPEND aureole_extension_folders ${path})
    file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${path} ${path}/*.hpp)
    foreach(header IN LISTS headers)
        get_filename_component(kind "${header}" DIRECTORY)
        if(NOT kind IN_LIST aureole_leaf_kinds)
            list(JOIN aureole_leaf_kinds ", " known)
            message(FATAL_ERROR "${path}/${header} would be in no build (known folders of an extension: "
                                "${known}). Move it into one of these.")
        endif()
    endforeach()
endmacro()

foreach(folder IN LISTS AUREOLE_EXTENSIONS)
    aureole_add_extension(${folder})
endforeach()

# Sets `result` to the leaf files of a kind, those of src first, but for those in the list `known`. Those of src are
# in md/<kind>/leaves, or in the folder that is given.
function(aureole_leaf_files result kind known)
    set(of_src md/${kind}/leaves)
    if(ARGC GREATER 3)
        set(of_src ${ARGV3})
    endif()
    file(GLOB files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${of_src}/*.hpp)
    set(names "")
    foreach(folder IN LISTS aureole_extension_folders)
        file(GLOB more CONFIGURE_DEPENDS ${folder}/${kind}/*.hpp)
        list(APPEND files ${more})
    endforeach()
    foreach(file IN LISTS files)
        get_filename_component(name ${file} NAME)
        if(name IN_LIST names)
            message(FATAL_ERROR "There are two leaf files ${kind}/${name} (a name may occur once in src and "
                                "AUREOLE_EXTENSIONS). Rename ${file}.")
        endif()
        list(APPEND names ${name})
    endforeach()
    if(${known})
        list(REMOVE_ITEM files ${${known}})
    endif()
    set(${result} ${files} PARENT_SCOPE)
endfunction()
