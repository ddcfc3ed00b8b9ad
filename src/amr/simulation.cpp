// SPDX-License-Identifier: Apache-2.0
#include "amr/simulation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <new>
#include <utility>

#include "amr/fluid_state.hpp"
#include "amr/hydro/leaves.hpp"
#include "amr/hydro/state.hpp"
#include "amr/step/look.hpp"
#include "comm/run_until.hpp"
#include "core/error.hpp"
#include "io/checkpoint.hpp"

namespace aureole::amr {

namespace {

constexpr int most_host_threads = 4096;
/// Most steps of one run: steps are counted in 64 bits.
constexpr std::int64_t most_steps = std::int64_t{1} << 60;
constexpr double no_end = std::numeric_limits<double>::infinity();

std::string text(double value) {
    if (std::isnan(value)) return "nan";
    std::array<char, 32> digits{};
    std::snprintf(digits.data(), digits.size(), "%.6g", value);
    return digits.data();
}

std::string name_of(const BadCell& bad) {
    return bad.field == at::density ? "density" : "pressure";
}

std::string position_of(const Mesh& mesh, const BadCell& bad) {
    const auto center = mesh.center(bad.block, bad.cell);
    const std::array along{center.x, center.y, center.z};
    std::string all;
    for (int axis = 0; axis < mesh.dims; ++axis)
        all += (axis == 0 ? "(" : ", ") + text(along[static_cast<std::size_t>(axis)]);
    return all + ")";
}

/// "sub-grid 3, cell 17 at (0.1, 0.2)"
std::string where_is(const Mesh& mesh, const BadCell& bad) {
    return "sub-grid " + std::to_string(bad.block) + ", cell " + std::to_string(bad.cell) + " at " +
           position_of(mesh, bad);
}

/// The cell with the largest signal rate, of [block][field][cell].
BadCell fastest(const Mesh& mesh, const Ideal& gas, const std::vector<double>& conserved) {
    const auto cells = mesh.shape().cells();
    BadCell found;
    double most = 0;
    for (std::int64_t block = 0; block < mesh.blocks(); ++block)
        for (int cell = 0; cell < cells; ++cell) {
            std::array<double, fields> u, w;
            for (int f = 0; f < fields; ++f)
                u[static_cast<std::size_t>(f)] =
                    conserved[static_cast<std::size_t>((block * fields + f) * cells + cell)];
            to_primitive(gas, u.data(), w.data());
            const double rate = signal_rate(gas, w.data(), mesh.inverse_spacings(), mesh.dims);
            if (rate > most) most = rate, found.block = block, found.cell = cell;
        }
    return found;
}

/// f(place in an array [z][y][x] of the whole box, place in an array [block][5][cell]) of all
/// cells.
template <class F>
void for_cells(const Mesh& mesh, F f) {
    const auto shape = mesh.shape();
    const std::int64_t nx = mesh.cells_along(0), ny = mesh.cells_along(1);
    for (std::int64_t block = 0; block < mesh.blocks(); ++block) {
        const auto at = mesh.place(block);
        for (int cell = 0; cell < shape.cells(); ++cell) {
            const std::int64_t x = at.x * edge + cell % edge,
                               y = at.y * shape.extent(1) + cell / edge % edge,
                               z = at.z * shape.extent(2) + cell / (edge * edge);
            f((z * ny + y) * nx + x, block * fields * shape.cells() + cell);
        }
    }
}

void check(double gamma, const Scheme& scheme) {
    if (!(gamma > 1) || !std::isfinite(gamma))
        throw core::InputError("gamma is " + text(gamma), "an ideal gas has a finite one above 1",
                               "Use 5/3 for atoms, 7/5 for molecules of two.");
    if (!(scheme.cfl > 0 && scheme.cfl <= 1))
        throw core::InputError("cfl is " + text(scheme.cfl),
                               "steps are stable with a value above 0 and at most 1",
                               "Use 0.4 if in doubt.");
}

std::unique_ptr<Schedule> make_schedule(device::Device& device, device::Queue& queue,
                                        const Mesh& mesh, double gamma, const Scheme& scheme,
                                        const Launching& launching) {
    const std::string& name = launching.schedule;
    try {
        if (name == "subgrids") return make_subgrids(device, queue, mesh, gamma, scheme, launching);
        if (name == "aggregate")
            return make_aggregate(device, queue, mesh, gamma, scheme, launching);
        if (name == "pack" || name == "lanes")
            return make_pack(queue, mesh, gamma, scheme, name == "lanes");
    } catch (const std::bad_alloc&) {
        throw core::DeviceError("the mesh has " + std::to_string(mesh.cells()) + " cells",
                                "there is not enough memory for their fields",
                                "Use fewer sub-grids or a larger machine.");
    }
    throw core::InputError("there is no schedule '" + name + "'",
                           "it says how the work of a step is launched",
                           "Choose pack, aggregate or subgrids.");
}

}  // namespace

Simulation::Simulation(const device::OpenOptions& device, const Mesh& mesh, double gamma,
                       const Scheme& scheme, const Launching& launching)
    : mesh_((amr::check(mesh), check(gamma, scheme), mesh)),
      gamma_(gamma),
      scheme_(scheme),
      launching_(launching),
      device_options_(device),
      device_(device::open(device, most_host_threads)),
      queue_(device_),
      schedule_(make_schedule(device_, queue_, mesh, gamma, scheme, launching)) {}

void Simulation::set(const std::vector<double>& primitive) {
    const auto cells = mesh_.cells();
    if (static_cast<std::int64_t>(primitive.size()) != fields * cells)
        throw core::InputError("the fields have " + std::to_string(primitive.size()) + " values",
                               "the mesh has " + std::to_string(cells) + " cells and each has 5",
                               "Give an array [5][nz][ny][nx].");
    std::vector<double> conserved(primitive.size());
    const auto block_cells = mesh_.shape().cells();
    for_cells(mesh_, [&](std::int64_t from, std::int64_t to) {
        std::array<double, fields> w, u;
        for (int f = 0; f < fields; ++f)
            w[static_cast<std::size_t>(f)] = primitive[static_cast<std::size_t>(f * cells + from)];
        to_conserved(Ideal{gamma_}, w.data(), u.data());
        for (int f = 0; f < fields; ++f)
            conserved[static_cast<std::size_t>(f * block_cells + to)] =
                u[static_cast<std::size_t>(f)];
    });
    const auto [rate, bad] = look_at(mesh_, Ideal{gamma_}, conserved.data());
    if (bad.block >= 0)
        throw core::InputError("the " + name_of(bad) + " is " + text(bad.value),
                               where_is(mesh_, bad) + ", where it must be positive and finite",
                               "Change the initial state.");
    if (!std::isfinite(rate) || !std::isfinite(scheme_.cfl / rate))
        throw core::InputError("no time step can be found for the state",
                               "the largest (|v| + c) / Δx is " + text(rate),
                               "Use units in which speeds and lengths are near 1.");
    schedule_->set(conserved);
    clock_.rate = rate, set_ = true;
}

std::vector<double> Simulation::conserved() {
    const Profile::Scope time(profile_, RunRegion::state);
    const auto from = schedule_->get();
    std::vector<double> to(from.size());
    const auto cells = mesh_.cells(), block_cells = std::int64_t{mesh_.shape().cells()};
    for_cells(mesh_, [&](std::int64_t whole, std::int64_t block) {
        for (int f = 0; f < fields; ++f)
            to[static_cast<std::size_t>(f * cells + whole)] =
                from[static_cast<std::size_t>(f * block_cells + block)];
    });
    return to;
}

Totals Simulation::totals() {
    const auto all = conserved();
    const auto cells = static_cast<std::size_t>(mesh_.cells());
    std::array<double, fields> sums{};
    for (std::size_t f = 0; f < fields; ++f) {
        double lost = 0;  // by rounding (Kahan), so that drifts are those of the fields
        for (std::size_t i = 0; i < cells; ++i) {
            const double term = all[f * cells + i] - lost, sum = sums[f] + term;
            lost = (sum - sums[f]) - term;
            sums[f] = sum;
        }
        sums[f] *= mesh_.cell_volume();
    }
    return {sums[0], {sums[1], sums[2], sums[3]}, sums[4]};
}

void Simulation::report() const {
    const auto& bad = clock_.bad;
    core::BlowUp what;
    what.step = clock_.step + 1, what.value = bad.value, what.force = name_of(bad);
    what.place = where_is(mesh_, bad);
    throw core::BlowUpError(
        "the " + what.force + " became " + text(bad.value) + " in step " +
            std::to_string(what.step),
        what.place,
        "The state is that of step " + std::to_string(clock_.step) + ", at time " +
            text(clock_.time) + ". Density and pressure have no floors: lower cfl, which is " +
            text(scheme_.cfl) + (scheme_.reconstruct == "ppm" ? ", use plm in place of ppm" : "") +
            ", or start without such strong contrasts.",
        what);
}

void Simulation::report_standing() {
    const double time = clock_.time,
                 rounding = std::nextafter(std::abs(time), no_end) - std::abs(time);
    core::BlowUp what;
    what.step = clock_.step + 1, what.value = clock_.next_dt, what.force = "time step";
    what.place = where_is(mesh_, fastest(mesh_, Ideal{gamma_}, schedule_->get()));
    throw core::BlowUpError(
        "the time stands still at " + text(time) + " in step " + std::to_string(what.step),
        "the time step, " + text(what.value) + ", is below the rounding of the time, " +
            text(rounding) + "; the fastest signals are in " + what.place,
        "The state is that of step " + std::to_string(clock_.step) +
            ". Count the time from 0, with set(..., time=0), or start without such fast signals.",
        what);
}

void Simulation::check_is_set() const {
    if (!set_)
        throw core::InputError("the simulation has no initial state", "its cells are empty",
                               "Call set() first.");
}

void Simulation::write_checkpoint(const std::filesystem::path& path, const std::string& extra) {
    check_is_set();
    const Profile::Scope time(profile_, RunRegion::output);
    io::StateBlocks blocks;
    put_state(blocks, mesh_, {clock_, schedule_->get()});
    io::put(blocks, "extra", std::span(extra));
    std::vector<io::Block> list;
    for (const auto& [name, bytes] : blocks) list.push_back({name, bytes.data(), bytes.size()});
    io::write_checkpoint(path, list);
}

void Simulation::read_checkpoint(const std::filesystem::path& path) {
    io::StateBlocks blocks;
    const io::Checkpoint file(path);
    for (const auto& name : file.names()) {
        const auto bytes = file.block(name);
        blocks[name].assign(bytes.begin(), bytes.end());
    }
    const auto state = get_state(blocks, mesh_);
    const auto [rate, bad] = look_at(mesh_, Ideal{gamma_}, state.conserved.data());
    io::require(bad.block < 0, "cells", "a density or pressure is not positive");
    // Steps find the rate in another order of operations.
    io::require(std::abs(rate - state.clock.rate) <= 1e-9 * rate, "fluid",
                "its time step is not that of its cells");
    io::require(state.clock.step <= most_steps, "fluid", "its step is out of range");
    schedule_->set(state.conserved);
    clock_ = state.clock, set_ = true;
}

std::int64_t Simulation::run(std::int64_t steps, double until,
                             const std::function<void()>& interrupted) {
    check_is_set();
    const auto last = clock_.step + std::min(steps, most_steps);
    clock_.until = until, clock_.bad = {};
    const auto finished = [&] { return clock_.step >= last || clock_.time >= until; };
    const auto advance = [&](std::int64_t most) {
        const Profile::Scope time(profile_, RunRegion::steps);
        const auto start = clock_.step;
        clock_.last_step = std::min(start + most, last);
        schedule_->advance(clock_);
        if (clock_.bad.block >= 0) report();
        if (clock_.stands) report_standing();
        return clock_.step - start;
    };
    return comm::run_until(
        nullptr, finished, advance, [] {}, interrupted);
}

}  // namespace aureole::amr
