// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "comm/mpi/packets.hpp"
#include "comm/world.hpp"
#include "core/error.hpp"

namespace aureole::python {

/// The ranks, as Python sees them.
class Ranks {
  public:
    /// Rank 0, which makes the memory of all.
    Ranks(int size, std::size_t heap_bytes, bool own_processors)
        : Ranks(0, make_heaps(size, heap_bytes), own_processors) {}
    /// A follower, of a leader's descriptors.
    Ranks(int rank, const std::vector<int>& descriptors, bool own_processors)
        : Ranks(rank, map_heaps(descriptors), own_processors) {}

    /// A rank of those that share no memory, by MPI.
    Ranks(std::shared_ptr<comm::MpiLibrary> mpi, std::size_t heap_bytes)
        : world_(comm::World::of_transport(std::make_unique<comm::MpiPackets>(std::move(mpi)),
                                           heap_bytes)) {}

    comm::World& world() { return world_; }
    int rank() const { return world_.rank(); }
    int size() const { return world_.size(); }
    std::uint64_t calls() const { return world_.calls(); }
    bool agreed() const { return world_.agreed(); }
    int process(int rank) { return world_.process(rank); }
    bool copies_with(int rank) { return world_.copies_with(rank); }
    const std::vector<int>& descriptors() const { return descriptors_; }

    nanobind::bytes broadcast(const nanobind::bytes& bytes, int root) {
        comm::Bytes text;
        if (rank() == root) text = bytes_of(bytes);
        {
            const nanobind::gil_scoped_release released;
            world_.enter(comm::Phase::call);
            world_.broadcast(text, root);
        }
        return nanobind::bytes(text.data(), text.size());
    }
    void send(int to, const nanobind::bytes& bytes) {
        const auto text = bytes_of(bytes);
        const nanobind::gil_scoped_release released;
        world_.send(to, text);
    }
    nanobind::bytes receive(int from, std::size_t size) {
        comm::Bytes text(size);
        {
            const nanobind::gil_scoped_release released;
            world_.receive(from, text);
        }
        return nanobind::bytes(text.data(), text.size());
    }
    void barrier() { world_.barrier(); }
    /// Lets go of the others, and of MPI.
    void part() { world_.part(); }
    bool one_memory() const { return world_.one_memory(); }
    void tell_failure(const std::string& kind, const std::string& text) {
        if (kind == "input") return world_.tell_failure(core::InputError(text));
        if (kind == "file") return world_.tell_failure(core::FileError(text));
        if (kind == "device") return world_.tell_failure(core::DeviceError(text));
        world_.tell_failure(core::RankError(text));
    }
    void tell_blow_up(const std::string& text, core::BlowUp what) {
        world_.tell_failure(core::BlowUpError(text, "", "", std::move(what)));
    }

  private:
    Ranks(int rank, std::vector<comm::Heap> heaps, bool own_processors)
        : descriptors_(descriptors_of(heaps)),
          world_(comm::World::of_processes(rank, std::move(heaps), own_processors)) {}

    static std::vector<comm::Heap> make_heaps(int size, std::size_t bytes) {
        std::vector<comm::Heap> heaps;
        for (int r = 0; r < size; ++r) heaps.push_back(comm::Heap::shared(r, bytes));
        return heaps;
    }
    static std::vector<comm::Heap> map_heaps(const std::vector<int>& descriptors) {
        std::vector<comm::Heap> heaps;
        for (const int d : descriptors)
            heaps.push_back(comm::Heap::mapped(static_cast<int>(heaps.size()), d));
        return heaps;
    }
    static std::vector<int> descriptors_of(const std::vector<comm::Heap>& heaps) {
        std::vector<int> all;
        for (const auto& heap : heaps) all.push_back(heap.descriptor());
        return all;
    }
    static comm::Bytes bytes_of(const nanobind::bytes& bytes) {
        const auto* begin = reinterpret_cast<const std::byte*>(bytes.c_str());
        return {begin, begin + bytes.size()};
    }

    std::vector<int> descriptors_;
    comm::World world_;
};

}  // namespace aureole::python
