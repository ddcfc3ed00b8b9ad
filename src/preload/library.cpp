// SPDX-License-Identifier: Apache-2.0
#include "preload/library.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <cstring>
#include <initializer_list>

#include "preload/abi.hpp"

namespace aureole::preload {

namespace {

/// Whether a file is an MPI library, by its name.
bool is_mpi(const char* path) {
    const char* slash = std::strrchr(path, '/');
    const char* name = slash != nullptr ? slash + 1 : path;
    for (const char* stem : {"libmpi.so", "libmpi_abi.so", "libmpich.so", "libmpi_cray.so"})
        if (std::strncmp(name, stem, std::strlen(stem)) == 0) return true;
    return false;
}

int find_loaded(dl_phdr_info* info, std::size_t, void* path) {
    if (!is_mpi(info->dlpi_name)) return 0;
    *static_cast<std::string*>(path) = info->dlpi_name;
    return 1;
}

struct Library {
    std::string path;
    void* handle = nullptr;

    Library() {
        Dl_info info{};
        void* const next = dlsym(RTLD_NEXT, "MPI_Comm_size");
        if (next != nullptr && dladdr(next, &info) != 0 && is_mpi(info.dli_fname))
            path = info.dli_fname;
        if (path.empty()) dl_iterate_phdr(find_loaded, &path);
        if (!path.empty()) handle = dlopen(path.c_str(), RTLD_NOLOAD | RTLD_LAZY);
    }
};

const Library& library() {
    static const Library found;
    return found;
}

constexpr std::array<Combiner, 32> numbered(std::initializer_list<Combiner> listed) {
    std::array<Combiner, 32> all{};
    all.fill(Combiner::unknown);
    std::copy(listed.begin(), listed.end(), all.begin());
    return all;
}

// In the order of their numbers in MPICH's mpi.h, which begin at 1. Open MPI has the same order
// from 0 on, and does not know the last one.
using enum Combiner;
constexpr auto combiners_of_mpich =
    numbered({named,    dup,      contiguous,    vector,    hvector,        hvector,    indexed,
              hindexed, hindexed, indexed_block, structure, structure,      subarray,   darray,
              f90,      f90,      f90,           resized,   hindexed_block, value_index});
// Appendix A of MPI 5.0; they begin at 101.
constexpr auto combiners_of_standard =
    numbered({named, dup, contiguous, vector, hvector, indexed, hindexed, indexed_block,
              hindexed_block, structure, subarray, darray, f90, f90, f90, resized, value_index});

void* as_pointer(std::intptr_t number) { return reinterpret_cast<void*>(number); }
/// Of an object of Open MPI that a handle points to. A program that names it may have a copy of its
/// own (R_X86_64_COPY), which the library then uses too.
Handle address_of(const char* symbol) {
    void* const copy = dlsym(RTLD_DEFAULT, symbol);
    return reinterpret_cast<Handle>(copy != nullptr ? copy : library_symbol(symbol));
}

Abi mpich() {
    Abi a;
    a.in_place = as_pointer(-1), a.status_ignore = as_pointer(1);
    a.byte = 0x4c00010d, a.datatype_null = 0x0c000000, a.request_null = 0x2c000000;
    a.comm_world = 0x44000000, a.comm_null = 0x04000000;
    a.errors_return = 0x54000001, a.tag_ub = 0x64400001;
    a.combiners = &combiners_of_mpich, a.first_combiner = 1;
    return a;
}

Abi open_mpi() {
    Abi a;
    a.kind = Abi::Kind::open_mpi, a.handle_bytes = 8, a.status_bytes = 24;
    a.in_place = as_pointer(1);
    a.byte = address_of("ompi_mpi_byte"), a.datatype_null = address_of("ompi_mpi_datatype_null");
    a.request_null = address_of("ompi_request_null");
    a.comm_world = address_of("ompi_mpi_comm_world");
    a.comm_null = address_of("ompi_mpi_comm_null");
    a.errors_return = address_of("ompi_mpi_errors_return"), a.tag_ub = 0;
    a.proc_null = -2, a.root = -4, a.any_source = -1;
    a.cart = 1, a.graph = 2;
    a.order_c = 0;
    a.block = 0, a.cyclic = 1, a.none = 2, a.default_argument = -1;
    a.error_other = 16, a.error_in_status = 18, a.error_pending = 19, a.error_truncate = 15;
    a.source_at = 0, a.tag_at = 1, a.error_at = 2;
    a.combiners = &combiners_of_mpich;
    return a;
}

Abi standard() {
    Abi a;
    a.kind = Abi::Kind::standard, a.handle_bytes = 8, a.status_bytes = 32;
    a.in_place = as_pointer(1);
    a.byte = 0x247, a.datatype_null = 0x200, a.request_null = 0x180;
    a.comm_world = 0x101, a.comm_null = 0x100;
    a.errors_return = 0x143, a.tag_ub = 501, a.thread_multiple = 4096;
    a.proc_null = -3, a.root = -4, a.any_source = -1, a.any_tag = -2;
    a.cart = 211, a.graph = 212, a.dist_graph = 213;
    a.order_c = 12;
    a.none = 16, a.block = 17, a.cyclic = 18, a.default_argument = 19;
    a.error_other = 16, a.error_in_status = 19, a.error_pending = 18, a.error_truncate = 15;
    a.source_at = 0, a.tag_at = 1, a.error_at = 2;
    a.combiners = &combiners_of_standard, a.first_combiner = 101;
    return a;
}

}  // namespace

void* next_function(const char* name) {
    void* const next = dlsym(RTLD_NEXT, name);
    return next != nullptr ? next : library_symbol(name);
}

const std::string& library_path() { return library().path; }

void* library_symbol(const char* name) {
    return library().handle == nullptr ? nullptr : dlsym(library().handle, name);
}

const Abi& abi() {
    static const Abi of_library = library_symbol("ompi_mpi_comm_world") != nullptr      ? open_mpi()
                                  : library_path().find("mpi_abi") != std::string::npos ? standard()
                                                                                        : mpich();
    return of_library;
}

}  // namespace aureole::preload
