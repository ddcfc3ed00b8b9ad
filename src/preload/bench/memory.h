/* SPDX-License-Identifier: Apache-2.0
 * Memory of the host, of a device, or managed, by a driver that is loaded at run time: libcuda.so.1
 * or libamdhip64.so. Each rank uses the device with its number, modulo their number. */
#pragma once

#include <stddef.h>

enum Memory { in_host, in_device, in_managed };

struct Devices {
    const char* vendor; /* cuda, hip or none */
    int count;
    int emulated;               /* the driver is the double of tests/drivers */
    void* (*host)(const void*); /* the double's: by which address the host reaches device memory */
};
extern struct Devices devices;

/* Opens the driver of a vendor; `any` takes the first one with devices. Refuses one that is named
 * and has none. */
void devices_open(const char* vendor, int rank);

/* At least one byte of new memory; its contents are not defined. */
void* memory_take(enum Memory kind, size_t bytes);
void memory_give(enum Memory kind, void* memory);
/* Between any kinds; returns when it is done. */
void memory_copy(void* to, const void* from, size_t bytes);

/* A kernel of a module (its image in PTX), started on the default stream and waited for. */
void* kernel_load(const char* image, const char* name);
void kernel_run(void* kernel, unsigned blocks, unsigned threads, void** parameters);
void device_wait(void);
