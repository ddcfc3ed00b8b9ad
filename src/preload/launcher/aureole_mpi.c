/* SPDX-License-Identifier: Apache-2.0
 * aureole-mpi: runs a program with libaureole_mpi.so loaded before its MPI library. */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char usage[] =
    "aureole-mpi [OPTION...] PROGRAM [ARGUMENT...]\n"
    "\n"
    "Runs an MPI program that passes GPU pointers to an MPI library that cannot take them:\n"
    "\n"
    "    mpirun -n 4 aureole-mpi ./program\n"
    "\n"
    "  --quiet          no line about the MPI library and the drivers that were found\n"
    "  --wait=device    copies wait for all work of the device, not only for that of the\n"
    "                   default stream: for programs that do not wait for their kernels\n"
    "  --all-ranks      every rank of the job runs under aureole-mpi: large messages between "
    "nodes\n"
    "                   go in chunks, so that copies and the network overlap; on all ranks\n"
    "  --check          report mistakes in the use of MPI, with rank, call and call site: buffers\n"
    "                   that are changed, freed or used again too early, requests that are never\n"
    "                   completed, collective calls that differ between ranks; on all ranks\n"
    "  --off            run the program as it would run without aureole-mpi\n"
    "  --library        print the file that is preloaded, and end\n"
    "  --version        print the version and that file, and end\n"
    "  --help           print this, and end\n";

static void note(const char* program, const char* why) {
    fprintf(stderr, "aureole-mpi: %s %s\n", program, why);
}

/* Where the library may be, from the folder of this program: beside it, or where a wheel has it. */
static const char* const places[] = {"", "../lib/", "../lib/aureole_mpi/"};
static const size_t places_n = sizeof places / sizeof *places;

/* The folder of this program, with a slash at its end. */
static int find_own_folder(char* folder, size_t size) {
    const ssize_t n = readlink("/proc/self/exe", folder, size - 1);
    if (n < 0) return -1;
    folder[n] = 0;
    *(strrchr(folder, '/') + 1) = 0;
    return 0;
}

static int find_library(char* path, size_t size) {
    char own[PATH_MAX];
    if (find_own_folder(own, sizeof own) != 0) return -1;
    for (size_t k = 0; k < places_n; ++k) {
        const int length = snprintf(path, size, "%s%slibaureole_mpi.so", own, places[k]);
        if (length > 0 && (size_t)length < size && access(path, R_OK) == 0) return 0;
    }
    return -1;
}

/* Says where find_library has looked. */
static int fail_without_library(void) {
    char own[PATH_MAX];
    if (find_own_folder(own, sizeof own) != 0) {
        fprintf(stderr,
                "aureole-mpi: libaureole_mpi.so cannot be looked for: /proc/self/exe: %s. Mount "
                "/proc.\n",
                strerror(errno));
        return 2;
    }
    fputs("aureole-mpi: libaureole_mpi.so cannot be found or read in", stderr);
    for (size_t k = 0; k < places_n; ++k)
        fprintf(stderr, "%s %s%s", k == 0 ? "" : k + 1 < places_n ? "," : " or", own, places[k]);
    fputs(". Install aureole-mpi again, or copy the library into one of these folders.\n", stderr);
    return 2;
}

/* The file that execvp would run. */
static int find_program(const char* name, char* path, size_t size) {
    if (strchr(name, '/') != NULL) return (size_t)snprintf(path, size, "%s", name) < size ? 0 : -1;
    const char* folders = getenv("PATH");
    for (const char* at = folders; at != NULL && *at != 0;) {
        const char* const end = strchrnul(at, ':');
        const int n = snprintf(path, size, "%.*s/%s", (int)(end - at), at, name);
        struct stat of;
        if (n > 0 && (size_t)n < size && access(path, X_OK) == 0 && stat(path, &of) == 0 &&
            S_ISREG(of.st_mode))
            return 0;
        at = *end == 0 ? end : end + 1;
    }
    return -1;
}

