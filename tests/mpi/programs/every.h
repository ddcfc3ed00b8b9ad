/* SPDX-License-Identifier: Apache-2.0
 * What a program made by every.py shares: it calls every procedure of MPI that takes a user's buffer, first with memory
 * of the host, then with memory of a device, and compares all bytes. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { to_device = 1, to_host = 2, numbers = 16, N = 4, missing = -1 };
enum { bytes_of_all = numbers * sizeof(double) };

struct buffers {
    double *in, *out;      /* of the procedure, on the host or on the device */
    double other[numbers]; /* of its partner, always on the host */
};

static int (*allocate)(void**, size_t);
static int (*copy)(void*, const void*, size_t, int);
static MPI_Comm self, grid;
static MPI_File file;
static MPI_Win window;
static double of_window[numbers], attached[4096];
static int ints[2] = {N, N}, places[2] = {0, N}, bytes[2] = {0, N * sizeof(double)};
static MPI_Count counts[2] = {N, N};
static long long_places[2] = {0, N}, long_bytes[2] = {0, N * sizeof(double)};
static MPI_Datatype types[2];

static void fill(double* in, double* out) {
    for (int k = 0; k < numbers; ++k) in[k] = 1.5 * k + 1, out[k] = -k - 1;
}

/* Runs a procedure with memory of the host (0) or of the device; returns its error. */
static int run(int (*procedure)(struct buffers*), int on_device, double* in, double* out, double* other) {
    struct buffers b = {in, out, {0}};
    double of_file[numbers];
    fill(in, out);
    fill(of_file, b.other);
    for (int k = 0; k < numbers; ++k) of_window[k] = 0;
    MPI_File_write_at(file, 0, of_file, numbers, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_seek(file, 0, MPI_SEEK_SET);
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    static void *device_in, *device_out;
    if (on_device) {
        if (device_in == NULL) allocate(&device_in, bytes_of_all), allocate(&device_out, bytes_of_all);
        copy(device_in, in, bytes_of_all, to_device), copy(device_out, out, bytes_of_all, to_device);
        b.in = device_in, b.out = device_out;
    }
    const int error = procedure(&b);
    if (on_device) copy(in, device_in, bytes_of_all, to_host), copy(out, device_out, bytes_of_all, to_host);
    memcpy(other, b.other, sizeof b.other);
    if (error == 0) MPI_File_read_at(file, 0, other + N, 2 * N, MPI_DOUBLE, MPI_STATUS_IGNORE);
    return error;
}

static void compare(const char* name, int (*procedure)(struct buffers*)) {
    double in[2][numbers], out[2][numbers], other[2][numbers];
    const int host = run(procedure, 0, in[0], out[0], other[0]);
    const char* what = "right";
    if (host == missing) {
        what = "missing";
    } else if (host != 0) {
        what = "fails-on-hosts";
    } else {
        const int device = run(procedure, 1, in[1], out[1], other[1]);
        if (device != 0)
            what = "refused";
        else if (memcmp(in[0], in[1], bytes_of_all) || memcmp(out[0], out[1], bytes_of_all) ||
                 memcmp(other[0], other[1], bytes_of_all))
            what = "wrong";
    }
    printf("%s %s\n", name, what);
    fflush(stdout);
}

static void begin(const char* runtime, const char* path) {
    MPI_Init(NULL, NULL);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_dup(MPI_COMM_SELF, &self);
    MPI_Comm_set_errhandler(self, MPI_ERRORS_RETURN);
    const int one = 1;
    MPI_Cart_create(MPI_COMM_SELF, 1, &one, &one, 0, &grid);
    types[0] = types[1] = MPI_DOUBLE;
    MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_Win_create(of_window, sizeof of_window, sizeof(double), MPI_INFO_NULL, self, &window);
    MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
    MPI_Buffer_attach(attached, sizeof attached);
    const int is_hip = strstr(runtime, "hip") != NULL;
    void* const library = dlopen(runtime, RTLD_NOW);
    if (library == NULL) {
        puts(dlerror());
        exit(5);
    }
    *(void**)&allocate = dlsym(library, is_hip ? "hipMalloc" : "cudaMalloc");
    *(void**)&copy = dlsym(library, is_hip ? "hipMemcpy" : "cudaMemcpy");
}

static void end(void) {
    void* given;
    int size;
    MPI_Buffer_detach(&given, &size);
    MPI_Win_unlock(0, window);
    MPI_Win_free(&window);
    MPI_File_close(&file);
    MPI_Comm_free(&grid), MPI_Comm_free(&self);
    MPI_Finalize();
}
