// SPDX-License-Identifier: Apache-2.0
#include "faces/driver_face.hpp"
#include "machine/kernels.hpp"

using namespace aureole::emulated;

namespace {

/// Code that was loaded. Its content is never looked at: kernels are functions of the program.
struct Module {};

HandleTable<Module>& modules() {
    static auto* only = new HandleTable<Module>;
    return *only;
}

int load(const void* image, void** out) {
    if (!image || !out) return invalid_value;
    *out = modules().add(std::make_shared<Module>());
    return success;
}

int unload(void* module) { return modules().remove(module) ? success : invalid_handle; }

int find_in(void* module, const char* name, const Kernel** out) {
    if (!name || !out) return invalid_value;
    if (!modules().find(module)) return invalid_handle;
    *out = find_kernel(name);
    return *out ? success : not_found;
}

struct Size3 {
    unsigned x, y, z;
};

int run(const Kernel* kernel, Size3 grid, Size3 block, void* stream, void** parameters,
        void** packed) {
    const Here place = here();
    if (place.status != success) return place.status;
    if (!kernel_exists(kernel)) return invalid_handle;
    const bool empty = !grid.x || !grid.y || !grid.z || !block.x || !block.y || !block.z;
    if (empty || (parameters && packed)) return invalid_value;
    const auto found = stream_of(stream, place.context);
    if (!found) return invalid_handle;
    return launch({kernel, grid.x, block.x, parameters, packed}, found);
}

}  // namespace

DRIVER_FUNCTION int RT(ModuleLoad)(void** out, const char* file) {
    DRV_ENTER(ModuleLoad);
    return load(file, out);
}

DRIVER_FUNCTION int RT(ModuleLoadData)(void** out, const void* image) {
    DRV_ENTER(ModuleLoadData);
    return load(image, out);
}

DRIVER_FUNCTION int RT(ModuleLoadDataEx)(void** out, const void* image, unsigned, int*, void**) {
    DRV_ENTER(ModuleLoadDataEx);
    return load(image, out);
}

DRIVER_FUNCTION int RT(ModuleLoadFatBinary)(void** out, const void* image) {
    DRV_ENTER(ModuleLoadFatBinary);
    return load(image, out);
}

DRIVER_FUNCTION int RT(ModuleUnload)(void* module) {
    DRV_ENTER(ModuleUnload);
    return unload(module);
}

DRIVER_FUNCTION int RT(ModuleGetFunction)(const Kernel** out, void* module, const char* name) {
    DRV_ENTER(ModuleGetFunction);
    return find_in(module, name, out);
}

/// Emulated kernels have no variables of their own.
DRIVER_FUNCTION int RT(ModuleGetGlobal)(Address*, std::size_t*, void*, const char*) {
    DRV_ENTER(ModuleGetGlobal);
    return not_found;
}

DRIVER_FUNCTION int RT(FuncGetAttribute)(int* out, int, const Kernel* kernel) {
    DRV_ENTER(FuncGetAttribute);
    if (!out) return invalid_value;
    *out = 0;
    return kernel_exists(kernel) ? success : invalid_handle;
}

DRIVER_FUNCTION int RT(LibraryLoadData)(void** out, const void* image, int*, void**, unsigned, int*,
                                        void**, unsigned) {
    DRV_ENTER(LibraryLoadData);
    return load(image, out);
}

DRIVER_FUNCTION int RT(LibraryUnload)(void* library) {
    DRV_ENTER(LibraryUnload);
    return unload(library);
}

DRIVER_FUNCTION int RT(LibraryGetKernel)(const Kernel** out, void* library, const char* name) {
    DRV_ENTER(LibraryGetKernel);
    return find_in(library, name, out);
}

DRIVER_FUNCTION int RT(LibraryGetModule)(void** out, void* library) {
    DRV_ENTER(LibraryGetModule);
    if (!out || !modules().find(library)) return invalid_value;
    *out = library;
    return success;
}

DRIVER_FUNCTION int RT(KernelGetFunction)(const Kernel** out, const Kernel* kernel) {
    DRV_ENTER(KernelGetFunction);
    if (!out || !kernel_exists(kernel)) return invalid_value;
    *out = kernel;
    return success;
}

#ifndef AUREOLE_OPENS
#define LAUNCH_NAME LaunchKernel
#else
#define LAUNCH_NAME ModuleLaunchKernel
#endif

DRIVER_FUNCTION int RT(LAUNCH_NAME)(const Kernel* kernel, unsigned grid_x, unsigned grid_y,
                                    unsigned grid_z, unsigned block_x, unsigned block_y,
                                    unsigned block_z, unsigned, void* stream, void** parameters,
                                    void** packed) {
    DRV_ENTER(LAUNCH_NAME);
    return run(kernel, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, stream, parameters,
               packed);
}

/// The start of the drivers' description of a launch.
struct Configuration {
    Size3 grid, block;
    unsigned block_memory;
    void* stream;
};

DRIVER_FUNCTION int RT(LaunchKernelEx)(const Configuration* how, const Kernel* kernel,
                                       void** parameters, void** packed) {
    DRV_ENTER(LaunchKernelEx);
    if (!how) return invalid_value;
    return run(kernel, how->grid, how->block, how->stream, parameters, packed);
}

DRIVER_FUNCTION int RT(LaunchCooperativeKernel)(const Kernel* kernel, unsigned grid_x,
                                                unsigned grid_y, unsigned grid_z, unsigned block_x,
                                                unsigned block_y, unsigned block_z, unsigned,
                                                void* stream, void** parameters) {
    DRV_ENTER(LaunchCooperativeKernel);
    return run(kernel, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, stream, parameters,
               nullptr);
}
