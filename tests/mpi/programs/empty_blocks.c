/* SPDX-License-Identifier: Apache-2.0
 * Structs with empty blocks of other basic types: MPI_Pack_external of device memory gives the bytes that it gives of
 * host memory. Prints how many structs are wrong. MPICH 5.0 ends the process where all blocks are empty, on hosts too. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { bytes = 400, to_device = 1, most = 3, structs = 5 };
static const int lengths[structs][most] = {{4, 0, 0}, {0, 4, 0}, {0, 0, 4}, {2, 0, 2}, {1, 2, 0}};
static const char* const types[structs] = {"idd", "did", "ddi", "idi", "iis"};

static MPI_Datatype made(int which) {
    MPI_Aint places[most] = {4, 40, 72};
    MPI_Datatype parts[most], type;
    for (int k = 0; k < most; ++k) {
        const char name = types[which][k];
        parts[k] = name == 'i' ? MPI_INT : name == 'd' ? MPI_DOUBLE : MPI_SHORT;
    }
    MPI_Type_create_struct(most, lengths[which], places, parts, &type);
    MPI_Type_commit(&type);
    return type;
}

int main(int arguments, char** words) {
    MPI_Init(&arguments, &words);
    void* const runtime = dlopen("libcudart.so.13", RTLD_NOW);
    if (runtime == NULL) return 5;
    int (*allocate)(void**, size_t) = NULL;
    int (*copy)(void*, const void*, size_t, int) = NULL;
    *(void**)&allocate = dlsym(runtime, "cudaMalloc");
    *(void**)&copy = dlsym(runtime, "cudaMemcpy");
    unsigned char host[bytes];
    void* device = NULL;
    if (allocate(&device, bytes) != 0) return 4;
    for (int k = 0; k < bytes; ++k) host[k] = (unsigned char)(k * 37 + 1);
    copy(device, host, bytes, to_device);
    int wrong = 0;
    for (int which = 0; which < structs; ++which) {
        MPI_Datatype type = made(which);
        unsigned char packed[2][bytes] = {{0}};
        MPI_Aint places[2] = {0, 0};
        MPI_Pack_external("external32", host, 2, type, packed[0], bytes, &places[0]);
        MPI_Pack_external("external32", device, 2, type, packed[1], bytes, &places[1]);
        wrong += places[0] != places[1] || memcmp(packed[0], packed[1], bytes) != 0;
        MPI_Type_free(&type);
    }
    printf("wrong: %d\n", wrong), fflush(stdout);
    MPI_Finalize();
    return 0;
}
