/* SPDX-License-Identifier: Apache-2.0
 * Functions that have new versions since glibc 2.32, 2.33 or 2.34, by their old versions, which all
 * glibcs for x86-64 have. A file linked with these runs with glibc 2.18 too, while the linker would
 * choose the new versions and so ask for 2.34. The old ones of libdl and libpthread are in these
 * libraries where glibc is older than 2.34. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <sys/stat.h>

#define OLD(name, result, parameters, arguments)             \
    result old_##name parameters;                            \
    __asm__(".symver old_" #name ", " #name "@GLIBC_2.2.5"); \
    result name parameters;                                  \
    result name parameters { return old_##name arguments; }

OLD(dlopen, void*, (const char* file, int mode), (file, mode))
OLD(dlsym, void*, (void* handle, const char* symbol), (handle, symbol))
OLD(dlerror, char*, (void), ())
OLD(dladdr, int, (const void* address, Dl_info* info), (address, info))
OLD(pthread_attr_getstack, int, (const pthread_attr_t* of, void** stack, size_t* size),
    (of, stack, size))
OLD(pthread_create, int,
    (pthread_t * made, const pthread_attr_t* of, void* (*run)(void*), void* argument),
    (made, of, run, argument))
OLD(pthread_getattr_np, int, (pthread_t thread, pthread_attr_t* found), (thread, found))
OLD(pthread_join, int, (pthread_t thread, void** result), (thread, result))
OLD(pthread_rwlock_rdlock, int, (pthread_rwlock_t * lock), (lock))
OLD(pthread_rwlock_wrlock, int, (pthread_rwlock_t * lock), (lock))
OLD(pthread_rwlock_unlock, int, (pthread_rwlock_t * lock), (lock))

/* The start of a program; those of C++ need the functions `init` and `fini`, which a new compiler
 * leaves out. */
OLD(__libc_start_main, int,
    (int (*main)(int, char**, char**), int n, char** arguments, void (*init)(void),
     void (*fini)(void), void (*end)(void), void* stack),
    (main, n, arguments, init, fini, end, stack))

int __xstat(int version, const char* path, struct stat* of);
int stat(const char* path, struct stat* of) { return __xstat(1, path, of); }

/* The C++ library asks whether the process has one thread; always the slower, right answer. */
char __libc_single_threaded = 0;
