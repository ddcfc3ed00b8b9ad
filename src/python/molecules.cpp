// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>

#include "python/held_simulation.hpp"

namespace aureole::python {

namespace {

/// One of the words of a list, as the number of its place.
template <class Kind, std::size_t n>
Kind kind_of(const std::array<const char*, n>& words, const std::string& word, const char* what) {
    std::string all;
    for (std::size_t k = 0; k < n; ++k) {
        if (word == words[k]) return static_cast<Kind>(k);
        all += (k == 0 ? "" : ", ") + std::string(words[k]);
    }
    throw core::InputError("there is no " + std::string(what) + " '" + word + "'", "",
                           "Choose one of " + all + ".");
}

template <class T>
std::vector<T> copy(const In<T>& a) {
    return {a.data(), a.data() + a.size()};
}

/// (particles [n][k], row [n], parameters [m][p]), or None.
md::TermColumns terms_of(const nb::object& of) {
    if (of.is_none()) return {};
    const auto [particles, row, parameters] =
        nb::cast<std::tuple<In<md::Tag>, In<std::int32_t>, In<double>>>(of);
    return {copy(particles), copy(row), copy(parameters)};
}

core::Sym3d six(const nb::object& of) {
    const auto v = nb::cast<std::vector<double>>(of);
    if (v.size() != 6)
        throw core::InputError("a tensor needs six components", "xx yy zz xy xz yz",
                               "Give all six.");
    return {v[0], v[1], v[2], v[3], v[4], v[5]};
}

void set_constraints(PySimulation& self, const nb::object& settle, const nb::object& constraint,
                     int order, int iterations, double tolerance) {
    md::ConstraintSpec spec;
    spec.settle = terms_of(settle), spec.constraint = terms_of(constraint);
    spec.order = order, spec.iterations = iterations, spec.tolerance = tolerance;
    self.moving().set_constraints(std::move(spec));
}

void set_sites(PySimulation& self, const nb::dict& kinds) {
    md::SiteSpec spec;
    spec.n = self.get().particles().n;
    const std::array<std::pair<const char*, md::TermColumns*>, 9> known{
        {{"vsite1", &spec.vsite1},
         {"vsite2", &spec.vsite2},
         {"vsite2fd", &spec.vsite2fd},
         {"vsite3", &spec.vsite3},
         {"vsite3fd", &spec.vsite3fd},
         {"vsite3fad", &spec.vsite3fad},
         {"vsite3out", &spec.vsite3out},
         {"vsite4fdn", &spec.vsite4fdn},
         {"vsiten", &spec.vsiten}}};
    for (const auto [name, terms] : kinds) {
        const auto word = nb::cast<std::string>(name);
        bool found = false;
        for (const auto& [kind, columns] : known)
            if (word == kind) *columns = terms_of(nb::borrow(terms)), found = true;
        if (!found)
            throw core::InputError("there are no virtual sites of kind '" + word + "'", "",
                                   "Use those of the topology.");
    }
    self.moving().set_sites(std::move(spec));
}

void set_coupling(PySimulation& self, const nb::dict& d, const nb::object& group_of_tag) {
    static constexpr std::array<const char*, 4> thermostats{"no", "v-rescale", "nose-hoover",
                                                            "berendsen"};
    static constexpr std::array<const char*, 4> barostats{"no", "c-rescale", "parrinello-rahman",
                                                          "berendsen"};
    static constexpr std::array<const char*, 3> shapes{"isotropic", "semiisotropic", "anisotropic"};
    md::CouplingSpec spec;
    spec.thermostat =
        kind_of<md::Thermostat>(thermostats, nb::cast<std::string>(d["thermostat"]), "thermostat");
    spec.every = nb::cast<int>(d["every"]), spec.chain = nb::cast<int>(d["chain"]);
    for (const auto one : nb::cast<nb::list>(d["groups"])) {
        const auto g = nb::cast<nb::dict>(one);
        md::TemperatureGroup group{nb::cast<double>(g["kT"]),
                                   nb::cast<double>(g["tau"]),
                                   nb::cast<double>(g["dof"]),
                                   {},
                                   {},
                                   false};
        if (g.contains("times")) {
            group.times = nb::cast<std::vector<double>>(g["times"]);
            group.kTs = nb::cast<std::vector<double>>(g["kTs"]);
            group.periodic = nb::cast<bool>(g["periodic"]);
        }
        spec.groups.push_back(std::move(group));
    }
    auto& b = spec.barostat;
    b.kind = kind_of<md::Barostat>(barostats, nb::cast<std::string>(d["barostat"]), "barostat");
    if (b.kind != md::Barostat::none) {
        b.shape = kind_of<md::BoxShape>(shapes, nb::cast<std::string>(d["shape"]), "shape");
        b.every = nb::cast<int>(d["press_every"]), b.tau = nb::cast<double>(d["press_tau"]);
        b.compressibility = six(d["compressibility"]), b.pressure = six(d["pressure"]);
    }
    std::vector<std::uint8_t> groups;
    if (!group_of_tag.is_none()) groups = copy(nb::cast<In<std::uint8_t>>(group_of_tag));
    self.moving().set_coupling(std::move(spec), groups);
}

/// Four numbers an axis: force on a unit charge, angular frequency, centre and width of the pulse.
void set_electric_field(PySimulation& self, In<double> axes) {
    if (axes.ndim() != 2 || axes.shape(0) != 3 || axes.shape(1) != 4)
        throw core::InputError("the electric field has the wrong shape",
                               "each of the three axes needs four numbers", "Give a 3 x 4 array.");
    const double* a = axes.data();
    const auto column = [a](int k) { return core::Vec3d{a[k], a[4 + k], a[8 + k]}; };
    self.moving().set_electric_field({column(0), column(1), column(2), column(3)});
}

void set_motion(PySimulation& self, const std::string& scheme, double dt, int remove_com_every,
                double dof, bool coupled, bool remove_rotation) {
    static constexpr std::array<const char*, 4> schemes{"plain", "leap-frog", "verlet",
                                                        "stochastic"};
    md::MotionSpec m;
    m.scheme = kind_of<md::Scheme>(schemes, scheme, "scheme");
    m.dt = dt, m.remove_com_every = remove_com_every, m.dof = dof, m.coupled = coupled;
    m.remove_rotation = remove_rotation;
    self.moving().set_motion(m, {});
}

nb::dict descend(PySimulation& self, double force_tolerance, double step, std::int64_t max_steps,
                 const nb::object& tell) {
    md::FireResult r;
    auto& sim = self.moving();
    const Hold hold(self.ownership(), true);
    {
        const nb::gil_scoped_release released;
        r = sim.descend({force_tolerance, step, max_steps}, [&](const md::DescentState& s) {
            const nb::gil_scoped_acquire held;
            if (PyErr_CheckSignals() != 0) nb::raise_python_error();
            if (tell.is_none()) return;
            const CallbackInStep in_step(self);
            tell(s.steps, s.step, s.energy, s.max_force, s.tag);
        });
    }
    nb::dict d;
    d["converged"] = r.converged, d["steps"] = r.steps;
    d["max_force"] = r.max_force, d["energy"] = r.energy;
    return d;
}

/// (tag, tag, angle [rad], step) or None
nb::object take_largest_rotation(PySimulation& self) {
    const auto turn = self.moving().take_largest_rotation();
    if (turn.tag_a == md::no_tag) return nb::none();
    return nb::make_tuple(turn.tag_a, turn.tag_b, turn.angle, turn.step);
}

void set_dispersion(PySimulation& self, const std::string& wanted) {
    static constexpr std::array<const char*, 6> kinds{"no",
                                                      "energy",
                                                      "energy and pressure",
                                                      "all energy",
                                                      "all energy and pressure",
                                                      "all energy and pressure of all pairs"};
    self.moving().set_dispersion(kind_of<md::TailCorrection>(kinds, wanted, "correction"));
}

}  // namespace

void bind_molecules(nb::class_<PySimulation>& c) {
    c.def("set_constraints", &set_constraints, nb::arg("settle").none(),
          nb::arg("constraint").none(), nb::arg("order"), nb::arg("iterations"),
          nb::arg("tolerance"));
    c.def("set_sites", &set_sites, nb::arg("kinds"));
    c.def_prop_ro("start", [](PySimulation& self) { return self.get().system().coupling.start; });
    c.def(
        "set_start", [](PySimulation& self, double start) { self.moving().set_start(start); },
        nb::arg("start"));
    c.def("set_coupling", &set_coupling, nb::arg("settings"), nb::arg("group").none());
    c.def("set_motion", &set_motion, nb::arg("scheme"), nb::arg("dt"), nb::arg("remove_com_every"),
          nb::arg("dof"), nb::arg("coupled"), nb::arg("remove_rotation"));
    c.def("set_electric_field", &set_electric_field, nb::arg("axes"));
    c.def("set_dispersion", &set_dispersion, nb::arg("wanted"));
    c.def(
        "set_free_axes",
        [](PySimulation& self, In<std::uint8_t> axes) { self.moving().set_free_axes(copy(axes)); },
        nb::arg("axes"));
    c.def(
        "set_drift_groups",
        [](PySimulation& self, In<std::uint8_t> group) {
            self.moving().set_drift_groups(copy(group));
        },
        nb::arg("group"));
    c.def("take_largest_turn", &take_largest_rotation);
    c.def("constrain_start", [](PySimulation& self) { self.moving().constrain_start(); });
    c.def("stop_whole", [](PySimulation& self) { self.moving().stop_whole(); });
    c.def("descend", &descend, nb::arg("force_tolerance"), nb::arg("step"), nb::arg("max_steps"),
          nb::arg("tell").none() = nb::none());
}

}  // namespace aureole::python
