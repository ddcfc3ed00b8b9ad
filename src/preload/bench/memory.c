/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "memory.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "mpi_calls.h"

struct Devices devices = {"none", 0, 0, NULL};

typedef unsigned long long Address; /* CUdeviceptr */

/* Functions of both drivers; CUDA's want a context, HIP's a device. */
static struct {
    int (*init)(unsigned);
    int (*count)(int*);
    int (*retain)(void**, int);
    int (*use_context)(void*);
    int (*use_device)(int);
    int (*take)(Address*, size_t);
    int (*take_managed)(Address*, size_t, unsigned);
    int (*give)(Address);
    int (*copy_cuda)(Address, Address, size_t);
    int (*copy_hip)(void*, const void*, size_t, int);
    int (*wait)(void);
    int (*load)(void**, const void*);
    int (*find)(void**, void*, const char*);
    int (*run)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*,
               void**, void**);
} driver;

enum { attach_global = 1, any_direction = 4 };

struct Name {
    void* place;
    const char *cuda, *hip; /* NULL: that vendor has none */
};

static const struct Name names[] = {
    {&driver.init, "cuInit", "hipInit"},
    {&driver.count, "cuDeviceGetCount", "hipGetDeviceCount"},
    {&driver.retain, "cuDevicePrimaryCtxRetain", NULL},
    {&driver.use_context, "cuCtxSetCurrent", NULL},
    {&driver.use_device, NULL, "hipSetDevice"},
    {&driver.take, "cuMemAlloc_v2", "hipMalloc"},
    {&driver.take_managed, "cuMemAllocManaged", "hipMallocManaged"},
    {&driver.give, "cuMemFree_v2", "hipFree"},
    {&driver.copy_cuda, "cuMemcpy", NULL},
    {&driver.copy_hip, NULL, "hipMemcpy"},
    {&driver.wait, "cuCtxSynchronize", "hipDeviceSynchronize"},
    {&driver.load, "cuModuleLoadData", "hipModuleLoadData"},
    {&driver.find, "cuModuleGetFunction", "hipModuleGetFunction"},
    {&driver.run, "cuLaunchKernel", "hipModuleLaunchKernel"},
};

static int open_vendor(int is_hip) {
    void* library = dlopen(is_hip ? "libamdhip64.so.6" : "libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
    if (library == NULL && is_hip) library = dlopen("libamdhip64.so", RTLD_NOW | RTLD_GLOBAL);
    if (library == NULL) return 0;
    for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
        const char* const name = is_hip ? names[k].hip : names[k].cuda;
        if (name == NULL) continue;
        *(void**)names[k].place = dlsym(library, name);
        if (*(void**)names[k].place == NULL) return 0;
    }
    if (driver.init(0) != 0 || driver.count(&devices.count) != 0 || devices.count < 1) return 0;
    devices.vendor = is_hip ? "hip" : "cuda";
    *(void**)&devices.host = dlsym(library, "aureole_double_host");
    devices.emulated = devices.host != NULL;
    return 1;
}

void devices_open(const char* vendor, int rank) {
    if (strcmp(vendor, "none") == 0) return;
    const int is_any = strcmp(vendor, "any") == 0;
    const int is_open = (strcmp(vendor, "hip") != 0 && open_vendor(0)) ||
                        ((is_any || strcmp(vendor, "hip") == 0) && open_vendor(1));
    if (!is_open && !is_any) refuse("the driver is missing or has no devices");
    if (!is_open) return;
    const int device = rank % devices.count;
    void* context = NULL;
    if (driver.use_device != NULL) {
        must("hipSetDevice", driver.use_device(device));
    } else {
        must("cuDevicePrimaryCtxRetain", driver.retain(&context, device));
        must("cuCtxSetCurrent", driver.use_context(context));
    }
}

void* memory_take(enum Memory kind, size_t bytes) {
    if (bytes == 0) bytes = 1;
    if (kind == in_host) {
        /* Pages of its own, as large arrays of programs have them. */
        void* const memory = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
        if (memory == NULL) refuse("not enough memory");
        return memory;
    }
    if (devices.count == 0) refuse("no driver has devices");
    Address at = 0;
    if (kind == in_device)
        must("allocation of device memory", driver.take(&at, bytes));
    else
        must("allocation of managed memory", driver.take_managed(&at, bytes, attach_global));
    return (void*)at;
}

void memory_give(enum Memory kind, void* memory) {
    if (kind == in_host)
        free(memory);
    else
        must("freeing of device memory", driver.give((Address)memory));
}

void memory_copy(void* to, const void* from, size_t bytes) {
    if (bytes == 0) return;
    if (devices.count == 0)
        memcpy(to, from, bytes);
    else if (driver.copy_hip != NULL)
        must("hipMemcpy", driver.copy_hip(to, from, bytes, any_direction));
    else
        must("cuMemcpy", driver.copy_cuda((Address)to, (Address)from, bytes));
    device_wait(); /* copies to the host may end before those from it have arrived */
}

void* kernel_load(const char* image, const char* name) {
    void *module = NULL, *kernel = NULL;
    must("loading of a module", driver.load(&module, image));
    must("looking for a kernel", driver.find(&kernel, module, name));
    return kernel;
}

void kernel_run(void* kernel, unsigned blocks, unsigned threads, void** parameters) {
    must("launch of a kernel",
         driver.run(kernel, blocks, 1, 1, threads, 1, 1, 0, NULL, parameters, NULL));
}

void device_wait(void) {
    if (devices.count > 0) must("waiting for the device", driver.wait());
}
