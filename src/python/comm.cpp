// SPDX-License-Identifier: Apache-2.0
#include "python/comm.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "comm/mpi/library.hpp"
#include "comm/timing.hpp"
#include "comm/world.hpp"
#include "core/error.hpp"

namespace nb = nanobind;

namespace aureole::python {

namespace {

using comm::Heap;
using comm::World;

/// Lets Python act on signals during long waits.
void act_on_signals() {
    const nb::gil_scoped_acquire held;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

/// The ranks of this node, as Python sees them.
class Ranks {
  public:
    /// Rank 0, which makes the memory of all.
    Ranks(int size, std::size_t heap_bytes, bool own_processors)
        : Ranks(0, make_heaps(size, heap_bytes), own_processors) {}
    /// A follower, of a leader's descriptors.
    Ranks(int rank, const std::vector<int>& descriptors, bool own_processors)
        : Ranks(rank, map_heaps(descriptors), own_processors) {}

    int rank() const { return world_.rank(); }
    int size() const { return world_.size(); }
    int process(int rank) { return world_.process(rank); }
    const std::vector<int>& descriptors() const { return descriptors_; }

    nb::bytes broadcast(const nb::bytes& bytes, int root) {
        comm::Bytes text;
        if (rank() == root) text = bytes_of(bytes);
        {
            const nb::gil_scoped_release released;
            world_.enter(comm::Phase::call);
            world_.broadcast(text, root);
        }
        return nb::bytes(text.data(), text.size());
    }
    void send(int to, const nb::bytes& bytes) {
        const auto text = bytes_of(bytes);
        const nb::gil_scoped_release released;
        world_.send(to, text);
    }
    nb::bytes receive(int from, std::size_t size) {
        comm::Bytes text(size);
        {
            const nb::gil_scoped_release released;
            world_.receive(from, text);
        }
        return nb::bytes(text.data(), text.size());
    }
    void sum(std::span<double> numbers) {
        struct Eight {
            double of[8];
        } mine{};
        for (std::size_t k = 0; k < numbers.size() && k < 8; ++k) mine.of[k] = numbers[k];
        const Eight sum = world_.combine(mine, [](Eight a, const Eight& b) {
            for (int k = 0; k < 8; ++k) a.of[k] += b.of[k];
            return a;
        });
        for (std::size_t k = 0; k < numbers.size() && k < 8; ++k) numbers[k] = sum.of[k];
    }
    void barrier() { world_.barrier(); }
    void send(int to, std::span<const std::byte> bytes) { world_.send(to, bytes); }
    void receive(int from, std::span<std::byte> bytes) { world_.receive(from, bytes); }
    void tell_failure(const std::string& kind, const std::string& text) {
        if (kind == "input") return world_.tell_failure(core::InputError(text));
        if (kind == "file") return world_.tell_failure(core::FileError(text));
        if (kind == "device") return world_.tell_failure(core::DeviceError(text));
        world_.tell_failure(core::RankError(text));
    }

  private:
    Ranks(int rank, std::vector<Heap> heaps, bool own_processors)
        : descriptors_(descriptors_of(heaps)),
          world_(World::of_processes(rank, std::move(heaps), own_processors)) {
        world_.set_between_naps(act_on_signals);
    }

    static std::vector<Heap> make_heaps(int size, std::size_t bytes) {
        std::vector<Heap> heaps;
        for (int r = 0; r < size; ++r) heaps.push_back(Heap::shared(r, bytes));
        return heaps;
    }
    static std::vector<Heap> map_heaps(const std::vector<int>& descriptors) {
        std::vector<Heap> heaps;
        for (const int d : descriptors)
            heaps.push_back(Heap::mapped(static_cast<int>(heaps.size()), d));
        return heaps;
    }
    static std::vector<int> descriptors_of(const std::vector<Heap>& heaps) {
        std::vector<int> all;
        for (const auto& heap : heaps) all.push_back(heap.descriptor());
        return all;
    }
    static comm::Bytes bytes_of(const nb::bytes& bytes) {
        const auto* begin = reinterpret_cast<const std::byte*>(bytes.c_str());
        return {begin, begin + bytes.size()};
    }

    std::vector<int> descriptors_;
    World world_;
};

/// Has the system end this process when the thread that started it ends; at once if it has ended.
void end_with(int parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
}

using Released = nb::call_guard<nb::gil_scoped_release>;

/// The measurements of timing.hpp.
template <class Link>
void bind_timing(nb::class_<Link>& link) {
    link.def("time_messages", &comm::time_messages<Link>, nb::arg("bytes"), nb::arg("batches"),
             nb::arg("repeats"), Released());
    link.def("time_sums", &comm::time_sums<Link>, nb::arg("batches"), nb::arg("repeats"),
             Released());
    link.def("time_ring", &comm::time_ring<Link>, nb::arg("work"), nb::arg("batches"),
             nb::arg("repeats"), Released());
}

}  // namespace

void bind_comm(nb::module_& m) {
    nb::class_<Ranks> ranks(m, "Ranks");
    ranks.def(nb::init<int, std::size_t, bool>(), nb::arg("size"), nb::arg("heap_bytes"),
              nb::arg("own_processors"));
    ranks.def(nb::init<int, const std::vector<int>&, bool>(), nb::arg("rank"),
              nb::arg("descriptors"), nb::arg("own_processors"));
    ranks.def_prop_ro("rank", &Ranks::rank);
    ranks.def_prop_ro("size", &Ranks::size);
    ranks.def_prop_ro("descriptors", &Ranks::descriptors);
    ranks.def("process", &Ranks::process, nb::arg("rank"));
    ranks.def("broadcast", &Ranks::broadcast, nb::arg("bytes"), nb::arg("root") = 0);
    ranks.def("send", nb::overload_cast<int, const nb::bytes&>(&Ranks::send), nb::arg("to"),
              nb::arg("bytes"));
    ranks.def("receive", nb::overload_cast<int, std::size_t>(&Ranks::receive), nb::arg("from"),
              nb::arg("size"));
    ranks.def("barrier", &Ranks::barrier, Released());
    ranks.def("tell_failure", &Ranks::tell_failure, nb::arg("kind"), nb::arg("text"));
    bind_timing(ranks);

    nb::class_<comm::MpiLibrary> mpi(m, "MpiLibrary");
    mpi.def_prop_ro("version", &comm::MpiLibrary::version);
    mpi.def_prop_ro("rank", &comm::MpiLibrary::rank);
    mpi.def_prop_ro("size", &comm::MpiLibrary::size);
    mpi.def("barrier", &comm::MpiLibrary::barrier, Released());
    bind_timing(mpi);
    m.def("load_mpi", &comm::MpiLibrary::load, nb::arg("path"));
    m.def("end_with", &end_with, nb::arg("parent"));
}

}  // namespace aureole::python
