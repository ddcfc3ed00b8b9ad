// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstring>
#include <map>
#include <mutex>

#include "preload/abi.hpp"
#include "preload/mpi.hpp"

namespace aureole::preload {

/// What MPI says to the tables of this library, in one process and for several threads: datatypes
/// of n times one byte, and requests that the test completes. Handles are those of MPICH.
class FakeMpi {
  public:
    static FakeMpi& get() {
        static auto* const only = new FakeMpi;
        return *only;
    }

    /// A new datatype of n bytes. A handle that was freed is given again at once, as MPICH does.
    Handle make_type(int n) {
        const std::lock_guard guard(lock_);
        Handle handle = first_type;
        while (types_.contains(handle)) ++handle;
        types_[handle] = n;
        return handle;
    }
    void free_type(Handle handle) {
        const std::lock_guard guard(lock_);
        if (types_.erase(handle) == 0) ++misuses;
    }
    std::size_t types() const {
        const std::lock_guard guard(lock_);
        return types_.size();
    }

    static constexpr int requests_n = 1024;
    /// Whether MPI_Test says that the request of this number is complete.
    std::array<std::atomic<bool>, requests_n> is_complete{};
    std::atomic<long> misuses = 0, tests = 0, waits = 0, requests_freed = 0, taken_apart = 0;

  private:
    static constexpr Handle first_type = 0x4d000000;
    static constexpr int named = 1, contiguous = 3;  // in MPICH's mpi.h

    int size_of(Handle handle) {
        if (handle == abi().byte) return 1;
        const std::lock_guard guard(lock_);
        const auto found = types_.find(handle);
        if (found == types_.end()) ++misuses;
        return found == types_.end() ? 1 : found->second;
    }
    static std::size_t number(const void* request) {
        return static_cast<std::size_t>(abi().at(request, 0)) % requests_n;
    }

    FakeMpi() {
        mpi.type_size.replace([](Handle type, Count* size) {
            *size = get().size_of(type);
            return 0;
        });
        for (auto* const extent_of : {&mpi.type_get_extent, &mpi.type_get_true_extent})
            extent_of->replace([](Handle type, Count* low, Count* extent) {
                *low = 0, *extent = get().size_of(type);
                return 0;
            });
        mpi.type_get_envelope.replace(
            [](Handle type, int* ints, int* addresses, int* types, int* combiner) {
                const bool is_named = type == abi().byte;
                *ints = *types = is_named ? 0 : 1, *addresses = 0;
                *combiner = is_named ? named : contiguous;
                return 0;
            });
        mpi.type_get_contents.replace(
            [](Handle type, int, int, int, int* ints, Count*, void* types) {
                *ints = get().size_of(type);
                abi().put(types, 0, abi().byte);
                ++get().taken_apart;
                return 0;
            });
        mpi.type_contiguous.replace([](int n, Handle, void* made) {
            abi().put(made, 0, get().make_type(n));
            return 0;
        });
        mpi.type_commit.replace([](void*) { return 0; });
        mpi.type_free.replace([](void* type) {
            get().free_type(abi().at(type, 0));
            return 0;
        });
        mpi.finalized.replace([](int* is_over) {
            *is_over = 0;
            return 0;
        });
        mpi.test.replace([](void* request, int* flag, void*) {
            *flag = get().is_complete[number(request)] ? 1 : 0;
            ++get().tests;
            return 0;
        });
        mpi.wait.replace([](void* request, void*) {
            get().is_complete[number(request)] = true;
            ++get().waits;
            return 0;
        });
        mpi.request_free.replace([](void*) {
            ++get().requests_freed;
            return 0;
        });
        mpi.test_cancelled.replace([](const void*, int* flag) {
            *flag = 0;
            return 0;
        });
        mpi.comm_rank.replace([](Handle, int* rank) {
            *rank = 0;
            return 0;
        });
        mpi.comm_size.replace([](Handle, int* size) {
            *size = 3;
            return 0;
        });
        mpi.comm_get_parent.replace([](void* parent) {
            abi().put(parent, 0, abi().comm_null);
            return 0;
        });
    }

    mutable std::mutex lock_;
    std::map<Handle, int> types_;
};

}  // namespace aureole::preload
