// SPDX-License-Identifier: Apache-2.0

#include "python/fluid.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "amr/hydro/leaves.hpp"
#include "amr/hydro/state.hpp"
#include "amr/simulation.hpp"
#include "device/threads/thread_pool.hpp"
#include "python/held.hpp"

namespace aureole::python {

namespace {

/// A simulation of a fluid as Python holds it.
using PyFluid = Held<amr::Simulation>;
using Three = std::array<double, 3>;

int stages_of(const std::string& name) {
    if (name == "rk2") return 2;
    if (name == "rk3") return 3;
    throw core::InputError("there is no time integration '" + name + "'",
                           "steps are made by one of two Runge-Kutta methods",
                           "Choose rk2 or rk3.");
}

tasks::Notice notice_named(const std::string& name) {
    if (name == "poll") return tasks::Notice::poll;
    if (name == "callback") return tasks::Notice::callback;
    if (name == "wait") return tasks::Notice::wait;
    throw core::InputError("there is no notice '" + name + "'",
                           "it says how the host learns that work is done",
                           "Choose poll, callback or wait.");
}

/// A part of the box from one corner to another, and its level.
using PyRegion = std::tuple<Three, Three, int>;
/// A criterion: its leaf, field and bounds.
using PyCriterion = std::tuple<std::string, int, double, double>;
using FiveOfFaces = std::array<std::array<double, amr::fields>, 6>;

/// `boundary`: of the low and high face of x, of y, of z; `beyond`: density, velocity and pressure
/// beyond those that are fixed.
void make(PyFluid* self, const std::string& device, int threads, bool pin, bool hostile,
          std::array<int, 3> roots, int dims, Three lower, Three upper,
          const std::array<std::string, 6>& boundary, const FiveOfFaces& beyond,
          const std::vector<PyRegion>& refine, const std::vector<PyCriterion>& criteria,
          int most_level, double gamma, const std::string& reconstruct, const std::string& riemann,
          const std::string& steps, double cfl, bool repair, const std::string& schedule,
          int executors, int most, const std::string& notice, int workers) {
    amr::Mesh mesh{.dims = dims,
                   .roots = {roots[0], roots[1], roots[2]},
                   .lower = {lower[0], lower[1], lower[2]},
                   .upper = {upper[0], upper[1], upper[2]}};
    for (std::size_t face = 0; face < boundary.size(); ++face)
        mesh.boundary[face] = amr::boundary_named(boundary[face]),
        amr::to_conserved(amr::Ideal{gamma}, beyond[face].data(), mesh.beyond[face].data());
    amr::Refining refining{.most_level = most_level};
    for (const auto& [low, high, level] : refine)
        refining.regions.push_back({{low[0], low[1], low[2]}, {high[0], high[1], high[2]}, level});
    for (const auto& [leaf, field, above, below] : criteria)
        refining.criteria.push_back(amr::criterion(leaf, field, above, below));
    const amr::Scheme scheme{reconstruct, riemann, stages_of(steps), cfl, repair};
    const amr::Launching launching{schedule, {executors, most, notice_named(notice)}, workers};
    new (self) PyFluid(
        std::make_unique<amr::Simulation>(device::OpenOptions{device, threads, pin, hostile}, mesh,
                                          gamma, scheme, launching, refining),
        nullptr);
}

nb::dict totals(PyFluid& self) {
    const auto sums = self.get().totals();
    nb::dict d;
    d["mass"] = sums.mass, d["energy"] = sums.energy;
    d["momentum"] = to_numpy(&sums.momentum.x, 3);
    return d;
}

nb::dict describe(PyFluid& self) {
    auto& sim = self.get();
    const bool host = sim.queue().backend() == device::Backend::host;
    nb::dict d;
    d["device"] = device::opened(sim.device_options(), sim.queue().backend());
    d["description"] = sim.device().description();
    d["threads"] = host ? sim.device().threads().size() : 0;
    d["schedule"] = sim.launching().schedule;
    d["cells"] = sim.tree().cells(), d["subgrids"] = sim.tree().size();
    std::vector<std::int64_t> of_level(static_cast<std::size_t>(sim.tree().deepest_level() + 1));
    for (std::int64_t leaf = 0; leaf < sim.tree().size(); ++leaf)
        ++of_level[static_cast<std::size_t>(sim.tree().level(leaf))];
    d["subgrids_of_level"] = of_level;
    return d;
}

nb::dict counts(PyFluid& self) {
    const auto of = self.get().counts();
    nb::dict d;
    d["launches"] = of.launches, d["items"] = of.items, d["copies"] = of.copies;
    d["bytes"] = of.bytes, d["events"] = of.events;
    d["looks"] = of.looks, d["allocations"] = of.allocations;
    const auto tasks = self.get().task_counts();
    d["tasks"] = tasks.items, d["batches"] = tasks.batches;
    d["workers"] = tasks.workers, d["idle_seconds"] = tasks.idle_seconds;
    return d;
}

nb::dict repairs(PyFluid& self) {
    const auto& of = self.get().repairs();
    nb::dict d;
    d["steps"] = of.steps, d["cells"] = of.cells, d["floors"] = of.floors;
    return d;
}

nb::dict profile(PyFluid& self) {
    nb::dict d;
    for (int k = 0; k < static_cast<int>(amr::RunRegion::count); ++k)
        d[amr::region_names[static_cast<std::size_t>(k)]] =
            self.get().profile()[static_cast<amr::RunRegion>(k)].seconds;
    return d;
}

void run(PyFluid& self, std::int64_t steps, double until) {
    run_held(self.get(), self.ownership(), steps, until);
}

/// Levels of the leaves, and their places among the sub-grids of a level, along x, y and z.
nb::object leaves(PyFluid& self) {
    const auto& tree = self.get().tree();
    std::vector<std::int32_t> all;
    for (std::int64_t leaf = 0; leaf < tree.size(); ++leaf) {
        const auto at = tree.key(leaf).place();
        all.insert(all.end(), {tree.level(leaf), at.x, at.y, at.z});
    }
    return nb::cast(to_numpy(all.data(), {static_cast<std::size_t>(tree.size()), 4}));
}

/// What refines the mesh for a state.
void bind_mesh(nb::class_<PyFluid>& c) {
    const auto bind = [&c](const char* name, void (amr::Simulation::*method)()) {
        c.def(name, [method](PyFluid& self) {
            auto& sim = self.get();
            const Hold hold(self.ownership());
            (sim.*method)();
        });
    };
    bind("reset_tree", &amr::Simulation::reset_tree);
    bind("keep_state", &amr::Simulation::keep_state);
    bind("take_back", &amr::Simulation::take_back);
    bind("drop_kept", &amr::Simulation::drop_kept);
    c.def("refine", [](PyFluid& self) {
        auto& sim = self.get();
        const Hold hold(self.ownership());
        return sim.refine();
    });
}

/// What sets the state, and keeps it in files.
void bind_state(nb::class_<PyFluid>& c) {
    c.def(
        "set",
        [](PyFluid& self, const In<double>& primitive) {
            auto& sim = self.get();
            const Hold hold(self.ownership());
            sim.set({primitive.data(), primitive.data() + primitive.size()});
        },
        nb::arg("primitive"));
    c.def(
        "set_leaves",
        [](PyFluid& self, const In<double>& primitive) {
            auto& sim = self.get();
            const Hold hold(self.ownership());
            sim.set_leaves({primitive.data(), primitive.data() + primitive.size()});
        },
        nb::arg("primitive"));
    c.def(
        "set_time",
        [](PyFluid& self, double time) {
            auto& sim = self.get();
            const Hold hold(self.ownership());
            sim.set_time(time);
        },
        nb::arg("time"));
    c.def(
        "set_step",
        [](PyFluid& self, std::int64_t step) {
            auto& sim = self.get();
            const Hold hold(self.ownership());
            sim.set_step(step);
        },
        nb::arg("step"));
    c.def(
        "write_checkpoint",
        [](PyFluid& self, const std::filesystem::path& path, nb::bytes extra) {
            const std::string text(extra.c_str(), extra.size());
            auto& sim = self.get();
            const Hold hold(self.ownership());
            const nb::gil_scoped_release released;
            sim.write_checkpoint(path, text);
        },
        nb::arg("path"), nb::arg("extra"));
    c.def(
        "read_checkpoint",
        [](PyFluid& self, const std::filesystem::path& path) {
            auto& sim = self.get();
            const Hold hold(self.ownership());
            const nb::gil_scoped_release released;
            sim.read_checkpoint(path);
        },
        nb::arg("path"));
}

}  // namespace

void bind_fluid(nb::module_& m) {
    nb::class_<PyFluid> c(m, "Fluid");
    c.def("__init__", &make, nb::kw_only(), nb::arg("name") = "auto", nb::arg("threads") = 0,
          nb::arg("pin") = true, nb::arg("hostile") = false, nb::arg("roots"), nb::arg("dims"),
          nb::arg("lower"), nb::arg("upper"), nb::arg("boundary"), nb::arg("beyond"),
          nb::arg("refine"), nb::arg("criteria"), nb::arg("most_level"), nb::arg("gamma"),
          nb::arg("reconstruct"), nb::arg("riemann"), nb::arg("steps"), nb::arg("cfl"),
          nb::arg("repair"), nb::arg("schedule"), nb::arg("executors") = 1, nb::arg("most") = 1,
          nb::arg("notice") = "poll", nb::arg("workers") = 0);
    bind_mesh(c);
    bind_state(c);
    c.def("conserved", [](PyFluid& self) {
        auto& sim = self.get();
        const auto along = [&](int axis) {
            return static_cast<std::size_t>(sim.mesh().cells_along(axis));
        };
        return to_numpy(sim.conserved().data(), {amr::fields, along(2), along(1), along(0)});
    });
    c.def("leaves", &leaves);
    c.def("conserved_of_leaves", [](PyFluid& self) {
        auto& sim = self.get();
        const auto shape = sim.mesh().shape();
        const auto along = [&](int axis) { return static_cast<std::size_t>(shape.extent(axis)); };
        return to_numpy(sim.conserved_of_leaves().data(),
                        {static_cast<std::size_t>(sim.tree().size()), amr::fields, along(2),
                         along(1), along(0)});
    });
    c.def("run", &run, nb::arg("steps"), nb::arg("until"));
    c.def("totals", &totals);
    c.def("describe", &describe);
    c.def("counts", &counts);
    c.def("repairs", &repairs);
    c.def("profile", &profile);
    c.def_prop_ro("step", [](PyFluid& self) { return self.get().step(); });
    c.def_prop_ro("time", [](PyFluid& self) { return self.get().time(); });
    c.def_prop_ro("dt", [](PyFluid& self) { return self.get().dt(); });
    bind_hold(c);
    m.def("fluid_schemes", [] {
        nb::dict d;
        d["reconstruct"] = amr::reconstructions(), d["riemann"] = amr::riemann_solvers();
        d["criteria"] = amr::criteria();
        return d;
    });
}

}  // namespace aureole::python