/* Says in one line if the loader will not preload anything for a program. */
static void look_at(const char* path) {
    struct stat of;
    Elf64_Ehdr head;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    int is_elf = stat(path, &of) == 0 && pread(file, &head, sizeof head, 0) == sizeof head &&
                 memcmp(head.e_ident, ELFMAG, SELFMAG) == 0 && head.e_ident[EI_CLASS] == ELFCLASS64;
    int is_dynamic = 0;
    for (int k = 0; is_elf && k < head.e_phnum; ++k) {
        Elf64_Phdr part;
        const off_t at = (off_t)(head.e_phoff + (Elf64_Off)k * head.e_phentsize);
        if (pread(file, &part, sizeof part, at) != sizeof part) is_elf = 0;
        if (is_elf && part.p_type == PT_INTERP) is_dynamic = 1;
    }
    close(file);
    if (is_elf && (of.st_mode & (S_ISUID | S_ISGID)) != 0)
        note(path,
             "is set-uid or set-gid: nothing can be preloaded, so it runs without GPU support");
    else if (is_elf && !is_dynamic)
        note(path,
             "is linked statically: nothing can be preloaded, so it runs without GPU support");
}

static void preload(const char* library) {
    const char* const before = getenv("LD_PRELOAD");
    char* all = NULL;
    if (before == NULL || *before == 0) {
        setenv("LD_PRELOAD", library, 1);
    } else if (asprintf(&all, "%s:%s", library, before) >= 0) {
        setenv("LD_PRELOAD", all, 1);
        free(all);
    }
}

int main(int n, char** arguments) {
    char library[PATH_MAX], program[PATH_MAX];
    const int is_found = find_library(library, sizeof library) == 0;
    int first = 1, is_off = 0;
    setenv("AUREOLE_MPI_LOG", "1", 0);
    for (; first < n && strncmp(arguments[first], "--", 2) == 0; ++first) {
        const char* const option = arguments[first];
        if (strcmp(option, "--") == 0) {
            ++first;
            break;
        } else if (strcmp(option, "--quiet") == 0) {
            setenv("AUREOLE_MPI_LOG", "0", 1);
        } else if (strcmp(option, "--wait=device") == 0) {
            setenv("AUREOLE_MPI_WAIT", "device", 1);
        } else if (strcmp(option, "--all-ranks") == 0) {
            setenv("AUREOLE_MPI_ALL_RANKS", "1", 1);
        } else if (strcmp(option, "--check") == 0) {
            setenv("AUREOLE_MPI_CHECK", "1", 1);
        } else if (strcmp(option, "--off") == 0) {
            is_off = 1;
        } else if (strcmp(option, "--help") == 0) {
            fputs(usage, stdout);
            return 0;
        } else if (strcmp(option, "--library") == 0) {
            return is_found ? puts(library) < 0 : fail_without_library();
        } else if (strcmp(option, "--version") == 0) {
            puts("aureole-mpi " AUREOLE_VERSION);
            return is_found ? puts(library) < 0 : fail_without_library();
        } else {
            fprintf(stderr, "aureole-mpi: there is no option %s. See aureole-mpi --help.\n",
                    option);
            return 2;
        }
    }
    if (first >= n) {
        fputs(usage, stderr);
        return 2;
    }
    if (!is_off && !is_found) return fail_without_library();
    if (!is_off && strpbrk(library, " :") != NULL) {
        fprintf(stderr,
                "aureole-mpi: %s cannot be preloaded (its path has a space or a colon, which "
                "separate names in LD_PRELOAD). Install it in another folder.\n",
                library);
        return 2;
    }
    if (!is_off && find_program(arguments[first], program, sizeof program) == 0) look_at(program);
    if (!is_off) preload(library);
    execvp(arguments[first], arguments + first);
    fprintf(stderr, "aureole-mpi: %s cannot be run: %s\n", arguments[first], strerror(errno));
    return errno == ENOENT ? 127 : 126;
}
