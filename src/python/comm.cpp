// SPDX-License-Identifier: Apache-2.0
#include "python/comm.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "comm/mpi/library.hpp"
#include "comm/process.hpp"
#include "comm/timing.hpp"
#include "python/ranks.hpp"

namespace nb = nanobind;

namespace aureole::python {

namespace {

/// Has the system end this process when the thread that started it ends; at once if it has ended.
void end_with(int parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
}

using Released = nb::call_guard<nb::gil_scoped_release>;

comm::World& link_of(Ranks& ranks) { return ranks.world(); }
comm::MpiLibrary& link_of(comm::MpiLibrary& mpi) { return mpi; }

/// The measurements of timing.hpp.
template <class Owner>
void bind_timing(nb::class_<Owner>& owner) {
    owner.def(
        "time_messages",
        [](Owner& self, std::int64_t bytes, int batches, int repeats) {
            return comm::time_messages(link_of(self), bytes, batches, repeats);
        },
        nb::arg("bytes"), nb::arg("batches"), nb::arg("repeats"), Released());
    owner.def(
        "time_sums",
        [](Owner& self, int batches, int repeats) {
            return comm::time_sums(link_of(self), batches, repeats);
        },
        nb::arg("batches"), nb::arg("repeats"), Released());
    owner.def(
        "time_ring",
        [](Owner& self, double work, int batches, int repeats) {
            return comm::time_ring(link_of(self), work, batches, repeats);
        },
        nb::arg("work"), nb::arg("batches"), nb::arg("repeats"), Released());
}

}  // namespace

void bind_comm(nb::module_& m) {
    nb::class_<Ranks> ranks(m, "Ranks");
    ranks.def(nb::init<int, std::size_t, bool>(), nb::arg("size"), nb::arg("heap_bytes"),
              nb::arg("own_processors"));
    ranks.def(nb::init<int, const std::vector<int>&, bool>(), nb::arg("rank"),
              nb::arg("descriptors"), nb::arg("own_processors"));
    ranks.def(nb::init<std::shared_ptr<comm::MpiLibrary>, std::size_t>(), nb::arg("mpi"),
              nb::arg("heap_bytes"), Released());
    ranks.def_prop_ro("rank", &Ranks::rank);
    ranks.def_prop_ro("size", &Ranks::size);
    ranks.def_prop_ro("calls", &Ranks::calls);
    ranks.def_prop_ro("agreed", &Ranks::agreed);
    ranks.def_prop_ro("descriptors", &Ranks::descriptors);
    ranks.def("process", &Ranks::process, nb::arg("rank"));
    ranks.def("copies_with", &Ranks::copies_with, nb::arg("rank"));
    ranks.def("broadcast", &Ranks::broadcast, nb::arg("bytes"), nb::arg("root") = 0);
    ranks.def("send", &Ranks::send, nb::arg("to"), nb::arg("bytes"));
    ranks.def("receive", &Ranks::receive, nb::arg("from"), nb::arg("size"));
    ranks.def("barrier", &Ranks::barrier, Released());
    ranks.def("part", &Ranks::part, Released());
    ranks.def_prop_ro("one_memory", &Ranks::one_memory);
    ranks.def("tell_failure", &Ranks::tell_failure, nb::arg("kind"), nb::arg("text"));
    ranks.def(
        "tell_blow_up",
        [](Ranks& self, const std::string& text, std::int64_t step, std::int64_t particle,
           std::optional<std::int64_t> partner, const std::string& force, double value) {
            self.tell_blow_up(text, {step, particle, partner.value_or(-1), force, value});
        },
        nb::arg("text"), nb::arg("step"), nb::arg("particle"), nb::arg("partner").none(),
        nb::arg("force"), nb::arg("value"));
    bind_timing(ranks);

    nb::class_<comm::MpiLibrary> mpi(m, "MpiLibrary");
    mpi.def_prop_ro("version", &comm::MpiLibrary::version);
    mpi.def_prop_ro("rank", &comm::MpiLibrary::rank);
    mpi.def_prop_ro("size", &comm::MpiLibrary::size);
    mpi.def("barrier", &comm::MpiLibrary::barrier, Released());
    mpi.def("abort", &comm::MpiLibrary::abort, nb::arg("code"));
    mpi.def(
        "send",
        [](comm::MpiLibrary& self, int to, const nb::bytes& bytes) {
            const std::span text(static_cast<const std::byte*>(bytes.data()), bytes.size());
            const nb::gil_scoped_release released;
            self.send(to, text);
        },
        nb::arg("to"), nb::arg("bytes"));
    mpi.def(
        "receive",
        [](comm::MpiLibrary& self, int from, std::size_t size) {
            comm::Bytes text(size);
            {
                const nb::gil_scoped_release released;
                self.receive(from, text);
            }
            return nb::bytes(text.data(), text.size());
        },
        nb::arg("source"), nb::arg("size"));
    bind_timing(mpi);
    m.def(
        "load_mpi",
        [](const std::string& path) {
            return std::shared_ptr<comm::MpiLibrary>(comm::MpiLibrary::load(path));
        },
        nb::arg("path"), Released());
    m.def("machine_name", &comm::machine_name);
    m.def("end_with", &end_with, nb::arg("parent"));
}

}  // namespace aureole::python
