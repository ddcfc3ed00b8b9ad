// SPDX-License-Identifier: Apache-2.0

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "device/processor/isa.hpp"
#include "device/threads/thread_pool.hpp"
#include "md/system/profile.hpp"
#include "python/convert.hpp"
#include "python/errors.hpp"
#include "python/held_simulation.hpp"
#include "python/leaves.hpp"
#include "python/ranks.hpp"

namespace aureole::python {

namespace {

using core::Vec3d;
using core::Vec3i;
using Six = std::tuple<double, double, double, double, double, double>;
using Three = std::tuple<bool, bool, bool>;

md::EnergyMode mode_of(const std::string& name) {
    if (name == "none") return md::EnergyMode::none;
    if (name == "shift") return md::EnergyMode::shift;
    if (name == "xplor") return md::EnergyMode::xplor;
    if (name == "force-shift") return md::EnergyMode::force_shift;
    throw core::InputError("there is no mode '" + name + "'",
                           "a mode says how the potential is modified at the cut-off",
                           "Choose none, shift, xplor or force-shift.");
}

md::Precision precision_of(const std::string& name) {
    if (name == "mixed") return md::Precision::mixed;
    if (name == "double") return md::Precision::full;
    throw core::InputError("there is no precision '" + name + "'",
                           "forces are computed in one of two precisions",
                           "Choose mixed or double.");
}

/// The way forces are computed, from the options of a simulation.
std::string algorithm_of(const nb::object& options) {
    if (options.is_none()) return "auto";
    const auto d = nb::cast<nb::dict>(options);
    return d.contains("algorithm") ? nb::cast<std::string>(d["algorithm"]) : "auto";
}

/// Into how many parts ranks divide the box along each axis; zeros where that is theirs to choose.
core::Vec3i grid_of(const nb::object& options) {
    if (options.is_none()) return {};
    const auto d = nb::cast<nb::dict>(options);
    if (!d.contains("grid") || d["grid"].is_none()) return {};
    const auto [x, y, z] = nb::cast<std::tuple<int, int, int>>(d["grid"]);
    return {x, y, z};
}

nb::dict thermo(PySimulation& self) {
    auto& sim = self.moving();
    const Hold hold(self.ownership());
    md::Thermo t;
    {
        const nb::gil_scoped_release released;
        t = sim.thermo();
    }
    nb::dict d;
    d["potential"] = t.potential, d["kinetic"] = t.kinetic;
    d["virial"] = tensor(t.virial), d["pressure_tensor"] = tensor(t.pressure_tensor);
    d["pressure"] = t.pressure, d["temperature"] = t.temperature, d["dof"] = t.dof;
    d["momentum"] = to_numpy(&t.momentum.x, 3);
    d["constraint_virial"] = tensor(t.constraint_virial);
    d["given"] = t.given, d["group_temperatures"] = to_numpy(t.group_temperatures);
    nb::list forces;
    const auto names = md::term_names(sim.system());
    for (std::size_t k = 0; k < t.of_force.size(); ++k) {
        nb::dict f;
        f["name"] = names[k];
        f["energy"] = t.of_force[k].energy;
        f["virial"] = tensor(t.of_force[k].virial);
        forces.append(f);
    }
    d["per_force"] = forces;
    return d;
}

double number(const nb::dict& d, const char* key) {
    return d.contains(key) ? nb::cast<double>(d[key]) : 0;
}

void set_integrator(PySimulation& self, const std::string& kind, const nb::dict& parameters,
                    std::optional<In<std::uint8_t>> group) {
    md::MotionSpec m;
    m.dt = number(parameters, "dt"), m.kT = number(parameters, "kT");
    m.gamma = number(parameters, "gamma"), m.tau = number(parameters, "tau");
    if (parameters.contains("every"))
        m.thermostat_every = static_cast<int>(number(parameters, "every"));
    m.remove_com_every = static_cast<int>(number(parameters, "remove_com_every"));
    if (kind == "langevin")
        m.thermostat = md::GlobalThermostat::langevin;
    else if (kind == "bussi")
        m.thermostat = md::GlobalThermostat::bussi;
    else if (kind != "nve")
        throw core::InputError("there is no integrator '" + kind + "'", "",
                               "Choose nve, langevin or bussi.");
    if (m.thermostat == md::GlobalThermostat::bussi && (!(m.tau > 0) || m.thermostat_every < 1))
        throw core::InputError("Bussi's thermostat needs tau > 0 and every >= 1",
                               "tau is its relaxation time", "Try tau = 100 dt.");
    std::vector<std::uint8_t> moves;
    if (group) moves = rows<std::uint8_t>(*group, "group", 0);
    self.moving().set_motion(m, moves);
}

void add_pair(PySimulation& self, const std::string& name, In<double> parameters, In<double> r_cut,
              In<double> r_switch, const std::string& mode, bool tail_correction) {
    const auto copy = [](const In<double>& a) {
        return std::vector<double>(a.data(), a.data() + a.size());
    };
    md::PairForceSpec spec;
    spec.potential = name;
    spec.n_types = static_cast<int>(r_cut.ndim() > 0 ? r_cut.shape(0) : 0);
    spec.parameters = copy(parameters), spec.r_cut = copy(r_cut), spec.r_switch = copy(r_switch);
    spec.mode = mode_of(mode), spec.tail_correction = tail_correction;
    self.moving().add_pair(std::move(spec));
}

md::VdwEnd end_of(const std::string& name) {
    if (name == "plain") return md::VdwEnd::plain;
    if (name == "potential-switch") return md::VdwEnd::potential_switch;
    if (name == "force-switch") return md::VdwEnd::force_switch;
    throw core::InputError("there is no dispersion modifier '" + name + "'", "there are three",
                           "Choose plain, potential-switch or force-switch.");
}

void set_nonbonded(PySimulation& self, In<double> c6, In<double> c12, const nb::dict& settings) {
    md::NonbondedSpec spec;
    spec.n_types = static_cast<int>(c6.ndim() > 0 ? c6.shape(0) : 0);
    spec.c6.assign(c6.data(), c6.data() + c6.size());
    spec.c12.assign(c12.data(), c12.data() + c12.size());
    spec.end = end_of(nb::cast<std::string>(settings["vdw_end"]));
    spec.shift_vdw = nb::cast<bool>(settings["shift_vdw"]);
    spec.r_vdw = number(settings, "r_vdw");
    spec.r_vdw_switch = number(settings, "r_vdw_switch");
    const auto coulomb = nb::cast<std::string>(settings["coulomb"]);
    if (coulomb != "reaction-field" && coulomb != "ewald")
        throw core::InputError("there is no electrostatics method '" + coulomb + "'",
                               "there are two", "Choose reaction-field or ewald.");
    spec.coulomb = coulomb == "ewald" ? md::Coulomb::ewald : md::Coulomb::reaction_field;
    spec.r_coulomb = number(settings, "r_coulomb");
    spec.coulomb_constant = number(settings, "coulomb_constant");
    spec.epsilon_r = number(settings, "epsilon_r");
    spec.epsilon_rf = number(settings, "epsilon_rf");
    if (settings.contains("field_of_excluded"))
        spec.field_of_excluded = nb::cast<bool>(settings["field_of_excluded"]);
    spec.beta = number(settings, "beta");
    spec.shift_coulomb = nb::cast<bool>(settings["shift_coulomb"]);
    self.moving().set_nonbonded(std::move(spec));
}

void set_exclusions(PySimulation& self, In<std::int64_t> start, In<md::Tag> partner) {
    self.moving().set_exclusions({{start.data(), start.data() + start.size()},
                                  {partner.data(), partner.data() + partner.size()}});
}

/// Splitting and constant of Coulomb's law are those of the non-bonded forces.
void set_mesh(PySimulation& self, std::tuple<int, int, int> grid, int order, bool both_signs) {
    const auto [x, y, z] = grid;
    self.moving().set_mesh({.grid = {x, y, z}, .order = order, .both_signs = both_signs});
}

/// `particles` (n, k), `rows` (n), `parameters` (m, p).
void add_bonded(PySimulation& self, const std::string& name, In<md::Tag> particles,
                In<std::int32_t> rows, In<double> parameters) {
    const auto copy = []<class T>(const In<T>& a) {
        return std::vector<T>(a.data(), a.data() + a.size());
    };
    self.moving().add_bonded(name, copy(particles), copy(rows), copy(parameters));
}

/// `maps`: one square array of energies each. `coulomb`: the constant of Coulomb's law for chosen
/// pairs where there are no non-bonded forces, which own it otherwise.
void set_bonded_constants(PySimulation& self, std::optional<double> coulomb,
                          const std::vector<In<double>>& maps, bool periodic_splines,
                          bool anchors_with_box, std::tuple<double, double, double> anchors) {
    if (coulomb && self.get().system().nonbonded)
        throw core::InputError("the Coulomb constant is given twice",
                               "the non-bonded forces already define it", "Give it there only.");
    const auto [x, y, z] = anchors;
    md::BondedConstants constants{
        coulomb.value_or(1.0), {}, {anchors_with_box, {x, y, z}}, periodic_splines};
    for (const auto& map : maps) constants.maps.emplace_back(map.data(), map.data() + map.size());
    self.moving().set_bonded_constants(std::move(constants));
}

nb::dict describe(PySimulation& self) {
    auto& sim = self.get();
    nb::dict d;
    const bool host = sim.queue().backend() == device::Backend::host;
    d["device"] = device::opened(sim.device_spec(), sim.queue().backend());
    d["description"] = sim.device().description();
    d["precision"] = sim.precision() == md::Precision::mixed ? "mixed" : "double";
    d["isa"] = device::name_of(device::isa_in_use());
    d["threads"] = host ? sim.device().threads().size() : 0;
    d["active_threads"] = host ? sim.device().threads().active() : 0;
    d["fewest_active_threads"] = host ? sim.device().threads().fewest_active() : 0;
    if (const auto n = sim.rank_grid(); n.x > 0) d["grid"] = std::tuple(n.x, n.y, n.z);
    if (const auto& mesh = sim.system().mesh)
        d["mesh"] = std::tuple(mesh->grid.x, mesh->grid.y, mesh->grid.z);
    d["list"] = sim.system().list.exact ? "exact" : "tolerance";
    const auto t = sim.tuning();
    const auto s = sim.statistics();
    d["inner_life"] = t.inner_lifetime, d["outer_life"] = t.outer_lifetime;
    d["searches"] = s.searches, d["prunings"] = s.prunings, d["list_steps"] = s.steps;
    d["inner_buffer"] = s.inner_buffer, d["outer_buffer"] = s.outer_buffer;
    d["outer_tiles"] = s.outer_tiles, d["inner_tiles"] = s.inner_tiles;
    const auto& counts = sim.counts();
    d["lists_outrun"] = counts.lists_outrun;
    d["steps_made"] = counts.steps, d["steps_taken_back"] = counts.taken_back;
    d["renewals"] = counts.renewals, d["early_renewals"] = counts.early_renewals;
    d["collectives"] = counts.collectives;
    d["collectives_of_renewals"] = counts.collectives_of_renewals;
    return d;
}

nb::list profiles(PySimulation& self) {
    nb::list ranks;
    for (const auto& seconds : self.get().profiles()) {
        nb::dict d;
        for (std::size_t k = 0; k < seconds.size(); ++k) d[md::region_names[k]] = seconds[k];
        ranks.append(d);
    }
    return ranks;
}

nb::dict profile(PySimulation& self) {
    nb::dict d;
    const auto* p = self.get().profile();
    for (int k = 0; k < static_cast<int>(md::StepRegion::count); ++k)
        d[md::region_names[k]] = p != nullptr ? (*p)[static_cast<md::StepRegion>(k)].seconds : 0.0;
    return d;
}

void run(PySimulation& self, std::int64_t steps) {
    run_held(self.moving(), self.ownership(), steps);
}

nb::dict minimize(PySimulation& self, double force_tolerance, std::int64_t max_steps,
                  double dt_start) {
    md::FireResult r;
    auto& sim = self.moving();
    const Hold hold(self.ownership(), true);
    {
        const nb::gil_scoped_release released;
        r = sim.minimize({force_tolerance, max_steps, dt_start}, interrupted);
    }
    nb::dict d;
    d["converged"] = r.converged, d["steps"] = r.steps;
    d["max_force"] = r.max_force, d["energy"] = r.energy;
    return d;
}

}  // namespace

void bind_simulation(nb::module_& m) {
    nb::class_<PySimulation> c(m, "Simulation");
    c.def(
        "__init__",
        [](PySimulation* self, Six box, Three periodic, In<double> position, In<double> velocity,
           In<double> mass, In<std::int32_t> type, In<std::int32_t> image,
           std::vector<std::string> type_names, const std::string& device,
           const std::string& precision, int threads, bool pin, bool hostile, std::uint64_t seed,
           nb::object options, std::optional<In<double>> charge, Ranks* ranks) {
            core::Box b;
            std::tie(b.lx, b.ly, b.lz, b.xy, b.xz, b.yz) = box;
            std::tie(b.periodic_x, b.periodic_y, b.periodic_z) = periodic;
            md::ParticleData data{
                rows<Vec3d>(position, "position", 3),
                rows<Vec3d>(velocity, "velocity", 3),
                rows<double>(mass, "mass", 0),
                rows<std::int32_t>(type, "type", 0),
                rows<Vec3i>(image, "image", 3),
                charge ? rows<double>(*charge, "charge", 0) : std::vector<double>{}};
            new (self) PySimulation(
                std::make_unique<md::Simulation>(
                    md::DeviceSpec{
                        {device, threads, pin, hostile}, algorithm_of(options), grid_of(options)},
                    precision_of(precision), b, data, static_cast<int>(type_names.size()), seed,
                    ranks != nullptr ? &ranks->world() : nullptr),
                ranks);
        },
        nb::kw_only(), nb::arg("box"), nb::arg("periodic") = Three{true, true, true},
        nb::arg("position"), nb::arg("velocity"), nb::arg("mass"), nb::arg("type"),
        nb::arg("image"), nb::arg("type_names"), nb::arg("device") = "auto",
        nb::arg("precision") = "mixed", nb::arg("threads") = 0, nb::arg("pin") = true,
        nb::arg("hostile") = false, nb::arg("seed") = 0, nb::arg("options") = nb::none(),
        nb::arg("charge") = nb::none(), nb::arg("ranks").none() = nb::none());
    c.def("add_pair", &add_pair, nb::arg("name"), nb::arg("parameters"), nb::arg("r_cut"),
          nb::arg("r_switch"), nb::arg("mode") = "none", nb::arg("tail_correction") = false);
    c.def("clear_forces", [](PySimulation& self) { self.moving().clear_forces(); });
    c.def("set_nonbonded", &set_nonbonded, nb::arg("c6"), nb::arg("c12"), nb::arg("settings"));
    c.def("set_exclusions", &set_exclusions, nb::arg("start"), nb::arg("partner"));
    c.def("set_mesh", &set_mesh, nb::arg("grid"), nb::arg("order"), nb::arg("both_signs") = false);
    c.def(
        "mesh_for_spacing",
        [](PySimulation& self, double spacing, int order, std::tuple<int, int, int> given) {
            const auto [x, y, z] = given;
            const auto& box = self.get().system().box;
            const bool for_gpu = self.get().queue().backend() != device::Backend::host;
            const auto grid = md::mesh_for_spacing(box, spacing, order, {x, y, z}, for_gpu);
            return std::tuple(grid.x, grid.y, grid.z);
        },
        nb::arg("spacing"), nb::arg("order"), nb::arg("given") = std::tuple(0, 0, 0));
    c.def("add_bonded", &add_bonded, nb::arg("name"), nb::arg("particles"), nb::arg("rows"),
          nb::arg("parameters"));
    c.def("set_bonded_constants", &set_bonded_constants, nb::arg("coulomb") = nb::none(),
          nb::arg("maps") = std::vector<In<double>>{}, nb::arg("periodic_splines") = false,
          nb::arg("anchors_with_box") = false, nb::arg("anchors") = std::tuple(0.0, 0.0, 0.0));
    c.def(
        "set_list",
        [](PySimulation& self, const std::string& mode, double tolerance, double buffer,
           int inner_lifetime, int outer_lifetime) {
            self.moving().set_list(
                {mode == "exact", tolerance, buffer, inner_lifetime, outer_lifetime});
        },
        nb::arg("mode"), nb::arg("tolerance"), nb::arg("buffer"), nb::arg("inner_life"),
        nb::arg("outer_life"));
    c.def("set_integrator", &set_integrator, nb::arg("kind"), nb::arg("parameters"),
          nb::arg("group") = nb::none());
    bind_columns(c), bind_molecules(c), bind_leaves(m, c);
    c.def("run", &run, nb::arg("n_steps"));
    c.def("minimize", &minimize, nb::arg("force_tolerance"), nb::arg("max_steps"),
          nb::arg("dt_start"));
    c.def(
        "thermalize",
        [](PySimulation& self, double kT, std::optional<std::uint64_t> seed) {
            self.moving().thermalize(kT, seed);
        },
        nb::arg("kT"), nb::arg("seed") = nb::none());
    c.def("thermo", &thermo);
    c.def("describe", &describe);
    c.def("profile", &profile);
    c.def("profiles", &profiles);
    c.def("plan", [](PySimulation& self) { return self.get().describe(); });
    c.def(
        "write_checkpoint",
        [](PySimulation& self, const std::filesystem::path& path, nb::bytes extra) {
            const std::string text(extra.c_str(), extra.size());
            auto& sim = self.moving();
            const Hold hold(self.ownership());
            const nb::gil_scoped_release released;
            sim.write_checkpoint(path, text);
        },
        nb::arg("path"), nb::arg("extra"));
    c.def_static(
        "read_checkpoint",
        [](const std::filesystem::path& path, const std::string& device, int threads, Ranks* ranks,
           const nb::object& options) {
            std::string extra;
            md::DeviceSpec spec{{.name = device, .threads = threads}};
            spec.grid = grid_of(options);
            auto sim = std::make_unique<PySimulation>(
                md::Simulation::read_checkpoint(path, spec, extra,
                                                ranks != nullptr ? &ranks->world() : nullptr),
                ranks);
            return nb::make_tuple(nb::cast(std::move(sim)), nb::bytes(extra.data(), extra.size()));
        },
        nb::arg("path"), nb::arg("device") = "auto", nb::arg("threads") = 0,
        nb::arg("ranks").none() = nb::none(), nb::arg("options") = nb::none());
    c.def("tile_counts", [](PySimulation& self) {
        const auto counts = self.get().tile_counts();
        return nb::make_tuple(counts.whole, counts.masked, counts.tiles);
    });
    c.def("take_remark", [](PySimulation& self) { return self.get().take_remark(); });
    bind_hold(c);
    c.def_prop_rw(
        "step", [](PySimulation& self) { return self.get().system().step; },
        [](PySimulation& self, std::int64_t step) { self.moving().set_step(step); });
    c.def_prop_ro("n", [](PySimulation& self) { return self.get().system().n_total(); });
    c.def_prop_ro("dt", [](PySimulation& self) { return self.get().system().motion.dt; });
    c.def_prop_ro("generation",
                  [](PySimulation& self) { return self.get().particles().generation; });
    c.def_prop_ro("box", [](PySimulation& self) {
        const auto& b = self.get().system().box;
        return Six{b.lx, b.ly, b.lz, b.xy, b.xz, b.yz};
    });
}

}  // namespace aureole::python
